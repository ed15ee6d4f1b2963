import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { seal, unseal } from '../../db/vault.ts';
import { messageSettings } from '../../services/notifications/message_settings.ts';
import { readableSecret } from './readable_secret.ts';

const PERIOD_SECONDS = 30;
const CHALLENGE_MINUTES = 5;
/** The maximum number of code attempts per sign-in. */
export const CHALLENGE_TRIES = 5;
const RECOVERY_CODES = 10;

type Owner = Pick<Tenant, 'db' | 'schema'>;

interface TotpRow {
  secret: string;
  confirmed_at: string | null;
  last_step: number;
  recovery: { hash: string; used_at: string | null }[];
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const plain = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A key is bound to its person: copied to another row it cannot be decrypted. */
const ownerName = ({ schema }: Owner, userId: number): string => `${schema} ${userId}`;
const table = ({ schema }: Owner): string => `${quoted(schema)}.user_totp`;

function totp(secret: string, label: string, issuer: string): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

async function rowOf(tenant: Owner, userId: number): Promise<TotpRow | undefined> {
  const [row] = await tenant.db.query<TotpRow>(
    `select secret, confirmed_at, last_step, recovery from ${table(tenant)} where user_id = $1`,
    [userId],
  );
  return row;
}

export interface FactorState {
  /** The person has a second factor. */
  on: boolean;
  since: string | null;
  recoveryLeft: number;
  /** The client allows a second factor. */
  allowed: boolean;
  /** The client requires one from this person. */
  required: boolean;
}

/** Whether a person has a second factor, and whether they need one. */
export async function factorState(tenant: Owner, userId: number): Promise<FactorState> {
  const [{ mfa_policy: policy }, row, [user]] = await Promise.all([
    messageSettings(tenant),
    rowOf(tenant, userId),
    tenant.schema === 'public'
      ? Promise.resolve([{ is_admin: false, asked: false }])
      : tenant.db.query<{ is_admin: boolean; asked: boolean }>(
          `select coalesce(is_admin, false) as is_admin, coalesce(mfa_required, false) as asked from ${quoted(tenant.schema)}.users where id = $1`,
          [userId],
        ),
  ]);
  const allowed = policy !== 'off';
  return {
    on: allowed && row?.confirmed_at !== null && row !== undefined,
    since: row?.confirmed_at ?? null,
    recoveryLeft: row?.recovery.filter(({ used_at: used }) => used === null).length ?? 0,
    allowed,
    required: allowed && (policy === 'all' || (policy === 'admins' && user?.is_admin === true) || user?.asked === true),
  };
}

/**
 * Starts the set-up: a new key, which becomes active after a code was entered. @returns null if a factor already exists
 */
export async function beginFactor(
  tenant: Tenant,
  user: { id: number; email: string },
  key: Buffer,
): Promise<{ secret: string; uri: string } | null> {
  const secret = new Secret({ size: 20 }).base32;
  const rows = await tenant.db.query(
    `insert into ${table(tenant)} as t (user_id, secret) values ($1, $2) on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where t.confirmed_at is null returning 1`,
    [user.id, seal(secret, key, ownerName(tenant, user.id))],
  );
  return rows.length === 0 ? null : { secret, uri: totp(secret, user.email, tenant.name).toString() };
}

/** The time step of a correct unused code; null = wrong, or used. A clock difference of one step is allowed. */
async function takeCode(
  tenant: Owner,
  userId: number,
  row: TotpRow,
  code: string,
  key: Buffer,
  now: number,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const delta = totp(unseal(row.secret, key, ownerName(tenant, userId)), '', '').validate({
    token: code,
    timestamp: now,
    window: 1,
  });
  if (delta === null) return false;
  const step = Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
  const taken = await tenant.db.query(
    `update ${table(tenant)} set last_step = $2 where user_id = $1 and last_step < $2 returning 1`,
    [userId, step],
  );
  return taken.length > 0;
}

/**
 * Completes the set-up: with a correct code the factor becomes active. @returns ten recovery codes; null = wrong code
 */
export async function confirmFactor(
  tenant: Owner,
  userId: number,
  code: string,
  key: Buffer,
  now = Date.now(),
): Promise<string[] | null> {
  const row = await rowOf(tenant, userId);
  if (!row || row.confirmed_at !== null || !(await takeCode(tenant, userId, row, code.replace(/\s/g, ''), key, now)))
    return null;
  await tenant.db.query(`update ${table(tenant)} set confirmed_at = now() where user_id = $1`, [userId]);
  await noteOnRecord(tenant, userId, true);
  return newRecoveryCodes(tenant, userId);
}

/** Ten new recovery codes; earlier ones become invalid. */
export async function newRecoveryCodes(tenant: Owner, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => readableSecret(3));
  await tenant.db.query(`update ${table(tenant)} set recovery = $2 where user_id = $1`, [
    userId,
    JSON.stringify(codes.map((code) => ({ hash: hashOf(plain(code)), used_at: null }))),
  ]);
  return codes;
}

