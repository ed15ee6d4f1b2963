import { medianDays } from '../../../../domain/board/board_score.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

interface Question extends Record<string, unknown> {
  query_id: number;
  number: string;
  asked_by: string | null;
  asked_on: string;
  figure: string | null;
  value_then: string | null;
  value_now: string | null;
  owner: string;
  days: number | null;
  state: string;
}

const OPEN: ReadonlySet<string> = new Set(['asked', 'reopened']);

/** Questions of a period one by one, with the median of the days that their answers took (board.md §7). */
const questionsReport: ReportSource = {
  reads: { board_query: ['figure', 'value_then', 'value_now', 'days'] },
  async rows(call) {
    const { from, to, unit, state } = call.parameters;
    const reader = new SourceReader(call);
    const rows = await reader.query<Question>(
      (
        values,
      ) => `select q.id as query_id, q.number, u.name as asked_by, q.asked_on::text, q.figure, q.value_then, q.value_now,
          coalesce(e.name, '') as owner, q.days, q.state
        from {board_query} q left join {users} u on u.id = q.created_by left join {employee} e on e.id = q.to_id
        where ${reader.seen('board_query', 'q', values)}
          ${typeof from === 'string' ? `and q.asked_on >= ${values.bind(from)}::date` : ''}
          ${typeof to === 'string' ? `and q.asked_on <= ${values.bind(to)}::date` : ''}
          ${typeof unit === 'number' ? `and q.unit_id = ${values.bind(unit)}` : ''}
          ${typeof state === 'string' ? `and q.state = ${values.bind(state)}` : ''}
        order by q.asked_on desc, q.id desc`,
    );
    const median = medianDays(rows.flatMap(({ days }) => (days === null ? [] : [Number(days)])));
    const owners = [...new Set(rows.map(({ owner }) => owner))].toSorted((a, b) => a.localeCompare(b));
    const count = (is: (row: Question) => boolean) =>
      owners.map((owner) => rows.filter((row) => row.owner === owner && is(row)).length);
    return {
      rows,
      figures: [
        ...(median === null ? [] : [{ title: 'Median days to answer', value: String(median) }]),
        { title: 'Unanswered', value: String(rows.filter(({ state: at }) => OPEN.has(at)).length) },
      ],
      chart: {
        x: owners,
        series: [
          { title: 'Answered', values: count((row) => !OPEN.has(row.state)) },
          { title: 'Unanswered', values: count((row) => OPEN.has(row.state)) },
        ],
      },
    };
  },
};
export default questionsReport;
