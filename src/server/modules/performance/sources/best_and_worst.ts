import { Decimal } from 'decimal.js';
import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { totalsOfKpis } from '../kpi_totals.ts';

const LISTED = 5;
/** KPIs in the chart of all. */
const CHARTED = 60;
/** Appraisals whose result is known to the member. */
const RELEASED = "('released', 'acknowledged', 'appealed', 'closed')";

/**
 * The KPIs with the best or the worst achievement over the members and months that the reader may see, or all of them by
 * name. Achievements are those of totals, as in the KPI summary (performance.md §5.6).
 */
async function kpis(call: ReportCall, as: 'all' | 'best' | 'worst'): Promise<ReportRow[]> {
  const { month } = call.parameters;
  const totals = await totalsOfKpis(call, (values) =>
    typeof month === 'string' ? [`a.month = ${values.bind(month)}`] : [],
  );
  const reached = totals.flatMap(({ kpi, percent }) =>
    percent === null ? [] : [{ kpi, percent: new Decimal(percent) }],
  );
  const [sign, listed] = as === 'best' ? [-1, LISTED] : [1, as === 'worst' ? LISTED : CHARTED];
  const ordered = as === 'all' ? reached : reached.toSorted((a, b) => sign * a.percent.cmp(b.percent));
  return ordered.slice(0, listed).map(({ kpi, percent }) => ({
    kpi: kpi.kpi,
    achievement: percent.toFixed(1),
    achievement__to: `/kpi_detailed_report_view?kpi_id=${kpi.id}`,
    kpi_id: kpi.id,
  }));
}

/** Members whose final score rose or fell most from one released appraisal to the next. */
function movers(call: ReportCall, isUp: boolean): Promise<ReportRow[]> {
  const reader = new SourceReader(call);
  const chosen = ['department_id', 'branch_id', 'manager_id', 'employee_id'].filter(
    (name) => typeof call.parameters[name] === 'number',
  );
  return reader.query(
    (
      values,
    ) => `select m.member, m.before::text, m.score::text, (m.score - m.before)::text as change, m.employee_id from (
      select e.name as member, a.employee_id, a.final_score as score, p.ends_on as ended,
        lag(a.final_score) over w as before, row_number() over (partition by a.employee_id order by p.ends_on desc, a.id desc) as place
      from {appraisal} a join {employee} e on e.id = a.employee_id join {appraisal_period} p on p.id = a.period_id
      where a.status in ${RELEASED} and a.final_score is not null
        and (a.shows_score or a.employee_id is distinct from ${values.bind(call.session.employeeId)})
        and ${[reader.seen('appraisal', 'a', values), ...chosen.map((name) => `a.${name} = ${values.bind(call.parameters[name])}`)].join(' and ')}
      window w as (partition by a.employee_id order by p.ends_on, a.id)) m
      where m.place = 1 and m.before is not null and m.score ${isUp ? '>' : '<'} m.before
      order by m.score - m.before ${isUp ? 'desc' : 'asc'}, m.member limit ${LISTED}`,
  );
}

/** Best and worst KPIs, and members who moved up or down (performance.md §2.7). */
const bestAndWorst: ReportSource = {
  reads: {
    kpi_actual: ['value', 'target', 'achievement'],
    kpi: [],
    uom: [],
    base_performance: [],
    appraisal: ['final_score'],
    appraisal_period: [],
    employee: [],
  },
  async rows(call) {
    switch (call.args?.as) {
      case 'all':
      case 'best':
      case 'worst':
        return { rows: await kpis(call, call.args.as) };
      default:
        return { rows: await movers(call, call.args?.as === 'up') };
    }
  },
};

export default bestAndWorst;
