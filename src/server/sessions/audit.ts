import { createHash } from 'node:crypto';
import type { Tenant } from '../context.ts';
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

/** hash = SHA-256(previous hash ‖ canonical JSON); the first previous hash is 64 zeros. */
export function auditHash(previous: string, entry: { at: string; actor: number | null; action: string; target?: string }): string {
  const { at, actor, action, target } = entry;
  return createHash('sha256').update(previous + JSON.stringify({ at, actor, action, ...(target !== undefined && { target }) })).digest('hex');
}

/**
 * Adds entries to the tenant's log, each chained to the one before. Entries of the same moment are
 * gathered, so that a hundred people signing in do not wait for the lock one after the other.
 */
export function createAuditLog(onError: (error: unknown) => void): { add(tenant: Tenant, entry: AuditEntry): void; flush(): Promise<void> } {
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

async function append(tenant: Tenant, entries: (AuditEntry & { at: string })[]): Promise<void> {
  const table = `${quoted(tenant.schema)}.audit_log`;
  await tenant.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`audit ${tenant.schema}`]);
    const [last] = await tx.query<{ hash: string }>(`select hash from ${table} order by seq desc limit 1`);
    let previous = last?.hash ?? '0'.repeat(64);
    for (const entry of entries) {
      const [targetType, targetId] = entry.target?.split(':') ?? [];
      const hash = auditHash(previous, entry);
      await tx.query(
        `insert into ${table} (at, actor_user_id, sid, ip, user_agent, entity_id, action, target_type, target_id, summary, diff, prev_hash, hash)
         values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)`,
        [entry.at, entry.actor, entry.sid ?? null, entry.ip ?? null, entry.userAgent ?? null, entry.entityId ?? null, entry.action,
          targetType ?? null, targetId === undefined ? null : Number(targetId), entry.summary ?? null,
          entry.diff === undefined ? null : JSON.stringify(entry.diff), previous, hash],
      );
      previous = hash;
    }
  });
}
