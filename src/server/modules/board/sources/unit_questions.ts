import { humanise } from '../../../../descriptor/humanise.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { unitTile } from '../unit_tile.ts';

const questions = unitTile(() => ({
  type: 'board_query',
  field: 'question',
  statement: (unit) => `select t.figure, t.question, e.name as owner, t.state
    from {board_query} t left join {employee} e on e.id = t.to_id where t.unit_id = ${unit}`,
  order: 'order by t.asked_on desc, t.id desc limit 6',
  opens: (unit) => `/board_queries?unit_id=${unit}`,
}));

/** The latest questions to a unit. */
const unitQuestions: ReportSource = {
  ...questions,
  async rows(call) {
    const found = await questions.rows(call);
    return { ...found, rows: found.rows.map((row) => ({ ...row, state: humanise(String(row.state)) })) };
  },
};
export default unitQuestions;
