import { addDays } from '../../../../domain/dashboard_span.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';
import type { Fill } from '../../../engine/modules.ts';

/** The longest leave in days; the rules of the record refuse a longer one. */
const LONGEST_LEAVE = 366;

/** The working days of a leave by the calendar of the member's branch; half a day is 0.5. */
export const leaveDays: Fill = {
  async run({ unit, record }) {
    const { employee_id: member, from_date: from, to_date: to, part } = record;
    if (typeof member !== 'number' || typeof from !== 'string' || typeof to !== 'string') return { days: null };
    // The rules of the record refuse other days; they are not counted.
    if (to < from || to > addDays(from, LONGEST_LEAVE)) return { days: null };
    const [person] = await unit.query<{ branch_id: number | null; entity_id: number }>(
      'select branch_id, entity_id from {employee} where id = $1',
      [member],
    );
    if (!person) return { days: null };
    const { branch_id: branchId, entity_id: entityId } = person;
    const works = await worksOn(unit.session.tenant, { entityId, branchId, employeeId: member }, from, to);
    let days = 0;
    for (let day = from; day <= to; day = addDays(day, 1)) if (works(day)) days += part === 'day' ? 1 : 0.5;
    return { days: days.toFixed(1) };
  },
};
