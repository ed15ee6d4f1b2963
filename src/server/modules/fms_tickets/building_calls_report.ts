import type { FilterExpression } from '../../../descriptor/types.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { callsPerLiftYear, visitCompliance } from '../../../domain/fms/lift_figures.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { placeOf } from '../../services/clock/client_day.ts';

/** Bars of the chart: more are hard to tell apart. */
const MAX_BARS = 20;

interface Counted extends ReportRow {
  building_id: number;
  building_id__label: string;
  lifts: number;
  calls: number;
  trapped: number;
  repeats: number;
  restored: number;
  restore_min: number;
  in_time: number;
  down_min: number;
  lift_days: number;
  pm_in_window: number;
  pm_counted: number;
  rated: number;
  rating_sum: number;
}

const COUNTS = ['lifts', 'calls', 'trapped', 'repeats', 'down_min'] as const;

const ratio = (part: number, whole: number, times: number, places: number): string | null =>
  whole <= 0 ? null : new Exact(part).times(times).div(whole).toDecimalPlaces(places).toFixed(places);

/** The rates of a building, or of all buildings together, from their counts (C17). */
function ratesOf(of: readonly Counted[]): ReportRow {
  const sum = (name: keyof Counted) => of.reduce((total, row) => total + Number(row[name]), 0);
  return {
    calls_a_year: callsPerLiftYear(sum('calls'), sum('lift_days')),
    mttr: ratio(sum('restore_min'), sum('restored'), 1, 0),
    in_time_percent: ratio(sum('in_time'), sum('restored'), 100, 2),
    pm_percent: visitCompliance({ planned: sum('pm_counted'), excluded: 0, inWindow: sum('pm_in_window'), late: 0 })
      .inWindow,
    rating: ratio(sum('rating_sum'), sum('rated'), 1, 2),
  };
}

/** Which calls a figure counts besides those of its building and period. */
const BEHIND: Readonly<Record<string, FilterExpression[]>> = {
  calls: [],
  trapped: [['trapped', 'eq', true]],
  repeats: [['is_repeat', 'eq', true]],
};

