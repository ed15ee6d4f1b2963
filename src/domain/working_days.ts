import { DateTime } from 'luxon';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When a branch rests; of several the newest that has begun counts. Dates are YYYY-MM-DD. */
export interface WeekOffPolicy {
  effective_from: string;
  rules: { weekday: Weekday; weeks: string[]; part: 'full' | 'first_half' | 'second_half' | null }[];
  exceptions: { date: string; working: boolean }[];
}

export interface HolidaySpan {
  date: string;
  /** null = one day. */
  to_date: string | null;
}

export interface WorkingDays {
  /** A half day off leaves half a working day. */
  working_days: number;
  week_offs: string[];
  half_days: string[];
  /** Also those on a day off, which count once. */
  holidays: string[];
}

/** Which of its weekdays in the month a day is: 30-03-2025 is the 5th Sunday. Never the row of a calendar. */
export function weekOfMonth(dayOfMonth: number): number {
  return Math.ceil(dayOfMonth / 7);
}

/** How much of a day a policy leaves to work: 1, 0.5 or 0. */
export function workOf(day: string, policies: readonly WeekOffPolicy[]): number {
  const policy = policies.filter(({ effective_from: from }) => from <= day).toSorted((a, b) => b.effective_from.localeCompare(a.effective_from))[0];
  if (!policy) return 1;
  const exception = policy.exceptions.find(({ date }) => date === day);
  if (exception) return exception.working ? 1 : 0;
  const at = DateTime.fromISO(day, { zone: 'utc' });
  const week = String(weekOfMonth(at.day));
  const parts = policy.rules.filter(({ weekday, weeks }) => WEEKDAYS[at.weekday - 1] === weekday && (weeks.includes('all') || weeks.includes(week))).map(({ part }) => part ?? 'full');
  if (parts.includes('full') || (parts.includes('first_half') && parts.includes('second_half'))) return 0;
  return parts.length > 0 ? 0.5 : 1;
}

/** The working days from `from` to `to`, both included: what week-offs and holidays leave. */
export function workingDays(from: string, to: string, policies: readonly WeekOffPolicy[], holidays: readonly HolidaySpan[]): WorkingDays {
  const result: WorkingDays = { working_days: 0, week_offs: [], half_days: [], holidays: [] };
  const end = DateTime.fromISO(to, { zone: 'utc' });
  for (let at = DateTime.fromISO(from, { zone: 'utc' }); at <= end; at = at.plus({ days: 1 })) {
    const day = at.toISODate()!;
    const work = workOf(day, policies);
    if (work === 0) result.week_offs.push(day);
    else if (work < 1) result.half_days.push(day);
    const holiday = holidays.some(({ date, to_date: until }) => date <= day && day <= (until ?? date));
    if (holiday) result.holidays.push(day);
    else result.working_days += work;
  }
  return result;
}
