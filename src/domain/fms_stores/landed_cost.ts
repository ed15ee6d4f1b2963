import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** One line of a receipt: what was accepted, at which rate, less a discount in percent; GST rate in percent. */
export interface ReceivedLine {
  qty: Decimal.Value;
  rate: Decimal.Value;
  discount?: Decimal.Value | null;
  gst_rate?: Decimal.Value | null;
}

/** Shares of an amount by weights, to the paisa, by largest remainder; on a tie the earlier gets it. */
export function sharesOf(amount: Decimal.Value, weights: readonly Decimal.Value[]): Decimal[] {
  const total = weights.reduce<Decimal>((sum, one) => sum.plus(one), new Exact(0));
  if (total.isZero()) return weights.map(() => new Exact(0));
  const exact = weights.map((one) => new Exact(amount).times(one).dividedBy(total));
  const parts = exact.map((one) => one.toDecimalPlaces(2, Exact.ROUND_DOWN));
  let left = new Exact(amount)
    .minus(parts.reduce((sum, one) => sum.plus(one), new Exact(0)))
    .times(100)
    .toNumber();
  const order = exact
    .map((one, at) => ({ at, rest: one.minus(parts[at]!) }))
    .toSorted((a, b) => b.rest.comparedTo(a.rest) || a.at - b.at);
  for (const { at } of order) {
    if (left < 1) break;
    parts[at] = parts[at]!.plus('0.01');
    left--;
  }
  return parts;
}

/**
 * The stock cost of the lines of a receipt (5.5): quantity × rate − discount, the charges distributed by that, and GST
 * if input tax is not claimed.
 */
export function landedCosts(
  lines: readonly ReceivedLine[],
  charges: readonly Decimal.Value[],
  itcEligible: boolean,
): { base: string; value: string; rate: string | null }[] {
  const bases = lines.map(({ qty, rate, discount }) => {
    const gross = new Exact(qty).times(rate).toDecimalPlaces(2);
    return gross.minus(
      gross
        .times(discount ?? 0)
        .dividedBy(100)
        .toDecimalPlaces(2),
    );
  });
  const shares = sharesOf(
    charges.reduce<Decimal>((sum, one) => sum.plus(one), new Exact(0)),
    bases,
  );
  return lines.map(({ qty, gst_rate: gst }, at) => {
    const tax = itcEligible
      ? new Exact(0)
      : bases[at]!.times(gst ?? 0)
          .dividedBy(100)
          .toDecimalPlaces(2);
    const value = bases[at]!.plus(shares[at]!).plus(tax);
    const count = new Exact(qty);
    return {
      base: bases[at]!.toFixed(2),
      value: value.toFixed(2),
      rate: count.isZero() ? null : value.dividedBy(count).toFixed(4),
    };
  });
}

/** An invoice that differs after the month is closed: the part for the remaining stock, and the variance (5.5). */
export function lateDifference(
  difference: Decimal.Value,
  left: Decimal.Value,
  received: Decimal.Value,
): { stock: string; variance: string } {
  const stock = new Exact(difference).times(Exact.min(left, received)).dividedBy(received).toDecimalPlaces(2);
  return { stock: stock.toFixed(2), variance: new Exact(difference).minus(stock).toFixed(2) };
}
