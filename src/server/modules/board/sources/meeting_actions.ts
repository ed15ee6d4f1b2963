import { addDays } from '../../../../domain/dashboard_span.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../../engine/reports/report_source.ts';
import { ACTION_READS, actionRows, isOpen } from '../action_rows.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { pageDay } from '../page_period.ts';

/** The maximum number of actions that the tile lists. */
const MAX_LISTED = 10;

/** The open actions of the page's unit by due date. */
async function ofUnit(call: ReportCall): Promise<ReportRows> {
  const unit = await chosenUnit(call);
  if (!unit) return { rows: [] };
  if (!unit.shows_papers)
    return { rows: [], note: 'The actions are confidential: members and the secretary see them.' };
  const open = (await actionRows(call, { unit: unit.id, day: pageDay(call) })).filter(isOpen);
  return {
    rows: open.slice(0, MAX_LISTED).map(({ what, owner, due_on, standing, meeting_id }) => ({
      meeting_id,
      what,
      owner,
      due_on,
      standing,
    })),
    note: open.length > MAX_LISTED ? `${unit.name}: ${MAX_LISTED} of ${open.length}` : unit.name,
  };
}

/** Each owner with open and late actions, by the age of the oldest one. */
async function byOwner(call: ReportCall): Promise<ReportRows> {
  const open = (await actionRows(call, { day: pageDay(call) })).filter(isOpen);
  return {
    rows: [...Map.groupBy(open, ({ owner_id: id }) => id)]
      .map(([owner_id, own]) => ({
        owner_id,
        owner: own[0]!.owner,
        open: own.length,
        late: own.filter(({ standing }) => standing === 'late').length,
        oldest: Math.max(...own.map(({ age }) => age)),
        hand_over: own.some((one) => one.hand_over) ? 'To hand over' : null,
      }))
      .toSorted((a, b) => b.oldest - a.oldest || a.owner.localeCompare(b.owner)),
  };
}

/** Actions of meetings: of a unit, by owner, or how many are late (board.md §7). */
const meetingActions: ReportSource = {
  reads: ACTION_READS,
  async rows(call) {
    switch (call.args?.as) {
      case 'owners':
        return byOwner(call);
      case 'late': {
        const day = pageDay(call);
        const open = (await actionRows(call, { day, to: addDays(day, -1) })).filter(isOpen);
        return { rows: [{ n: open.length }] };
      }
      default:
        return ofUnit(call);
    }
  },
};

export default meetingActions;
