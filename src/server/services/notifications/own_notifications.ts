import type { Caller } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';

/** A person's preferences for an event. */
interface Preference {
  in_app: boolean;
  email: string;
  push: boolean;
}

/** Times of day; null = the company's. */
interface Hours {
  quiet_from: string | null;
  quiet_to: string | null;
  digest_at: string | null;
}

interface Page {
  after: number | null;
  before: number | null;
  unreadAlone: boolean;
  max: number;
}

/** A notification as shown to its recipient. */
export interface OwnNotification {
  id: number;
  title: string;
  link: string | null;
  created_at: string;
}

/** A person's own notifications, the newest first, and the number of unread ones: counted up to 100. */
export async function ownNotifications(
  { tenant: { db, schema }, userId }: Caller,
  { after, before, unreadAlone, max }: Page,
): Promise<{ rows: OwnNotification[]; unread: number }> {
  const s = quoted(schema);
  const [rows, [counts]] = await Promise.all([
    db.query<OwnNotification>(
      `select id, event_code, title, body, link, entity_id, record_type, record_id, severity, count, read_at, created_at from ${s}.notification
       where user_id = $1 and ($2::bigint is null or id > $2) and ($3::bigint is null or id < $3) and ($4::boolean is not true or read_at is null)
       order by id desc limit ${max}`,
      [userId, after, before, unreadAlone],
    ),
    db.query<{ unread: number }>(
      `select count(*)::int as unread from (select 1 from ${s}.notification where user_id = $1 and read_at is null limit 100) as unread_ones`,
      [userId],
    ),
  ]);
  return { rows, unread: counts?.unread ?? 0 };
}

/** Marks some of a person's notifications as read, or all. @returns the number of unread ones before */
export async function markRead({ tenant: { db, schema }, userId }: Caller, ids: number[] | 'all'): Promise<number> {
  const rows = await db.query(
    `update ${quoted(schema)}.notification set read_at = now() where user_id = $1 and read_at is null and ($2 or id = any($3::bigint[])) returning 1`,
    [userId, ids === 'all', ids === 'all' ? [] : ids],
  );
  return rows.length;
}

/** A person's preferences by event, and their quiet hours; empty where nothing was chosen. */
export async function ownPreferences({
  tenant: { db, schema },
  userId,
}: Caller): Promise<{ events: Map<string, Preference>; hours: Hours | undefined }> {
  const s = quoted(schema);
  const [rows, [hours]] = await Promise.all([
    db.query<Preference & { event_code: string }>(
      `select event_code, in_app, email, push from ${s}.notification_preference where user_id = $1`,
      [userId],
    ),
    db.query<Hours>(
      `select quiet_from::text, quiet_to::text, digest_at::text from ${s}.notification_hours where user_id = $1`,
      [userId],
    ),
  ]);
  return { events: new Map(rows.map((row) => [row.event_code, row])), hours };
}

/** Stores a person's preferences; events and hours that are not given are unchanged. */
export async function savePreferences(
  { tenant: { db, schema }, userId }: Caller,
  events: (Preference & { code: string })[],
  hours: Hours | null,
): Promise<void> {
  const s = quoted(schema);
  await db.transaction(async (tx) => {
    if (events.length > 0)
      await tx.query(
        `insert into ${s}.notification_preference (user_id, event_code, in_app, email, push)
         select $1, code, in_app, email, push from jsonb_to_recordset($2::jsonb) as v(code text, in_app boolean, email text, push boolean)
         on conflict (user_id, event_code) do update set in_app = excluded.in_app, email = excluded.email, push = excluded.push`,
        [userId, JSON.stringify(events)],
      );
    if (hours)
      await tx.query(
        `insert into ${s}.notification_hours (user_id, quiet_from, quiet_to, digest_at) values ($1, $2, $3, $4)
         on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, digest_at = excluded.digest_at`,
        [userId, hours.quiet_from, hours.quiet_to, hours.digest_at],
      );
  });
}
