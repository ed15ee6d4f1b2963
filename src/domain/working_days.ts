import { DateTime } from 'luxon';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The week-offs of a branch; of several, the latest one in effect counts. Dates are YYYY-MM-DD. */
export interface WeekOffPolicy {
  effective_from: string;
  rules: { weekday: Weekday; weeks: string[]; part: 'full' | 'first_half' | 'second_half' | null }[];
  exceptions: { date: string; working: boolean }[];
}

/** A stored holiday, with how it is carried over. */
export interface YearHoliday extends HolidaySpan {
  id: number;
  name: string;
  holiday_group: string;
  /** On the same day every year. */
  fixed_date: boolean;
}

export interface CopiedHoliday {
  copy_of: number;
  name: string;
  holiday_group: string;
  /** Last year's days. */
  was: string;
  was_to: string | null;
  /** null = moves from year to year: a person must enter it. */
  date: string | null;
  to_date: string | null;
  /** Next year already has one with this name and list. */
  exists: boolean;
}

/**
 * Last year's holidays as next year's: those on a fixed date keep it, the others must be entered. The 29th of February
 * is one of the others.
 */
export function copyOfYear(
  last: readonly YearHoliday[],
  next: readonly Pick<YearHoliday, 'name' | 'holiday_group'>[],
): CopiedHoliday[] {
  const key = ({ name, holiday_group: group }: Pick<YearHoliday, 'name' | 'holiday_group'>) =>
    `${name.toLowerCase()}/${group.toLowerCase()}`;
  const there = new Set(next.map(key));
  const later = (day: string | null) => {
    if (day === null) return null;
    const moved = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
    return DateTime.fromISO(moved, { zone: 'utc' }).isValid ? moved : null;
  };
  return last.map((holiday) => {
    const date = holiday.fixed_date ? later(holiday.date) : null;
    return {
      copy_of: holiday.id,
      name: holiday.name,
      holiday_group: holiday.holiday_group,
      was: holiday.date,
      was_to: holiday.to_date,
      date,
      to_date: date === null ? null : later(holiday.to_date),
      exists: there.has(key(holiday)),
    };
  });
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
  /** Including those on a day off, which count once. */
  holidays: string[];
}

/** Which occurrence of its weekday in the month a day is: 30-03-2025 is the 5th Sunday. Never the row of a calendar. */
export function weekOfMonth(dayOfMonth: number): number {
  return Math.ceil(dayOfMonth / 7);
}

/** How much of a day is worked under a policy: 1, 0.5 or 0. */
export function workOf(day: string, policies: readonly WeekOffPolicy[]): number {
  return dayOf(day, policies).work;
}

export interface DayOff {
  work: number;
  /** The rule that applies: "Every Sunday", "2nd Saturday", "Exception"; null on a regular working day. */
  why: string | null;
}

/** The result of a policy for a day, and the rule that applies. */
export function dayOf(day: string, policies: readonly WeekOffPolicy[]): DayOff {
  const policy = policies
    .filter(({ effective_from: from }) => from <= day)
    .toSorted((a, b) => b.effective_from.localeCompare(a.effective_from))[0];
  if (!policy) return { work: 1, why: null };
  const exception = policy.exceptions.find(({ date }) => date === day);
  if (exception) return { work: exception.working ? 1 : 0, why: 'Exception' };
  const at = DateTime.fromISO(day, { zone: 'utc' });
  const week = String(weekOfMonth(at.day));
  const rules = policy.rules.filter(
    ({ weekday, weeks }) => WEEKDAYS[at.weekday - 1] === weekday && (weeks.includes('all') || weeks.includes(week)),
  );
  if (rules.length === 0) return { work: 1, why: null };
  const parts = rules.map(({ part }) => part ?? 'full');
  const name = at.setLocale('en').weekdayLong!;
  const why = rules.some(({ weeks }) => weeks.includes('all'))
    ? `Every ${name}`
    : `${ORDINALS[Number(week) - 1]} ${name}`;
  return {
    work: parts.includes('full') || (parts.includes('first_half') && parts.includes('second_half')) ? 0 : 0.5,
    why,
  };
}

/** Which part of a day is off under a policy. */
export function partOff(
  day: string,
  policies: readonly WeekOffPolicy[],
): 'none' | 'full' | 'first_half' | 'second_half' {
  const { work } = dayOf(day, policies);
  if (work === 1) return 'none';
  if (work === 0) return 'full';
  const at = DateTime.fromISO(day, { zone: 'utc' });
  const week = String(weekOfMonth(at.day));
  const newest = policies
    .filter(({ effective_from: from }) => from <= day)
    .toSorted((a, b) => b.effective_from.localeCompare(a.effective_from))[0];
  const rule = newest?.rules.find(
    ({ weekday, weeks }) => WEEKDAYS[at.weekday - 1] === weekday && (weeks.includes('all') || weeks.includes(week)),
  );
  return rule?.part === 'first_half' ? 'first_half' : 'second_half';
}

const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th'];

/** Whether the rules leave at least part of one day of every week to work. */
export function leavesWork(rules: WeekOffPolicy['rules']): boolean {
  return WEEKDAYS.some(
    (weekday) =>
      !['1', '2', '3', '4', '5'].every((week) => {
        const parts = rules
          .filter((rule) => rule.weekday === weekday && (rule.weeks.includes('all') || rule.weeks.includes(week)))
          .map(({ part }) => part ?? 'full');
        return parts.includes('full') || (parts.includes('first_half') && parts.includes('second_half'));
      }),
  );
}

/** The working days from `from` to `to`, both included: without week-offs and holidays. */
export function workingDays(
  from: string,
  to: string,
  policies: readonly WeekOffPolicy[],
  holidays: readonly HolidaySpan[],
): WorkingDays {
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

/** The limit of the search for a working day. */
const FAR = 366;

/**
 * The n-th working day after a day, or before it for a negative count; 0 is the day itself. If there is no working day
 * within a year, the remaining days are counted as calendar days.
 */
export function shiftWorkingDays(day: string, count: number, works: (day: string) => boolean): string {
  const step = Math.sign(count);
  let at = DateTime.fromISO(day, { zone: 'utc' });
  let idle = 0;
  for (let left = Math.abs(count); left > 0;) {
    at = at.plus({ days: step });
    const counts = idle >= FAR || works(at.toISODate()!);
    idle = counts ? (idle >= FAR ? idle : 0) : idle + 1;
    if (counts) left--;
  }
  return at.toISODate()!;
}
