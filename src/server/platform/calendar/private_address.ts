import { createHash, randomBytes } from 'node:crypto';
import { notFound } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Caller, Tenant } from '../../db/tenant.ts';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function tableOf({ schema }: Tenant): string {
  if (schema === 'public') throw notFound();
  return `${quoted(schema)}.calendar_address`;
}

/** The private address of a person's calendar, without its secret; null = none. */
export async function ownAddress({ tenant, userId }: Caller): Promise<object | null> {
  const [row] = await tenant.db.query<{ made_at: string; used_at: string | null; everything: boolean }>(
    `select made_at, used_at, everything from ${tableOf(tenant)} where user_id = $1`,
    [userId],
  );
  return row ?? null;
}

/** Creates a new address that replaces the previous one. @returns the secret, of which only a hash is stored */
export async function makeAddress({ tenant, userId, entityId }: Caller, everything: boolean): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await tenant.db.query(
    `insert into ${tableOf(tenant)} (user_id, token_hash, entity_id, everything) values ($1, $2, $3, $4)
     on conflict (user_id) do update set token_hash = excluded.token_hash, entity_id = excluded.entity_id, everything = excluded.everything, made_at = now(), used_at = null`,
    [userId, hashOf(token), entityId, everything],
  );
  return token;
}

/** Switches a person's address off. @returns whether there was one */
export async function endAddress({ tenant, userId }: Caller): Promise<boolean> {
  const rows = await tenant.db.query(`delete from ${tableOf(tenant)} where user_id = $1 returning 1`, [userId]);
  return rows.length > 0;
}

/** The owner and company of an address; records its use. */
export async function openedBy(
  tenant: Tenant,
  token: string,
): Promise<{ user_id: number; entity_id: number; everything: boolean } | null> {
  const [row] = await tenant.db.query<{ user_id: number; entity_id: number; everything: boolean }>(
    `update ${tableOf(tenant)} set used_at = now() where token_hash = $1 returning user_id, entity_id, everything`,
    [hashOf(token)],
  );
  return row ?? null;
}