/** Calls, downtime and maintenance of each building in a period, with weighted rates below. */
const buildingCalls: ReportSource = {
  reads: {
    building: ['customer_id', 'area_id', 'route_id'],
    lift: ['building_id'],
    fms_ticket: ['reported_at', 'restored_at', 'trapped', 'rating'],
    scheduled_ticket: ['window_result'],
    contract_line: ['from_on', 'to_on'],
    customer_dtl: ['customer_group_id'],
  },
  async rows({ session, parameters, scoped }) {
    const table = (type: string) => tableName(session.tenant.schema, type);
    const values = new SqlParams();
    const zone = values.bind(placeOf(session).timezone);
    const [from, to] = [`${values.bind(parameters.from)}::date`, `${values.bind(parameters.to)}::date`];
    const chosen = (name: string) => (parameters[name] ?? null) !== null;
    const equal = (name: string, column: string) =>
      chosen(name) ? [`${column} = ${values.bind(parameters[name])}`] : [];
    const places = [
      ...scoped('building', 'g', values),
      'g.active',
      ...['branch_id', 'area_id', 'route_id', 'customer_id'].flatMap((name) => equal(name, `g.${name}`)),
      ...(chosen('customer_group_id')
        ? [
            `g.customer_id in (select id from ${table('customer_dtl')} where customer_group_id = ${values.bind(parameters.customer_group_id)})`,
          ]
        : []),
    ];
    const calls = [
      ...scoped('fms_ticket', 't', values),
      't.active',
      `t.status not in ('cancelled', 'duplicate') and t.ticket_type <> 'preventive'`,
      `(t.reported_at at time zone ${zone})::date between ${from} and ${to}`,
      ...equal('ticket_type', 't.ticket_type'),
      ...equal('category_id', 't.category_id'),
    ];
    const counted = await session.tenant.db.query<Counted>(
      preparedStatement(
        `with g as materialized (select g.id, g.name from ${table('building')} g where ${places.join(' and ')}),
         calls as materialized (select t.* from ${table('fms_ticket')} t join g on g.id = t.building_id where ${calls.join(' and ')}),
         of_lifts as (select l.building_id, count(*)::int as lifts from ${table('lift')} l join g on g.id = l.building_id
           where l.active and l.status <> 'decommissioned' group by 1),
         of_calls as (select c.building_id, count(*)::int as calls, count(*) filter (where c.trapped)::int as trapped,
           count(*) filter (where c.repeat_of_id is not null)::int as repeats, count(c.restored_at)::int as restored,
           coalesce(sum(extract(epoch from c.restored_at - coalesce(c.down_from, c.reported_at)) / 60), 0)::int as restore_min,
           count(*) filter (where c.restore_met and c.restored_at is not null)::int as in_time,
           count(c.rating)::int as rated, coalesce(sum(c.rating::int), 0)::int as rating_sum from calls c group by 1),
         of_down as (select d.building_id, (sum(extract(epoch from upper(r) - lower(r))) / 60)::int as down_min
           from (select c.building_id, c.lift_id, range_agg(tstzrange(c.down_from, greatest(coalesce(c.restored_at, now()), c.down_from))) as spans
             from calls c where c.lift_down and c.down_from is not null group by 1, 2) d cross join unnest(d.spans) r group by 1),
         of_cover as (select l.building_id, sum(least(coalesce(k.closes_on, k.to_on), ${to}) - greatest(k.from_on, ${from}) + 1)::int as lift_days
           from ${table('contract_line')} k join ${table('lift')} l on l.id = k.lift_id join g on g.id = l.building_id
           where k.active and k.line_status <> 'draft' and k.cover_kind <> 'on_call'
             and k.from_on <= ${to} and coalesce(k.closes_on, k.to_on) >= ${from} group by 1),
         of_visits as (select l.building_id, count(*) filter (where v.window_result in ('in_window', 'early'))::int as pm_in_window,
           count(*) filter (where v.status <> 'cancelled' and (v.status <> 'skipped' or v.window_result is not null))::int as pm_counted
           from ${table('scheduled_ticket')} v join ${table('lift')} l on l.id = v.lift_id join g on g.id = l.building_id
           where v.active and v.due_on between ${from} and ${to} group by 1)
         select g.id as building_id, g.name as building_id__label, coalesce(n.lifts, 0) as lifts, coalesce(c.calls, 0) as calls, coalesce(c.trapped, 0) as trapped,
           coalesce(c.repeats, 0) as repeats, coalesce(c.restored, 0) as restored, coalesce(c.restore_min, 0) as restore_min, coalesce(c.in_time, 0) as in_time,
           coalesce(d.down_min, 0) as down_min, coalesce(k.lift_days, 0) as lift_days, coalesce(v.pm_in_window, 0) as pm_in_window, coalesce(v.pm_counted, 0) as pm_counted,
           coalesce(c.rated, 0) as rated, coalesce(c.rating_sum, 0) as rating_sum
         from g left join of_lifts n on n.building_id = g.id left join of_calls c on c.building_id = g.id left join of_down d on d.building_id = g.id
         left join of_cover k on k.building_id = g.id left join of_visits v on v.building_id = g.id
         where coalesce(n.lifts, 0) > 0 or coalesce(c.calls, 0) > 0 order by 4 desc, 2, 1 limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const opens = (row: Counted, more: readonly FilterExpression[]) =>
      `/fms/building_calls?filter=${encodeURIComponent(
        JSON.stringify([
          'and',
          ['building_id', 'eq', row.building_id],
          ['reported_on', 'between', [parameters.from, parameters.to]],
          ...['ticket_type', 'category_id'].flatMap((name): FilterExpression[] =>
            chosen(name) ? [[name, 'eq', parameters[name]]] : [],
          ),
          ...more,
        ]),
      )}`;
    const top = counted.filter((row) => row.calls > 0).slice(0, MAX_BARS);
    return {
      rows: counted.map((row) => ({
        building_id: row.building_id,
        building_id__label: row.building_id__label,
        ...Object.fromEntries(COUNTS.map((name) => [name, row[name]])),
        ...Object.fromEntries(
          Object.entries(BEHIND).flatMap(([name, more]) =>
            Number(row[name]) > 0 ? [[`${name}__to`, opens(row, more)]] : [],
          ),
        ),
        ...ratesOf([row]),
      })),
      totals: ratesOf(counted),
      chart: {
        x: top.map((row) => row.building_id__label),
        series: [
          { title: 'Calls', values: top.map(({ calls }) => calls) },
          { title: 'Repeats', values: top.map(({ repeats }) => repeats) },
        ],
      },
    };
  },
};

export default buildingCalls;
