import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

const LISTED = 5;
/** Appraisals whose result is known to the member. */
const RELEASED = "('released', 'acknowledged', 'appealed', 'closed')";

/** Members whose final score rose or fell most from one released appraisal to the next. */
function moversOf(call: ReportCall, isUp: boolean): Promise<ReportRow[]> {
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

/** Members who moved up or down from one appraisal to the next (performance.md §2.7). */
const movers: ReportSource = {
  reads: { appraisal: ['final_score'], appraisal_period: [], employee: [] },
  rows: async (call) => ({ rows: await moversOf(call, call.args?.as === 'up') }),
};

export default movers;
