import { Decimal } from 'decimal.js';
import { kpiFormula } from './kpi_formula.ts';

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** How a longer period follows from its own periods. */
export type Aggregation = 'sum' | 'average' | 'last' | 'min' | 'max' | 'weighted' | 'formula';

/** What a period has; both with at most 6 decimals, null = nothing. */
export interface PeriodFigures {
  actual: Decimal.Value | null;
  target: Decimal.Value | null;
  /** Where the KPI is weighted or calculated: what is approved on its sheet in the period. */
  around?: SheetFigures | null;
}

/** An approved figure beside others of the same sheet, and how its longer periods follow. */
export interface SheetFigure {
  actual: string;
  target: string | null;
  aggregation: Aggregation;
  formula: string | null;
  /** The code of the KPI that weights it. */
  weighted_by: string | null;
}

/** The approved figures of a sheet in a period, by the codes of their KPIs. */
export type SheetFigures = Readonly<Record<string, SheetFigure>>;

function weightedMean(values: readonly { value: Decimal.Value; weight: Decimal.Value }[]): string | null {
  const sum = (list: readonly Decimal[]) => list.reduce((all, value) => all.plus(value), new Exact(0));
  const weights = sum(values.map(({ weight }) => new Exact(weight)));
  if (weights.isZero()) return null;
  const all = sum(values.map(({ value, weight }) => new Exact(value).times(weight)));
  return all.dividedBy(weights).toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();
}

function together(
  values: readonly Decimal.Value[],
  aggregation: Exclude<Aggregation, 'weighted' | 'formula'>,
): string | null {
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

const PARTS = ['actual', 'target'] as const;
type Part = (typeof PARTS)[number];

/**
 * A figure of a sheet over periods. A formula is computed of its inputs over the periods that have all of them, a weighted
 * mean looks at those with a weight. @param within the codes whose formulas are being computed
 */
function figureOver(
  code: string,
  periods: readonly SheetFigures[],
  part: Part,
  within: readonly string[] = [],
): string | null {
  const own = periods.filter((one) => one[code] !== undefined);
  const kpi = own.at(-1)?.[code];
  const computed = kpi?.aggregation === 'formula' && part === 'actual' ? kpiFormula(kpi.formula ?? '') : null;
  if (computed !== null && !('wrong' in computed)) {
    const inputs = computed.looks.map((look) => look.code);
    if (inputs.some((one) => one === code || within.includes(one))) return null;
    const whole = periods.filter((one) => inputs.every((input) => one[input] !== undefined));
    const result = computed.compute(({ code: input, view }) =>
      view === 'value' || view === 'target'
        ? figureOver(input, whole, view === 'value' ? 'actual' : 'target', [...within, code])
        : null,
    );
    return 'value' in result ? result.value : null;
  }
  if (!kpi) return null;
  if (kpi.aggregation === 'weighted' && kpi.weighted_by !== null)
    return weightedMean(
      own.flatMap((one) => {
        const value = one[code]![part];
        const weight = one[kpi.weighted_by!]?.actual;
        return value === null || weight === undefined ? [] : [{ value, weight }];
      }),
    );
  const values = own.flatMap((one) => one[code]![part] ?? []);
  return together(
    values,
    kpi.aggregation === 'weighted' || kpi.aggregation === 'formula' ? 'average' : kpi.aggregation,
  );
}

/**
 * Actual and target of a longer period, from its own periods in their order (performance.md §5.6); the achievement is then
 * computed once of the two. Averages and the last value look at the periods that have an actual, for actual and target alike.
 * @param code of a KPI that is weighted or calculated, as in the figures around it
 */
export function overTime(
  periods: readonly PeriodFigures[],
  aggregation: Aggregation,
  code?: string,
): {
  actual: string | null;
  target: string | null;
} {
  const withActual = periods.filter(({ actual }) => actual !== null);
  const around = periods.flatMap(({ around: one }) => (one ? [one] : []));
  const isOfOthers = aggregation === 'weighted' || aggregation === 'formula';
  if (isOfOthers && code !== undefined && around.length > 0)
    return { actual: figureOver(code, around, 'actual'), target: figureOver(code, around, 'target') };
  const counted = aggregation === 'sum' ? periods : withActual;
  const [actual, target] = PARTS.map((part) =>
    together(
      (part === 'actual' ? withActual : counted).flatMap((one) => one[part] ?? []),
      isOfOthers ? 'average' : aggregation,
    ),
  );
  return { actual: actual!, target: target! };
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
