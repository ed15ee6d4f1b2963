import { Decimal } from 'decimal.js';

/** Default bounds of the buckets, if no policy sets others (COLLECTION.ageing_days). */
export const AGEING_DAYS: readonly number[] = [30, 60, 90, 180];

/** The bucket of a bill (C16): 0 = not due, 1 = up to the first bound, and so on. Negative days are not due. */
export function bucketOf(daysLate: number, bounds: readonly number[] = AGEING_DAYS): number {
  if (daysLate <= 0) return 0;
  const at = bounds.findIndex((bound) => daysLate <= bound);
  return at === -1 ? bounds.length + 1 : at + 1;
}

/** Collected as a percentage of what was due, two decimals (C21); null if nothing was due. */
export function collectionEfficiency(collected: Decimal.Value, due: Decimal.Value): string | null {
  if (new Decimal(due).isZero()) return null;
  return new Decimal(collected).times(100).div(due).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);
}

/** Days of sales outstanding: outstanding / billed in 90 days × 90, one decimal (C21); null if nothing was billed. */
export function daysOfSales(outstanding: Decimal.Value, billedIn90Days: Decimal.Value): string | null {
  if (new Decimal(billedIn90Days).isZero()) return null;
  return new Decimal(outstanding).div(billedIn90Days).times(90).toDecimalPlaces(1, Decimal.ROUND_HALF_UP).toFixed(1);
}
