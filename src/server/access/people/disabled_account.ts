import type { Tenant } from '../../db/tenant.ts';
import { announceRights } from '../../db/announce.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import { revokeSessions } from '../sessions/session_changes.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';

/** A disabled account is signed out everywhere, and its browsers receive nothing more. */
export async function closeSessions(on: Queryable, schema: string, user: number): Promise<void> {
  await revokeSessions(on, schema, 'disabled', { where: 'user_id = $1', values: [user] });
  await on.query(`update ${quoted(schema)}.users_device set active = false where user_id = $1 and active`, [user]);
}

/** Notifies managers that the accounts of their reports were disabled; a user who is not an employee has no manager. */
export async function notifyManagers(
  notifications: Notifications,
  tenant: Tenant,
  users: number[],
  reason: string,
): Promise<void> {
  const s = quoted(tenant.schema);
  const rows = await tenant.db.query<{ name: string; manager: number }>(
    `select u.name, m.id as manager from ${s}.users u join ${s}.employee e on e.id = u.employee_id
     join ${s}.users m on m.employee_id = e.reporting_to_id and m.active and m.status = 'active' where u.id = any($1) order by u.id, m.id`,
    [users],
  );
  if (rows.length === 0) return;
  await tenant.db.transaction(async (tx) => {
    for (const { name, manager } of rows)
      await notifications.notify(tx, tenant, {
        event: 'user.disabled',
        to: [manager],
        link: '/team_list',
        values: { name, reason },
      });
  });
}

/** Updates rights and webhooks after accounts were disabled, in the same transaction. */
export async function announceDisabled(tx: Queryable, schema: string, rows: readonly { id: number }[]): Promise<void> {
  if (rows.length === 0) return;
  await announceRights(tx, schema);
  await queueWebhooks(
    tx,
    schema,
    rows.map(({ id }) => ['users', id]),
  );
}
