import { nextFromCompletion, windowResult } from '../../../../domain/fms/visit_dates.ts';
import type { VisitFrequency } from '../../../../domain/fms/visit_dates.ts';
import { contractYear } from '../../../../domain/fms/contract_years.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { worksAt } from '../working_calendar_of.ts';

/** When the work of a ticket is complete its visit is done, and its position in the window is frozen. */
export const visitDone: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(
      typeof record.scheduled_ticket_id === 'number'
        ? [{ type: 'scheduled_ticket', id: record.scheduled_ticket_id }]
        : [],
    ),
  async apply({ unit: person, record }) {
    if (typeof record.scheduled_ticket_id !== 'number') return;
    const unit = person.elevated();
    const visit = await unit.read('scheduled_ticket', record.scheduled_ticket_id);
    const doneOn = dayOfRecord({ session: unit.session, now: unit.at }, record);
    const result = windowResult({ window_from: String(visit.window_from), window_to: String(visit.window_to) }, doneOn);
    // A reopened ticket is completed a second time: its visit is done already.
    if (!(await unit.takeAuto('scheduled_ticket', visit.id, 'finish', { done_on: doneOn, window_result: result })))
      return;
    await moveNext(unit, visit, doneOn);
  },
};

/** If the visits of a contract count from the last one made, moves the next planned visit. */
async function moveNext(unit: Unit, visit: Record<string, unknown>, doneOn: string): Promise<void> {
  const [next] = await unit.query<
    VisitFrequency & { id: number; start_on: string; from_on: string; to_on: string; avoid_days: string[] | null }
  >(
    `select n.id, v.visits_per_year, coalesce(v.first_after_days, 0) as first_after_days, coalesce(v.before_days, 0) as before_days,
       coalesce(v.after_days, 0) as after_days, coalesce(v.min_gap_days, 0) as min_gap_days, v.avoid_days,
       c.start_on::text, l.from_on::text, coalesce(l.closes_on, l.to_on)::text as to_on
     from {scheduled_ticket} n join {contract_line} l on l.id = n.contract_line_id join {contract} c on c.id = l.contract_id
     join {schedule_visit_mstr} v on v.id = c.schedule_visit_id
     where n.contract_line_id = $1 and n.status = 'planned' and v.basis = 'from_completion'
       and (n.contract_year, n.visit_no) > ($2, $3) order by n.contract_year, n.visit_no limit 1`,
    [visit.contract_line_id, visit.contract_year, visit.visit_no],
  );
  if (!next) return;
  const year = Number(visit.contract_year);
  const span = { from: next.from_on, to: next.to_on };
  const works = await worksAt(unit, visit.branch_id as number, span, next.avoid_days ?? []);
  const line = { start_on: next.start_on, year_no: year, line_from: next.from_on, line_to: next.to_on };
  // No visit may follow the last day of the line: the planned one keeps its day.
  if (contractYear(next.start_on, year).from_on > next.to_on) return;
  const moved = nextFromCompletion(next, line, doneOn, works);
  if (moved.due_on > next.to_on) return;
  await unit.update('scheduled_ticket', next.id, { ...moved, planned_on: moved.due_on });
}
