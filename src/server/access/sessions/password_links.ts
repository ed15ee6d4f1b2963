import { createHash, randomBytes } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { ClientSettings } from '../../services/settings/client_settings.ts';

export type LinkPurpose = 'reset' | 'invite' | 'admin_reset';

/** The validity of a client's links. */
export type LinkLifetimes = Pick<ClientSettings, 'reset_link_minutes' | 'invite_hours'>;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a one-time link of a user; earlier ones for the same purpose become invalid. @returns the token, of which
 * only a hash is stored
 */
export async function makeLink(
  on: Queryable,
  schema: string,
  userId: number,
  purpose: LinkPurpose,
  ip: string | null,
  lifetimes: LinkLifetimes,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const table = `${quoted(schema)}.password_token`;
  await dropLinks(on, schema, userId);
  await on.query(
    `insert into ${table} (user_id, purpose, token_hash, expires_at, requested_ip) values ($1, $2, $3, now() + make_interval(mins => $4), $5)`,
    [
      userId,
      purpose,
      hashOf(token),
      purpose === 'invite' ? lifetimes.invite_hours * 60 : lifetimes.reset_link_minutes,
      ip,
    ],
  );
  return token;
}

/** How many links an account requested within the last hour. */
export async function linksOfLastHour(
  tenant: Tenant,
  userId: number,
  { reset_link_minutes: minutes }: LinkLifetimes,
): Promise<number> {
  const [row] = await tenant.db.query<{ links: number }>(
    `select count(*)::int as links from ${quoted(tenant.schema)}.password_token
     where purpose = 'reset' and user_id = $1 and expires_at > now() - make_interval(mins => 60 - $2)`,
    [userId, minutes],
  );
  return row?.links ?? 0;
}

/** The user of a valid link, locked until the transaction ends; null = expired, used or unknown. */
export async function claimLink(
  tx: Queryable,
  schema: string,
  token: string,
): Promise<{ id: number; userId: number; purpose: LinkPurpose } | null> {
  const [row] = await tx.query<{ id: number; userId: number; purpose: LinkPurpose }>(
    `select id, user_id as "userId", purpose from ${quoted(schema)}.password_token where token_hash = $1 and used_at is null and expires_at > now() for update`,
    [hashOf(token)],
  );
  return row ?? null;
}

export async function useLink(tx: Queryable, schema: string, id: number): Promise<void> {
  await tx.query(`update ${quoted(schema)}.password_token set used_at = now() where id = $1`, [id]);
}

/** The address of a link. The token follows "#", so that no log and no other site sees it. */
export function linkAddress(address: string, schema: string, token: string): string {
  return `${address}${schema === 'public' ? '/forgotpassword_admin' : '/forgotpassword'}#token=${token}`;
}

/** Earlier links of a person become invalid. */
export async function dropLinks(on: Queryable, schema: string, userId: number): Promise<void> {
  await on.query(`update ${quoted(schema)}.password_token set used_at = now() where user_id = $1 and used_at is null`, [
    userId,
  ]);
}
