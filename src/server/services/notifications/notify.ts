import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import type { Bus } from '../live/bus.ts';
import type { NotificationEvent } from './events.ts';
import { eventOf, fill } from './events.ts';
import type { MailHead } from '../mail/mail_html.ts';
import { mailHtml } from '../mail/mail_html.ts';
import type { MailAttachment } from '../mail/mail_accounts.ts';
import { messageSettings } from './message_settings.ts';
import { storedFile } from './outbox_files.ts';
import type { Template } from './templates.ts';
import { templateOf } from './templates.ts';

/** A notification to users. */
export interface Notice {
  event: string;
  /** User ids; the caller leaves out the acting person. */
  to: number[];
  /** For the placeholders of the event's texts. */
  values: Record<string, string>;
  /** Address in the application, beginning with "/". */
  link?: string;
  entityId?: number | null;
  record?: { type: string; id: number };
  /** Entries of one user with the same key merge within the event's minutes. */
  groupKey?: string;
  /** Instead of the event's own, for instance after a failed run. */
  severity?: NotificationEvent['severity'];
  /** Restricts the event's channels. */
  channels?: NotificationEvent['channels'];
  /** Files that go with the mail. */
  files?: readonly MailAttachment[];
  /** Issued documents that go with the mail. */
  prints?: readonly number[];
}

/** A mail to an address, whether or not a user has it. */
export interface Letter {
  event: string;
  address: string;
  userId?: number;
  values: Record<string, string>;
  /** A second mail with the same key is not sent. */
  dedupeKey: string;
  /** Files that go with it. */
  files?: readonly MailAttachment[];
}

/** A mail with its own text, for instance with a document. */
export interface OwnMail {
  address: string;
  subject: string;
  text: string;
  /** Attached issued documents. */
  prints: number[];
  /** Other attached files. */
  files?: readonly MailAttachment[];
  /** Address shown as a button, if the text contains it. */
  link?: string;
  /** The purpose, which selects the client's mail account. */
  purpose: string;
}

export interface Notifications {
  /** Writes the notices on the caller's connection: they are sent if and when it commits. */
  notify(on: Queryable, tenant: Tenant, notice: Notice): Promise<void>;
  /** The same for many notices, in few statements. */
  notifyMany(on: Queryable, tenant: Tenant, notices: readonly Notice[]): Promise<void>;
  write(on: Queryable, tenant: Tenant, letter: Letter): Promise<void>;
  post(on: Queryable, tenant: Tenant, mail: OwnMail): Promise<void>;
}

/** Beyond this many unread entries of one event within this many minutes, further ones are merged into one line. */
const BURST_FROM = 4;
const BURST_MINUTES = 10;
/** The number of titles listed in that line. */
const BURST_TITLES = 10;
const BURST = 'burst';
/** PostgreSQL's messages have at most 8,000 bytes. */
const USERS_OF_MESSAGE = 500;

interface Recipient {
  user_id: number;
  name: string;
  email: string;
  in_app: boolean | null;
  mail: 'now' | 'digest' | 'off' | null;
  push: boolean | null;
  /** They have a browser registered for push messages. */
  reachable: boolean;
  quiet: boolean;
  quiet_until: string | null;
}

export interface NotifyDeps {
  bus: Bus;
  /** Address of a tenant's pages, without a trailing slash. */
  addressOf: (tenant: Tenant) => string;
  /** The design of the tenant's mails. */
  headOf: (on: Queryable, tenant: Tenant) => Promise<MailHead>;
}

/** The event of a notice, with its own severity and channels. */
function eventFor({ event, severity, channels }: Notice): NotificationEvent {
  const defined = { ...eventOf(event), ...(severity && { severity }) };
  if (!channels) return defined;
  return {
    ...defined,
    channels: {
      inApp: defined.channels.inApp && channels.inApp,
      mail: defined.channels.mail && channels.mail,
      push: defined.channels.push && channels.push,
    },
  };
}

