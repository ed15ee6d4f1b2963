import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** Quantity and value of an item in a condition, in one company. */
export interface StockState {
  qty: Decimal;
  value: Decimal;
}

/** One movement that changes quantity or value of the company's stock; transfers between its stores do not. */
export interface ValuedEntry {
  /** In from outside, out of the company, or a change of value alone. */
  kind: 'in' | 'out' | 'revalue';
  /** How much, above 0; 0 of a revaluation. */
  qty: Decimal;
  /**
   * What comes in is worth (total), or what a fixed issue takes; null = the average at its place. Of a revaluation the
   * change, which may be below 0.
   */
  value: Decimal | null;
  /** An issue at a value of its own, such as a return to the vendor. */
  fixed?: boolean;
}

/** The movement would leave less than nothing; the message of the caller says of what. */
export class BelowZero extends Error {}

/** What an issue of the moving average costs: all that is left for the last piece, else the share to the paisa (5.2, 5.3). */
export function issueValue({ qty, value }: StockState, out: Decimal): Decimal {
  if (out.greaterThan(qty)) throw new BelowZero(`${out.toString()} of ${qty.toString()}`);
  return out.equals(qty) ? value : value.times(out).dividedBy(qty).toDecimalPlaces(2);
}

/** What is found or opened without a price is worth: the average, or the last known rate where nothing is left (3.1). */
export function averageValue({ qty, value }: StockState, found: Decimal, lastRate: Decimal.Value | null): Decimal {
  const rate = qty.isZero() ? new Exact(lastRate ?? 0) : null;
  return (rate ? found.times(rate) : value.times(found).dividedBy(qty)).toDecimalPlaces(2);
}

/** A fixed issue takes its own value, never more than there is, and all of it with the last piece (5.6). */
export function fixedValue({ qty, value }: StockState, out: Decimal, own: Decimal): Decimal {
  if (out.greaterThan(qty)) throw new BelowZero(`${out.toString()} of ${qty.toString()}`);
  return out.equals(qty) ? value : Exact.min(own, value);
}

/**
 * One movement after another, from a state on (5.2): the signed value of each, and the state behind it.
 * @throws BelowZero where more goes out than there is, or a revaluation takes more than the value
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

/** A rate as it is shown: 4 decimals, never multiplied again. */
export function shownRate({ qty, value }: StockState): string | null {
  return qty.isZero() ? null : value.dividedBy(qty).toFixed(4);
}
