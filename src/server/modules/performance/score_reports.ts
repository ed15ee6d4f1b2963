import { Decimal } from 'decimal.js';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { peopleChoices } from './people_choices.ts';

const READS = { kpi_score: ['score', 'band', 'trend', 'covered'], kpi_actual: [], employee: [], department: [] };

/** The scores of members in the month that the reader may see, as `s` with the member as `e`. */
function scoresOf(call: ReportCall, values: SqlParams): string {
  const { session, parameters, scoped } = call;
  const table = (type: string) => tableName(session.tenant.schema, type);
  const where = [
    's.active',
    's.score is not null',
    's.employee_id is not null',
    `s.month = ${values.bind(parameters.month)}`,
    ...scoped('kpi_score', 's', values),
    ...peopleChoices(call, 's', values),
  ];
  return `${table('kpi_score')} s join ${table('employee')} e on e.id = s.employee_id
    left join ${table('department')} d on d.id = s.department_id where ${where.join(' and ')}`;
}

/** Members by their score of a month; equal scores share a rank (performance.md §5.20, 7). */
export const scoreRanking: ReportSource = {
  reads: READS,
  async rows(call) {
    const { tenant } = call.session;
    const values = new SqlParams();
    const updates = tableName(tenant.schema, 'kpi_actual');
    const rows = await tenant.db.query<ReportRow>(
      preparedStatement(
        `select dense_rank() over (order by s.score desc)::int as rank, e.name as member, d.name as department, s.score::text, s.band,
           s.trend, s.covered::text, s.sheet_id, s.month, (select count(*) from ${updates} a where a.sheet_id = s.sheet_id and a.month = s.month
             and a.active and a.status in ('to_enter', 'returned'))::int as open
         from ${scoresOf(call, values)} order by s.score desc, e.name`,
        values.list,
      ),
    );
    const scores = rows.map(({ score }) => new Decimal(score as string)).toSorted((a, b) => a.cmp(b));
    if (scores.length === 0) return { rows };
    const half = (scores.length - 1) / 2;
    const median = scores[Math.floor(half)]!.plus(scores[Math.ceil(half)]!).dividedBy(2);
    const mean = scores.reduce((sum, score) => sum.plus(score), new Decimal(0)).dividedBy(scores.length);
    return {
      rows,
      figures: [
        { title: 'Members', value: String(scores.length) },
        { title: 'Average', value: mean.toFixed(2) },
        { title: 'Median', value: median.toFixed(2) },
      ],
    };
  },
};

/** How the scores of departments spread, as a box plot reads them (§7). */
export const scoreSpread: ReportSource = {
  reads: READS,
  async rows(call) {
    const { tenant } = call.session;
    const values = new SqlParams();
    const at = (share: number) => `round(percentile_cont(${share}) within group (order by s.score)::numeric, 2)::text`;
    const rows = await tenant.db.query<ReportRow>(
      preparedStatement(
        `select coalesce(d.name, 'All departments') as department, count(*)::int as members, min(s.score)::text as lowest,
           ${at(0.25)} as lower_quartile, ${at(0.5)} as median, ${at(0.75)} as upper_quartile, max(s.score)::text as highest,
           round(avg(s.score), 2)::text as mean
         from ${scoresOf(call, values)} group by rollup (d.name) having grouping(d.name) = 1 or d.name is not null
         order by grouping(d.name), d.name`,
        values.list,
      ),
    );
    return { rows };
  },
};
