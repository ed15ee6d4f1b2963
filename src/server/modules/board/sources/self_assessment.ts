import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { pageDay } from '../page_period.ts';

interface Assessment {
  id: number;
  financial_year: string;
  asked: number;
  given: number;
  mean: string | null;
}

/** The last self-assessment of the page's unit, beside the one before. */
const selfAssessment: ReportSource = {
  reads: { board_evaluation: ['questions', 'mean'], board_unit: [] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const [last, before] = await reader.query<Assessment>(
      (values) => `select e.id, e.financial_year, e.asked, e.given, e.mean::text from {board_evaluation} e
        where e.unit_id = ${values.bind(unit.id)} and e.state = 'closed' and e.due_on <= ${values.bind(pageDay(call))}::date
          and ${reader.seen('board_evaluation', 'e', values)} order by e.financial_year desc limit 2`,
    );
    if (!last) return { rows: [], note: unit.name };
    const answers = `${unit.name}, ${last.financial_year}: ${last.given} of ${last.asked} members answered`;
    if (last.mean === null) return { rows: [], note: `${answers}; means are shown from three answers on.` };
    const rows = await reader.query<{ question: string; mean: string; before: string | null }>(
      (values) => `select q.question, q.mean::text, b.mean::text as before from {board_evaluation.questions} q
        left join {board_evaluation.questions} b on b.parent_id = ${values.bind(before?.id ?? null)}::bigint and b.question = q.question
        where q.parent_id = ${values.bind(last.id)} order by q.id`,
    );
    return {
      rows: rows.map(({ question, mean, before: earlier }) => ({
        question,
        mean: Number(mean),
        before: earlier === null ? null : Number(earlier),
      })),
      note: `${answers}, ${last.mean} of 5 on average${before?.mean ? `, ${before.mean} in ${before.financial_year}` : ''}`,
      opens: `/board_evaluations/view/${last.id}`,
    };
  },
};

export default selfAssessment;
