import type { SeatHolder } from '../../../domain/board/composition.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import { earlierDay } from './page_period.ts';
import { runsOn } from './terms_on_day.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';

/** What the quorum needs to know of a member. */
export interface Member extends SeatHolder {
  board_member_id: number;
}

/** The members of a unit on the page's day, for reports; the caller has checked that the reader may see the unit. */
export function seatHolders(call: ReportCall, unit: number): Promise<Member[]> {
  const day = earlierDay(call);
  return new SourceReader(call).query<Member>(
    (
      values,
    ) => `select t.board_member_id, m.name, d.category, d.is_director, d.is_executive, d.votes, d.counts_for_quorum, m.gender,
        coalesce(m.promoter_related, false) as promoter_related, m.days_in_india, d.category = 'independent' as independent
      from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_designation} d on d.id = s.designation_id
      join {board_member} m on m.id = t.board_member_id
      where ${runsOn('t', day === null ? null : values.bind(day))} and t.active and s.active and s.unit_id = ${values.bind(unit)} order by d.order_no, m.name`,
  );
}
