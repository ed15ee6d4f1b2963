import { DateTime } from 'luxon';
import type { FilterExpression } from '../../../descriptor/types.ts';
import {
  callsPerLiftYear,
  firstTimeFixPercent,
  meanHoursBetweenCalls,
  uptimePercent,
  visitCompliance,
} from '../../../domain/fms/lift_figures.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

interface Counted extends ReportRow {
  month: string;
  /** The lift, or the route. */
  who_id: number | null;
  pm_due: number;
  pm_in_window: number;
  pm_late: number;
  pm_missed: number;
  pm_excluded: number;
  calls: number;
  calls_closed: number;
  first_time: number;
  down_min: number;
  lift_days: number;
  /** All days of the lifts in the month, up to today. */
  all_days: number;
}

const CALLS: FilterExpression[] = [
  ['ticket_type', 'in', ['breakdown', 'rescue']],
  ['status', 'notin', ['cancelled', 'duplicate']],
];

/** The percentage of visits that were made in their window. */
const inTime = (planned: number, excluded: number, inWindow: number) =>
  visitCompliance({ planned, excluded, inWindow, late: 0 }).inWindow;

/** Which calls and visits of a lift and month the figures count. */
const BEHIND: Readonly<Record<string, [page: string, field: string, more: FilterExpression[]]>> = {
  calls: ['/fms/tickets', 'reported_at', CALLS],
  trapped: ['/fms/tickets', 'reported_at', [...CALLS, ['trapped', 'eq', true]]],
  repeats: ['/fms/tickets', 'reported_at', [...CALLS, ['repeat_of_id', 'notempty']]],
  pm_due: ['/scheduled_tickets', 'due_on', []],
  pm_in_window: ['/scheduled_tickets', 'due_on', [['window_result', 'in', ['in_window', 'early']]]],
  pm_late: ['/scheduled_tickets', 'due_on', [['window_result', 'eq', 'late']]],
  pm_missed: ['/scheduled_tickets', 'due_on', [['window_result', 'eq', 'missed']]],
};

/** The addresses behind the figures of a row: of a route its lifts in the month, of a lift the records themselves. */
function addressesOf(row: Counted, { grouped_by: by }: ReportRow): ReportRow {
  const from = `${row.month}-01`;
  const to = DateTime.fromISO(from).endOf('month').toISODate()!;
  return Object.fromEntries(
    Object.entries(BEHIND).flatMap(([figure, [page, field, more]]) => {
      if (Number(row[figure]) === 0 || row.who_id === null) return [];
      const filter = JSON.stringify(['and', ['lift_id', 'eq', row.who_id], [field, 'between', [from, to]], ...more]);
      return [
        [
          `${figure}__to`,
          by === 'lift'
            ? `${page}?filter=${encodeURIComponent(filter)}`
            : `/reports/breakdown_pm_reports?from=${from}&to=${to}&grouped_by=lift&route_id=${row.who_id}`,
        ],
      ];
    }),
  );
}

/**
 * The effect of maintenance on calls: visits and calls of each route or lift by month, from the monthly counts (C17).
 */
