import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** Quantity and value of an item in a condition, in one company. */
export interface StockState {
  qty: Decimal;
  value: Decimal;
}

/** A movement that changes quantity or value of the company's stock; transfers between its stores do not. */
export interface ValuedEntry {
  /** In from outside, out of the company, or only a change of value. */
  kind: 'in' | 'out' | 'revalue';
  /** Quantity, above 0; 0 for a revaluation. */
  qty: Decimal;
  /**
   * The total value of a receipt, or of an issue with a fixed value; null = the current average. For a revaluation the
   * change, which may be negative.
   */
  value: Decimal | null;
  /** An issue at its own value, such as a return to the vendor. */
  fixed?: boolean;
}

/** The movement would make the stock negative; the caller's message says of what. */
export class BelowZero extends Error {}

/**
 * The cost of an issue at the moving average: all that is left for the last piece, otherwise the share to the paisa
 * (5.2, 5.3).
 */
export function issueValue({ qty, value }: StockState, out: Decimal): Decimal {
  if (out.greaterThan(qty)) throw new BelowZero(`${out.toString()} of ${qty.toString()}`);
  return out.equals(qty) ? value : value.times(out).dividedBy(qty).toDecimalPlaces(2);
}

/** The value of stock found or opened without a price: the average, or the last known rate if nothing is left (3.1). */
export function averageValue({ qty, value }: StockState, found: Decimal, lastRate: Decimal.Value | null): Decimal {
  const rate = qty.isZero() ? new Exact(lastRate ?? 0) : null;
  return (rate ? found.times(rate) : value.times(found).dividedBy(qty)).toDecimalPlaces(2);
}

/** An issue with a fixed value takes that value, at most what is there, and everything with the last piece (5.6). */
export function fixedValue({ qty, value }: StockState, out: Decimal, own: Decimal): Decimal {
  if (out.greaterThan(qty)) throw new BelowZero(`${out.toString()} of ${qty.toString()}`);
  return out.equals(qty) ? value : Exact.min(own, value);
}

/**
 * Applies movements to a state (5.2): the signed value of each, and the resulting state.
 * @throws BelowZero if more is issued than available, or a revaluation exceeds the value
 */
export function valueOfEntry(
  before: StockState,
  entry: ValuedEntry,
  lastRate: Decimal.Value | null = null,
): { delta: Decimal; after: StockState } {
  const { kind, qty, value, fixed } = entry;
  if (kind === 'revalue') {
    const delta = value ?? new Exact(0);
    const left = before.value.plus(delta);
    if (left.isNegative() || (before.qty.isZero() && !left.isZero())) throw new BelowZero('value');
    return { delta, after: { qty: before.qty, value: left } };
  }
  if (kind === 'in') {
    const delta = value ?? averageValue(before, qty, lastRate);
    return { delta, after: { qty: before.qty.plus(qty), value: before.value.plus(delta) } };
  }
  const out = fixed && value ? fixedValue(before, qty, value) : issueValue(before, qty);
  return { delta: out.negated(), after: { qty: before.qty.minus(qty), value: before.value.minus(out) } };
}
