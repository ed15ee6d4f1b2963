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
  write(on: Queryable, tenant: Tenant, letter: Letter): Promise<void>;
  post(on: Queryable, tenant: Tenant, mail: OwnMail): Promise<void>;
}

/** Beyond this many unread entries of one event within this many minutes, further ones are merged into one line. */
const BURST_FROM = 4;
const BURST_MINUTES = 10;
/** The number of titles listed in that line. */
const BURST_TITLES = 10;
const BURST = 'burst';

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

  return {
    async notify(on, tenant, notice) {
      const defined = { ...eventOf(notice.event), ...(notice.severity && { severity: notice.severity }) };
      const event = notice.channels
        ? {
            ...defined,
            channels: {
              inApp: defined.channels.inApp && notice.channels.inApp,
              mail: defined.channels.mail && notice.channels.mail,
              push: defined.channels.push && notice.channels.push,
            },
          }
        : defined;
      const ids = [...new Set(notice.to)];
      if (ids.length === 0) return;
      const s = quoted(tenant.schema);
      const addressees = await recipients(on, tenant, event, ids);
      if (addressees.length === 0) return;
      const template = await templateOf(on, tenant, event);
      const values = {
        company: tenant.name,
        link: notice.link ? `${addressOf(tenant)}${notice.link}` : '',
        ...notice.values,
      };
      const inApp = addressees.filter((user) => event.channels.inApp && (!event.canMute || user.in_app !== false));
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
      const mailed = addressees.filter(
        (user) => event.channels.mail && (!event.canMute || user.mail === null || user.mail === 'now'),
      );
      const pushed = addressees.filter(
        (user) => user.reachable && event.channels.push && (!event.canMute || user.push !== false),
      );
      const head = mailed.length > 0 ? await headOf(on, tenant) : null;
      for (const [channel, users] of [
        ['mail', mailed],
        ['push', pushed],
      ] as const) {
        for (const user of users) {
          const own = { ...values, name: user.name };
          const text = fill(template.body, own);
          const held = heldUntil(user, event, tenant);
          // A phone gets one notice per burst; each mail has its own text.
          const entry = channel === 'mail' && bursts.has(user.user_id) ? undefined : entries.get(user.user_id);
          const key = `${channel}/${event.code}/${entry ?? crypto.randomUUID()}`;
          await on.query(
            `insert into ${s}.outbox (channel, recipient, user_id, event_code, purpose, subject, body, html, link, dedupe_key, notification_id, next_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
               case when $12::text is null then now() else (select at + case when at <= now() then interval '1 day' else interval '0' end
                 from (select ((now() at time zone $13)::date + $12::time) at time zone $13 as at) as quiet) end)
             on conflict (dedupe_key) do nothing`,
            [
              channel,
              channel === 'mail' ? user.email : String(user.user_id),
              user.user_id,
              event.code,
              event.purpose,
              fill(template.title, { ...own, count: '1' }),
              text,
              channel === 'mail' && head ? mailHtml(head, text, values.link) : null,
              notice.link ?? null,
              key,
              entries.get(user.user_id) ?? null,
              held?.time ?? null,
              held?.zone ?? 'UTC',
            ],
          );
        }
      }
      if (mailed.length + pushed.length > 0) await bus.publish(on, { kind: 'outbox', schema: tenant.schema });
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
}
