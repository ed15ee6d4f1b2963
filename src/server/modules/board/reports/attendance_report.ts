import { wholeFinancialYear } from '../../../../descriptor/financial_year.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Presence } from '../../../../domain/board/meeting_clocks.ts';
import { attendance } from '../../../../domain/board/meeting_clocks.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { chosenUnit } from '../chosen_unit.ts';

/** Each member of a unit by meeting of a financial year, with the share attended (board.md §5.6, 7). */
const attendanceReport: ReportSource = {
  reads: { board_meeting: ['attendance'], board_unit: [] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const { fyStartMonth } = placeOf(call.session);
    const year =
      typeof call.parameters.financial_year === 'string'
        ? call.parameters.financial_year
        : wholeFinancialYear(call.today, fyStartMonth);
    const first = `${year.slice(0, 4)}-${String(fyStartMonth).padStart(2, '0')}-01`;
    const reader = new SourceReader(call);
    const found = await reader.query<{ member: string; meeting_id: number; held_on: string; presence: Presence }>(
      (
        values,
      ) => `select m.name as member, g.id as meeting_id, g.held_on::text, a.presence from {board_meeting.attendance} a
        join {board_meeting} g on g.id = a.parent_id join {board_member} m on m.id = a.board_member_id
        where g.unit_id = ${values.bind(unit.id)} and g.state in ('held', 'minuted', 'entered') and a.presence is not null
          and g.held_on >= ${values.bind(first)}::date and g.held_on < ${values.bind(first)}::date + interval '1 year'
          and ${reader.seen('board_meeting', 'g', values)} order by m.name, g.held_on, g.id`,
    );
    const meetings = [...new Map(found.map((one) => [one.meeting_id, one.held_on]))].toSorted(
      ([a, on], [b, then]) => on.localeCompare(then) || a - b,
    );
    const members = [...Map.groupBy(found, ({ member }) => member)];
    const shares = new Map(members.map(([name, own]) => [name, attendance(own.map(({ presence }) => presence))]));
    return {
      rows: found.map(({ member, meeting_id: id, presence }) => ({
        member,
        attended: shares.get(member) ?? null,
        meeting: String(id),
        presence,
      })),
      pivot: meetings.map(([id, on]) => ({ value: String(id), title: formatDate(on) })),
      chart: {
        x: meetings.map(([, on]) => formatDate(on)),
        series: [
          {
            title: 'Members who came, %',
            values: meetings.map(([id]) =>
              attendance(found.filter((one) => one.meeting_id === id).map(({ presence }) => presence)),
            ),
          },
        ],
      },
      note: `${unit.name}, ${year}`,
    };
  },
};
export default attendanceReport;
