import { DateTime } from 'luxon';

/** A day so many days before another. */
export const daysBefore = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).minus({ days }).toISODate()!;
