import { vacantDays } from '../../../../domain/board/vacancy.ts';
import { addDays } from '../../../../domain/dashboard_span.ts';
import type { Timeline } from '../../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import type { SqlParams } from '../../../db/sql_text.ts';
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
  from_date: string | null;
  until_date: string | null;
  days: number | null;
  term_no: number | null;
  independent: boolean;
  successor: string | null;
  vacant_since: string | null;
  sanctioned_on: string | null;
}

/** Years that the timeline shows before and after the current one. */
const YEARS_BEFORE = 3;
const YEARS_AFTER = 5;
const yearOf = (day: string) => Number(day.slice(0, 4));

/** Who sits on which seat from when until when: terms past, present and proposed, and the days without a holder. */
async function timelineOf(call: ReportCall, days: number): Promise<Timeline> {
  const { today } = call;
  const { unit } = call.parameters;
  const first = `${yearOf(today) - YEARS_BEFORE}-01-01`;
  const last = `${yearOf(today) + YEARS_AFTER}-12-31`;
  const reader = new SourceReader(call);
  const bars = await reader.query<{
    seat_id: number;
    lane: string;
    title: string;
    from: string;
    until: string | null;
    state: string;
    tenure_id: number | null;
  }>(
    (values) => `select * from (
        select s.id as seat_id, u.id as unit_id, coalesce(s.title, d.name) || ', ' || u.name || ', ' || s.number as lane, m.name as title,
          t.from_date::text as "from", coalesce(t.ended_on, t.until_date)::text as until, t.state, t.id as tenure_id, u.kind, d.order_no, s.number
        from {board_position} s join {board_unit} u on u.id = s.unit_id join {board_designation} d on d.id = s.designation_id
        join {board_tenure} t on t.seat_id = s.id and t.active and t.state in ('proposed', 'approved', 'active', 'ended') join {board_member} m on m.id = t.board_member_id
        where ${seats(reader, call, values)} ${typeof unit === 'number' ? `and s.unit_id = ${values.bind(unit)}` : ''}
        union all
        select s.id, u.id, coalesce(s.title, d.name) || ', ' || u.name || ', ' || s.number, 'Vacant',
          coalesce(s.vacant_since, s.sanctioned_on)::text, ${values.bind(today)}::text, 'vacant', null, u.kind, d.order_no, s.number
        from {board_position} s join {board_unit} u on u.id = s.unit_id join {board_designation} d on d.id = s.designation_id
        where s.holder_id is null and ${seats(reader, call, values)} ${typeof unit === 'number' ? `and s.unit_id = ${values.bind(unit)}` : ''}
      ) bars where coalesce(until, ${values.bind(last)}) >= ${values.bind(first)} and "from" <= ${values.bind(last)}
      order by kind, unit_id, order_no nulls last, number, "from"`,
  );
  const soon = addDays(today, days);
  const toneOf = (state: string, until: string | null): NonNullable<Timeline['bars'][number]['tone']> => {
    if (state === 'vacant') return 'danger';
    if (state !== 'active') return 'neutral';
    return until !== null && until <= soon ? 'warning' : 'brand';
  };
  return {
    first,
    last,
    today,
    bars: bars.map(({ lane, title, from, until, state, tenure_id: id }) => ({
      lane,
      title: state === 'proposed' || state === 'approved' ? `${title} (${state})` : title,
      from,
      until,
      tone: toneOf(state, until),
      ...(id !== null && { to: `/board_tenures/view/${id}` }),
    })),
  };
}

/** The condition for the seats of units in office that the reader may see. */
const seats = (reader: SourceReader, { today }: ReportCall, values: SqlParams): string =>
  `u.state = 'constituted' and (s.abolished_on is null or s.abolished_on > ${values.bind(today)}::date) and ${reader.seen('board_position', 's', values)}`;

/** Vacant seats and seats whose term ends within a number of days, with the proposed successor (board.md §7). */
const termsReport: ReportSource = {
  reads: { board_position: ['holder_id'], board_tenure: ['until_date'], board_unit: [] },
  async rows(call) {
    const days = typeof call.parameters.days === 'number' ? call.parameters.days : DEFAULT_DAYS;
    const { unit } = call.parameters;
    const reader = new SourceReader(call);
    const ending = await reader.query<SeatRow>(
      (
        values,
      ) => `select s.id as seat_id, u.name as unit, concat_ws(' ', s.number, s.title) as seat, m.name as holder, t.from_date::text, t.until_date::text,
          t.until_date - ${values.bind(call.today)}::date as days, t.term_no, d.category = 'independent' as independent, s.vacant_since::text, s.sanctioned_on::text,
          (select n.name from {board_tenure} x join {board_member} n on n.id = x.board_member_id
            where x.seat_id = s.id and x.active and x.state in ('proposed', 'approved') order by x.from_date limit 1) as successor
        from {board_position} s join {board_unit} u on u.id = s.unit_id join {board_designation} d on d.id = s.designation_id
        left join {board_tenure} t on t.seat_id = s.id and t.active and t.state = 'active' left join {board_member} m on m.id = t.board_member_id
        where ${seats(reader, call, values)} and (t.id is null or t.until_date <= ${values.bind(addDays(call.today, days))}::date)
          ${typeof unit === 'number' ? `and s.unit_id = ${values.bind(unit)}` : ''}
        order by t.until_date nulls first, u.name, s.number`,
    );
    return {
      timeline: await timelineOf(call, days),
      rows: ending.map(({ independent, term_no: term, sanctioned_on, ...seat }) => ({
        ...seat,
        vacant_days: vacantDays({ ...seat, sanctioned_on }, seat.holder !== null, call.today),
        term_no: term,
        renewals: independent && term !== null ? Math.max(0, MAX_TERMS - term) : null,
      })),
    };
  },
};
export default termsReport;