const breakdownPm: ReportSource = {
  reads: {
    lift_month: ['calls', 'pm_due', 'pm_in_window', 'repeats', 'after_visit', 'first_time', 'down_min'],
    lift: [],
    route_mstr: [],
    building: ['area_id', 'customer_id'],
    customer_dtl: ['customer_group_id'],
  },
  async rows({ session: { tenant }, parameters, scoped, today }) {
    const table = (type: string) => tableName(tenant.schema, type);
    const values = new SqlParams();
    const day = `${values.bind(today)}::date`;
    const chosen = [
      ['route_id', 'm.route_id'],
      ['branch_id', 'm.branch_id'],
      ['lift_make_id', 'l.lift_make_id'],
      ['area_id', 'g.area_id'],
      ['customer_group_id', 'k.customer_group_id'],
    ].flatMap(([name, column]) =>
      parameters[name!] === null || parameters[name!] === undefined
        ? []
        : [`${column} = ${values.bind(parameters[name!])}`],
    );
    const where = [
      ...scoped('lift_month', 'm', values),
      `m.month_on between date_trunc('month', ${values.bind(parameters.from)}::date) and ${values.bind(parameters.to)}::date`,
      ...chosen,
    ];
    const by = parameters.grouped_by === 'lift' ? 'm.lift_id' : 'm.route_id';
    const who =
      parameters.grouped_by === 'lift' ? `l.lift_no || ' · ' || g.name` : `coalesce(r.name, 'Without a route')`;
    const counted = await tenant.db.query<Counted>(
      preparedStatement(
        `select ${who} as who, ${by} as who_id, to_char(m.month_on, 'YYYY-MM') as month, sum(m.pm_due)::int as pm_due, sum(m.pm_in_window)::int as pm_in_window, sum(m.pm_late)::int as pm_late,
           sum(m.pm_missed)::int as pm_missed, sum(m.pm_excluded)::int as pm_excluded, sum(m.calls)::int as calls, sum(m.calls_closed)::int as calls_closed, sum(m.first_time)::int as first_time, sum(m.after_visit)::int as after_visit,
           sum(m.repeats)::int as repeats, sum(m.trapped)::int as trapped, sum(m.down_min)::int as down_min, sum(m.cover_days)::int as lift_days,
           sum(least((m.month_on + interval '1 month')::date, ${day} + 1) - greatest(m.month_on, least(coalesce(l.commissioned_on, m.month_on), ${day})))::int as all_days,
           (select string_agg(c.name, ', ') from (select x.name from ${table('fms_ticket')} t join ${table('root_cause_mstr')} x on x.id = t.root_cause_id
              where t.lift_id = any(array_agg(m.lift_id)) and date_trunc('month', t.reported_at)::date = m.month_on group by x.name order by count(*) desc, x.name limit 3) c) as causes,
           (select count(*)::int from ${table('fms_ticket')} t join ${table('root_cause_mstr')} x on x.id = t.root_cause_id and x.preventable
              where t.lift_id = any(array_agg(m.lift_id)) and date_trunc('month', t.reported_at)::date = m.month_on) as preventable
         from ${table('lift_month')} m join ${table('lift')} l on l.id = m.lift_id join ${table('building')} g on g.id = m.building_id
         left join ${table('route_mstr')} r on r.id = m.route_id left join ${table('customer_dtl')} k on k.id = g.customer_id
         where ${where.join(' and ')} group by 1, 2, m.month_on order by 1, 3, 2 limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const sum = (of: readonly Counted[], name: keyof Counted) =>
      of.reduce((total, row) => total + Number(row[name]), 0);
    const rate = (of: readonly Counted[]) => inTime(sum(of, 'pm_due'), sum(of, 'pm_excluded'), sum(of, 'pm_in_window'));
    const months = Map.groupBy(
      counted.toSorted((a, b) => a.month.localeCompare(b.month)),
      ({ month }) => month,
    );
    const number = (value: string | null) => (value === null ? null : Number(value));
    /** The rates of months and routes together, from their counts. */
    const ratesOf = (of: readonly Counted[]) => {
      const [calls, days] = [sum(of, 'calls'), sum(of, 'lift_days')];
      return {
        pm_percent: rate(of),
        calls_a_year: callsPerLiftYear(calls, days),
        uptime: uptimePercent(sum(of, 'down_min'), sum(of, 'all_days')),
        between_calls: meanHoursBetweenCalls(sum(of, 'down_min'), calls, days),
        first_fix: firstTimeFixPercent(sum(of, 'first_time'), sum(of, 'calls_closed')),
      };
    };
    return {
      rows: counted.map((one) => {
        const {
          lift_days: _days,
          all_days: _all,
          pm_excluded: _excluded,
          calls_closed: _closed,
          first_time: _fixed,
          who_id: _who,
          ...row
        } = one;
        return { ...row, ...addressesOf(one, parameters), ...ratesOf([one]) };
      }),
      totals: ratesOf(counted),
      chart: {
        x: [...months.keys()],
        series: [
          { title: 'Visits in time, %', values: [...months.values()].map((of) => number(rate(of))) },
          {
            title: 'Calls per lift and year',
            values: [...months.values()].map((of) => number(callsPerLiftYear(sum(of, 'calls'), sum(of, 'lift_days')))),
          },
        ],
      },
    };
  },
};

export default breakdownPm;
