import { DateTime } from 'luxon';
import { shiftWorkingDays } from '../working_days.ts';
import type { Works } from './recurrence.ts';

export type HolidayRule = 'none' | 'skip' | 'previous' | 'next' | 'modified_following' | 'nearest';
export type PeriodRule = 'same' | 'last_month' | 'last_quarter' | 'last_half' | 'last_year';

/** The limit of the search for a working day. */
const FAR = 366;

const utc = (day: string) => DateTime.fromISO(day, { zone: 'utc' });

/**
 * A day moved off holidays and week-offs by a rule (§5.1); null = it is dropped. Of two equally near days the earlier.
 */
export function shiftOffHoliday(day: string, rule: HolidayRule, works: Works): string | null {
  if (rule === 'none' || works(day)) return day;
  if (rule === 'skip') return null;
  const towards = (step: 1 | -1) => {
    for (let at = 1; at <= FAR; at++) {
      const candidate = utc(day)
        .plus({ days: at * step })
        .toISODate()!;
      if (works(candidate)) return candidate;
    }
    return day;
  };
  const next = () => towards(1);
  const previous = () => towards(-1);
  if (rule === 'next') return next();
  if (rule === 'previous') return previous();
  if (rule === 'modified_following') {
    const later = next();
    return later.slice(0, 7) === day.slice(0, 7) ? later : previous();
  }
  const [before, after] = [previous(), next()];
  const [down, up] = [utc(day).diff(utc(before), 'days').days, utc(after).diff(utc(day), 'days').days];
  return down <= up ? before : after;
}

/** The days of an occurrence; all YYYY-MM-DD. */
export interface TaskDates {
  shifted: string;
  target_on: string;
  due_on: string;
  opens_on: string;
}

/** The days derived from a nominal day (§5.1): a statutory task is due on the day set by law. null = it is skipped. */
export function taskDates(
  nominal: string,
  rule: {
    statutory: boolean;
    holiday_rule: HolidayRule;
    advance_days: number;
    lead_days: number;
    extended?: string | null;
  },
  works: Works,
): TaskDates | null {
  const shifted = shiftOffHoliday(nominal, rule.holiday_rule, works);
  if (shifted === null) return null;
  const target = shiftWorkingDays(shifted, -rule.advance_days, works);
  return {
    shifted,
    target_on: target,
    due_on: rule.statutory ? (rule.extended ?? nominal) : shifted,
    opens_on: shiftWorkingDays(target, -rule.lead_days, works),
  };
}

const MONTHS: Record<Exclude<PeriodRule, 'same'>, number> = {
  last_month: 1,
  last_quarter: 3,
  last_half: 6,
  last_year: 12,
};

/**
 * The period that an occurrence covers: the (lag + 1)-th last complete month, quarter, half or financial year that ends
 * before the nominal day. `fyStart`: the first month of the financial year.
 */
export function periodOf(nominal: string, rule: PeriodRule, lag = 0, fyStart = 4): { from: string; to: string } {
  if (rule === 'same') return { from: nominal, to: nominal };
  const length = MONTHS[rule];
  const month = utc(nominal).startOf('month');
  const into = (((month.month - fyStart) % length) + length) % length;
  const begins = month.minus({ months: into + length * (lag + 1) });
  return {
    from: begins.toISODate()!,
    to: begins.plus({ months: length }).minus({ days: 1 }).toISODate()!,
  };
}

/**
 * The days whose occurrences are still to be created: those after the last run's, however long ago, up to this many
 * days ahead. null = none, also if the clock was set back.
 */
export function daysToGenerate(
  { through, startOn }: { through: string | null; startOn: string },
  today: string,
  aheadDays: number,
): { from: string; to: string } | null {
  const from = through === null ? startOn : utc(through).plus({ days: 1 }).toISODate()!;
  const to = utc(today).plus({ days: aheadDays }).toISODate()!;
  return from > to ? null : { from, to };
}

/** The next person in numeric order; after the last one the first. null = nobody. */
export function nextInRound(members: readonly number[], last: number | null): number | null {
  const sorted = members.toSorted((a, b) => a - b);
  return sorted.find((one) => one > (last ?? Number.NEGATIVE_INFINITY)) ?? sorted[0] ?? null;
}

/**
 * The person with the fewest open tasks; on a tie the one who has waited longest since the last one, then the lower
 * number.
 */
export function leastBusy(members: readonly { id: number; open: number; last_on: string | null }[]): number | null {
  const [first] = members.toSorted(
    (a, b) => a.open - b.open || (a.last_on ?? '').localeCompare(b.last_on ?? '') || a.id - b.id,
  );
  return first?.id ?? null;
}
