import { addMonths } from '../../descriptor/expression/functions.ts';
import { addDays, contractYear, daysIn } from './contract_years.ts';

/** The visit frequency of a lift and how far a visit may move: a `schedule_visit_mstr`. Dates are YYYY-MM-DD. */
export interface VisitFrequency {
  visits_per_year: number;
  /** Days from the start of the contract year to the first visit. */
  first_after_days: number;
  before_days: number;
  after_days: number;
  /** Minimum days between two visits of a lift; 0 = no minimum. */
  min_gap_days: number;
}

/** A contract year, and the days on which the line of the lift is active. */
export interface VisitYear {
  /** First day of the contract; months are counted from it, so that month ends remain month ends. */
  start_on: string;
  /** 1 = the first year of the contract. */
  year_no: number;
  /** First and last day of the line, both included. */
  line_from: string;
  line_to: string;
}

export interface VisitDate {
  /** 1…N within the contract year. */
  visit_no: number;
  due_on: string;
  window_from: string;
  window_to: string;
}

const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);

/** Days of a contract year: 365 or 366. */
const daysOfYear = (startOn: string, yearNo: number): number => daysIn(contractYear(startOn, yearNo));

/** The k-th due day of a contract year, before holidays and week-offs (C11). */
function plainDue(frequency: VisitFrequency, { start_on: startOn, year_no: yearNo }: VisitYear, k: number): string {
  const n = frequency.visits_per_year;
  const months = 12 * (yearNo - 1);
  if (12 % n === 0) return addDays(addMonths(startOn, months + ((k - 1) * 12) / n), frequency.first_after_days);
  if (n === 24)
    return addDays(
      addMonths(startOn, months + Math.floor((k - 1) / 2)),
      frequency.first_after_days + ((k - 1) % 2) * 15,
    );
  return addDays(
    addMonths(startOn, months),
    frequency.first_after_days + Math.floor(((k - 1) * daysOfYear(startOn, yearNo)) / n),
  );
}

/**
 * The working day for a due day: the next one up to `last`, otherwise the last one before it, but not before `first`;
 * otherwise the day itself.
 */
export function workingDay(day: string, first: string, last: string, works: (day: string) => boolean): string {
  for (let one = day; one <= last; one = addDays(one, 1)) if (works(one)) return one;
  for (let one = addDays(day, -1); one >= first; one = addDays(one, -1)) if (works(one)) return one;
  return day;
}

/**
 * The visit for a due day: moved to a working day, with at least the minimum gap after the previous visit, never out of
 * its window. If its window has no working day, the visit is on the last working day before, and its window starts
 * there.
 */
function visitOn(
  frequency: VisitFrequency,
  due: string,
  line: Pick<VisitYear, 'line_from' | 'line_to'>,
  before: string | null,
  works: (day: string) => boolean,
): Omit<VisitDate, 'visit_no'> {
  const from = later(addDays(due, -frequency.before_days), line.line_from);
  const to = earlier(addDays(due, frequency.after_days), line.line_to);
  let dueOn = workingDay(due, line.line_from, to, works);
  const apart = before === null ? dueOn : addDays(before, frequency.min_gap_days);
  if (apart > dueOn) dueOn = workingDay(earlier(apart, to), later(from, earlier(dueOn, to)), to, works);
  return { due_on: dueOn, window_from: earlier(from, dueOn), window_to: later(to, dueOn) };
}

/**
 * The visits of a lift in a contract year (C11): only those due while the line is active. `works` tells whether a day
 * is neither holiday, week-off nor avoided. `before` is the last visit before the year, from which the gap is measured.
 */
export function visitDates(
  frequency: VisitFrequency,
  year: VisitYear,
  works: (day: string) => boolean,
  before: string | null = null,
): VisitDate[] {
  const visits: VisitDate[] = [];
  let last = before;
  for (let k = 1; k <= frequency.visits_per_year; k++) {
    const due = plainDue(frequency, year, k);
    if (due < year.line_from || due > year.line_to) continue;
    const visit = visitOn(frequency, due, year, last, works);
    visits.push({ visit_no: k, ...visit });
    last = visit.due_on;
  }
  return visits;
}

/** The next visit counted from the last completed one (basis `from_completion`, C11). */
export function nextFromCompletion(
  frequency: VisitFrequency,
  year: VisitYear,
  doneOn: string,
  works: (day: string) => boolean,
): Omit<VisitDate, 'visit_no'> {
  const n = frequency.visits_per_year;
  const due =
    12 % n === 0
      ? addMonths(doneOn, 12 / n)
      : addDays(doneOn, n === 24 ? 15 : Math.floor(daysOfYear(year.start_on, year.year_no) / n));
  return visitOn(frequency, due, year, doneOn, works);
}

/** The content row of a visit: the one with the greatest cycle that divides the visit's number; null = none does. */
export function contentOf<T extends { cycle: number }>(rows: readonly T[], visitNo: number): T | null {
  return (
    rows.filter(({ cycle }) => cycle > 0 && visitNo % cycle === 0).toSorted((a, b) => b.cycle - a.cycle)[0] ?? null
  );
}

/** The position of a visit in its window, frozen when it is done. */
export function windowResult(
  visit: Pick<VisitDate, 'window_from' | 'window_to'>,
  doneOn: string,
): 'early' | 'in_window' | 'late' {
  if (doneOn < visit.window_from) return 'early';
  return doneOn > visit.window_to ? 'late' : 'in_window';
}
