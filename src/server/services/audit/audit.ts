import { formatNumber } from '../../../descriptor/format.ts';
import { createHash } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

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
  /** The changes, from and to; without secrets. */
  diff?: object;
}

/** The predecessor hash of the very first entry. */
const FIRST = '0'.repeat(64);

/** Prefix of the hash of an entry that covers all its stored data. */
const WHOLE = '2:';

/** The hash rule of earlier releases: SHA-256(previous hash ‖ JSON of time, actor, action and target). */
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
 * All stored data of the entry `alias` as one text, built by the database, so that it is the same before and after
 * storing.
 */
export function entryText(alias: string): string {
  const columns = [
    'seq',
    'actor_user_id',
    'impersonator_id',
    'sid',
    'ip',
    'user_agent',
    'entity_id',
    'action',
    'target_type',
    'target_id',
    'summary',
    'diff',
  ];
  return `jsonb_build_object('at', to_char(${alias}.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ${columns.map((name) => `'${name}', ${alias}.${name}`).join(', ')})::text`;
}

/** The hash of an entry, given as {@link entryText}; the first one is chained to 64 zeros. */
function wholeHash(previous: string, text: string): string {
  return WHOLE + createHash('sha256').update(previous).update(text).digest('hex');
}

/** An entry in the log. */
export interface StoredEntry {
  prev_hash: string;
  hash: string;
  /** {@link entryText} of it. */
  text: string;
  at: string;
  actor: number | null;
  action: string;
  target: string | null;
}

/**
 * Whether an entry is correctly chained to the previous one. Entries of earlier releases are not recalculated with
 * their rule.
 */
export function follows(entry: StoredEntry, previous: string): boolean {
  if (entry.prev_hash !== previous) return false;
  if (entry.hash.startsWith(WHOLE)) return entry.hash === wholeHash(previous, entry.text);
  const { at, actor, action, target } = entry;
  return (
    !previous.startsWith(WHOLE) &&
    entry.hash === auditHash(previous, { at, actor, action, ...(target !== null && { target }) })
  );
}

/**
 * Stores an entry on the connection that writes what it describes, so that both are committed or neither; without one,
 * separately. It is stored when this resolves, so a later response implies it.
 */
export type Audit = (tenant: Tenant, entry: AuditEntry, on?: Queryable) => Promise<void>;

/** The delay before entries are chained; they are already stored. */
const CHAINED_AFTER_MS = 100;
const CHAINED_AT_ONCE = 2_000;

/**
 * The activity log. An entry is stored at once in a separate table, without waiting for others, and moves into the log
 * a moment later, chained to the previous one.
 */
/** Calls back after the current transaction has committed, with the client as it is then. */
type AfterCommit = (tenant: Tenant, work: (tenant: Tenant) => void) => void;

export function createAuditLog(
  onError: (error: unknown) => void,
  afterCommit: AfterCommit,
): { add: Audit; flush(): Promise<void> } {
  const waiting = new Map<string, Tenant>();
  let chaining: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function chainAll(): Promise<void> {
    const tenants = [...waiting.values()];
    waiting.clear();
    for (const tenant of tenants) await chainWaiting(tenant).catch(onError);
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    chaining = chaining.then(chainAll);
    return chaining;
  }
  function chainSoon(tenant: Tenant): void {
    waiting.set(tenant.schema, tenant);
    timer ??= setTimeout(() => void flush(), CHAINED_AFTER_MS).unref();
  }
  return {
    async add(tenant, entry, on = tenant.db) {
      await storeEntry(on, tenant.schema, entry);
      // The connection of a unit of work ends with it; the entry is available from then on.
      afterCommit(tenant, chainSoon);
    },
    flush,
  };
}

type DatedEntry = AuditEntry & { at: string };

/** Stores an entry that the log includes when it is next chained or read. */
export async function storeEntry(on: Queryable, schema: string, entry: AuditEntry): Promise<void> {
  await on.query(`insert into ${quoted(schema)}.audit_waiting (entry) values ($1)`, [
    JSON.stringify({ ...entry, at: new Date().toISOString() }),
  ]);
}

