import { addDays } from '../../../../domain/dashboard_span.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** The maximum number of consecutive terms of an independent director (s. 149(11)). */
const MAX_TERMS = 2;
/** Days ahead that the report covers by default. */
const DEFAULT_DAYS = 180;

interface SeatRow extends Record<string, unknown> {
  seat_id: number;
  unit: string;
  seat: string;
  holder: string | null;
  until_date: string | null;
  days: number | null;
  term_no: number | null;
  independent: boolean;
  successor: string | null;
  vacant_since: string | null;
}

/** Vacant seats and seats whose term ends within a number of days, with the proposed successor (board.md §7). */
const termsReport: ReportSource = {
  reads: { board_position: ['holder_id'], board_tenure: ['until_date'], board_unit: [] },
  async rows(call) {
    const days = typeof call.parameters.days === 'number' ? call.parameters.days : DEFAULT_DAYS;
    const { unit } = call.parameters;
    const reader = new SourceReader(call);
    const seats = await reader.query<SeatRow>(
      (
        values,
      ) => `select s.id as seat_id, u.name as unit, concat_ws(' ', s.number, s.title) as seat, m.name as holder, t.until_date::text,
          t.until_date - ${values.bind(call.today)}::date as days, t.term_no, d.category = 'independent' as independent, s.vacant_since::text,
          (select n.name from {board_tenure} x join {board_member} n on n.id = x.board_member_id
            where x.seat_id = s.id and x.active and x.state in ('proposed', 'approved') order by x.from_date limit 1) as successor
        from {board_position} s join {board_unit} u on u.id = s.unit_id join {board_designation} d on d.id = s.designation_id
        left join {board_tenure} t on t.seat_id = s.id and t.active and t.state = 'active' left join {board_member} m on m.id = t.board_member_id
        where u.state = 'constituted' and (s.abolished_on is null or s.abolished_on > ${values.bind(call.today)}::date)
          and (t.id is null or t.until_date <= ${values.bind(addDays(call.today, days))}::date)
          and ${reader.seen('board_position', 's', values)} ${typeof unit === 'number' ? `and s.unit_id = ${values.bind(unit)}` : ''}
        order by t.until_date nulls first, u.name, s.number`,
    );
    return {
      rows: seats.map(({ independent, term_no: term, ...seat }) => ({
        ...seat,
        term_no: term,
        renewals: independent && term !== null ? Math.max(0, MAX_TERMS - term) : null,
      })),
    };
  },
};
export default termsReport;
