import { addMonths } from '../../descriptor/expression/functions.ts';

const DAY_MS = 86_400_000;

/** A range of days, both inclusive, YYYY-MM-DD. */
export interface Period {
  from_on: string;
  to_on: string;
}

/** A contract year; the first is 1. */
export interface ContractYear extends Period {
  year_no: number;
}

const time = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later, or earlier with a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(time(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Calendar days from the first day to the last, both inclusive; 0 or less if the last is earlier. */
export function daysIn({ from_on: from, to_on: to }: Period): number {
  return Math.round((time(to) - time(from)) / DAY_MS) + 1;
}

/** The common days of two periods; null = none. */
export function sharedDays(one: Period, other: Period): Period | null {
  const from = one.from_on > other.from_on ? one.from_on : other.from_on;
  const to = one.to_on < other.to_on ? one.to_on : other.to_on;
  return from <= to ? { from_on: from, to_on: to } : null;
}

/**
 * Consecutive periods of this many months from a day: each begins a multiple of the months after that day, keeping the
 * day of the month or falling back to the last day, always counted from the original day (section 5 of the design of
 * field service).
 * @param count how many
 */
export function monthPeriods(start: string, months: number, count: number): Period[] {
  return Array.from({ length: count }, (_, at) => ({
    from_on: addMonths(start, at * months),
    to_on: addDays(addMonths(start, (at + 1) * months), -1),
  }));
}

/** The last day of a contract of so many months. */
export function lastDay(start: string, months: number): string {
  return addDays(addMonths(start, months), -1);
}

/** A full contract year: the first begins on the first day of the contract. */
export function contractYear(start: string, yearNo: number): ContractYear {
  return {
    year_no: yearNo,
    from_on: addMonths(start, 12 * (yearNo - 1)),
    to_on: addDays(addMonths(start, 12 * yearNo), -1),
  };
}

/** The contract years that overlap with two days, each in full. `start`: first day of the contract. */
export function contractYears(start: string, within: Period): ContractYear[] {
  const years: ContractYear[] = [];
  for (let no = 1; ; no++) {
    const year = contractYear(start, no);
    if (year.from_on > within.to_on) return years;
    if (year.to_on >= within.from_on) years.push(year);
  }
}

/** The contract year of a day; null before the contract. */
export function contractYearOf(start: string, day: string): ContractYear | null {
  return day < start ? null : (contractYears(start, { from_on: day, to_on: day })[0] ?? null);
}