/** Whether an authenticator code or a recovery code is correct; each works once. */
export async function checkFactor(
  tenant: Owner,
  userId: number,
  code: string,
  key: Buffer,
  now = Date.now(),
): Promise<'code' | 'recovery' | null> {
  const row = await rowOf(tenant, userId);
  if (!row || row.confirmed_at === null) return null;
  const clean = code.replace(/\s/g, '');
  if (await takeCode(tenant, userId, row, clean, key, now)) return 'code';
  const given = Buffer.from(hashOf(plain(clean)), 'hex');
  const at = row.recovery.findIndex(
    ({ hash, used_at: used }) => used === null && timingSafeEqual(Buffer.from(hash, 'hex'), given),
  );
  if (at < 0) return null;
  const used = await tenant.db.query(
    `update ${table(tenant)} set recovery = jsonb_set(recovery, array[$2::text, 'used_at'], to_jsonb(now())) where user_id = $1 and recovery -> $2::int ->> 'used_at' is null returning 1`,
    [userId, at],
  );
  return used.length > 0 ? 'recovery' : null;
}

/** Removes the factor. @returns whether there was one */
export async function removeFactor(tenant: Owner, userId: number): Promise<boolean> {
  const rows = await tenant.db.query<{ confirmed: boolean }>(
    `delete from ${table(tenant)} where user_id = $1 returning confirmed_at is not null as confirmed`,
    [userId],
  );
  await noteOnRecord(tenant, userId, false);
  return rows[0]?.confirmed === true;
}

/** The list of common users shows who has one; the column is created when the list is first opened. */
async function noteOnRecord({ db, schema }: Owner, userId: number, on: boolean): Promise<void> {
  if (schema !== 'public') return;
  await db
    .query('update public.common_user set second_factor = $2 where id = $1', [userId, on])
    .catch((error: { code?: string }) => {
      if (error.code !== '42703') throw error;
    });
}

/** A sign-in with a correct password waits for its code. @returns the token with which the browser continues */
export async function newChallenge({ db, schema }: Owner, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const challenges = `${quoted(schema)}.otp_challenge`;
  await db.query(`delete from ${challenges} where expires_at < now()`);
  await db.query(
    `insert into ${challenges} (token_hash, user_id, expires_at) values ($1, $2, now() + make_interval(mins => ${CHALLENGE_MINUTES}))`,
    [hashOf(token), userId],
  );
  return token;
}

/**
 * Counts an attempt. @returns the user signing in, null = unknown or expired; `tries` above {@link CHALLENGE_TRIES} are
 * refused
 */
export async function tryChallenge(
  { db, schema }: Owner,
  token: string,
): Promise<{ userId: number; tries: number } | null> {
  const [row] = await db.query<{ userId: number; tries: number }>(
    `update ${quoted(schema)}.otp_challenge set tries = tries + 1 where token_hash = $1 and expires_at > now() returning user_id as "userId", tries`,
    [hashOf(token)],
  );
  return row ?? null;
}

/** Deletes a completed challenge. */
export async function endChallenge({ db, schema }: Owner, token: string): Promise<boolean> {
  return (
    (await db.query(`delete from ${quoted(schema)}.otp_challenge where token_hash = $1 returning 1`, [hashOf(token)]))
      .length > 0
  );
}
