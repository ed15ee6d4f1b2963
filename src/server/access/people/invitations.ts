import type { Tenant } from '../../db/tenant.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { linkAddress, makeLink } from '../sessions/password_links.ts';

/** Sends a user the link with which they choose their first password. Earlier links become invalid. */
export async function invite(
  deps: { notifications: Notifications; addressOf(tenant: Tenant): string },
  tenant: Tenant,
  user: { id: number; name: string; email: string; username: string },
): Promise<void> {
  const settings = await clientSettings(tenant);
  await tenant.db.transaction(async (tx) => {
    const token = await makeLink(tx, tenant.schema, user.id, 'invite', null, settings);
    await deps.notifications.write(tx, tenant, {
      event: 'user.invited',
      address: user.email,
      userId: user.id,
      dedupeKey: `invite/${token.slice(0, 12)}`,
      values: {
        name: user.name,
        username: user.username,
        hours: String(settings.invite_hours),
        link: linkAddress(deps.addressOf(tenant), tenant.schema, token),
      },
    });
  });
}
