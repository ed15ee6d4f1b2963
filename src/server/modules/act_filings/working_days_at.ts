import { DateTime } from 'luxon';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Longest way back from a due day to the day on which it is worked at, in days. */
const BACK = 400;

/** Whether a branch (null: the company) works on a day, from long before the first day to some weeks after the last. */
export function workingDaysAt(
  { session }: Unit,
  branchId: number | null,
  first: string,
  last = first,
): Promise<(day: string) => boolean> {
  const at = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate()!;
  return worksOn(session.tenant, { entityId: session.entityId!, branchId }, at(first, -BACK), at(last, 60));
}
