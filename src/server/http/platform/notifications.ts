import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../../db/errors.ts';
import type { Bus } from '../../services/live/bus.ts';
import { messageSettings } from '../../services/notifications/message_settings.ts';
import {
  markRead,
  ownNotifications,
  ownPreferences,
  savePreferences,
} from '../../services/notifications/own_notifications.ts';
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

/** One's own notifications: the list, the unread ones, marking as read, and preferences. */
export async function notificationRoutes(app: FastifyInstance, { bus }: { bus: Bus }): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/notifications`, async ({ session, query }) => {
      const { after, before, unread } = query as Query;
      const { rows, unread: count } = await ownNotifications(session, {
        after: whole(after, 'after'),
        before: whole(before, 'before'),
        unreadAlone: unread === 'true',
        max: PAGE + 1,
      });
      return { data: rows.slice(0, PAGE), more: rows.length > PAGE, unread: count };
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
        const updated = await markRead(session, all ? 'all' : ids);
        if (updated > 0)
          await bus.publish(session.tenant.db, {
            kind: 'notification',
            schema: session.tenant.schema,
            users: [session.userId],
          });
        return { data: { updated } };
      },
    );

    app.get(`${prefix}/notification_preferences`, async ({ session }) => {
      const { events: own, hours } = await ownPreferences(session);
      const { quiet_from, quiet_to } = await messageSettings(session.tenant);
      return {
        data: {
          hours: hours ?? { quiet_from: null, quiet_to: null, digest_at: null },
          // The defaults where the person chose nothing.
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
      const times =
        hours === undefined
          ? null
          : { quiet_from: time('quiet_from'), quiet_to: time('quiet_to'), digest_at: time('digest_at') };
      if (times && (times.quiet_from === null) !== (times.quiet_to === null))
        throw new AppError(422, 'invalid', 'Quiet hours need both a beginning and an end.', {
          field: times.quiet_from === null ? 'quiet_from' : 'quiet_to',
        });
      await savePreferences(session, wanted, times);
      return { data: { saved: wanted.length } };
    });

    // The browser's behaviour when the person refuses push messages.
    app.get(`${prefix}/push`, async ({ session }) => ({
      data: { denied_action: (await messageSettings(session.tenant)).push_denied_action },
    }));

    // For the editor of mail texts: the default text of each event, and its placeholders.
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
