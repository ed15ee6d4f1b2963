import { Exact } from '../../../descriptor/exact.ts';
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

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${new Exact(part).times(100).div(whole).toDecimalPlaces(2).toFixed(2)} %`;

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
    building: [],
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
         join ${table('contract_line')} c on c.id = v.contract_line_id left join ${table('route_mstr')} r on r.id = v.route_id
         left join ${table('fms_ticket')} t on t.id = v.fms_ticket_id left join ${table('reason')} x on x.id = v.skip_reason_id
         where ${where.join(' and ')} order by v.due_on, g.name, l.lift_no limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    const excluded = rows.filter(
      ({ status, window_result: result }) => status === 'cancelled' || (status === 'skipped' && result === null),
    ).length;
    const count = (...results: string[]) =>
      rows.filter(({ window_result: one }) => one !== null && results.includes(one)).length;
    const [inTime, late] = [count('in_window', 'early'), count('late')];
    const base = rows.length - excluded;
    const routes = Map.groupBy(rows, ({ route }) => route);
    return {
      rows,
      figures: [
        {
          title: 'Visits',
          value: String(rows.length),
          note: `${excluded} not counted: skipped by the customer or cancelled`,
        },
        { title: 'Done in time', value: percent(inTime, base) },
        { title: 'Done', value: percent(inTime + late, base) },
        { title: 'Missed', value: String(count('missed')) },
      ],
      chart: {
        x: [...routes.keys()],
        series: [
          {
            title: 'Done in time, %',
            values: [...routes.values()].map((of) => {
              const counted = of.filter(
                ({ status, window_result: result }) =>
                  status !== 'cancelled' && !(status === 'skipped' && result === null),
              );
              const done = counted.filter(({ window_result: one }) => one === 'in_window' || one === 'early').length;
              return counted.length === 0 ? null : Math.round((done * 1000) / counted.length) / 10;
            }),
          },
        ],
      },
    };
  },
};

export default preventiveMaintenance;
