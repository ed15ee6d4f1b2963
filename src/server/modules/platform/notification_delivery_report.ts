import { placeOf } from '../../services/clock/client_day.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { NOTIFICATION_EVENTS } from '../../services/notifications/events.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

interface Delivered {
  /** null = the total. */
  code: string | null;
  channel: 'in_app' | 'mail' | 'push' | null;
  delay: number | null;
}

/** Messages without an event: the daily digest, and tests of mail accounts. */
const OTHERS: Readonly<Record<string, string>> = { digest: 'Daily summary', '': 'Other mails' };

/**
 * Notification delivery (platform.md §7). Messages have no data scope: people who manage the mail accounts see how many
 * were sent, never recipients or contents, and only for people of their own companies or bare addresses.
 */
const notificationDelivery: ReportSource = {
  reads: { users: [], entity: [] },
  async rows({ session, parameters }) {
    const { tenant, entityIds } = session;
    if (String(parameters.to) < String(parameters.from))
      throw new AppError(422, 'validation', 'The last day cannot be before the first.', { field: 'to' });
    const s = quoted(tenant.schema);
    const values = new SqlParams();
    const [from, to, zone, companies] = [
      values.bind(parameters.from),
      values.bind(parameters.to),
      values.bind(placeOf(session).timezone),
      values.bind(entityIds),
    ];
    const within = (alias: string) =>
      `${alias}.created_at >= ${from}::date::timestamp at time zone ${zone} and ${alias}.created_at < (${to}::date + 1)::timestamp at time zone ${zone}`;
    const ofCompanies = (alias: string) =>
      `(${alias}.user_id is null or exists (select 1 from ${s}.users__companies c where c.parent_id = ${alias}.user_id and c.entity_id = any(${companies}::bigint[])))`;
    const narrowed = [
      ['event', 'm.code'],
      ['channel', 'm.channel'],
    ].flatMap(([name, column]) =>
      typeof parameters[name!] === 'string' ? [`${column} = ${values.bind(parameters[name!])}`] : [],
    );
    const found = await tenant.db.query<Delivered & Record<string, unknown>>(
      preparedStatement(
        `select m.code, m.channel, ${['queued', 'sent', 'dead', 'suppressed'].map((state) => `coalesce(sum(m.n) filter (where m.state = '${state}'), 0)::integer as ${state}`).join(', ')},
         round(percentile_cont(0.5) within group (order by m.delay))::integer as delay
       from (
         select coalesce(o.event_code, '') as code, o.channel, case when o.state in ('sending', 'retry') then 'queued' else o.state end as state, 1 as n,
           case when o.state = 'sent' then extract(epoch from o.sent_at - o.created_at) end::double precision as delay
         from ${s}.outbox o left join ${s}.notification b on b.id = o.notification_id
         where ${within('o')} and ${ofCompanies('o')} and (b.entity_id is null or b.entity_id = any(${companies}::bigint[]))
         union all
         select n.event_code, 'in_app', 'sent', n.count, null from ${s}.notification n where ${within('n')} and ${ofCompanies('n')} and (n.entity_id is null or n.entity_id = any(${companies}::bigint[]))
       ) m where ${['true', ...narrowed].join(' and ')} group by grouping sets ((m.code, m.channel), ())`,
        values.list,
      ),
    );
    const name = (code: string) =>
      NOTIFICATION_EVENTS.find((event) => event.code === code)?.name ?? OTHERS[code] ?? code;
    const rows = found.flatMap(({ code, delay, ...row }) =>
      code === null ? [] : [{ ...row, event: name(code), median_delay: delay }],
    );
    rows.sort(
      (a, b) => a.event.localeCompare(b.event, 'en') || String(a.channel).localeCompare(String(b.channel), 'en'),
    );
    return {
      rows,
      totals: { median_delay: found.find(({ code }) => code === null)?.delay ?? null },
      note: 'Mails and pushes that were sent are kept 90 days, notifications that were read 180. The delay counts from when a message was written; quiet hours are part of it.',
    };
  },
};

export default notificationDelivery;
