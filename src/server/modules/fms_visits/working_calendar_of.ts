import { DateTime } from 'luxon';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';

const SHORT_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Whether a day, YYYY-MM-DD, is one of these weekdays (`mon` … `sun`). */
export function isWeekday(day: string, weekdays: readonly string[]): boolean {
  return weekdays.includes(SHORT_DAYS[DateTime.fromISO(day, { zone: 'utc' }).weekday - 1]!);
}

/** Whether a branch works on a day of the span: no holiday, no week-off, and not one of the days to avoid. */
export async function worksAt(
  { session }: Unit,
  branchId: number | null,
  span: { from: string; to: string },
  avoid: readonly string[] = [],
): Promise<(day: string) => boolean> {
  const works = await worksOn(session.tenant, { entityId: session.entityId!, branchId }, span.from, span.to);
  const known = new Map<string, boolean>();
  return (day) => {
    let result = known.get(day);
    if (result === undefined) known.set(day, (result = works(day) && !isWeekday(day, avoid)));
    return result;
  };
}
