import type { Tenant } from '../../db/tenant.ts';
import { changeSessions } from '../sessions/session_changes.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

/** What a request asks for, besides the figures of a dashboard. */
export const SUPPORT_PURPOSE = 'Sign in';
/** The validity of a password issued for one sign-in. */
const PASSWORD_MINUTES = 10;

/** No mail reaches it: only the platform's own call creates a password for the account. */
export function supportEmail(platformUserId: number): string {
  return `support-${platformUserId}@support.invalid`;
}

/** The platform user behind a support account; null = it is none. */
export function supportPerson(email: string): number | null {
  const [, id] = /^support-(\d+)@support\.invalid$/.exec(email) ?? [];
  return id === undefined ? null : Number(id);
}

/** Until when somebody of the platform may sign in at a client, as ISO text; null = not now. */
export async function supportUntil(tenant: Tenant, platformUserId: number): Promise<string | null> {
  if ((await clientSettings(tenant)).support_access === 'off') return null;
  const [row] = await tenant.db.query<{ until: string }>(
    `select max(ends_at) as until from ${tableName(tenant.schema, 'support_access')} where platform_user_id = $1 and purpose = $2 and active and state = 'agreed' and ends_at > now()`,
    [platformUserId, SUPPORT_PURPOSE],
  );
  return row?.until ?? null;
}

/**
 * Whether the account may sign in now: the agreement is in force, and its password was just issued. Until when, or
 * null.
 */
export async function supportMaySignIn(tenant: Tenant, userId: number, platformUserId: number): Promise<string | null> {
  const [fresh] = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.credential where user_id = $1 and changed_at > now() - make_interval(mins => $2)`,
    [userId, PASSWORD_MINUTES],
  );
  return fresh ? supportUntil(tenant, platformUserId) : null;
}

/** The password has been used; the session ends with the agreement. */
export async function boundSession(
  on: Queryable,
  schema: string,
  sid: string,
  userId: number,
  platformUserId: number,
  until: string,
): Promise<void> {
  await on.query(`delete from ${quoted(schema)}.credential where user_id = $1`, [userId]);
  await changeSessions(
    on,
    schema,
    { set: 'expires_at = least(expires_at, $2::timestamptz), impersonator_id = $3', where: 'sid = $1' },
    [sid, until, platformUserId],
  );
}
