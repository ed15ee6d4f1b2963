import { Exact } from '../../descriptor/exact.ts';

/** A price of an item, from a day on. Days are YYYY-MM-DD; amounts decimals as text. */
export interface DatedPrice {
  /** Null = all branches. */
  branch: number | null;
  rate: string;
  minRate: string | null;
  /** Percent; null = any discount needs approval. */
  maxDiscount: string | null;
  from: string;
  /** Null = until further notice. */
  to: string | null;
}

/**
 * The price in a branch on a day (5.12 of the design of the stores): the branch's own, otherwise the one for all
 * branches, otherwise none.
 */
export function priceOn<T extends Pick<DatedPrice, 'branch' | 'from' | 'to'>>(
  prices: readonly T[],
  branch: number | null,
  day: string,
): T | null {
  const valid = prices.filter(({ from, to }) => from <= day && (to === null || to >= day));
  return (
    (branch === null ? undefined : valid.find((price) => price.branch === branch)) ??
    valid.find((price) => price.branch === null) ??
    null
  );
}

/**
 * The rate below which approval is needed (5.11): the minimum rate of the list, or the average cost plus the minimum
 * margin, whichever is higher. `marginPercent`: on the cost, 20 = 20 %.
 */
export function minimumPrice(price: { minRate: string | null; cost: string | null; marginPercent: string }): string {
  const byCost =
    price.cost === null
      ? new Exact(0)
      : new Exact(price.cost).times(new Exact(price.marginPercent).dividedBy(100).plus(1)).toDecimalPlaces(2);
  return Exact.max(price.minRate ?? 0, byCost).toFixed(2);
}

/** Margin of a rate over its cost, in percent of the rate, two decimals; null without a rate or cost (5.11). */
export function marginPercent(rate: string, cost: string | null): string | null {
  const value = new Exact(rate);
  if (cost === null || value.isZero()) return null;
  return value.minus(cost).dividedBy(value).times(100).toFixed(2);
}
