import { randomBytes } from 'node:crypto';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import { revokeSessions } from '../../access/sessions/session_changes.ts';
import { announceRights } from '../../db/announce.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Queryable } from '../../db/database.ts';
import type { StoredStep } from '../../db/stored_step.ts';
import { takeStoredStep } from '../../db/stored_step.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { storePassword } from '../../access/people/accounts.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { messageTime } from '../../access/sessions/expiry.ts';
import { hashPassword } from '../../access/sessions/password.ts';
import { SUPPORT_PURPOSE, supportEmail, supportUntil } from '../../access/people/support_account.ts';

/** A platform user who wants to sign in at a client. */
export interface SupportPerson {
  id: number;
  username: string;
  name: string;
  email: string;
}

/** A request as both sides see it. */
export interface SupportRequest {
  id: number;
  asked_by: string;
  reason: string;
  minutes: number;
  state: string;
  created_at: string;
  ends_at: string | null;
  answered_by: string | null;
  open: boolean;
}

const TYPE = 'support_access';
const ACCOUNTS = 'users';

/** The person of the platform with this number. */
export async function supportPersonOf(main: Queryable, userId: number): Promise<SupportPerson> {
  const [person] = await main.query<SupportPerson>(
    'select id, username, name, email from public.common_user where id = $1',
    [userId],
  );
  return person!;
}

/** Requests to sign in at a client, the newest first. */
export function requestsOf({ db, schema }: Tenant): Promise<SupportRequest[]> {
  return db.query<SupportRequest>(
    `select r.id, r.asked_by, r.reason, r.minutes, r.state, r.created_at, r.ends_at, u.name as answered_by, r.state = 'agreed' and r.ends_at > now() as open
     from ${tableName(schema, TYPE)} r left join ${quoted(schema)}.users u on u.id = r.answered_by where r.purpose = $1 and r.active order by r.id desc limit 20`,
    [SUPPORT_PURPOSE],
  );
}

/**
 * Asks a client's administrators for access; a client that always allows support is only notified. @returns the state
 * of the request
 */
export async function askToSignIn(
  tenant: Tenant,
  person: SupportPerson,
  reason: string,
  minutes: number,
  notifications: Notifications,
): Promise<'asked' | 'agreed'> {
  const { support_access: rule } = await clientSettings(tenant);
  if (rule === 'off')
    throw new AppError(
      409,
      'bad_state',
      `${tenant.name} does not allow platform staff to sign in. Its administrator may change that under Configuration, Support.`,
    );
  const words = reason.trim();
  if (words === '') throw new AppError(422, 'invalid', 'Say why, so that the client can decide.', { field: 'reason' });
  const s = quoted(tenant.schema);
  const [open] = await tenant.db.query<{ state: string }>(
    `select state from ${tableName(tenant.schema, TYPE)} where platform_user_id = $1 and purpose = $2 and active and (state = 'asked' or (state = 'agreed' and ends_at > now())) limit 1`,
    [person.id, SUPPORT_PURPOSE],
  );
  if (open)
    throw new AppError(
      409,
      'bad_state',
      open.state === 'asked' ? 'You have already sent a request. Wait for the answer.' : 'You can already sign in.',
    );
  const state = rule === 'always' ? 'agreed' : 'asked';
  await tenant.db.transaction(async (tx) => {
    const [made] = await tx.query<{ id: number; ends_at: string | null }>(
      `with r as (insert into ${tableName(tenant.schema, TYPE)} (asked_by, asked_email, platform_user_id, purpose, reason, minutes, state, ends_at)
           values ($1, $2, $3, $4, $5, $6, $7, case when $7 = 'agreed' then now() + make_interval(mins => $6) end) returning id, ends_at),
         h as (insert into ${s}.history (record_type, record_id, version, op, what, change) select '${TYPE}', id, 1, 'I', 'platform', '{}' from r)
       select id, ends_at from r`,
      [person.name, person.email, person.id, SUPPORT_PURPOSE, words, minutes, state],
    );
    await queueWebhooks(tx, tenant.schema, [[TYPE, made!.id]]);
    const admins = await tx.query<{ id: number }>(
      `select id from ${s}.users where is_admin and active and status = 'active'`,
    );
    const until = made!.ends_at === null ? '' : messageTime(new Date(made!.ends_at), tenant.timezone);
    await notifications.notify(tx, tenant, {
      event: state === 'asked' ? 'support.sign_in_asked' : 'support.sign_in_open',
      to: admins.map(({ id }) => id),
      values: { actor: person.name, reason: words, until },
      link: `/${TYPE}/view/${made!.id}`,
      record: { type: TYPE, id: made!.id },
    });
  });
  return state;
}

