import { createHash } from 'node:crypto';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { inUnit } from './unit_of_work.ts';

/** An idempotency key: a repeated request with the same key is not executed again. */
export interface WriteKey {
  key: string;
  /** The request it belongs to: method and path. */
  address: string;
  /** What was sent. */
  hash: string;
}

/** The stored part of a response: record ids, never their values. */
export type KeptAnswer = Record<string, unknown>;

/** So long a key is kept. */
export const WRITE_KEY_DAYS = 30;

/** Equal for equal content, whatever the order of its fields. */
export function contentHash(content: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(content, sorted) ?? '')
    .digest('hex');
}

function sorted(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The key for one record in a request for several. */
export function keyOf(key: WriteKey | null, id: number): WriteKey | null {
  return key && { ...key, key: `${key.key}#${id}` };
}

/**
 * Executes a write once per key: the key is the first row written in the transaction, so the second of two concurrent
 * requests waits for the first. A repeated request is answered by `again`. Without a key the write is simply executed.
 * @throws AppError 422 `key_reused` if the key was used for something else; if `work` throws, the key is not stored
 */
export async function onceForKey<T>(
  actor: Session,
  key: WriteKey | null,
  work: (session: Session) => Promise<{ result: T; kept: KeptAnswer }>,
  again: (kept: KeptAnswer) => Promise<T>,
): Promise<T> {
  if (!key) return (await work(actor)).result;
  const table = `${quoted(actor.tenant.schema)}.write_key`;
  const which = [actor.userId, actor.entityId ?? 0, key.address, key.key];
  const done = await inUnit(actor, async ({ session }): Promise<{ kept: KeptAnswer } | { kept: null; result: T }> => {
    const { db } = session.tenant;
    const fresh = await db.query(
      `insert into ${table} (user_id, entity_id, address, key, hash) values ($1, $2, $3, $4, $5)
       on conflict (user_id, entity_id, address, key) do nothing returning 1`,
      [...which, key.hash],
    );
    if (fresh.length === 0) {
      const [used] = await db.query<{ hash: string; answer: KeptAnswer }>(
        `select hash, answer from ${table} where user_id = $1 and entity_id = $2 and address = $3 and key = $4`,
        which,
      );
      if (!used || used.hash !== key.hash) throw keyReused();
      return { kept: used.answer };
    }
    const { result, kept } = await work(session);
    await db.query(
      `update ${table} set answer = $5 where user_id = $1 and entity_id = $2 and address = $3 and key = $4`,
      [...which, JSON.stringify(kept)],
    );
    return { kept: null, result };
  });
  return done.kept ? again(done.kept) : done.result;
}

/** @throws AppError 422 if records of a request for several had this key with other content */
export async function refuseOtherContent(
  session: Session,
  key: WriteKey | null,
  ids: readonly number[],
): Promise<void> {
  if (!key) return;
  const { db, schema } = session.tenant;
  const [other] = await db.query(
    `select 1 from ${quoted(schema)}.write_key where user_id = $1 and entity_id = $2 and address = $3 and key = any($4) and hash <> $5 limit 1`,
    [session.userId, session.entityId ?? 0, key.address, ids.map((id) => keyOf(key, id)!.key), key.hash],
  );
  if (other) throw keyReused();
}

function keyReused(): AppError {
  return new AppError(
    422,
    'key_reused',
    'This Idempotency-Key was used for something else. Take a new key for each write.',
    { field: 'Idempotency-Key' },
  );
}
