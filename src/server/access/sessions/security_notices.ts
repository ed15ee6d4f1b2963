import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { messageTime } from './expiry.ts';

/** A security event of an account, of which its owner is notified. */
export type SecurityNotice =
  | { event: 'login.new_device'; userId: number; name: string; device: string; ip: string }
  /** Administrators are notified as well. */
  | { event: 'account.locked'; userId: number; name: string; username: string; failures: number; ip: string };

/**
 * Whether a sign-in is unusual: not the first one, and from an unknown program or address. Checked before the session
 * is created.
 */
export async function isNewPlace({ db, schema }: Tenant, userId: number, label: string, ip: string): Promise<boolean> {
  if (schema === 'public') return false;
  const s = quoted(schema);
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select 1 from ${s}.session where user_id = $1) and not exists (select 1 from ${s}.session where user_id = $1 and device_label = $2 and ip is not distinct from $3) as found`,
    [userId, label, ip],
  );
  return row?.found === true;
}

/** Notifies the person, and about a locked account the administrators, with a link to a page that they may open. */
export async function notifySecurity(
  notifications: Notifications,
  tenant: Tenant,
  notice: SecurityNotice,
): Promise<void> {
  if (tenant.schema === 'public') return;
  const time = messageTime(new Date(), tenant.timezone);
  const { event, userId, name, ip } = notice;
  await tenant.db.transaction(async (tx) => {
    const values: Record<string, string> =
      event === 'account.locked'
        ? { name, ip, time, username: notice.username, failures: String(notice.failures) }
        : { name, ip, time, device: notice.device };
    const send = (to: number[], link: string) => notifications.notify(tx, tenant, { event, to, values, link });
    await send([userId], '/core_account');
    if (event !== 'account.locked') return;
    const admins = await tx.query<{ id: number }>(
      `select id from ${quoted(tenant.schema)}.users where is_admin and active and status = 'active' and id <> $1 order by id`,
      [userId],
    );
    await send(
      admins.map(({ id }) => id),
      '/password_portal',
    );
  });
}

/** Notifies the old and the new address of a changed account address, in case it was not done by the owner. */
export async function notifyEmailChanged(
  notifications: Notifications,
  tenant: Tenant,
  userId: number,
  from: string,
  to: string,
): Promise<void> {
  await tenant.db.transaction(async (tx) => {
    const [user] = await tx.query<{ name: string }>(`select name from ${quoted(tenant.schema)}.users where id = $1`, [
      userId,
    ]);
    const values = { name: user?.name ?? '', email: to };
    await notifications.notify(tx, tenant, { event: 'email.changed', to: [userId], values });
    if (from !== '')
      await notifications.write(tx, tenant, {
        event: 'email.changed',
        address: from,
        userId,
        values,
        dedupeKey: `email/${userId}/${from}/${Date.now()}`,
      });
  });
}
