import type { FastifyInstance } from 'fastify';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Bus } from '../../services/live/bus.ts';
import { messageSettings } from '../../services/notifications/message_settings.ts';
import { allowedPlaceholders, NOTIFICATION_EVENTS } from '../../services/notifications/events.ts';

const PAGE = 50;
const DIGEST_AT = '08:30';
const MAILS = ['now', 'digest', 'off'];

interface Query {
  after?: string;
  before?: string;
  unread?: string;
}

function whole(text: string | undefined, name: string): number | null {
  if (text === undefined || text === '') return null;
  if (!/^\d{1,15}$/.test(text))
    throw new AppError(400, 'bad_request', `${name} must be the number of a notification.`, { field: name });
  return Number(text);
}

/** One's own notifications: the list, what is unread, marking as read, and how one wants to be told. */
export async function notificationRoutes(app: FastifyInstance, { bus }: { bus: Bus }): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/notifications`, async ({ session, query }) => {
      const { after, before, unread } = query as Query;
      const s = quoted(session.tenant.schema);
      const [rows, [counts]] = await Promise.all([
        session.tenant.db.query<{ id: number }>(
          `select id, event_code, title, body, link, entity_id, record_type, record_id, severity, count, read_at, created_at from ${s}.notification
           where user_id = $1 and ($2::bigint is null or id > $2) and ($3::bigint is null or id < $3) and ($4::boolean is not true or read_at is null)
           order by id desc limit ${PAGE + 1}`,
          [session.userId, whole(after, 'after'), whole(before, 'before'), unread === 'true'],
        ),
        session.tenant.db.query<{ unread: number }>(
          `select count(*)::int as unread from (select 1 from ${s}.notification where user_id = $1 and read_at is null limit 100) as unread_ones`,
          [session.userId],
        ),
      ]);
      return { data: rows.slice(0, PAGE), more: rows.length > PAGE, unread: counts?.unread ?? 0 };
    });

    app.put(
      `${prefix}/notifications/read`,
      {
        schema: {
          body: {
            type: 'object',
            properties: { ids: { type: 'array', maxItems: 500, items: { type: 'integer' } }, all: { type: 'boolean' } },
            anyOf: [{ required: ['ids'] }, { required: ['all'] }],
          },
        },
      },
      async ({ session, body }) => {
        const { ids = [], all = false } = body as { ids?: number[]; all?: boolean };
        const rows = await session.tenant.db.query(
          `update ${quoted(session.tenant.schema)}.notification set read_at = now() where user_id = $1 and read_at is null and ($2 or id = any($3::bigint[])) returning 1`,
          [session.userId, all, ids],
        );
        if (rows.length > 0)
          await bus.tell(session.tenant.db, {
            kind: 'notification',
            schema: session.tenant.schema,
            users: [session.userId],
          });
        return { data: { updated: rows.length } };
      },
    );

    app.get(`${prefix}/notification_preferences`, async ({ session }) => {
      const s = quoted(session.tenant.schema);
      const [rows, [hours]] = await Promise.all([
        session.tenant.db.query<{ event_code: string; in_app: boolean; email: string; push: boolean }>(
          `select event_code, in_app, email, push from ${s}.notification_preference where user_id = $1`,
          [session.userId],
        ),
        session.tenant.db.query<{ quiet_from: string | null; quiet_to: string | null; digest_at: string | null }>(
          `select quiet_from::text, quiet_to::text, digest_at::text from ${s}.notification_hours where user_id = $1`,
          [session.userId],
        ),
      ]);
      const { quiet_from, quiet_to } = await messageSettings(session.tenant);
      const own = new Map(rows.map((row) => [row.event_code, row]));
      return {
        data: {
          hours: hours ?? { quiet_from: null, quiet_to: null, digest_at: null },
          // What holds where the person chose nothing.
          defaults: { quiet_from, quiet_to, digest_at: DIGEST_AT },
          events: NOTIFICATION_EVENTS.map(({ code, name, module, channels, canMute }) => ({
            code,
            name,
            module,
            channels,
            can_mute: canMute,
            in_app: own.get(code)?.in_app ?? true,
            email: own.get(code)?.email ?? 'now',
            push: own.get(code)?.push ?? true,
          })),
        },
      };
    });

    app.put(`${prefix}/notification_preferences`, async ({ session, body }) => {
      const { events = [], hours } = (body ?? {}) as { events?: unknown; hours?: Record<string, unknown> };
      const s = quoted(session.tenant.schema);
      if (!Array.isArray(events) || events.length > NOTIFICATION_EVENTS.length)
        throw new AppError(400, 'bad_request', 'events must be a list of events.', { field: 'events' });
      const wanted = (events as Record<string, unknown>[]).map((one) => {
        const event = NOTIFICATION_EVENTS.find(({ code }) => code === one?.code);
        if (!event)
          throw new AppError(422, 'invalid', `There is no event "${String(one?.code)}".`, { field: 'events' });
        if (!event.canMute)
          throw new AppError(422, 'invalid', `"${event.name}" cannot be switched off: it keeps your account safe.`, {
            field: 'events',
          });
        if (typeof one.in_app !== 'boolean' || typeof one.push !== 'boolean' || !MAILS.includes(String(one.email)))
          throw new AppError(422, 'invalid', 'Say in_app and push as true or false, and email as now, digest or off.', {
            field: 'events',
          });
        return { code: event.code, in_app: one.in_app, email: String(one.email), push: one.push };
      });
      const time = (name: string): string | null => {
        const value = hours?.[name];
        if (value === null || value === undefined || value === '') return null;
        if (typeof value !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d(:\d\d)?$/.test(value))
          throw new AppError(422, 'invalid', 'Write the time as 21:00.', { field: name });
        return value;
      };
      const times = hours === undefined ? null : [time('quiet_from'), time('quiet_to'), time('digest_at')];
      if (times && (times[0] === null) !== (times[1] === null))
        throw new AppError(422, 'invalid', 'Quiet hours need both a beginning and an end.', {
          field: times[0] === null ? 'quiet_from' : 'quiet_to',
        });
      await session.tenant.db.transaction(async (tx) => {
        if (wanted.length > 0)
          await tx.query(
            `insert into ${s}.notification_preference (user_id, event_code, in_app, email, push)
             select $1, code, in_app, email, push from jsonb_to_recordset($2::jsonb) as v(code text, in_app boolean, email text, push boolean)
             on conflict (user_id, event_code) do update set in_app = excluded.in_app, email = excluded.email, push = excluded.push`,
            [session.userId, JSON.stringify(wanted)],
          );
        if (times)
          await tx.query(
            `insert into ${s}.notification_hours (user_id, quiet_from, quiet_to, digest_at) values ($1, $2, $3, $4)
             on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, digest_at = excluded.digest_at`,
            [session.userId, ...times],
          );
      });
      return { data: { saved: wanted.length } };
    });

    // What a browser does when the person refuses push messages.
    app.get(`${prefix}/push`, async ({ session }) => ({
      data: { denied_action: (await messageSettings(session.tenant)).push_denied_action },
    }));

    // For the editor of mail texts: what each event says, and which words may stand in braces.
    app.get(`${prefix}/notification_events`, async ({ session }) => {
      if (!session.rights.isAdmin) throw notFound();
      return {
        data: NOTIFICATION_EVENTS.map((event) => ({
          code: event.code,
          name: event.name,
          module: event.module,
          title: event.title,
          body: event.body,
          placeholders: allowedPlaceholders(event),
        })),
      };
    });
  }
}
