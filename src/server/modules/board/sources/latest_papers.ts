import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { maySeePapers } from '../may_see_papers.ts';
import { pageDay } from '../page_period.ts';

/** Papers of the latest meetings: of the unit of a committee's page, otherwise of the reader's own units. */
const latestPapers: ReportSource = {
  reads: { board_meeting: ['agenda'], board_unit: [] },
  async rows(call) {
    const ofCommittee = call.args?.of === 'committee';
    const unit = ofCommittee ? await chosenUnit(call) : null;
    if (ofCommittee && !unit) return { rows: [] };
    const { userId, employeeId } = call.session;
    const reader = new SourceReader(call);
    const rows = await reader.query<{ meeting_id: number; paper: string; item: string; unit: string; held_on: string }>(
      (
        values,
      ) => `select g.id as meeting_id, f.name as paper, coalesce(a.item, '') as item, u.name as unit, g.held_on::text
        from {board_meeting.agenda} a join {board_meeting} g on g.id = a.parent_id join {board_unit} u on u.id = g.unit_id
        join {file} f on f.id = a.paper
        where ${
          unit
            ? `u.id = ${values.bind(unit.id)}`
            : `(${values.bind(userId)}::bigint = any(u.member_user_ids) or g.secretary_id = ${values.bind(employeeId)}::bigint)`
        } and g.state not in ('cancelled', 'adjourned') and g.held_on <= ${values.bind(pageDay(call))}::date + 60
          and ${reader.seen('board_meeting', 'g', values)} and ${maySeePapers(call, values)}
        order by g.held_on desc, g.id, a.no limit 8`,
    );
    return { rows, ...(unit && { note: unit.name }) };
  },
};

export default latestPapers;
