import { DateTime } from 'luxon';

export interface IsoWeek {
  /** Its Monday, YYYY-MM-DD. */
  monday: string;
  /** `W53 2026`: number and year by ISO 8601, in which a week belongs to the year of its Thursday. */
  title: string;
}

/** The weeks up to and including the one of a day, oldest first. */
export function weeksUntil(day: string, count: number): IsoWeek[] {
  const last = DateTime.fromISO(day, { zone: 'utc' }).startOf('week');
  return Array.from({ length: count }, (_, at) => {
    const monday = last.minus({ weeks: count - 1 - at });
    return { monday: monday.toISODate()!, title: monday.toFormat("'W'WW kkkk") };
  });
}
