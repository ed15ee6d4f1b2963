import { medianDays } from '../../../../domain/board/board_score.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageDay } from '../page_period.ts';

/** The median of the days that answers of twelve months took (board.md §5.8). */
const answerDays: ReportSource = {
  reads: { board_query: ['days'] },
  async rows(call) {
    const reader = new SourceReader(call);
    const rows = await reader.query<{ days: number }>(
      (values) => `select q.days from {board_query} q where q.days is not null
        and q.asked_on > ${values.bind(pageDay(call))}::date - 365 and q.asked_on <= ${values.bind(pageDay(call))}::date and ${reader.seen('board_query', 'q', values)}`,
    );
    const median = medianDays(rows.map(({ days }) => Number(days)));
    return {
      rows: median === null ? [] : [{ days: median }],
      note: `Of ${rows.length} ${rows.length === 1 ? 'answer' : 'answers'}`,
      opens: '/board_queries',
    };
  },
};

export default answerDays;
