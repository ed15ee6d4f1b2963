import { DateTime } from 'luxon';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The maximum number of days between a due day and the working day before it. */
const BACK = 400;

/** Whether a branch (null: the company) works on a day, for a range around the first and last day. */
export function workingDaysAt(
  { session }: Unit,
  branchId: number | null,
  first: string,
  last = first,
): Promise<(day: string) => boolean> {
  const at = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate()!;
  return worksOn(session.tenant, { entityId: session.entityId!, branchId }, at(first, -BACK), at(last, 60));
}
