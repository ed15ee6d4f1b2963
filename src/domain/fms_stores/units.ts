import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';

/** How many of one unit are how many of another: 1 roll is 200 m. */
export interface UnitRatio {
  from_qty: Decimal.Value;
  to_qty: Decimal.Value;
}

/** A unit as messages name it, with the decimals that it allows. */
export interface NamedUnit {
  code: string;
  decimals: number;
}

/** A quantity that the stock unit cannot hold exactly; the message says why. */
export class UnitError extends Error {}

/**
 * A quantity in the stock unit: `qty × to_qty / from_qty` (5.1). Without a ratio the unit is the stock unit itself.
 * @throws UnitError where it needs more decimals than the stock unit has
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
