import { DateTime } from 'luxon';

/** The number of months in a period; figures of days and weeks are scored by the month. */
export const MONTHS_OF = { daily: 1, weekly: 1, monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12 } as const;
export type Frequency = keyof typeof MONTHS_OF;

/** The twelve months of a financial year, YYYY-MM. @param year in stored form: 2025-2026 */
export function monthsOfYear(year: string, startMonth: number): string[] {
  const first = DateTime.utc(Number(year.slice(0, 4)), startMonth, 1);
  return Array.from({ length: 12 }, (_, at) => first.plus({ months: at }).toFormat('yyyy-MM'));
}

/** Indexes (0 to 11) of the months in which periods of a frequency end. */
export function endsOf(frequency: Frequency): number[] {
  const step = MONTHS_OF[frequency];
  return Array.from({ length: 12 / step }, (_, at) => (at + 1) * step - 1);
}

/** The last day of a month, YYYY-MM-DD. */
export const lastDay = (month: string): string =>
  DateTime.fromISO(`${month}-01`, { zone: 'utc' }).endOf('month').toISODate()!;

/** So many months after a month, YYYY-MM. */
export const addMonths = (month: string, count: number): string =>
  DateTime.fromISO(`${month}-01`, { zone: 'utc' }).plus({ months: count }).toFormat('yyyy-MM');

/** A day plus a number of days. */
export const daysAfter = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate()!;

/** The number of days from one day to another, both included; 0 or less if the second is earlier. */
export const daysFromTo = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;

/** The column of a sheet line with the target of a month, by its index. */
export const targetColumn = (place: number): string => `t${String(place + 1).padStart(2, '0')}`;
