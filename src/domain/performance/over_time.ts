import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** How a longer period follows from its own periods. */
export type Aggregation = 'sum' | 'average' | 'last' | 'min' | 'max';

/** What a period has; both with at most 6 decimals, null = nothing. */
export interface PeriodFigures {
  actual: Decimal.Value | null;
  target: Decimal.Value | null;
}

function together(values: readonly Decimal.Value[], aggregation: Aggregation): string | null {
  if (values.length === 0) return null;
  const exact = values.map((value) => new Exact(value));
  const sum = () => exact.reduce((all, value) => all.plus(value), new Exact(0));
  const result = {
    sum,
    average: () => sum().dividedBy(exact.length),
    last: () => exact.at(-1)!,
    min: () => Decimal.min(...exact),
    max: () => Decimal.max(...exact),
  }[aggregation]();
  return result.toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();
}

/**
 * Actual and target of a longer period, from its own periods in their order (performance.md §5.6); the achievement is then
 * computed once of the two. Averages and the last value look at the periods that have an actual, for actual and target alike.
 */
export function overTime(
  periods: readonly PeriodFigures[],
  aggregation: Aggregation,
): {
  actual: string | null;
  target: string | null;
} {
  const withActual = periods.filter(({ actual }) => actual !== null);
  const counted = aggregation === 'sum' ? periods : withActual;
  return {
    actual: together(
      withActual.flatMap(({ actual }) => (actual === null ? [] : [actual])),
      aggregation,
    ),
    target: together(
      counted.flatMap(({ target }) => (target === null ? [] : [target])),
      aggregation,
    ),
  };
}

/** How a running period stands: what was to be reached by now, and the actual in percent of it. */
export interface Pace {
  expected: string;
  percent: string;
}

/** The pace of a running period by its working days (§5.6); null = nothing was to be reached yet. */
export function paceOf(actual: Decimal.Value, target: Decimal.Value, days: { gone: number; all: number }): Pace | null {
  if (days.gone === 0 || days.all === 0) return null;
  const expected = new Exact(target).times(days.gone).dividedBy(days.all);
  if (expected.lessThanOrEqualTo(0)) return null;
  const percent = new Exact(actual).times(100).dividedBy(expected);
  const shown = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed();
  return { expected: shown(expected), percent: shown(percent) };
}

/** Score of a year with several sheets: each by the days it was in force (§5.9), with 2 decimals; null without one. */
export function scoreOfSheets(sheets: readonly { score: Decimal.Value; days: number }[]): string | null {
  const days = sheets.reduce((all, sheet) => all + sheet.days, 0);
  if (days === 0) return null;
  const sum = sheets.reduce<Decimal>((all, sheet) => all.plus(new Exact(sheet.score).times(sheet.days)), new Exact(0));
  return sum.dividedBy(days).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);
}

/** Whether a score goes up or down: against the mean of the three before, by more than 2 (§5.20); null without any before. */
export function trendOf(score: Decimal.Value, before: readonly Decimal.Value[]): 'up' | 'down' | 'level' | null {
  const last = before.slice(-3);
  if (last.length === 0) return null;
  const mean = last.reduce<Decimal>((all, value) => all.plus(value), new Exact(0)).dividedBy(last.length);
  const change = new Exact(score).minus(mean);
  return change.greaterThan(2) ? 'up' : change.lessThan(-2) ? 'down' : 'level';
}
