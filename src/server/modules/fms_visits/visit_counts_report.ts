import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

/** Scheduled visits by route or technician and by day or month: planned, done in time, late, missed. */
const visitCounts: ReportSource = {
  reads: {
    scheduled_ticket: ['route_id', 'technician_id', 'planned_on', 'window_result'],
    route_mstr: [],
    employee: [],
  },
  async rows({ session: { tenant }, parameters, scoped }) {
    const values = new SqlParams();
    const by = parameters.grouped_by === 'technician' ? 'technician_id' : 'route_id';
    const named = by === 'technician_id' ? 'employee' : 'route_mstr';
    const period = parameters.unit === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD';
    const chosen = ['route_id', 'technician_id', 'branch_id'].flatMap((name) =>
      parameters[name] === null || parameters[name] === undefined
        ? []
        : [`v.${name} = ${values.bind(parameters[name])}`],
    );
    const where = [
      ...scoped('scheduled_ticket', 'v', values),
      'v.active',
      `v.planned_on between ${values.bind(parameters.from)}::date and ${values.bind(parameters.to)}::date`,
      `v.status <> 'cancelled'`,
      ...chosen,
    ];
    const rows = await tenant.db.query<ReportRow>(
      preparedStatement(
        `select coalesce(n.name, 'Nobody yet') as who, to_char(v.planned_on, '${period}') as period, count(*)::int as planned,
           count(*) filter (where v.window_result in ('in_window', 'early'))::int as done, count(*) filter (where v.window_result = 'late')::int as late,
           count(*) filter (where v.window_result = 'missed')::int as missed
         from ${tableName(tenant.schema, 'scheduled_ticket')} v left join ${tableName(tenant.schema, named)} n on n.id = v.${by}
         where ${where.join(' and ')} group by 1, 2 order by 1, 2 limit ${MAX_ROWS + 1}`,
        values.list,
      ),
    );
    return { rows };
  },
};

export default visitCounts;
