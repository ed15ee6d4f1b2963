import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** Demand per day, and the number of such days. */
export interface DailyUse {
  days: number;
  qty: Decimal.Value;
}

/** Stock and expected receipts of a stock point. */
export interface ReorderPosition {
  on_hand: Decimal.Value;
  reserved: Decimal.Value;
  on_order: Decimal.Value;
  in_transit: Decimal.Value;
}

/**
 * Reorder level, target and proposal (5.14): mean and sample deviation of daily use, 95 % service over the lead time,
 * stock for 30 further days, in multiples of the vendor's pack size.
 */
export function reorderFigures(
  use: readonly DailyUse[],
  leadDays: number,
  position: ReorderPosition,
  multiple: Decimal.Value = 1,
) {
  const n = use.reduce((sum, { days }) => sum + days, 0);
  const mean = use.reduce((sum, { days, qty }) => sum.plus(new Exact(qty).times(days)), new Exact(0)).dividedBy(n || 1);
  const squares = use.reduce(
    (sum, { days, qty }) => sum.plus(new Exact(qty).minus(mean).pow(2).times(days)),
    new Exact(0),
  );
  const deviation = n < 2 ? new Exact(0) : squares.dividedBy(n - 1).sqrt();
  const safety = new Exact('1.645').times(deviation).times(new Exact(leadDays).sqrt());
  const reorder = mean.times(leadDays).plus(safety).ceil();
  const target = reorder.plus(mean.times(30)).ceil();
  const has = new Exact(position.on_hand).minus(position.reserved).plus(position.on_order).plus(position.in_transit);
  const missing = Exact.max(0, target.minus(has));
  const step = new Exact(multiple).isZero() ? new Exact(1) : new Exact(multiple);
  return {
    mean: mean.toFixed(4),
    deviation: deviation.toFixed(4),
    safety: safety.toFixed(4),
    reorder: reorder.toString(),
    target: target.toString(),
    position: has.toString(),
    propose: missing.dividedBy(step).ceil().times(step).toString(),
  };
}

/**
 * Classes of items by the annual value of their use: by the cumulative share of those before them, A below 70 %, B
 * below 90 % (5.14).
 */
export function abcClasses<T>(
  items: readonly { item: T; value: Decimal.Value }[],
): { item: T; abc: 'A' | 'B' | 'C' }[] {
  const sorted = items.toSorted((a, b) => new Exact(b.value).comparedTo(a.value));
  const total = sorted.reduce((sum, { value }) => sum.plus(value), new Exact(0));
  let before = new Exact(0);
  return sorted.map(({ item, value }) => {
    const share = total.isZero() ? new Exact(1) : before.dividedBy(total);
    before = before.plus(value);
    return { item, abc: share.lessThan('0.7') ? 'A' : share.lessThan('0.9') ? 'B' : 'C' };
  });
}

/** Vendor score (5.17): 50 % on time, 40 % accepted, 10 % price, which loses 5 for each percent above the list. */
export function vendorScore(
  onTime: [number, number],
  accepted: [Decimal.Value, Decimal.Value],
  overPercent: Decimal.Value,
): string {
  const part = ([some, all]: [Decimal.Value, Decimal.Value], of: number) =>
    new Exact(all).isZero() ? new Exact(of) : new Exact(some).dividedBy(all).times(of);
  const price = Exact.max(0, new Exact(100).minus(new Exact(5).times(Exact.max(0, overPercent)))).times('0.1');
  return part(onTime, 50).plus(part(accepted, 40)).plus(price).toFixed(2);
}
