import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/**
 * Parts of a total by weights (performance.md §5.2): each is cut to the unit's decimals, and what is left is given, one unit
 * each, to the largest remainders, the earlier first. The parts add to the total exactly.
 * @throws RangeError where a weight is below 0, or all are 0
 */
export function parts(total: Decimal.Value, weights: readonly Decimal.Value[], decimals: number): string[] {
  const shares = weights.map((weight) => new Exact(weight));
  const sum = shares.reduce((all, weight) => all.plus(weight), new Exact(0));
  if (sum.isZero() || shares.some((weight) => weight.isNegative() && !weight.isZero()))
    throw new RangeError('The weights must be 0 or more, and not all 0.');
  const whole = new Exact(total);
  const exact = shares.map((weight) => whole.times(weight).dividedBy(sum));
  const result = exact.map((part) => part.toDecimalPlaces(decimals, Decimal.ROUND_FLOOR));
  const unit = new Exact(10).pow(-decimals);
  const rest = whole.minus(result.reduce((all, part) => all.plus(part), new Exact(0)));
  const order = exact
    .map((part, at) => ({ at, remainder: part.minus(result[at]!) }))
    .toSorted((a, b) => b.remainder.cmp(a.remainder) || a.at - b.at);
  let left = rest;
  for (const { at } of order) {
    if (left.lessThanOrEqualTo(0)) break;
    const given = Decimal.min(left, unit);
    result[at] = result[at]!.plus(given);
    left = left.minus(given);
  }
  return result.map((part) => part.toFixed(decimals));
}

/** Weights of so many lines that are alike, of 100 in all: 33.34, 33.33, 33.33. */
export const evenWeights = (lines: number): string[] => parts(100, Array<number>(lines).fill(1), 2);

/** The weight of a line, with the limits of its KPI's type. */
export interface LimitedWeight {
  weight: Decimal.Value;
  min: Decimal.Value;
  max: Decimal.Value;
}

/**
 * The weights brought to 100 in total: the difference is spread in proportion to them, evenly if all are 0. A weight that
 * would leave its limits stops there, and the others take the rest.
 * @returns null = the limits allow no total of 100
 */
export function weightsOfHundred(lines: readonly LimitedWeight[]): string[] | null {
  const fixed = new Map<number, Decimal>();
  for (;;) {
    const free = lines.flatMap((line, at) => (fixed.has(at) ? [] : [{ ...line, at }]));
    const rest = [...fixed.values()].reduce((left, weight) => left.minus(weight), new Decimal(100));
    if (rest.isNegative() || (free.length === 0 && !rest.isZero())) return null;
    const isEven = free.every(({ weight }) => new Decimal(weight).isZero());
    const shares =
      free.length === 0
        ? []
        : parts(
            rest,
            free.map(({ weight }) => (isEven ? 1 : weight)),
            2,
          );
    const beyond = free.map(({ min, max, at }, place) => {
      const share = new Decimal(shares[place]!);
      return { at, limit: Decimal.max(min, Decimal.min(max, share)), by: share.minus(max), below: share.minus(min) };
    });
    const above = beyond.filter(({ by }) => by.greaterThan(0));
    const under = beyond.filter(({ below }) => below.isNegative());
    if (above.length + under.length === 0) {
      const spread = new Map(free.map(({ at }, place) => [at, shares[place]!]));
      return lines.map((_line, at) => spread.get(at) ?? fixed.get(at)!.toFixed(2));
    }
    // Those on the side that is further off stop first: the others move towards their limits, not away from them.
    const excess = above.reduce((sum, { by }) => sum.plus(by), new Decimal(0));
    const lack = under.reduce((sum, { below }) => sum.minus(below), new Decimal(0));
    for (const { at, limit } of excess.greaterThanOrEqualTo(lack) ? above : under) fixed.set(at, limit);
  }
}

/** A target that grows on a base, in percent (performance.md §5.10), with at most 6 decimals. */
export const growthTarget = (base: Decimal.Value, growth: Decimal.Value): string =>
  new Exact(base).times(new Exact(growth).dividedBy(100).plus(1)).toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();

/** The target of a period, with at most 4 decimals; null = it has none. */
export interface PeriodTarget {
  month: string;
  target: string | null;
}

/**
 * The targets of a year after a change from a month on. Of sums, earlier months keep theirs and the rest of the new total
 * follows the shape of the old targets; of other figures each month from then on has the new one (performance.md §3.3).
 * @returns null = the earlier months exceed the new total
 */
export function changedTargets(
  periods: readonly PeriodTarget[],
  from: string,
  total: Decimal.Value,
  { isSum, decimals }: { isSum: boolean; decimals: number },
): string[] | null {
  const later = periods.filter(({ month }) => month >= from);
  if (!isSum) return periods.map(({ month, target }) => (month >= from ? new Exact(total).toFixed() : (target ?? '0')));
  const kept = periods
    .filter(({ month }) => month < from)
    .reduce((sum, { target }) => sum.plus(target ?? 0), new Exact(0));
  const rest = new Exact(total).minus(kept);
  if (rest.isNegative()) return null;
  const weights = later.map(({ target }) => target ?? '0');
  const shares = parts(rest, weights.some((weight) => Number(weight) > 0) ? weights : later.map(() => 1), decimals);
  return periods.map(({ month, target }) => (month >= from ? shares.shift()! : (target ?? '0')));
}

/** Targets from the first day of the year on: the sums of the periods so far (§5.2). */
export function runningSums(shares: readonly string[]): string[] {
  let sum = new Decimal(0);
  return shares.map((share) => {
    sum = sum.plus(share);
    return sum.toFixed();
  });
}
