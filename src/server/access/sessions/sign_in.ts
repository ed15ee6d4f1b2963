import { randomUUID } from 'node:crypto';
import { revokeSessions } from './session_changes.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { fromNetworks } from '../../services/network/networks.ts';
import type { Account } from '../people/accounts.ts';
import { findAccount, readAccount, renewHash } from '../people/accounts.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { attemptOf, claimAttempt, failed, logAttempt, succeeded } from './attempts.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';
import { deviceLabel, isKnownDevice, rememberDevice } from './devices.ts';
import { firstExpiry, localTime } from './expiry.ts';
import { lockedMessage } from './lockout.ts';
import { hashPassword, isPassword, needsRehash } from './password.ts';
import {
  CHALLENGE_TRIES,
  checkFactor,
  endChallenge,
  factorState,
  newChallenge,
  tryChallenge,
} from './second_factor.ts';
import type { SessionScope } from './session_rows.ts';
import { boundSession, supportMaySignIn, supportPerson, supportUntil } from '../people/support_account.ts';
import type { SecurityNotice } from './security_notices.ts';
import { isNewPlace } from './security_notices.ts';
import type { TokenKeys } from './token.ts';
import { signToken } from './token.ts';

/** Spelled as in the specification. */
export const WRONG_CREDENTIALS = 'Invalid credentails';

export interface SignInRequest {
  tenant: Tenant;
  identifier: string;
  password: string;
  ip: string;
  userAgent: string | undefined;
  deviceCookie: string | undefined;
  transport: 'bearer' | 'cookie';
}

export type SignInAnswer =
  | { result: 'failure'; message: string }
  | { result: 'locked'; retry_after_s: number; message: string }
  /** The password was correct; the code of the second factor is required, POST /api/sessions/otp. */
  | { result: 'otp_required'; challenge: string }
  | { result: 'expired'; message: string }
  | {
      result: 'success';
      token: string;
      user_id: number;
      user_email: string;
      user_name: string;
      expires_at: string;
      must_change_password: boolean;
      /** The client requires a second factor and there is none: the session can only set one up. */
      must_enrol: boolean;
    };

export interface SignedIn {
  answer: SignInAnswer;
  /** On success: what the browser keeps. */
  cookie?: { sid: string; deviceCookie: string | null; expiresAt: Date };
  /** Information for the person. */
  notice?: SecurityNotice;
}

/** Stores an entry of the activity log, on the connection of what it describes. */
type Note = (entry: AuditEntry, on?: Queryable) => Promise<void>;

interface Keys {
  token: TokenKeys;
  identifiers: Buffer;
  factors: Buffer;
}

/** Checks name and password; on success creates a session and returns its token. */
export async function signIn(request: SignInRequest, keys: Keys, audit: Note): Promise<SignedIn> {
  const { tenant, ip, userAgent = null } = request;
  const identifier = request.identifier.trim();
  const account = await findAccount(tenant, identifier);
  // Counted for all its names together: otherwise each would allow as many guesses again.
  const attempt = account
    ? attemptOf('account', account.id, ip, keys.identifiers)
    : attemptOf('name', identifier, ip, keys.identifiers);
  const deviceKnown = await isKnownDevice(tenant, account?.id ?? null, request.deviceCookie);
  const log = (outcome: Parameters<typeof logAttempt>[2]['outcome']) =>
    logAttempt(tenant, attempt, { userId: account?.id ?? null, ip, userAgent, outcome, deviceKnown });

  const permission = await claimAttempt(tenant, attempt, deviceKnown);
  if (permission.kind === 'flood')
    throw new AppError(429, 'too_many', lockedMessage(permission.seconds), {
      extra: { retry_after_s: permission.seconds },
    });
  if (permission.kind === 'locked') {
    await log('locked');
    return {
      answer: { result: 'locked', retry_after_s: permission.seconds, message: lockedMessage(permission.seconds) },
    };
  }

  const { trim_password: trim, lock_after: lockAfter } = await clientSettings(tenant);
  const right = await isPassword(request.password, account?.phc ?? null, trim);
  const platformUser = account && supportPerson(account.email);
  const refused =
    right &&
    account !== null &&
    platformUser !== null &&
    (await supportMaySignIn(tenant, account.id, platformUser)) === null;
  if (account === null || !right || !account.usable || refused) {
    const outcome = account === null ? 'unknown' : right ? 'disabled' : 'bad_password';
    await Promise.all([failed(tenant, attempt), log(outcome)]);
    await audit({ actor: account?.id ?? null, action: 'login_failed', ip, userAgent, summary: outcome });
    // Once per series: at the attempt that makes the next one wait.
    const locks = account !== null && !right && permission.failures === lockAfter;
    return {
      answer: { result: 'failure', message: WRONG_CREDENTIALS },
      ...(locks && {
        notice: {
          event: 'account.locked',
          userId: account.id,
          name: account.name,
          username: account.username,
          failures: permission.failures,
          ip,
        },
      }),
    };
  }

  await succeeded(tenant, attempt);
  if (account.phc !== null && needsRehash(account.phc))
    await renewHash(tenant, account.id, await hashPassword(request.password, undefined, trim));
  const factor = tenant.active ? await factorState(tenant, account.id) : null;
  if (factor?.on) return { answer: { result: 'otp_required', challenge: await newChallenge(tenant, account.id) } };
  return open({ ...request, deviceKnown }, account, factor?.required === true, attempt, keys, audit);
}

