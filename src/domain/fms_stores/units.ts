import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** The ratio of two units: 1 roll is 200 m. */
export interface UnitRatio {
  from_qty: Decimal.Value;
  to_qty: Decimal.Value;
}

/** A unit as named in messages, with its number of decimals. */
export interface NamedUnit {
  code: string;
  decimals: number;
}

/** A quantity that the stock unit cannot represent exactly; the message explains it. */
export class UnitError extends Error {}

/**
 * A quantity in the stock unit: `qty × to_qty / from_qty` (5.1). Without a ratio the unit is the stock unit itself.
 * @throws UnitError if it needs more decimals than the stock unit has
 */
export function stockQuantity(
  qty: Decimal.Value,
  unit: NamedUnit,
  stock: NamedUnit,
  ratio: UnitRatio | null = null,
): Decimal {
  const exact = ratio ? new Exact(qty).times(ratio.to_qty).dividedBy(ratio.from_qty) : new Exact(qty);
  if (exact.decimalPlaces() <= stock.decimals) return exact;
  const shown = exact.toDecimalPlaces(10).toString();
  throw new UnitError(
    `${new Exact(qty).toString()} ${unit.code} is ${shown} ${stock.code}; ${stock.code} allows ${stock.decimals} ${stock.decimals === 1 ? 'decimal' : 'decimals'}.`,
  );
}
