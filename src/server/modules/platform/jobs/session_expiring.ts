import { expiryDate } from '../../../access/sessions/expiry.ts';
import { quoted } from '../../../db/names.ts';
import type { Job } from '../../../engine/modules.ts';

/** Notifies people whose sign-in ends within three days. */
export const sessionExpiring: Job = {
  async run({ actor: { tenant }, services: { notifications } }) {
    const s = quoted(tenant.schema);
    const rows = await tenant.db.query<{ user_id: number; ends: string }>(
      `select user_id, max(expires_at) as ends from ${s}.session where revoked_at is null and expires_at > now()
       group by user_id having max(expires_at) < now() + interval '3 days'`,
    );
    for (const { user_id: user, ends } of rows) {
      const date = expiryDate(new Date(ends), tenant.timezone).split('-').reverse().join('-');
      await tenant.db.transaction((tx) =>
        notifications.notify(tx, tenant, {
          event: 'session.expiring',
          to: [user],
          values: { date },
          groupKey: `session/${date}`,
        }),
      );
    }
    return `${rows.length} people notified.`;
  },
};
