import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { TokenKeys } from './token.ts';
import { readClaims, signClaims } from './token.ts';

/**
 * The claims of an analytics token: it represents a session for a quarter of an hour, and is valid only for the
 * analytics calls.
 */
export interface AnalyticsClaims {
  /** The client's schema. */
  aud: string;
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
}

const ANALYTICS_TOKEN_MINUTES = 15;
const TYPE = 'ms+analytics';

/** Creates and stores a token for the session, so that it can be revoked. */
export async function issueAnalyticsToken(
  tenant: Tenant,
  userId: number,
  sid: string,
  keys: TokenKeys,
): Promise<{ token: string; expiresAt: Date }> {
  const table = `${quoted(tenant.schema)}.analytics_token`;
  const now = Math.floor(Date.now() / 1000);
  const claims: AnalyticsClaims = {
    aud: tenant.schema,
    sub: String(userId),
    sid,
    jti: randomUUID(),
    iat: now,
    exp: now + ANALYTICS_TOKEN_MINUTES * 60,
  };
  const expiresAt = new Date(claims.exp * 1000);
  await tenant.db.query(`delete from ${table} where expires_at < now()`);
  await tenant.db.query(`insert into ${table} (jti, user_id, sid, expires_at) values ($1, $2, $3, $4)`, [
    claims.jti,
    userId,
    sid,
    expiresAt,
  ]);
  return { token: await signClaims(TYPE, claims, keys), expiresAt };
}

/** The claims of a token signed by us; null for anything else. The table decides whether it is still valid. */
export async function readAnalyticsToken(token: string, keys: TokenKeys): Promise<AnalyticsClaims | null> {
  return (await readClaims(TYPE, token, keys)) as AnalyticsClaims | null;
}

/** Whether a token is neither revoked nor expired. */
export async function analyticsTokenCounts(
  { db, schema }: Tenant,
  { jti, sub, sid, exp }: AnalyticsClaims,
): Promise<boolean> {
  if (exp * 1000 <= Date.now()) return false;
  return (
    (
      await db.query(
        `select 1 from ${quoted(schema)}.analytics_token where jti = $1 and user_id = $2 and sid = $3 and expires_at > now()`,
        [jti, Number(sub), sid],
      )
    ).length > 0
  );
}

/** Revokes all analytics tokens of a user. */
export async function endAnalyticsTokens({ db, schema }: Tenant, userId: number): Promise<void> {
  await db.query(`delete from ${quoted(schema)}.analytics_token where user_id = $1`, [userId]);
}

/** The analytics user with the e-mail address of an account; null = none. */
export async function analyticsUserOf(
  { db, schema }: Tenant,
  userId: number,
): Promise<{ id: number; active: boolean } | null> {
  const [known] = await db.query<{ id: number; active: boolean }>(
    `select a.id, a.active from ${tableName(schema, 'analytics_user')} a join ${tableName(schema, 'users')} u on lower(u.email) = lower(a.email) where u.id = $1`,
    [userId],
  );
  return known ?? null;
}

/** Stores when an analytics user last received a token. */
export async function noteAnalyticsToken({ db, schema }: Tenant, analyticsUser: number): Promise<void> {
  await db.query(`update ${tableName(schema, 'analytics_user')} set last_token_at = now() where id = $1`, [
    analyticsUser,
  ]);
}

/** The e-mail address of a token's user, while they are signed in; null = they are not. */
export async function signedInEmail({ db, schema }: Tenant, { sub, sid }: AnalyticsClaims): Promise<string | null> {
  const [user] = await db.query<{ email: string }>(
    `select u.email from ${tableName(schema, 'users')} u join ${tableName(schema, 'session')} s on s.user_id = u.id
     where u.id = $1 and s.sid = $2 and u.active and u.status = 'active' and s.revoked_at is null and s.expires_at > now()`,
    [Number(sub), sid],
  );
  return user?.email ?? null;
}
