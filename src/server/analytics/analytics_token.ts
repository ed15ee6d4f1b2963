import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';
import type { TokenKeys } from '../sessions/token.ts';

/** What an analytics token says: it stands for a session, for a quarter of an hour, and opens the analytics calls alone. */
export interface AnalyticsClaims {
  /** The client's schema. */
  aud: string;
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
}

export const ANALYTICS_TOKEN_MINUTES = 15;
const TYPE = 'ms+analytics';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes a token for the session and remembers it, so that it can be ended. */
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
  const [key] = keys;
  const input = `${encode({ alg: 'HS256', kid: key!.id, typ: TYPE })}.${encode(claims)}`;
  return { token: `${input}.${createHmac('sha256', key!.key).update(input).digest('base64url')}`, expiresAt };
}

/** The claims of a token that we signed; null when it is anything else. Whether it still counts says the table. */
export function readAnalyticsToken(token: string, keys: TokenKeys): AnalyticsClaims | null {
  const parts = token.split('.');
  if (parts.length !== 3 || token.length > 1000) return null;
  const [head, body, signature] = parts as [string, string, string];
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as {
      alg?: unknown;
      typ?: unknown;
      kid?: unknown;
    };
    if (header.alg !== 'HS256' || header.typ !== TYPE) return null;
    const key = keys.find(({ id }) => id === header.kid)?.key;
    if (!key) return null;
    const expected = createHmac('sha256', key).update(`${head}.${body}`).digest();
    const given = Buffer.from(signature, 'base64url');
    if (
      given.length !== expected.length ||
      !timingSafeEqual(given, expected) ||
      given.toString('base64url') !== signature
    )
      return null;
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as AnalyticsClaims;
  } catch {
    return null;
  }
}

/** Whether a token was neither ended nor has run out. */
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

/** Ends all analytics tokens of a user. */
export async function endAnalyticsTokens({ db, schema }: Tenant, userId: number): Promise<void> {
  await db.query(`delete from ${quoted(schema)}.analytics_token where user_id = $1`, [userId]);
}
