import { DateTime } from 'luxon';
import { shiftWorkingDays } from './working_days.ts';

export interface Delay {
  count: number;
  unit: 'minutes' | 'hours' | 'days' | 'working_days';
}

/**
 * The due time in milliseconds: a duration after a day (YYYY-MM-DD: from its start in the time zone) or after a point
 * in time. Days keep the local time of day; hours and minutes are elapsed time.
 */
export function dueMoment(
  value: string,
  { count, unit }: Delay,
  zone: string | null,
  works: (day: string) => boolean,
): number {
  const options = { zone: zone ?? 'local' };
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const start = isDay ? DateTime.fromISO(value, options) : DateTime.fromISO(value, options).setZone(options.zone);
  if (unit !== 'working_days') return start.plus({ [unit]: count }).toMillis();
  const day = DateTime.fromISO(shiftWorkingDays(start.toISODate()!, Math.trunc(count), works), options);
  return day.set({ hour: start.hour, minute: start.minute, second: start.second }).toMillis();
}
