import type { Presence } from '../../../../domain/board/meeting_clocks.ts';
import { attendance as attended } from '../../../../domain/board/meeting_clocks.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';

/** How often the members of a unit came to its meetings of twelve months (board.md §5.6). */
const attendance: ReportSource = {
  reads: { board_meeting: ['attendance'], board_unit: [] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<{ member: string; presences: Presence[] }>(
      (values) => `select m.name as member, array_agg(a.presence) as presences
        from {board_meeting.attendance} a join {board_meeting} g on g.id = a.parent_id join {board_member} m on m.id = a.board_member_id
        where g.unit_id = ${values.bind(unit.id)} and g.state in ('held', 'minuted', 'entered') and a.presence is not null
          and g.held_on > ${values.bind(call.today)}::date - 365 and g.held_on <= ${values.bind(call.today)}::date
          and ${reader.seen('board_meeting', 'g', values)} group by m.id, m.name order by m.name`,
    );
    return {
      rows: rows.map(({ member, presences }) => ({ member, attended: attended(presences) })),
      note: unit.name,
      opens: `/board_meetings?unit_id=${unit.id}`,
    };
  },
};

export default attendance;
