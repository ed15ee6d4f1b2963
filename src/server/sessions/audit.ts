import { createHash } from 'node:crypto';
import type { Tenant } from '../context.ts';
import type { Queryable } from '../db/database.ts';
import { quoted } from '../db/names.ts';

export interface AuditEntry {
  actor: number | null;
  action: string;
  /** `user:7`. */
  target?: string;
  sid?: string | null;
  ip?: string | null;
  userAgent?: string | null;
  entityId?: number | null;
  summary?: string;
  /** What changed, from and to; secrets left out. */
  diff?: object;
}

/** What the very first entry follows from. */
const FIRST = '0'.repeat(64);

/** hash = SHA-256(previous hash ‖ canonical JSON); the first previous hash is 64 zeros. */
export function auditHash(
  previous: string,
  entry: { at: string; actor: number | null; action: string; target?: string },
): string {
  const { at, actor, action, target } = entry;
  return createHash('sha256')
    .update(previous + JSON.stringify({ at, actor, action, ...(target !== undefined && { target }) }))
    .digest('hex');
}

/**
 * Adds entries to the tenant's log, each chained to the one before. Entries of the same moment are
 * gathered, so that a hundred people signing in do not wait for the lock one after the other.
 */
export function createAuditLog(onError: (error: unknown) => void): {
  add(tenant: Tenant, entry: AuditEntry): void;
  flush(): Promise<void>;
} {
  const waiting = new Map<string, { tenant: Tenant; entries: (AuditEntry & { at: string })[] }>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const batches = [...waiting.values()];
    waiting.clear();
    for (const { tenant, entries } of batches) await append(tenant, entries).catch(onError);
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }
  return {
    add(tenant, entry) {
      const batch = waiting.get(tenant.schema) ?? { tenant, entries: [] };
      batch.entries.push({ ...entry, at: new Date().toISOString() });
      waiting.set(tenant.schema, batch);
      timer ??= setTimeout(() => void flush(), 50).unref();
    },
    flush,
  };
}

type DatedEntry = AuditEntry & { at: string };

const append = (tenant: Tenant, entries: DatedEntry[]): Promise<void> =>
  alone(tenant, (tx, table) => chain(tx, table, entries));

/** Two at once would chain to the same entry. */
function alone<T>(tenant: Tenant, work: (tx: Queryable, table: string) => Promise<T>): Promise<T> {
  return tenant.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`audit ${tenant.schema}`]);
    return work(tx, `${quoted(tenant.schema)}.audit_log`);
  });
}

async function chain(tx: Queryable, table: string, entries: DatedEntry[]): Promise<void> {
  const [last] = await tx.query<{ hash: string }>(`select hash from ${table} order by seq desc limit 1`);
  let previous = last?.hash ?? FIRST;
  for (const entry of entries) {
    const [targetType, targetId] = entry.target?.split(':') ?? [];
    const hash = auditHash(previous, entry);
    await tx.query(
      `insert into ${table} (at, actor_user_id, sid, ip, user_agent, entity_id, action, target_type, target_id, summary, diff, prev_hash, hash)
       values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)`,
      [
        entry.at,
        entry.actor,
        entry.sid ?? null,
        entry.ip ?? null,
        entry.userAgent ?? null,
        entry.entityId ?? null,
        entry.action,
        targetType ?? null,
        targetId === undefined ? null : Number(targetId),
        entry.summary ?? null,
        entry.diff === undefined ? null : JSON.stringify(entry.diff),
        previous,
        hash,
      ],
    );
    previous = hash;
  }
}

const RETENTION = 'audit_retention';

/**
 * Removes entries from before so many years, and says in the log how many. The newest entry stays, so that the chain
 * goes on; what the first one left follows from is kept with that line. @returns how many
 */
export function removeOldAudit(tenant: Tenant, years: number): Promise<number> {
  return alone(tenant, async (tx, table) => {
    const [last] = await tx.query<{ seq: number; hash: string; day: string }>(
      `select seq, hash, to_char((now() - make_interval(years => $1)) at time zone $2, 'DD-MM-YYYY') as day from ${table}
       where seq < coalesce((select min(seq) from ${table} where at >= now() - make_interval(years => $1)), (select max(seq) from ${table})) order by seq desc limit 1`,
      [years, tenant.timezone],
    );
    if (!last) return 0;
    const [{ n } = { n: 0 }] = await tx.query<{ n: number }>(
      `with gone as (delete from ${table} where seq <= $1 returning 1) select count(*)::int as n from gone`,
      [last.seq],
    );
    const summary = `${n.toLocaleString('en-IN')} ${n === 1 ? 'entry' : 'entries'} from before ${last.day} removed.`;
    await chain(tx, table, [
      {
        at: new Date().toISOString(),
        actor: null,
        action: RETENTION,
        target: `audit_log:${last.seq}`,
        summary,
        diff: { hash: last.hash },
      },
    ]);
    return n;
  });
}

/** What the first entry there is must follow from: nothing, or what was removed before it on purpose. */
export async function startOfAudit(on: Queryable, schema: string): Promise<string> {
  const table = `${quoted(schema)}.audit_log`;
  const [removed] = await on.query<{ hash: string | null }>(
    `select diff ->> 'hash' as hash from ${table} where action = '${RETENTION}' and target_id < (select min(seq) from ${table}) order by seq desc limit 1`,
  );
  return removed?.hash ?? FIRST;
}
