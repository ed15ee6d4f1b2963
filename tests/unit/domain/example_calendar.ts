import { DateTime } from 'luxon';

const HOLIDAYS = new Set(
  '2025-04-10 2025-04-14 2025-04-18 2025-05-01 2025-08-15 2025-08-27 2025-10-01 2025-10-02 2025-10-20 2025-12-25 2026-01-14 2026-01-26'.split(
    ' ',
  ),
);

/** Whether a day is worked on in the example calendar of the design of Act: Sundays, 2nd and 4th Saturdays and 12 holidays are off. */
export function exampleCalendar(day: string): boolean {
  const at = DateTime.fromISO(day, { zone: 'utc' });
  if (HOLIDAYS.has(day) || at.weekday === 7) return false;
  return !(at.weekday === 6 && [2, 4].includes(Math.ceil(at.day / 7)));
}
