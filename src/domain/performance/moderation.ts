import { Decimal } from 'decimal.js';
import { parts } from './phasing.ts';

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
type Amount = Decimal.Value;

function meanAndDeviation(values: readonly Amount[]): { mean: Decimal; deviation: Decimal } {
  const mean = values.reduce<Decimal>((all, value) => all.plus(value), new Exact(0)).dividedBy(values.length);
  const squares = values.reduce<Decimal>((all, value) => all.plus(new Exact(value).minus(mean).pow(2)), new Exact(0));
  return { mean, deviation: squares.dividedBy(values.length).sqrt() };
}

/**
 * A score as it would be if its manager rated as the whole group does (§5.12): advice, never applied by itself.
 * @param own scores that the same manager gave, this one among them
 * @returns with 2 decimals; null for groups below `least`
 */
export function normalisedScore(
  score: Amount,
  own: readonly Amount[],
  group: readonly Amount[],
  least: number,
): string | null {
  if (group.length < least || own.length === 0) return null;
  const manager = meanAndDeviation(own);
  const all = meanAndDeviation(group);
  const off = new Exact(score).minus(manager.mean);
  const shift = manager.deviation.isZero() ? off : off.dividedBy(manager.deviation).times(all.deviation);
  return all.mean.plus(shift).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);
}

/** How many of so many members the bands have by their target shares, by the largest remainders (§5.12). */
export const distributionQuota = (members: number, shares: readonly Amount[]): number[] =>
  parts(members, shares, 0).map(Number);
