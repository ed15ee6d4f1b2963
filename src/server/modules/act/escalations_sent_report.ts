import { placeOf } from '../../services/clock/client_day.ts';
import { DateTime } from 'luxon';
import { monthsOf } from '../../../domain/head_count.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { SqlParams, escapeLike, preparedStatement } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';

interface Counts {
  month: string;
  sent: number;
  late: number;
}

/** The types of logged messages whose lists the reader may open. */
async function loggedTypes({ session: { tenant }, screens }: ReportCall): Promise<string[]> {
  const rows = await tenant.db.query<{ type: string }>(
    `select distinct record_type as type from ${tableName(tenant.schema, 'escalation_log')} where to_regclass($1 || '.' || quote_ident(record_type)) is not null order by 1`,
    [quoted(tenant.schema)],
  );
  return rows.map(({ type }) => type).filter((type) => screens.has(type));
}

/** The months from the first to the last message, including empty ones. */
function everyMonth(counts: Counts[]): Counts[] {
  const [first, last] = [counts[0], counts.at(-1)];
  if (!first || !last) return [];
  const byMonth = new Map(counts.map((one) => [one.month, one]));
  return monthsOf(first.month, last.month).map((month) => byMonth.get(month) ?? { month, sent: 0, late: 0 });
}

/**
 * Escalations sent (platform_admin.md §7). The log is shared by all companies of a client: a message is listed only if
 * the reader may see its record, so that nothing is revealed about records of other companies or branches.
 */
const escalationsSent: ReportSource = {
  reads: { escalation_log: ['sent_at', 'due_on', 'level', 'record', 'recipients'], esclation: [] },
  async rows(call) {
    const { session, screens, parameters } = call;
    if (String(parameters.to) < String(parameters.from))
      throw new AppError(422, 'validation', 'The last day cannot be before the first.', { field: 'to' });
    const { schema, db } = session.tenant;
    const types = await loggedTypes(call);
    const values = new SqlParams();
    const zone = `${values.bind(placeOf(session).timezone)}::text`;
    const seen = types.map((type) => {
      const own = call.scoped(type, 'r', values);
      return `(g.record_type = ${values.bind(type)} and exists (select 1 from ${tableName(schema, type)} r where r.id = g.record_id${own.map((one) => ` and ${one}`).join('')}))`;
    });
    const where = [
      ...call.scoped('escalation_log', 'g', values),
      `(${seen.join(' or ') || 'false'})`,
      `g.sent_at >= ${values.bind(parameters.from)}::date::timestamp at time zone ${zone}`,
      `g.sent_at < (${values.bind(parameters.to)}::date + 1)::timestamp at time zone ${zone}`,
      ...(parameters.event === null ? [] : [`e.event = ${values.bind(parameters.event)}`]),
      ...(parameters.level === null ? [] : [`g.level = ${values.bind(parameters.level)}`]),
      ...(parameters.recipient === null
        ? []
        : [`g.recipients ilike ${values.bind(`%${escapeLike(String(parameters.recipient))}%`)}`]),
    ];
    const late = `greatest(0, (g.sent_at at time zone ${zone})::date - g.due_on)`;
    const from = `from ${tableName(schema, 'escalation_log')} g left join ${tableName(schema, 'esclation')} e on e.id = g.esclation_id where ${where.join(' and ')}`;
    const [rows, counts] = await Promise.all([
      db.query<ReportRow & { record_type: string }>(
        preparedStatement(
          `select g.sent_at, e.event, e.id as rule, e.name as rule__label, g.level::text, g.record_type, g.id as record, g.record as record__label, g.recipients, g.due_on::text, ${late} as delay_days,
           greatest(0, floor(extract(epoch from g.sent_at - (g.due_on + 1)::timestamp at time zone ${zone}) / 3600))::int as delay_hours
         ${from} order by g.sent_at desc, g.id desc limit ${MAX_ROWS + 1}`,
          values.list,
        ),
      ),
      db.query<Counts>(
        preparedStatement(
          `select to_char(g.sent_at at time zone ${zone}, 'YYYY-MM') as month, count(*)::int as sent, count(*) filter (where ${late} > 0)::int as late ${from} group by 1 order by 1`,
          values.list,
        ),
      ),
    ]);
    const total = (name: 'sent' | 'late') => counts.reduce((sum, one) => sum + one[name], 0);
    const months = everyMonth(counts);
    return {
      rows: rows.map(({ record_type: type, ...row }) => ({ ...row, list: screens.get(type)?.plural ?? type })),
      figures: [
        { title: 'Sent', value: String(total('sent')) },
        {
          title: 'After the day',
          value: String(total('late')),
          ...(total('late') > 0 && { tone: 'warning' as const }),
        },
      ],
      chart: {
        x: months.map(({ month }) =>
          DateTime.fromISO(`${month}-01`, { zone: 'utc' }).setLocale('en').toFormat('MMM yyyy'),
        ),
        series: [
          { title: 'In time', values: months.map(({ sent, late: after }) => sent - after) },
          { title: 'After the day', values: months.map(({ late: after }) => after) },
        ],
      },
    };
  },
};

export default escalationsSent;
