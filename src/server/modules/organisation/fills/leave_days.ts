import { DateTime } from 'luxon';
import { worksOn } from '../../../access/people/working_calendar.ts';
import type { Fill } from '../../../engine/modules.ts';

/** Leave of more days is refused by the record's own rule. */
const MOST_DAYS = 366;

/** The working days of a leave by the calendar of the member's branch; half a day is 0.5. */
export const leaveDays: Fill = {
  async run({ unit, record }) {
    const { employee_id: member, from_date: from, to_date: to, part } = record;
    if (typeof member !== 'number' || typeof from !== 'string' || typeof to !== 'string') return { days: null };
    const last = DateTime.fromISO(to, { zone: 'utc' });
    const length = last.diff(DateTime.fromISO(from, { zone: 'utc' }), 'days').days;
    if (length < 0 || length > MOST_DAYS) return { days: null };
    const [person] = await unit.query<{ branch_id: number | null; entity_id: number }>(
      'select branch_id, entity_id from {employee} where id = $1',
      [member],
    );
    if (!person) return { days: null };
    const { branch_id: branchId, entity_id: entityId } = person;
    const works = await worksOn(unit.session.tenant, { entityId, branchId, employeeId: member }, from, to);
    let days = 0;
    for (let day = from; day <= to; day = DateTime.fromISO(day, { zone: 'utc' }).plus({ days: 1 }).toISODate()!)
      if (works(day)) days += part === 'day' ? 1 : 0.5;
    return { days: days.toFixed(1) };
  },
};
