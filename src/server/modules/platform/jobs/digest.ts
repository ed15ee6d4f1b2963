import { quoted } from '../../../db/names.ts';
import type { Job } from '../../../engine/modules.ts';

const DIGEST_MOST = 50;

/** Sends subscribers a digest of unread notifications, once a day at their hour. */
export const digest: Job = {
  async run({ actor: { tenant } }) {
    const s = quoted(tenant.schema);
    const users = await tenant.db.query<{ id: number; name: string; email: string; day: string }>(
      `select u.id, u.name, u.email, h.since::date::text as day
       from ${s}.users u left join ${s}.notification_hours o on o.user_id = u.id
       -- The day on which it was last due, and how long ago: half an hour may go past midnight.
       cross join lateral (select (now() at time zone $1) - coalesce(o.digest_at, '08:30')::interval as since) h
       where u.active and u.status = 'active' and not coalesce(u.is_service, false)
         and h.since::time < '00:30'
         and exists (select 1 from ${s}.notification_preference p where p.user_id = u.id and p.email = 'digest')`,
      [tenant.timezone],
    );
    let sent = 0;
    for (const user of users) {
      const rows = await tenant.db.query<{ title: string; total: number }>(
        `select n.title, count(*) over ()::int as total from ${s}.notification n join ${s}.notification_preference p on p.user_id = n.user_id and p.event_code = n.event_code and p.email = 'digest'
         where n.user_id = $1 and n.read_at is null order by n.id desc limit ${DIGEST_MOST}`,
        [user.id],
      );
      if (rows.length === 0) continue;
      const more = rows[0]!.total - rows.length;
      const lines = [...rows.map(({ title }) => `• ${title}`), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
      const added = await tenant.db.query(
        `insert into ${s}.outbox (channel, recipient, user_id, event_code, subject, body, dedupe_key) values ('mail', $1, $2, 'digest', $3, $4, $5) on conflict (dedupe_key) do nothing returning 1`,
        [
          user.email,
          user.id,
          `${rows[0]!.total} unread ${rows[0]!.total === 1 ? 'notification' : 'notifications'}`,
          `Hello ${user.name},\n\n${lines}`,
          `digest/${user.id}/${user.day}`,
        ],
      );
      sent += added.length;
    }
    return `${sent} digests sent.`;
  },
};