/** Continues a sign-in after a correct password: with an authenticator code or a recovery code. */
export async function signInByCode(
  request: Omit<SignInRequest, 'identifier' | 'password'> & { challenge: string; code: string },
  keys: Keys,
  audit: Note,
): Promise<SignedIn> {
  const { tenant, ip, userAgent = null } = request;
  const tried = await tryChallenge(tenant, request.challenge);
  const account = tried && (await readAccount(tenant, tried.userId));
  if (!tried || !account?.usable)
    return { answer: { result: 'expired', message: 'This took too long. Please sign in again.' } };
  if (tried.tries > CHALLENGE_TRIES) throw new AppError(429, 'too_many', 'Too many wrong codes. Please sign in again.');
  // A person who knows the password could request ever new challenges: the codes of a person are counted together.
  const attempt = attemptOf('code', account.id, ip, keys.identifiers);
  const deviceKnown = await isKnownDevice(tenant, account.id, request.deviceCookie);
  const permission = await claimAttempt(tenant, attempt, false);
  if (permission.kind === 'flood')
    throw new AppError(429, 'too_many', lockedMessage(permission.seconds), {
      extra: { retry_after_s: permission.seconds },
    });
  if (permission.kind === 'locked')
    return {
      answer: { result: 'locked', retry_after_s: permission.seconds, message: lockedMessage(permission.seconds) },
    };
  const kind = await checkFactor(tenant, account.id, request.code, keys.factors);
  if (kind === null || !(await endChallenge(tenant, request.challenge))) {
    await Promise.all([
      failed(tenant, attempt),
      logAttempt(tenant, attempt, { userId: account.id, ip, userAgent, outcome: 'otp_failed', deviceKnown }),
    ]);
    await audit({ actor: account.id, action: 'login_failed', ip, userAgent, summary: 'otp' });
    return {
      answer: { result: 'failure', message: 'This code is incorrect. Wait for the next one, or use a recovery code.' },
    };
  }
  await succeeded(tenant, attempt);
  if (kind === 'recovery')
    await audit({ actor: account.id, action: 'mfa_recovery', target: `user:${account.id}`, ip, userAgent });
  return open({ ...request, deviceKnown }, account, false, attempt, keys, audit);
}

/** Opens the session of an authenticated person. */
async function open(
  request: Omit<SignInRequest, 'identifier' | 'password'> & { deviceKnown: boolean },
  account: Account,
  mustEnrol: boolean,
  attempt: ReturnType<typeof attemptOf>,
  keys: Keys,
  audit: Note,
): Promise<SignedIn> {
  const { tenant, ip, userAgent = null, deviceKnown } = request;
  // The response is the same whatever the reason: the administrator finds it in the activity log.
  if (!fromNetworks(account.ipAllow)(ip)) {
    await logAttempt(tenant, attempt, { userId: account.id, ip, userAgent, outcome: 'disabled', deviceKnown });
    await audit({ actor: account.id, action: 'login_failed', ip, userAgent, summary: 'network' });
    return { answer: { result: 'failure', message: WRONG_CREDENTIALS } };
  }
  const scope: SessionScope = !tenant.active
    ? 'features_only'
    : mustEnrol
      ? 'otp'
      : account.mustChange
        ? 'password_change'
        : 'full';
  const label = deviceLabel(request.userAgent);
  const platformUser = supportPerson(account.email);
  const until = platformUser === null ? null : await supportUntil(tenant, platformUser);
  if (platformUser !== null && until === null) return { answer: { result: 'failure', message: WRONG_CREDENTIALS } };
  const newPlace = !deviceKnown && platformUser === null && (await isNewPlace(tenant, account.id, label, ip));
  const started = await startSession(
    tenant,
    account,
    { scope, ip, userAgent, label, transport: request.transport },
    keys.token,
    audit,
  );
  const { sid, token } = started;
  if (platformUser !== null && until !== null)
    await boundSession(tenant.db, tenant.schema, sid, account.id, platformUser, until);
  const expiresAt =
    until === null ? started.expiresAt : new Date(Math.min(started.expiresAt.getTime(), Date.parse(until)));
  const [deviceCookie] = await Promise.all([
    rememberDevice(tenant, account.id, request.deviceCookie, label),
    logAttempt(tenant, attempt, {
      userId: account.id,
      ip,
      userAgent,
      outcome: tenant.active ? 'success' : 'client_deactivated',
      deviceKnown,
    }),
  ]);
  return {
    answer: {
      result: 'success',
      token,
      user_id: account.id,
      user_email: account.email,
      user_name: account.name,
      expires_at: localTime(expiresAt, tenant.timezone),
      must_change_password: account.mustChange,
      must_enrol: mustEnrol,
    },
    cookie: { sid, deviceCookie, expiresAt },
    ...(newPlace && {
      notice: { event: 'login.new_device', userId: account.id, name: account.name, device: label, ip },
    }),
  };
}

