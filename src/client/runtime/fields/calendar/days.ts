import { monthNames } from '../../../../domain/month_names.ts';

/** Days as YYYY-MM-DD, independent of time zones. */

/** The week begins on Monday. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const two = (value: number) => String(value).padStart(2, '0');

function utc(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

export function addDays(day: string, count: number): string {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** The same day of another month, or that month's last. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 7)}-${two(Math.min(date, last))}`;
}

/** 0 = Monday. */
export function weekday(day: string): number {
  return (utc(day).getUTCDay() + 6) % 7;
}

/** The weeks that a month touches, each with seven days. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`;
  const start = addDays(first, -weekday(first));
  const weeks: string[][] = [];
  for (let week = start; week.slice(0, 7) <= month; week = addDays(week, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(week, index)));
  }
  return weeks;
}

/** "Friday, 21 November 2025". */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${weekdays[weekday(day)]}, ${date} ${monthNames[(month ?? 1) - 1]} ${year}`;
}
