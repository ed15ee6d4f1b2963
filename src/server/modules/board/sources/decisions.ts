import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';

/** Items of the agenda: those that the next meetings are to decide, or what the meetings of a unit decided last. */
function items(call: ReportCall, unit: number | null, isWaiting: boolean) {
  const reader = new SourceReader(call);
  const { userId, employeeId } = call.session;
  return reader.query<{
    meeting_id: number;
    unit: string;
    held_on: string;
    item: string;
    decision: string | null;
    outcome: string | null;
  }>(
    (
      values,
    ) => `select g.id as meeting_id, u.name as unit, g.held_on::text, a.item, concat_ws(' ', a.resolution_no, a.decision) as decision, a.outcome
      from {board_meeting.agenda} a join {board_meeting} g on g.id = a.parent_id join {board_unit} u on u.id = g.unit_id
      where a.purpose = 'decide' and a.item is not null and ${
        isWaiting
          ? `g.state in ('planned', 'called') and g.held_on >= ${values.bind(call.today)}::date`
          : `g.state in ('held', 'minuted', 'entered') and a.decision is not null`
      } and ${reader.seen('board_meeting', 'g', values)}
        and (g.confidential is not true or ${values.bind(userId)}::bigint = any(u.member_user_ids)
          or g.secretary_id = ${values.bind(employeeId)}::bigint) ${unit === null ? '' : `and g.unit_id = ${values.bind(unit)}`}
      order by g.held_on ${isWaiting ? '' : 'desc'}, g.id, a.no limit 8`,
  );
}

/** Items of the next meetings whose paper is missing. */
function missingPapers(call: ReportCall) {
  const reader = new SourceReader(call);
  const { userId, employeeId } = call.session;
  return reader.query<{ meeting_id: number; item: string; owner: string; unit: string; notice_by: string | null }>(
    (
      values,
    ) => `select g.id as meeting_id, coalesce(a.item, '') as item, e.name as owner, u.name as unit, g.notice_by::text
      from {board_meeting.agenda} a join {board_meeting} g on g.id = a.parent_id join {board_unit} u on u.id = g.unit_id
      join {employee} e on e.id = a.paper_by_id
      where a.paper is null and g.state in ('planned', 'called') and ${reader.seen('board_meeting', 'g', values)}
        and (g.confidential is not true or ${values.bind(userId)}::bigint = any(u.member_user_ids)
          or g.secretary_id = ${values.bind(employeeId)}::bigint)
      order by g.held_on, a.no limit 8`,
  );
}

/** Decisions of a unit, those that wait for the next meetings, or papers that are missing for these. */
const decisions: ReportSource = {
  reads: { board_meeting: ['agenda'], board_unit: [] },
  async rows(call) {
    if (call.args?.as === 'waiting') return { rows: await items(call, null, true) };
    if (call.args?.as === 'papers') return { rows: await missingPapers(call) };
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    return { rows: await items(call, unit.id, false), note: unit.name };
  },
};

export default decisions;