interface NewSession {
  scope: SessionScope;
  ip: string;
  userAgent: string | null;
  label: string;
  transport: 'bearer' | 'cookie';
}

async function startSession(
  tenant: Tenant,
  account: Account,
  details: NewSession,
  keys: TokenKeys,
  audit: Note,
): Promise<{ sid: string; token: string; expiresAt: Date }> {
  const now = new Date();
  const settings = await clientSettings(tenant);
  const expiresAt = firstExpiry(now, settings.session_absolute_days);
  // The stricter of the client's limit and the user's own; 0 = none.
  const limit = Math.min(...[account.sessionLimit, settings.session_limit].filter((max) => max > 0));
  const sid = randomUUID();
  const table = `${quoted(tenant.schema)}.session`;
  await tenant.db.transaction(async (tx) => {
    await tx.query(
      `insert into ${table} (sid, user_id, entity_id, expires_at, auth_at, ip, user_agent, device_label, transport, scope)
       values ($1, $2, ${onlyCompany(tenant)}, $3, $4, $5, $6, $7, $8, $9)`,
      [
        sid,
        account.id,
        expiresAt.toISOString(),
        now.toISOString(),
        details.ip,
        details.userAgent,
        details.label,
        details.transport,
        details.scope,
      ],
    );
    if (Number.isFinite(limit)) await endOldest(tx, tenant.schema, account.id, limit);
    if (tenant.schema !== 'public')
      await tx.query(`update ${quoted(tenant.schema)}.users set last_login_at = $2 where id = $1`, [
        account.id,
        now.toISOString(),
      ]);
    await audit(
      {
        actor: account.id,
        action: 'login',
        target: `user:${account.id}`,
        sid,
        ip: details.ip,
        userAgent: details.userAgent,
      },
      tx,
    );
  });
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  const token = await signToken(
    { iss: 'mainstay', aud: tenant.schema, sub: String(account.id), sid, iat: seconds(now), exp: seconds(expiresAt) },
    keys,
  );
  return { sid, token, expiresAt };
}

/** With exactly one company it is chosen automatically. */
function onlyCompany(tenant: Tenant): string {
  if (tenant.schema === 'public') return 'null';
  const s = quoted(tenant.schema);
  return `(select min(c.entity_id) from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id and e.active where c.parent_id = $2 having count(*) = 1)`;
}

/** Beyond the maximum number of concurrent sign-ins the oldest ones end. */
async function endOldest(tx: Queryable, schema: string, userId: number, limit: number): Promise<void> {
  await revokeSessions(tx, schema, 'replaced', {
    where: `sid in (select sid from ${quoted(schema)}.session where user_id = $1 and revoked_at is null and expires_at > now() order by created_at desc offset $2)`,
    values: [userId, limit],
  });
}

/** Ends sessions of a user; those of `sids`, or all except `except`. Returns their number. */
export async function endSessions(
  on: Queryable,
  schema: string,
  userId: number,
  which: { sid: string } | { except: string | null },
  reason: 'logout' | 'admin' | 'password' | 'disabled' | 'client',
): Promise<number> {
  const ended = await revokeSessions(on, schema, reason, {
    where: `user_id = $1 and ${'sid' in which ? 'sid = $2' : '($2::uuid is null or sid <> $2)'}`,
    values: [userId, 'sid' in which ? which.sid : which.except],
  });
  return ended.length;
}
