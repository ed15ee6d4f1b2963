import { DateTime } from 'luxon';
import { shiftWorkingDays } from '../working_days.ts';

/** The recurrence and due date of a return, in the words of the statutory form. */
export interface DueRule {
  frequency: 'monthly' | 'quarterly' | 'half_yearly' | 'yearly' | 'once';
  /** 1 to 31; 31 is the last day of the month. */
  due_day: number;
  /** Months between the end of the period and the due month. */
  due_months_after: number;
  /** The last month of the return's year: 3 for the financial year, 12 for the calendar year. */
  year_end_month: number;
  /** Periods that end in these months have other due days. */
  other_due_dates: readonly { period_month: number; due_month: number; due_day: number }[];
}

export type HolidayRule = 'none' | 'previous' | 'next';

/** A period of a return and its statutory due day. Days are YYYY-MM-DD. */
export interface DuePeriod {
  period_from: string;
  period_to: string;
  due_on: string;
}

export interface FilingDates {
  /** The statutory day, moved off a holiday by the rule of the form. */
  shifted: string;
  /** The company's own target, this many working days earlier. */
  target_on: string;
  /** When work on it starts. */
  opens_on: string;
}

const MONTHS = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12 } as const;

/** A month, counted from year 0, with the day limited to its length. */
function dayOfMonth(month: number, day: number): string {
  const first = DateTime.utc(Math.floor(month / 12), (month % 12) + 1, 1);
  return first.set({ day: Math.min(day, first.daysInMonth!) }).toISODate()!;
}

function dueOf(endMonth: number, rule: DueRule): string {
  const month = (endMonth % 12) + 1;
  const other = rule.other_due_dates.find(({ period_month: one }) => one === month);
  if (!other) return dayOfMonth(endMonth + rule.due_months_after, rule.due_day);
  return dayOfMonth(endMonth + ((other.due_month - month + 12) % 12), other.due_day);
}

/** All periods of a return due between two days, both included, in order; none for a one-time return. */
export function duePeriods(rule: DueRule, from: string, to: string): DuePeriod[] {
  if (rule.frequency === 'once' || from > to) return [];
  const months = MONTHS[rule.frequency];
  const monthOf = (value: string) => {
    const at = DateTime.fromISO(value, { zone: 'utc' });
    return at.year * 12 + at.month - 1;
  };
  // A return is due at most 18 months after its period, an instalment up to one period before its end.
  const result: DuePeriod[] = [];
  for (let end = monthOf(from) - 19; end <= monthOf(to) + 12; end++) {
    if ((((end + 1 - rule.year_end_month) % months) + months) % months !== 0) continue;
    const dueOn = dueOf(end, rule);
    if (dueOn < from || dueOn > to) continue;
    result.push({ period_from: dayOfMonth(end - months + 1, 1), period_to: dayOfMonth(end, 31), due_on: dueOn });
  }
  return result.toSorted((a, b) => a.due_on.localeCompare(b.due_on) || a.period_from.localeCompare(b.period_from));
}

/** The day this many calendar days after an event, such as 30 days after the annual general meeting (O12). */
export function dueAfterEvent(eventDate: string, days: number): string {
  return DateTime.fromISO(eventDate, { zone: 'utc' }).plus({ days }).toISODate()!;
}

/** A day moved from a day off to the working day before or after it. */
function shiftFromHoliday(value: string, rule: HolidayRule, works: (day: string) => boolean): string {
  if (rule === 'none' || works(value)) return value;
  return shiftWorkingDays(value, rule === 'previous' ? -1 : 1, works);
}

/** Own target and first day of a filing, in working days before the statutory day (5.1: O1, O2, O13). */
export function filingDates(
  dueOn: string,
  rule: { holiday_rule: HolidayRule; advance_days: number; lead_days: number },
  works: (day: string) => boolean,
): FilingDates {
  const shifted = shiftFromHoliday(dueOn, rule.holiday_rule, works);
  const target = shiftWorkingDays(shifted, -rule.advance_days, works);
  return { shifted, target_on: target, opens_on: shiftWorkingDays(target, -rule.lead_days, works) };
}
