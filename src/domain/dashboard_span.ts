/**
 * The days that a tile counts: so many from today, or those of the running period. `at`: the filter with the month whose
 * last day stands in place of today.
 */
export type Span = { of: string; at?: string } & ({ from?: number; to?: number } | { this: RunningPeriod });
export type RunningPeriod = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'fy';
/** With which days a figure is compared. */
export type Comparison = 'before' | 'same_weekday' | 'year_before';

/** First and last day, YYYY-MM-DD; null = without end. */
export type Days = [from: string | null, to: string | null];

const DAY_MS = 86_400_000;

/** The day a number of days later. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The day a number of months later; the last day of a month that is too short. */
export function addMonths(day: string, count: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + count, 0));
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())))
    .toISOString()
    .slice(0, 10);
}

/** The first day of the period that a day lies in; weeks begin on Monday. */
export function firstDay(period: RunningPeriod, day: string, fyStartMonth: number): string {
  const month = Number(day.slice(5, 7));
  const monthFirst = `${day.slice(0, 7)}-01`;
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
    case 'month':
      return monthFirst;
    case 'quarter':
      return addMonths(monthFirst, -((month - 1) % 3));
    case 'year':
      return addMonths(monthFirst, 1 - month);
    case 'fy':
      return addMonths(monthFirst, -((month - fyStartMonth + 12) % 12));
  }
}

const MONTHS: Partial<Record<RunningPeriod, number>> = { month: 1, quarter: 3, year: 12, fy: 12 };

/** The first day of the period so many periods later. */
export function laterPeriod(period: RunningPeriod, first: string, count: number): string {
  const months = MONTHS[period];
  return months === undefined ? addDays(first, count * (period === 'week' ? 7 : 1)) : addMonths(first, count * months);
}

/** The day from which a past month is looked at: its last one; today for the running month, a later one or none. */
export function dayOfMonth(month: string | null, today: string): string {
  if (month === null) return today;
  const last = addDays(addMonths(`${month}-01`, 1), -1);
  return last < today ? last : today;
}

/** The days of a span as seen from `today`. What is compared ends today: a whole month stands against no part of one. */
export function daysOf(span: Span, today: string, fyStartMonth: number, isCompared = false): Days {
  if (!('this' in span))
    return [
      span.from === undefined ? null : addDays(today, span.from),
      span.to === undefined ? null : addDays(today, span.to),
    ];
  const first = firstDay(span.this, today, fyStartMonth);
  return [first, isCompared ? today : addDays(laterPeriod(span.this, first, 1), -1)];
}

/** The days with which those of a span are compared; null where they have no end. */
export function comparedDays([from, to]: Days, comparison: Comparison, span: Span): Days | null {
  if (from === null || to === null) return null;
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  switch (comparison) {
    case 'year_before':
      return [addMonths(from, -12), addMonths(to, -12)];
    case 'same_weekday': {
      const back = -7 * Math.ceil(length / 7);
      return [addDays(from, back), addDays(to, back)];
    }
    case 'before': {
      const months = 'this' in span ? MONTHS[span.this] : undefined;
      // The same part of the month before, not as many days of it.
      if (months !== undefined && from.endsWith('-01')) return [addMonths(from, -months), addMonths(to, -months)];
      return [addDays(from, -length), addDays(to, -length)];
    }
  }
}