/** Moves the stored entries into the log, each chained to the previous one. */
export async function chainWaiting(tenant: Pick<Tenant, 'db' | 'schema'>): Promise<void> {
  const waiting = `${quoted(tenant.schema)}.audit_waiting`;
  for (let count = CHAINED_AT_ONCE; count === CHAINED_AT_ONCE;) {
    const [some] = await tenant.db.query(`select 1 from ${waiting} limit 1`);
    if (!some) return;
    count = await alone(tenant, async (tx) => {
      const rows = await tx.query<{ id: number; entry: DatedEntry }>(
        `delete from ${waiting} where id in (select id from ${waiting} order by id limit ${CHAINED_AT_ONCE}) returning id, entry`,
      );
      const entries = rows.toSorted((a, b) => a.id - b.id).map(({ entry }) => entry);
      if (entries.length > 0) await chain(tx, tenant.schema, entries);
      return entries.length;
    });
  }
}

/** Two concurrent runs would chain to the same entry. */
function alone<T>(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  work: (tx: Queryable, table: string) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`audit ${schema}`]);
    return work(tx, `${quoted(schema)}.audit_log`);
  });
}

/** A copy of the newest entry is kept beside the log: otherwise the loss of the last entries would be undetectable. */
export async function headOfAudit(on: Queryable, schema: string): Promise<{ seq: number; hash: string } | undefined> {
  const [head] = await on.query<{ seq: number; hash: string }>(`select seq, hash from ${quoted(schema)}.audit_head`);
  return head;
}

/** Adds entries to the log; the caller must hold the lock. */
export async function chain(tx: Queryable, schema: string, entries: DatedEntry[]): Promise<void> {
  const table = `${quoted(schema)}.audit_log`;
  const [last] = await tx.query<{ hash: string }>(`select hash from ${table} order by seq desc limit 1`);
  let previous = (await headOfAudit(tx, schema))?.hash ?? last?.hash ?? FIRST;
  const rows = entries.map((entry, n) => {
    const [targetType, targetId] = entry.target?.split(':') ?? [];
    return {
      n,
      at: entry.at,
      actor_user_id: entry.actor,
      sid: entry.sid ?? null,
      ip: entry.ip ?? null,
      user_agent: entry.userAgent ?? null,
      entity_id: entry.entityId ?? null,
      action: entry.action,
      target_type: targetType ?? null,
      target_id: targetId === undefined ? null : Number(targetId),
      summary: entry.summary ?? null,
      diff: entry.diff ?? null,
    };
  });
  const columns = `at timestamptz, actor_user_id bigint, impersonator_id bigint, sid text, ip text, user_agent text, entity_id bigint, action text,
    target_type text, target_id bigint, summary text, diff jsonb`;
  const numbered = await tx.query<{ seq: number; text: string }>(
    `select x.seq, ${entryText('x')} as text
     from (select nextval(pg_get_serial_sequence($2, 'seq')) as seq, y.* from (select * from jsonb_to_recordset($1::jsonb) r(n integer, ${columns}) order by n) y) x order by x.n`,
    [JSON.stringify(rows), table],
  );
  const chained = numbered.map(({ seq, text }, n) => {
    const before = previous;
    previous = wholeHash(before, text);
    return { ...rows[n], seq, prev_hash: before, hash: previous };
  });
  const names = [...columns.matchAll(/(\w+) \w+(?:,|$)/g)].map(([, name]) => name).join(', ');
  await tx.query(
    `with l as (insert into ${table} (seq, ${names}, prev_hash, hash) select seq, ${names}, prev_hash, hash
       from jsonb_to_recordset($1::jsonb) x(seq bigint, ${columns}, prev_hash text, hash text) order by x.seq returning seq, hash)
     insert into ${quoted(schema)}.audit_head (seq, hash) select seq, hash from l order by seq desc limit 1
     on conflict (alone) do update set seq = excluded.seq, hash = excluded.hash`,
    [JSON.stringify(chained)],
  );
}

const RETENTION = 'audit_retention';

/**
 * Removes entries older than this many years, and logs their number. The newest entry stays, so that the chain
 * continues; the predecessor hash of the first remaining entry is stored with that log entry. @returns the number of
 * removed entries
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
    const summary = `${formatNumber(n)} ${n === 1 ? 'entry' : 'entries'} from before ${last.day} removed.`;
    await chain(tx, tenant.schema, [
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

/** The expected predecessor of the first entry: none, or the last entry removed on purpose. */
export async function startOfAudit(on: Queryable, schema: string): Promise<string> {
  const table = `${quoted(schema)}.audit_log`;
  const [removed] = await on.query<{ hash: string | null }>(
    `select diff ->> 'hash' as hash from ${table} where action = '${RETENTION}' and target_id < (select min(seq) from ${table}) order by seq desc limit 1`,
  );
  return removed?.hash ?? FIRST;
}
