import { createHmac } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { FORGET_AFTER_MS, networkOf } from './lockout.ts';

/** Across networks: from the 50th failure within an hour, only known devices may try for 15 minutes. */
const IDENTIFIER_FAILURES = 50;
/** From one network: from the 100th failure within 10 minutes, nobody may try. */
const NETWORK_FAILURES = 100;

export interface Attempt {
  identifierHash: string;
  network: string;
}

export type Permission =
  | { kind: 'go'; failures: number }
  /** Too soon after previous failures; the password is not checked. */
  | { kind: 'locked'; seconds: number }
  | { kind: 'flood'; seconds: number };

/**
 * What is counted together: attempts on an account, by any of its names; attempts with a name without an account; codes
 * of an account, and re-entries of its current password.
 */
export type Tried = 'account' | 'name' | 'code' | 'change';

/** An attempt: its subject and network. */
export function attemptOf(tried: Tried, who: number | string, ip: string, key: Buffer): Attempt {
  const text = `${tried} ${String(who).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()}`;
  return { identifierHash: createHmac('sha256', key).update(text).digest('hex').slice(0, 40), network: networkOf(ip) };
}

interface CounterRow {
  failures: number;
  wait: number | null;
}

/**
 * Counts an attempt as failed before the password is checked, so that a hundred concurrent attempts are not a hundred
 * free guesses; {@link succeeded} reverts it.
 */
export async function claimAttempt(tenant: Tenant, attempt: Attempt, deviceKnown: boolean): Promise<Permission> {
  const table = `${quoted(tenant.schema)}.login_counter`;
  const [network, identifier, settings] = await Promise.all([
    countOf(tenant, `n ${attempt.network}`),
    countOf(tenant, `i ${attempt.identifierHash}`),
    clientSettings(tenant),
  ]);
  if (network?.wait) return { kind: 'flood', seconds: Math.ceil(network.wait) };
  if (identifier?.wait && !deviceKnown) return { kind: 'locked', seconds: Math.ceil(identifier.wait) };
  const key = `in ${attempt.identifierHash} ${attempt.network}`;
  const [claimed] = await tenant.db.query<CounterRow>({
    name: `claim_${tenant.schema}`.slice(0, 63),
    text: `insert into ${table} as c (key, failures) values ($1, 1)
      on conflict (key) do update set
        failures = case when c.last_at < now() - $2 * interval '1 ms' then 1 else c.failures + 1 end,
        first_at = case when c.last_at < now() - $2 * interval '1 ms' then now() else c.first_at end,
        last_at = now(),
        locked_until = case when c.last_at < now() - $2 * interval '1 ms' or c.failures + 1 < $3::int then null
          else now() + least($4::int, 30 * 2 ^ least(c.failures + 1 - $3::int, 12)) * interval '1 s' end
        where c.locked_until is null or c.locked_until <= now() or c.last_at < now() - $2 * interval '1 ms'
      returning failures, null as wait`,
    values: [key, FORGET_AFTER_MS, settings.lock_after, settings.lock_max_seconds],
  });
  if (claimed) return { kind: 'go', failures: claimed.failures };
  const locked = await countOf(tenant, key);
  return { kind: 'locked', seconds: Math.max(1, Math.ceil(locked?.wait ?? 1)) };
}

async function countOf(tenant: Tenant, key: string): Promise<CounterRow | undefined> {
  const [row] = await tenant.db.query<CounterRow>({
    name: `counter_${tenant.schema}`.slice(0, 63),
    text: `select failures, case when locked_until > now() then extract(epoch from locked_until - now())::float8 end as wait
           from ${quoted(tenant.schema)}.login_counter where key = $1`,
    values: [key],
  });
  return row;
}

/** The attempt was correct: the count of this identifier from this network is reset. */
export async function succeeded(tenant: Tenant, attempt: Attempt): Promise<void> {
  await tenant.db.query(`delete from ${quoted(tenant.schema)}.login_counter where key = $1`, [
    `in ${attempt.identifierHash} ${attempt.network}`,
  ]);
}

/** The attempt was wrong: it also counts for the identifier across networks and for the network. */
export async function failed(tenant: Tenant, attempt: Attempt): Promise<void> {
  const windows: [key: string, window: string, limit: number, lock: string][] = [
    [`i ${attempt.identifierHash}`, '1 hour', IDENTIFIER_FAILURES, '15 minutes'],
    [`n ${attempt.network}`, '10 minutes', NETWORK_FAILURES, '10 minutes'],
  ];
  for (const values of windows) {
    await tenant.db.query(
      `insert into ${quoted(tenant.schema)}.login_counter as c (key, failures) values ($1, 1)
       on conflict (key) do update set
         failures = case when c.first_at < now() - $2::interval then 1 else c.failures + 1 end,
         first_at = case when c.first_at < now() - $2::interval then now() else c.first_at end, last_at = now(),
         locked_until = case when c.first_at >= now() - $2::interval and c.failures + 1 >= $3 then now() + $4::interval else c.locked_until end`,
      values,
    );
  }
}

/** The maximum number of forgotten-password links per network and hour. */
const LINKS_AN_HOUR = 20;

/**
 * Counts a requested link, for any name: if only sent links counted, the limit would reveal which names have an
 * account. @returns the seconds to wait if there are too many
 */
export async function claimLinkRequest(tenant: Tenant, ip: string): Promise<number | null> {
  const [row] = await tenant.db.query<{ failures: number; wait: number }>(
    `insert into ${quoted(tenant.schema)}.login_counter as c (key, failures) values ($1, 1)
     on conflict (key) do update set
       failures = case when c.first_at < now() - interval '1 hour' then 1 else c.failures + 1 end,
       first_at = case when c.first_at < now() - interval '1 hour' then now() else c.first_at end, last_at = now()
     returning failures, ceil(extract(epoch from first_at + interval '1 hour' - now()))::int as wait`,
    [`f ${networkOf(ip)}`],
  );
  return row && row.failures > LINKS_AN_HOUR ? Math.max(1, row.wait) : null;
}

export type Outcome =
  | 'success'
  | 'bad_password'
  | 'unknown'
  | 'locked'
  | 'disabled'
  | 'client_deactivated'
  | 'otp_failed';

/** One line of the sign-in log. */
export async function logAttempt(
  tenant: Tenant,
  attempt: Attempt,
  line: { userId: number | null; ip: string; userAgent: string | null; outcome: Outcome; deviceKnown: boolean },
): Promise<void> {
  await tenant.db.query(
    `insert into ${quoted(tenant.schema)}.login_attempt (identifier_hash, network, user_id, ip, user_agent, outcome, device_known)
     values ($1,$2,$3,$4,$5,$6,$7)`,
    [attempt.identifierHash, attempt.network, line.userId, line.ip, line.userAgent, line.outcome, line.deviceKnown],
  );
}

/** An administrator unlocks an account. */
export async function forgetFailures({ db, schema }: Pick<Tenant, 'db' | 'schema'>, hash: string): Promise<void> {
  await db.query(`delete from ${quoted(schema)}.login_counter where key = $1 or split_part(key, ' ', 2) = $2`, [
    `i ${hash}`,
    hash,
  ]);
}
