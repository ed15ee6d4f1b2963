import type { Tenant } from '../../db/tenant.ts';
import { announceRights } from '../../db/announce.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { literal, quoted } from '../../db/names.ts';
import { takeStoredStep } from '../../db/stored_step.ts';
import { usableUser } from '../sessions/session_rows.ts';

/** An account that signs in: a user of a tenant, or a common user of the platform. */
export interface Account {
  id: number;
  name: string;
  email: string;
  username: string;
  /** null also if a temporary password has expired. */
  phc: string | null;
  mustChange: boolean;
  previous: string[];
  usable: boolean;
  sessionLimit: number;
  /** Networks from which it may be used, one per line; empty = any. */
  ipAllow: string | null;
}

const VALID_HASH = 'case when c.expires_at is null or c.expires_at > now() then c.phc end';

function accountSql({ schema, timezone }: Pick<Tenant, 'schema' | 'timezone'>, where: string): string {
  const s = quoted(schema);
  if (schema === 'public')
    return `select u.id, u.name, u.email, u.username, ${VALID_HASH} as phc, coalesce(c.must_change, false) as "mustChange", coalesce(c.previous, '{}') as previous,
        u.active and t.active as usable, 0 as "sessionLimit", null as "ipAllow"
      from ${s}.common_user u join ${s}.user_type t on t.id = u.user_type_id left join ${s}.credential c on c.user_id = u.id where ${where}`;
  return `select u.id, u.name, u.email, u.username, ${VALID_HASH} as phc, coalesce(c.must_change, false) or coalesce(u.must_change_password, false) as "mustChange",
      coalesce(c.previous, '{}') as previous, ${usableUser(literal(timezone))} as usable, coalesce(u.session_limit, 0) as "sessionLimit", u.ip_allow as "ipAllow"
    from ${s}.users u left join ${s}.credential c on c.user_id = u.id where ${where}`;
}

/**
 * The account with a user name or e-mail, ignoring case. A user name never contains "@", so the two cannot be confused.
 */
export async function findAccount(tenant: Tenant, identifier: string): Promise<Account | null> {
  const column = identifier.includes('@') ? 'email' : 'username';
  const [account] = await tenant.db.query<Account>(accountSql(tenant, `lower(u.${column}) = $1`), [
    identifier.normalize('NFKC').toLowerCase(),
  ]);
  return account ?? null;
}

export async function readAccount(tenant: Tenant, userId: number): Promise<Account | null> {
  const [account] = await tenant.db.query<Account>(accountSql(tenant, 'u.id = $1'), [userId]);
  return account ?? null;
}

/**
 * Stores a password hash; the previous one is kept among the last five. `hours`: a temporary one, which must be changed
 * at the first sign-in.
 */
export async function storePassword(
  on: Queryable,
  schema: string,
  userId: number,
  phc: string,
  { mustChange = false, hours = null }: { mustChange?: boolean; hours?: number | null } = {},
): Promise<void> {
  await on.query(
    `insert into ${quoted(schema)}.credential as c (user_id, phc, must_change, expires_at) values ($1, $2, $3, now() + make_interval(hours => $4))
     on conflict (user_id) do update set previous = (array_prepend(c.phc, c.previous))[1:5], phc = excluded.phc,
       must_change = excluded.must_change, changed_at = now(), expires_at = excluded.expires_at`,
    [userId, phc, mustChange, hours],
  );
  if (!mustChange && schema !== 'public')
    await on.query(
      `update ${quoted(schema)}.users set must_change_password = false where id = $1 and must_change_password`,
      [userId],
    );
}

/** Rehashes an unchanged password with the current parameters. */
export async function renewHash(tenant: Tenant, userId: number, phc: string): Promise<void> {
  await tenant.db.query(`update ${quoted(tenant.schema)}.credential set phc = $2 where user_id = $1`, [userId, phc]);
}

/** An invited person who has chosen a password becomes active. */
export async function acceptInvitation(
  tx: Queryable,
  schema: string,
  accounts: Screen | undefined,
  userId: number,
): Promise<void> {
  if (schema === 'public')
    await tx.query(
      `update public.common_user set status = 'active', invited_until = null where id = $1 and status = 'invited'`,
      [userId],
    );
  else
    await takeStoredStep(tx, schema, accounts, 'accept', {
      which: (bind) => `r.id = ${bind(userId)}`,
      by: userId,
      cause: 'action',
    });
  await announceRights(tx, schema);
}

/** The record of a platform user shows until when the link they were sent is valid. */
export function noteInvitation(main: Database, userId: number, hours: number): Promise<void> {
  return main.transaction(async (tx) => {
    await tx.query(
      `update public.common_user set status = 'invited', invited_until = now() + make_interval(hours => $2) where id = $1`,
      [userId, hours],
    );
    await announceRights(tx, 'public');
  });
}

/** The password is valid for one more sign-in, at which a new one must be chosen. */
export async function demandNewPassword({ db, schema }: Pick<Tenant, 'db' | 'schema'>, userId: number): Promise<void> {
  await db.query(`update ${quoted(schema)}.credential set must_change = true where user_id = $1`, [userId]);
}