/**
 * Prepares the person's own account at the client for one sign-in: a visible user with an auditor's rights unless the
 * client's administrator gives more. @returns user name and one-time password
 */
export async function openSignIn(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  person: SupportPerson,
): Promise<{ username: string; password: string; until: string }> {
  const until = await supportUntil(tenant, person.id);
  if (until === null)
    throw new AppError(409, 'bad_state', 'The client has not agreed, or its consent has expired. Request access.');
  const password = randomBytes(15).toString('base64url');
  const phc = await hashPassword(password);
  const s = quoted(tenant.schema);
  const username = `support.${person.username}`.slice(0, 50);
  await tenant.db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: number }>(
      `insert into ${s}.users (username, name, email, is_admin, chairman_flag, ceo_flag, secretary_flag, is_service, status, language, mfa_required, must_change_password, products)
       values ($1, $2, $3, false, false, false, false, false, 'active', 'en', false, false, '{}')
       on conflict (lower(email)) do update set active = true, name = excluded.name, version = users.version + 1, updated_at = now() returning id`,
      [username, `${person.name} (support)`.slice(0, 100), supportEmail(person.id)],
    );
    await takeStoredStep(tx, tenant.schema, screens.get(ACCOUNTS), 'reopen', {
      which: (bind) => `r.id = ${bind(user!.id)}`,
      cause: 'action',
    });
    // Companies and roles given by the client's administrator stay.
    await tx.query(
      `insert into ${s}.users__companies (parent_id, position, entity_id, is_default, branch_ids, role_ids)
       select $1, row_number() over (order by e.id) - 1, e.id, row_number() over (order by e.id) = 1, '{}', array(select id from ${s}.role where template_code = 'AUDITOR' and active)
       from ${s}.entity e where e.active and not exists (select 1 from ${s}.users__companies c where c.parent_id = $1)`,
      [user!.id],
    );
    await storePassword(tx, tenant.schema, user!.id, phc);
    await announceRights(tx, tenant.schema);
  });
  return { username, password, until };
}

/**
 * Ends the agreements with a person: the account is closed, its sessions end at once. @returns the number of agreements
 */
export function endSignIn(
  { db, schema }: Tenant,
  screens: ReadonlyMap<string, Screen>,
  platformUserId: number,
): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx.query(
      `update ${tableName(schema, TYPE)} set state = 'ended', ends_at = now(), version = version + 1, updated_at = now() where platform_user_id = $1 and purpose = $2 and state = 'agreed' and ends_at > now() returning 1`,
      [platformUserId, SUPPORT_PURPOSE],
    );
    await closeAccounts(tx, schema, screens, (bind) => `r.email = ${bind(supportEmail(platformUserId))}`);
    return ended.length;
  });
}

async function wasAsked({ db, schema }: Tenant): Promise<boolean> {
  const [found] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    tableName(schema, TYPE),
  ]);
  return found?.there === true;
}

/** Ends all agreements: the client withdraws all access. */
export async function endAllSignIns(tenant: Tenant, screens: ReadonlyMap<string, Screen>): Promise<void> {
  if (!(await wasAsked(tenant))) return;
  const { db, schema } = tenant;
  await db.transaction(async (tx) => {
    await tx.query(
      `update ${tableName(schema, TYPE)} set state = 'ended', ends_at = now(), version = version + 1, updated_at = now() where purpose = $1 and state = 'agreed' and ends_at > now()`,
      [SUPPORT_PURPOSE],
    );
    await closeAccounts(tx, schema, screens, () => `r.email like 'support-%@support.invalid'`);
  });
}

/** Closes the accounts of support users whose time is over. */
export async function closeExpired(tenant: Tenant, screens: ReadonlyMap<string, Screen>): Promise<void> {
  if (!(await wasAsked(tenant))) return;
  const { db, schema } = tenant;
  await db.transaction((tx) =>
    closeAccounts(
      tx,
      schema,
      screens,
      (bind) => `r.email like 'support-%@support.invalid' and r.status = 'active'
    and not exists (select 1 from ${tableName(schema, TYPE)} a where a.purpose = ${bind(SUPPORT_PURPOSE)} and a.state = 'agreed' and a.ends_at > now() and r.email = 'support-' || a.platform_user_id || '@support.invalid')`,
    ),
  );
}

async function closeAccounts(
  on: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  which: StoredStep['which'],
): Promise<void> {
  const s = quoted(schema);
  const closed = await takeStoredStep(on, schema, screens.get(ACCOUNTS), 'close', { which, cause: 'action' });
  const ids = closed.map(({ id }) => id);
  if (ids.length === 0) return;
  await on.query(`delete from ${s}.credential where user_id = any($1)`, [ids]);
  await revokeSessions(on, schema, 'admin', { where: 'user_id = any($1)', values: [ids] });
  await announceRights(on, schema);
}
