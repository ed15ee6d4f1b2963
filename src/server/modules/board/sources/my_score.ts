import { monthTitle } from '../../../../domain/month_names.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageDay } from '../page_period.ts';

const MONTHS = 12;

/** The reader's own scores: the latest, or by month. */
const myScore: ReportSource = {
  reads: { kpi_score: ['score'] },
  async rows(call) {
    const { employeeId } = call.session;
    if (employeeId === null) return { rows: [] };
    const reader = new SourceReader(call);
    const scores = await reader.query<{ month: string; score: string; band: string | null }>(
      (
        values,
      ) => `select s.month, s.score::text, s.band from {kpi_score} s where s.employee_id = ${values.bind(employeeId)}
        and s.score is not null and s.month <= ${values.bind(pageDay(call).slice(0, 7))} and ${reader.seen('kpi_score', 's', values)} order by s.month desc limit ${MONTHS}`,
    );
    const latest = scores[0];
    if (!latest) return { rows: [], note: 'You have no score yet.' };
    const opens = `/scorecard_new?month=${latest.month}`;
    return call.args?.as === 'months'
      ? { rows: scores.toReversed().map(({ month, score }) => ({ month, score: Number(score) })), opens }
      : {
          rows: [{ score: Number(latest.score) }],
          note: `Of ${monthTitle(latest.month)}${latest.band === null ? '' : `, ${latest.band}`}`,
          opens,
        };
  },
};

export default myScore;
