import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** How the figure of a sheet follows from those of the sheets that count into it. */
export type RollUp = 'sum' | 'average' | 'weighted' | 'last' | 'min' | 'max';

/** A figure that somebody entered, anywhere below; amounts are decimals as text. */
export interface Contribution {
  value: string;
  /** Weighted averages: its weight; null = none. */
  weight: string | null;
  /** When it was approved. */
  at: string;
}

/**
 * The figure of everybody below (performance.md §5.7), with at most 6 decimals: of the figures themselves, because a mean
 * of means is wrong where the groups differ in size. null = nothing contributes.
 */
export function rollUp(contributions: readonly Contribution[], method: RollUp): string | null {
  const counted = method === 'weighted' ? contributions.filter(({ weight }) => weight !== null) : contributions;
  if (counted.length === 0) return null;
  const values = counted.map(({ value }) => new Exact(value));
  const sum = (of: readonly Decimal[]) => of.reduce<Decimal>((all, one) => all.plus(one), new Exact(0));
  const weights = counted.map(({ weight }) => new Exact(weight ?? 1));
  const all = sum(weights);
  if (method === 'weighted' && all.isZero()) return null;
  const result = {
    sum: () => sum(values),
    average: () => sum(values).dividedBy(values.length),
    weighted: () => sum(values.map((value, at) => value.times(weights[at]!))).dividedBy(all),
    last: () => new Exact(counted.reduce((latest, one) => (one.at >= latest.at ? one : latest)).value),
    min: () => Decimal.min(...values),
    max: () => Decimal.max(...values),
  }[method]();
  return result.toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();
}