const isShown = (event: NotificationEvent, { in_app: own }: Recipient) =>
  event.channels.inApp && (!event.canMute || own !== false);
const isMailed = (event: NotificationEvent, { mail }: Recipient) =>
  event.channels.mail && (!event.canMute || mail === null || mail === 'now');
const isPushed = (event: NotificationEvent, { push, reachable }: Recipient) =>
  reachable && event.channels.push && (!event.canMute || push !== false);

/** A mail or a push message about a notice. */
interface Outgoing {
  channel: 'mail' | 'push';
  user: Recipient;
  notice: Notice;
  values: Record<string, string>;
  /** The entry in the application; absent: none. */
  entry?: number | undefined;
  /** The entry stands for several notices: each has its own mail. */
  isBurst: boolean;
}

/** The only way to notify people: in the application, by mail and by push, as each prefers. */
export function createNotifications({ bus, addressOf, headOf }: NotifyDeps): Notifications {
  async function recipients(
    on: Queryable,
    { schema, timezone, db }: Tenant,
    event: NotificationEvent,
    ids: number[],
  ): Promise<Recipient[]> {
    const s = quoted(schema);
    const usable =
      schema === 'public' ? 'u.active' : `u.active and u.status <> 'disabled' and not coalesce(u.is_service, false)`;
    const reachable =
      schema === 'public'
        ? 'false'
        : `exists (select 1 from ${s}.users_device d where d.user_id = u.id and d.active and d.device_flag)`;
    // People without their own quiet hours have the client's.
    const { quiet_from: from, quiet_to: to } = await messageSettings({ schema, db }, on);
    return on.query<Recipient>(
      `with local as (select (now() at time zone $3)::time as now)
       select u.id as user_id, u.name, u.email, p.in_app, p.email as mail, p.push, ${reachable} as reachable,
         case when q.quiet_from is null or q.quiet_to is null or q.quiet_from = q.quiet_to then false
              when q.quiet_from < q.quiet_to then local.now >= q.quiet_from and local.now < q.quiet_to
              else local.now >= q.quiet_from or local.now < q.quiet_to end as quiet,
         q.quiet_to::text as quiet_until
       from local, ${peopleTable(schema)} u
       left join ${s}.notification_preference p on p.user_id = u.id and p.event_code = $2
       left join ${s}.notification_hours h on h.user_id = u.id
       cross join lateral (select coalesce(h.quiet_from, $4::time) as quiet_from, coalesce(h.quiet_to, $5::time) as quiet_to) q
       where u.id = any($1) and ${usable}`,
      [ids, event.code, timezone, from, to],
    );
  }

  /** Until when quiet hours delay a mail, as an SQL expression. */
  function heldUntil(
    { quiet, quiet_until: until }: Recipient,
    event: NotificationEvent,
    tenant: Tenant,
  ): { time: string; zone: string } | null {
    return quiet && until !== null && event.severity !== 'error' && event.canMute
      ? { time: until, zone: tenant.timezone }
      : null;
  }

  const valuesOf = (tenant: Tenant, { link, values }: Notice): Record<string, string> => ({
    company: tenant.name,
    link: link ? `${addressOf(tenant)}${link}` : '',
    ...values,
  });

  const channelsOf = (event: NotificationEvent, user: Recipient): Outgoing['channel'][] => [
    ...(isMailed(event, user) ? (['mail'] as const) : []),
    ...(isPushed(event, user) ? (['push'] as const) : []),
  ];

  /** Puts mails and push messages into the outbox. */
  async function send(
    on: Queryable,
    tenant: Tenant,
    event: NotificationEvent,
    template: Template,
    all: readonly Outgoing[],
  ): Promise<void> {
    if (all.length === 0) return;
    const head = all.some(({ channel }) => channel === 'mail') ? await headOf(on, tenant) : null;
    const rows = all.map(({ channel, user, notice, values, entry, isBurst }) => {
      const own = { ...values, name: user.name };
      const text = fill(template.body, own);
      const held = heldUntil(user, event, tenant);
      // A phone gets one notice per burst; each mail has its own text.
      const known = channel === 'mail' && isBurst ? undefined : entry;
      return {
        channel,
        recipient: channel === 'mail' ? user.email : String(user.user_id),
        user_id: user.user_id,
        subject: fill(template.title, { ...own, count: '1' }),
        body: text,
        html: channel === 'mail' && head ? mailHtml(head, text, values.link) : null,
        link: notice.link ?? null,
        dedupe_key: `${channel}/${event.code}/${known ?? crypto.randomUUID()}`,
        notification_id: entry ?? null,
        held: held?.time ?? null,
        zone: held?.zone ?? 'UTC',
        files: channel === 'mail' && notice.files ? notice.files.map(storedFile) : null,
        prints: channel === 'mail' ? (notice.prints ?? null) : null,
      };
    });
    await on.query(
      `insert into ${quoted(tenant.schema)}.outbox (channel, recipient, user_id, event_code, purpose, subject, body, html, link, dedupe_key, notification_id, files, prints, next_at)
       select x.channel, x.recipient, x.user_id, $2, $3, x.subject, x.body, x.html, x.link, x.dedupe_key, x.notification_id, x.files, x.prints,
         case when x.held is null then now() else (select at + case when at <= now() then interval '1 day' else interval '0' end
           from (select ((now() at time zone x.zone)::date + x.held) at time zone x.zone as at) as quiet) end
       from jsonb_to_recordset($1::jsonb) x(channel text, recipient text, user_id bigint, subject text, body text, html text, link text,
         dedupe_key text, notification_id bigint, held time, zone text, files jsonb, prints bigint[])
       on conflict (dedupe_key) do nothing`,
      [JSON.stringify(rows), event.code, event.purpose],
    );
    await bus.publish(on, { kind: 'outbox', schema: tenant.schema });
  }

  /**
   * Notices of one event. People with one notice, and no unread ones that it could merge with, get theirs together; the
   * others one after the other.
   */
  async function notifyAlike(on: Queryable, tenant: Tenant, notices: readonly Notice[]): Promise<void> {
    const event = eventFor(notices[0]!);
    const s = quoted(tenant.schema);
    const times = new Map<number, number>();
    for (const user of notices.flatMap(({ to }) => [...new Set(to)])) times.set(user, (times.get(user) ?? 0) + 1);
    const unread = await on.query<{ user_id: number }>(
      `select distinct user_id from ${s}.notification where user_id = any($1::bigint[]) and event_code = $2 and read_at is null
         and created_at > now() - make_interval(mins => $3)`,
      [[...times.keys()], event.code, Math.max(BURST_MINUTES, event.groupMinutes)],
    );
    for (const { user_id: user } of unread) times.set(user, 2);
    const [together, others] = [true, false].map((isOnce) =>
      notices.filter(({ to }) => to.length > 0 && to.every((user) => times.get(user) === 1) === isOnce),
    ) as [Notice[], Notice[]];
    const addressees = new Map(
      (await recipients(on, tenant, event, [...new Set(together.flatMap(({ to }) => to))])).map((user) => [
        user.user_id,
        user,
      ]),
    );
    if (addressees.size > 0) {
      const template = await templateOf(on, tenant, event);
      const all = together.flatMap((notice) => {
        const values = valuesOf(tenant, notice);
        return [...new Set(notice.to)].flatMap((id) => {
          const user = addressees.get(id);
          return user ? [{ user, notice, values }] : [];
        });
      });
      const shown = all.filter(({ user }) => isShown(event, user));
      const added =
        shown.length === 0
          ? []
          : await on.query<{ id: number; user_id: number }>(
              `insert into ${s}.notification (user_id, event_code, title, body, link, entity_id, record_type, record_id, severity, group_key)
               select x.user_id, $2, x.title, x.body, x.link, x.entity_id, x.record_type, x.record_id, $3, x.group_key
               from jsonb_to_recordset($1::jsonb) x(user_id bigint, title text, body text, link text, entity_id bigint, record_type text,
                 record_id bigint, group_key text) returning id, user_id`,
              [
                JSON.stringify(
                  shown.map(({ user, notice, values }) => ({
                    user_id: user.user_id,
                    title: fill(template.title, { ...values, count: '1' }),
                    body: fill(template.body, values),
                    link: notice.link ?? null,
                    entity_id: notice.entityId ?? null,
                    record_type: notice.record?.type ?? null,
                    record_id: notice.record?.id ?? null,
                    group_key: notice.groupKey ?? null,
                  })),
                ),
                event.code,
                event.severity,
              ],
            );
      const users = shown.map(({ user }) => user.user_id);
      for (let from = 0; from < users.length; from += USERS_OF_MESSAGE)
        await bus.publish(on, {
          kind: 'notification',
          schema: tenant.schema,
          users: users.slice(from, from + USERS_OF_MESSAGE),
        });
      const entries = new Map(added.map(({ id, user_id: user }) => [user, id]));
      await send(
        on,
        tenant,
        event,
        template,
        all.flatMap(({ user, notice, values }) =>
          channelsOf(event, user).map((channel) => ({
            channel,
            user,
            notice,
            values,
            entry: entries.get(user.user_id),
            isBurst: false,
          })),
        ),
      );
    }
    for (const notice of others) await calls.notify(on, tenant, notice);
  }

  const calls: Notifications = {
    async notify(on, tenant, notice) {
      const event = eventFor(notice);
      const ids = [...new Set(notice.to)];
      if (ids.length === 0) return;
      const s = quoted(tenant.schema);
      const addressees = await recipients(on, tenant, event, ids);
      if (addressees.length === 0) return;
      const template = await templateOf(on, tenant, event);
      const values = valuesOf(tenant, notice);
      const inApp = addressees.filter((user) => isShown(event, user));
      const title = fill(template.title, { ...values, count: '1' });
      const merged = event.groupMinutes > 0 && notice.groupKey !== undefined;
      const entries = new Map<number, number>();
      const bursts = new Set<number>();
      if (inApp.length > 0 && event.canMute) {
        const joined = await on.query<{ id: number; user_id: number }>(
          `with recent as (select n.user_id, max(n.id) as id, sum(n.count)::int as count,
               string_agg(case when n.group_key = $3 then n.body else n.title end, E'\n' order by n.id desc) as titles
             from ${s}.notification n where n.user_id = any($1::bigint[]) and n.event_code = $2 and n.read_at is null and n.created_at > now() - make_interval(mins => ${BURST_MINUTES})
               and ($6::text is null or not exists (select 1 from ${s}.notification g where g.user_id = n.user_id and g.event_code = $2 and g.group_key = $6 and g.read_at is null and g.created_at > now() - make_interval(mins => $7)))
             group by n.user_id having bool_or(n.group_key = $3) or count(*) >= ${BURST_FROM - 1}),
           gone as (delete from ${s}.notification n using recent r where n.user_id = r.user_id and n.event_code = $2 and n.read_at is null and n.created_at > now() - make_interval(mins => ${BURST_MINUTES}) and n.id <> r.id)
           update ${s}.notification n set count = r.count + 1, title = (r.count + 1) || ' new: ' || $4, group_key = $3, link = $8, record_type = null, record_id = null, created_at = now(),
             body = (select string_agg(line, E'\n' order by at) from (select line, at from regexp_split_to_table($5 || E'\n' || r.titles, E'\n') with ordinality as t(line, at) where line <> '' limit ${BURST_TITLES}) as shown)
           from recent r where n.id = r.id returning n.id, n.user_id`,
          [
            inApp.map((user) => user.user_id),
            event.code,
            BURST,
            event.name,
            title,
            merged ? notice.groupKey : null,
            event.groupMinutes,
            notice.link ?? null,
          ],
        );
        for (const { id, user_id: user } of joined) {
          entries.set(user, id);
          bursts.add(user);
        }
      }
      const single = inApp.filter((user) => !bursts.has(user.user_id));
      if (single.length > 0) {
        const rows = await on.query<{ id: number; user_id: number }>(
          `with given as (select unnest($1::bigint[]) as user_id),
           merged as (update ${s}.notification n set count = n.count + 1, created_at = now(), body = $4, link = $5,
               title = replace($3, '{count}', (n.count + 1)::text)
             from given where $11 and n.user_id = given.user_id and n.read_at is null and n.group_key = $6 and n.event_code = $2
               and n.created_at > now() - make_interval(mins => $12) returning n.id, n.user_id),
           added as (insert into ${s}.notification (user_id, event_code, title, body, link, entity_id, record_type, record_id, severity, group_key)
             select user_id, $2, $13, $4, $5, $7, $8, $9, $10, $6 from given where user_id not in (select user_id from merged) returning id, user_id)
           select id, user_id from merged union all select id, user_id from added`,
          [
            single.map((user) => user.user_id),
            event.code,
            fill(template.mergedTitle ?? template.title, { ...values, count: '{count}' }),
            fill(template.body, values),
            notice.link ?? null,
            notice.groupKey ?? null,
            notice.entityId ?? null,
            notice.record?.type ?? null,
            notice.record?.id ?? null,
            event.severity,
            merged,
            event.groupMinutes,
            title,
          ],
        );
        for (const { id, user_id: user } of rows) entries.set(user, id);
      }
      if (inApp.length > 0) {
        await bus.publish(on, {
          kind: 'notification',
          schema: tenant.schema,
          users: inApp.map((user) => user.user_id),
        });
      }
      await send(
        on,
        tenant,
        event,
        template,
        addressees.flatMap((user) =>
          channelsOf(event, user).map((channel) => ({
            channel,
            user,
            notice,
            values,
            entry: entries.get(user.user_id),
            isBurst: bursts.has(user.user_id),
          })),
        ),
      );
    },

    async notifyMany(on, tenant, notices) {
      const alike = Map.groupBy(notices, ({ event, severity, channels }) =>
        JSON.stringify([event, severity, channels]),
      );
      for (const some of alike.values()) await notifyAlike(on, tenant, some);
    },

    async write(on, tenant, { event: code, address, userId, values, dedupeKey, files = [] }) {
      const event = eventOf(code);
      const template = await templateOf(on, tenant, event);
      const filled: Record<string, string> = { company: tenant.name, ...values };
      const text = fill(template.body, filled);
      await on.query(
        `insert into ${quoted(tenant.schema)}.outbox (channel, recipient, user_id, event_code, purpose, subject, body, html, dedupe_key, files)
         values ('mail', $1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (dedupe_key) do nothing`,
        [
          address,
          userId ?? null,
          event.code,
          event.purpose,
          fill(template.title, filled),
          text,
          mailHtml(await headOf(on, tenant), text, filled.link),
          dedupeKey,
          files.length > 0 ? JSON.stringify(files.map(storedFile)) : null,
        ],
      );
      await bus.publish(on, { kind: 'outbox', schema: tenant.schema });
    },

    async post(on, tenant, { address, subject, text, prints, files = [], link, purpose }) {
      await on.query(
        `insert into ${quoted(tenant.schema)}.outbox (channel, recipient, purpose, subject, body, html, dedupe_key, prints, files)
         values ('mail', $1, $7, $2, $3, $4, $5, $6, $8)`,
        [
          address,
          subject,
          text,
          mailHtml(await headOf(on, tenant), text, link),
          `mail/document/${crypto.randomUUID()}`,
          prints.length > 0 ? prints : null,
          purpose,
          files.length > 0 ? JSON.stringify(files.map(storedFile)) : null,
        ],
      );
      await bus.publish(on, { kind: 'outbox', schema: tenant.schema });
    },
  };
  return calls;
}
