import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { pageDay } from '../page_period.ts';
import { maySeePapers } from '../may_see_papers.ts';

/** Agenda items: pending decisions of the next meetings, or the latest decisions of a unit. */
function items(call: ReportCall, unit: number | null, isWaiting: boolean) {
  const reader = new SourceReader(call);
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
          : `g.state in ('held', 'minuted', 'entered') and a.decision is not null and g.held_on <= ${values.bind(pageDay(call))}::date`
      } and ${reader.seen('board_meeting', 'g', values)}
        and ${maySeePapers(call, values)} ${unit === null ? '' : `and g.unit_id = ${values.bind(unit)}`}
      order by g.held_on ${isWaiting ? '' : 'desc'}, g.id, a.no limit 8`,
  );
}

/** Agenda items of the next meetings without their paper. */
function missingPapers(call: ReportCall) {
  const reader = new SourceReader(call);
  return reader.query<{ meeting_id: number; item: string; owner: string; unit: string; notice_by: string | null }>(
    (
      values,
    ) => `select g.id as meeting_id, coalesce(a.item, '') as item, e.name as owner, u.name as unit, g.notice_by::text
      from {board_meeting.agenda} a join {board_meeting} g on g.id = a.parent_id join {board_unit} u on u.id = g.unit_id
      join {employee} e on e.id = a.paper_by_id
      where a.paper is null and g.state in ('planned', 'called') and ${reader.seen('board_meeting', 'g', values)}
        and ${maySeePapers(call, values)}
      order by g.held_on, a.no limit 8`,
  );
}

/** Decisions of a unit; with `as`, pending decisions or missing papers of the next meetings. */
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
