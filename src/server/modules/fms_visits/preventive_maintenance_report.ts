import { visitCompliance } from '../../../domain/fms/lift_figures.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

interface Visit extends ReportRow {
  status: string;
  window_result: string | null;
  route: string;
}

const shown = (percent: string | null) => (percent === null ? '–' : `${percent} %`);

/** The visits by result, and those that do not count: skipped by the customer, or cancelled. */
function countsOf(visits: readonly Visit[]) {
  const count = (...results: string[]) =>
    visits.filter(({ window_result: one }) => one !== null && results.includes(one)).length;
  return {
    planned: visits.length,
    excluded: visits.filter(
      ({ status, window_result: result }) => status === 'cancelled' || (status === 'skipped' && result === null),
    ).length,
    inWindow: count('in_window', 'early'),
    late: count('late'),
    missed: count('missed'),
  };
}

/** Visits planned and done, with delay, signature and the compliance of C17. */
const preventiveMaintenance: ReportSource = {
  reads: {
    scheduled_ticket: [
      'due_on',
      'window_from',
      'window_to',
      'planned_on',
      'done_on',
      'window_result',
      'skip_reason_id',
    ],
    fms_ticket: ['signed_by'],
    lift: [],
    building: ['area_id', 'customer_id'],
    customer_dtl: ['customer_group_id'],
    route_mstr: [],
    contract_line: ['amc_type_id'],
    reason: [],
  },
  async rows({ session: { tenant }, parameters, scoped }) {
    const table = (type: string) => tableName(tenant.schema, type);
    const values = new SqlParams();
    const chosen = [
      ['route_id', 'v.route_id'],
      ['branch_id', 'v.branch_id'],
      ['status', 'v.status'],
      ['amc_type_id', 'c.amc_type_id'],
      ['area_id', 'g.area_id'],
      ['customer_group_id', 'k.customer_group_id'],
    ].flatMap(([name, column]) =>
      parameters[name!] === null || parameters[name!] === undefined
        ? []
        : [`${column} = ${values.bind(parameters[name!])}`],
    );
    const where = [
      ...scoped('scheduled_ticket', 'v', values),
      'v.active',
      `v.due_on between ${values.bind(parameters.from)}::date and ${values.bind(parameters.to)}::date`,
      ...chosen,
    ];
    const rows = await tenant.db.query<Visit>(
      preparedStatement(
        `select v.id as visit, l.lift_no as visit__label, g.name as building, coalesce(r.name, 'Without a route') as route, v.visit_no || ' of ' || v.visits_per_year as number,
           v.due_on::text, v.window_from::text, v.window_to::text, v.planned_on::text, v.done_on::text, v.minutes, v.status, v.window_result,
           greatest(v.done_on - v.window_to, 0) as delay, t.signed_by, x.name as reason,
           (select count(*)::int from ${table('job_history')} h join ${table('attribute_lookup')} a on a.id = h.attribute_lookup_id where h.fms_ticket_id = v.fms_ticket_id and a.severity > 0) as faults
         from ${table('scheduled_ticket')} v join ${table('lift')} l on l.id = v.lift_id join ${table('building')} g on g.id = v.building_id
         left join ${table('customer_dtl')} k on k.id = g.customer_id
         join ${table('contract_line')} c on c.id = v.contract_line_id left join ${table('route_mstr')} r on r.id = v.route_id
         left join ${table('fms_ticket')} t on t.id = v.fms_ticket_id left join ${table('reason')} x on x.id = v.skip_reason_id
         where ${where.join(' and ')} order by v.due_on, g.name, l.lift_no limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const counts = countsOf(rows);
    const compliance = visitCompliance(counts);
    const routes = Map.groupBy(rows, ({ route }) => route);
    return {
      rows,
      figures: [
        {
          title: 'Visits',
          value: String(rows.length),
          note: `${counts.excluded} not counted: skipped by the customer or cancelled`,
        },
        { title: 'Done in time', value: shown(compliance.inWindow) },
        { title: 'Done', value: shown(compliance.done) },
        { title: 'Missed', value: String(counts.missed) },
      ],
      chart: {
        x: [...routes.keys()],
        series: [
          {
            title: 'Done in time, %',
            values: [...routes.values()].map((of) => {
              const { inWindow } = visitCompliance(countsOf(of));
              return inWindow === null ? null : Number(inWindow);
            }),
          },
        ],
      },
    };
  },
};

export default preventiveMaintenance;
