import type { Presence } from '../../../../domain/board/meeting_clocks.ts';
import { attendance as attended } from '../../../../domain/board/meeting_clocks.ts';
import type { SqlParams } from '../../../db/sql_text.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { pageDay } from '../page_period.ts';

/** The condition for the meetings of a page: of its unit, or of the boards of several companies together. */
async function unitsOf(
  call: ReportCall,
): Promise<{ title?: string; opens: string; are(values: SqlParams): string } | null> {
  if (call.session.entityId === null) return { opens: '/board_meetings', are: () => `u.kind = 'board'` };
  const unit = await chosenUnit(call);
  return (
    unit && {
      title: unit.name,
      opens: `/board_meetings?unit_id=${unit.id}`,
      are: (values) => `u.id = ${values.bind(unit.id)}`,
    }
  );
}

/** How often the members of a unit came to its meetings of twelve months (board.md §5.6). */
const attendance: ReportSource = {
  reads: { board_meeting: ['attendance'], board_unit: [] },
  async rows(call) {
    const units = await unitsOf(call);
    if (!units) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<{ member: string; presences: Presence[] }>(
      (values) => `select m.name as member, array_agg(a.presence) as presences
        from {board_meeting.attendance} a join {board_meeting} g on g.id = a.parent_id join {board_member} m on m.id = a.board_member_id
        join {board_unit} u on u.id = g.unit_id
        where ${units.are(values)} and g.state in ('held', 'minuted', 'entered') and a.presence is not null
          and g.held_on > ${values.bind(pageDay(call))}::date - 365 and g.held_on <= ${values.bind(pageDay(call))}::date
          and ${reader.seen('board_meeting', 'g', values)} group by m.id, m.name order by m.name`,
    );
    return {
      rows: rows.map(({ member, presences }) => ({ member, attended: attended(presences) })),
      ...(units.title !== undefined && { note: units.title }),
      opens: units.opens,
    };
  },
};

export default attendance;
