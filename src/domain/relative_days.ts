import type { RunningPeriod } from './dashboard_span.ts';
import { addDays, firstDay, laterPeriod } from './dashboard_span.ts';

/** Relative periods, by their keyword in an address: `day_from=last_month`. */
export const RELATIVE_DAYS = {
  today: { title: 'Today', period: 'day', count: 0 },
  yesterday: { title: 'Yesterday', period: 'day', count: -1 },
  this_week: { title: 'This week', period: 'week', count: 0 },
  last_week: { title: 'Last week', period: 'week', count: -1 },
  this_month: { title: 'This month', period: 'month', count: 0 },
  last_month: { title: 'Last month', period: 'month', count: -1 },
  this_quarter: { title: 'This quarter', period: 'quarter', count: 0 },
  last_quarter: { title: 'Last quarter', period: 'quarter', count: -1 },
  this_fy: { title: 'This financial year', period: 'fy', count: 0 },
  last_fy: { title: 'Last financial year', period: 'fy', count: -1 },
  this_year: { title: 'This calendar year', period: 'year', count: 0 },
  last_year: { title: 'Last calendar year', period: 'year', count: -1 },
  last_7_days: { title: 'Last 7 days', days: 7 },
  last_30_days: { title: 'Last 30 days', days: 30 },
  last_90_days: { title: 'Last 90 days', days: 90 },
} as const satisfies Record<string, { title: string } & ({ period: RunningPeriod; count: number } | { days: number })>;

export type RelativeWord = keyof typeof RELATIVE_DAYS;

/** Whether a text is the keyword of a relative period. */
export const isRelative = (text: string): text is RelativeWord => Object.hasOwn(RELATIVE_DAYS, text);

/**
 * The number of hours from now in a keyword: `next_2_hours`; null = it is not one. Only fields with a time use hours.
 */
export function hoursAhead(text: string): number | null {
  const found = /^next_([1-9]\d{0,2})_hours$/.exec(text);
  return found ? Number(found[1]) : null;
}

/** Whether a date parameter is the start of a period: `from`, `day_from`. All others are the end, or a single day. */
const begins = (name: string): boolean => name === 'from' || name.endsWith('_from');

/** The first and last day of a relative period. */
export function relativeDays(word: RelativeWord, today: string, fyStartMonth: number): [from: string, to: string] {
  const meant = RELATIVE_DAYS[word];
  // The given number of days up to and including today.
  if ('days' in meant) return [addDays(today, 1 - meant.days), today];
  const { period, count } = meant;
  const first = laterPeriod(period, firstDay(period, today, fyStartMonth), count);
  return [first, addDays(laterPeriod(period, first, 1), -1)];
}

/**
 * The day that a keyword means in a date parameter: the period's first day if the parameter starts a period, otherwise
 * its last.
 */
export function relativeDay(name: string, word: RelativeWord, today: string, fyStartMonth: number): string {
  return relativeDays(word, today, fyStartMonth)[begins(name) ? 0 : 1];
}

/** A date parameter together with the one that ends its period; `to` null: it is a single day. */
export interface DayParameter {
  from: string | null;
  to: string;
}

/** The date parameters among fields: those of a period are combined. */
export function dayParameters(fields: readonly { name: string; type: string }[]): DayParameter[] {
  const names = new Set(fields.filter(({ type }) => type === 'date').map(({ name }) => name));
  const partner = (name: string) => name.replace(/(^|_)from$/, '$1to');
  const ended = new Set([...names].filter(begins).map(partner));
  return [...names].flatMap((name): DayParameter[] =>
    begins(name)
      ? names.has(partner(name))
        ? [{ from: name, to: partner(name) }]
        : []
      : ended.has(name) && names.has(name.replace(/(^|_)to$/, '$1from'))
        ? []
        : [{ from: null, to: name }],
  );
}
