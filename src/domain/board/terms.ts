import { DateTime } from 'luxon';

const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
const text = (date: DateTime) => date.toISODate()!;

/** The last day of a term: so many years on, less a day; a term from 29 February counts from 28 February. */
export function termEnd(from: string, years: number): string {
  return text(day(from).plus({ years }).minus({ days: 1 }));
}

/** Days before the end on which the secretary is notified. */
const ALERTS = [180, 90, 30] as const;

/** When people are notified that a term ends, the earliest first. */
export function termAlerts(until: string): string[] {
  return ALERTS.map((before) => text(day(until).minus({ days: before })));
}

/** From when an independent director may come back after the last allowed term. */
export function freeAgain(until: string, yearsOff = 3): string {
  return text(day(until).plus({ days: 1 }).plus({ years: yearsOff }));
}

/** A term of somebody on a seat. */
export interface Term {
  from: string;
  /** The last day; null = open. */
  until: string | null;
}

/**
 * How many terms in a row somebody has, with one that begins on `from`: terms with less than `yearsOff` between them follow
 * each other.
 */
export function termsInARow(past: readonly Term[], from: string, yearsOff = 3): number {
  let begin = from;
  let count = 1;
  for (const term of past.toSorted((a, b) => b.from.localeCompare(a.from))) {
    if (term.from >= begin) continue;
    if (term.until !== null && freeAgain(term.until, yearsOff) <= begin) break;
    count++;
    begin = term.from;
  }
  return count;
}

/** How a seat that fell vacant is to be filled by. */
export type VacancyRule = 'later' | 'earlier' | 'months';

/** By when the seat of an independent or a woman director is filled: by the next board meeting and three months. */
export function fillBy(vacantSince: string, nextMeeting: string | null, rule: VacancyRule, months = 3): string {
  const byMonths = text(day(vacantSince).plus({ months }));
  if (rule === 'months' || nextMeeting === null) return byMonths;
  return rule === 'later'
    ? nextMeeting > byMonths
      ? nextMeeting
      : byMonths
    : nextMeeting < byMonths
      ? nextMeeting
      : byMonths;
}
