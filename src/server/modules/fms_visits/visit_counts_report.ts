import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { FilterExpression } from '../../../descriptor/types.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

/** Choices of the reader that are fields of a visit. */
const CHOICES = ['route_id', 'technician_id', 'branch_id', 'building_id'];

/** Choices by the building of a visit. The list of visits has no such filters: figures then name their buildings. */
const OF_BUILDING: Readonly<Record<string, string>> = {
  area_id: 'g.area_id',
  customer_id: 'g.customer_id',
  customer_group_id: 'k.customer_group_id',
};

/** Which visits each figure counts. */
const COUNTED: Readonly<Record<string, FilterExpression | null>> = {
  planned: null,
  done: ['window_result', 'in', ['in_window', 'early']],
  late: ['window_result', 'eq', 'late'],
  missed: ['window_result', 'eq', 'missed'],
};

/** The most buildings that an address names; figures of more lead nowhere. */
const MAX_NAMED = 200;

/** The addresses of the visits behind the figures of a row; a figure of 0 has none. */
function visitsBehind(row: ReportRow, shared: readonly FilterExpression[]): ReportRow {
  return Object.fromEntries(
    Object.entries(COUNTED).flatMap(([figure, own]) =>
      Number(row[figure] ?? 0) === 0
        ? []
        : [
            [
              `${figure}__to`,
              `/scheduled_tickets?filter=${encodeURIComponent(JSON.stringify(['and', ...shared, ...(own ? [own] : [])]))}`,
            ],
          ],
    ),
  );
}

/** Scheduled visits by route or technician and by day or month: planned, done in time, late, missed. */
const visitCounts: ReportSource = {
  reads: {
    scheduled_ticket: ['route_id', 'technician_id', 'planned_on', 'window_result'],
    route_mstr: [],
    employee: [],
    building: ['area_id', 'customer_id'],
    customer_dtl: ['customer_group_id'],
  },
  async rows({ session: { tenant }, parameters, scoped }) {
    const values = new SqlParams();
    const by = parameters.grouped_by === 'technician' ? 'technician_id' : 'route_id';
    const [named, code] = by === 'technician_id' ? ['employee', 'empno'] : ['route_mstr', 'code'];
    const period = parameters.unit === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD';
    const chosen = CHOICES.filter((name) => (parameters[name] ?? null) !== null);
    const ofBuilding = Object.keys(OF_BUILDING).filter((name) => (parameters[name] ?? null) !== null);
    const where = [
      ...scoped('scheduled_ticket', 'v', values),
      'v.active',
      `v.planned_on between ${values.bind(parameters.from)}::date and ${values.bind(parameters.to)}::date`,
      `v.status <> 'cancelled'`,
      ...chosen.map((name) => `v.${name} = ${values.bind(parameters[name])}`),
      ...ofBuilding.map((name) => `${OF_BUILDING[name]} = ${values.bind(parameters[name])}`),
    ];
    const rows = await tenant.db.query<ReportRow>(
      preparedStatement(
        `select coalesce(n.name, 'Nobody yet') as who, v.${by} as who_id, n.${code} as code, min(v.planned_on)::text as first, max(v.planned_on)::text as last, to_char(v.planned_on, '${period}') as period,
           ${ofBuilding.length === 0 ? 'null::bigint[]' : 'array_agg(distinct v.building_id)'} as buildings, count(*)::int as planned,
           count(*) filter (where v.window_result in ('in_window', 'early'))::int as done, count(*) filter (where v.window_result = 'late')::int as late,
           count(*) filter (where v.window_result = 'missed')::int as missed
         from ${tableName(tenant.schema, 'scheduled_ticket')} v left join ${tableName(tenant.schema, named)} n on n.id = v.${by}
         left join ${tableName(tenant.schema, 'building')} g on g.id = v.building_id left join ${tableName(tenant.schema, 'customer_dtl')} k on k.id = g.customer_id
         where ${where.join(' and ')} group by 1, 2, 3, period order by 1, period, 2 limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const limits = chosen.flatMap((name): FilterExpression[] => (name === by ? [] : [[name, 'eq', parameters[name]]]));
    const ids = Map.groupBy(rows, ({ who }) => who);
    const namesakes = new Set(
      [...ids].flatMap(([who, of]) => (new Set(of.map((row) => row.who_id)).size > 1 ? [who] : [])),
    );
    return {
      rows: rows.map(({ who_id: who, code: own, first, last, buildings, ...row }) => ({
        ...row,
        // Two people of one name are two rows.
        who: namesakes.has(row.who) ? `${String(row.who)} (${String(own)})` : row.who,
        ...((buildings === null || (buildings as number[]).length <= MAX_NAMED) &&
          visitsBehind(row, [
            who === null ? [by, 'empty'] : [by, 'eq', Number(who)],
            ['planned_on', 'between', [first, last]],
            ['status', 'ne', 'cancelled'],
            ...limits,
            ...(buildings === null ? [] : [['building_id', 'in', buildings] as FilterExpression]),
          ])),
      })),
    };
  },
};

export default visitCounts;
