import { Decimal } from 'decimal.js';

/** Default bounds of the buckets, if no policy sets others (COLLECTION.ageing_days). */
export const AGEING_DAYS: readonly number[] = [30, 60, 90, 180];

/** Days from one day to another; negative if the other is earlier. */
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** The bucket of a bill (C16): 0 = not due, 1 = up to the first bound, and so on. Negative days are not due. */
export function bucketOf(daysLate: number, bounds: readonly number[] = AGEING_DAYS): number {
  if (daysLate <= 0) return 0;
  const at = bounds.findIndex((bound) => daysLate <= bound);
  return at === -1 ? bounds.length + 1 : at + 1;
}

/** A bill with its payments, deductions and credits, each with its day. */
export interface AgedBill {
  bill_date: string;
  due_on: string;
  total: string;
  settled: readonly { on: string; amount: string }[];
}

/**
 * Outstanding by bucket as of a day, and the sum of the buckets (C16). Advances are shown separately and never netted.
 */
export function ageing(
  bills: readonly AgedBill[],
  asOn: string,
  bounds: readonly number[] = AGEING_DAYS,
): { buckets: string[]; total: string } {
  const buckets = Array.from({ length: bounds.length + 2 }, () => new Decimal(0));
  for (const { bill_date: date, due_on: due, total, settled } of bills) {
    if (date > asOn) continue;
    const open = settled.reduce((left, { on, amount }) => (on <= asOn ? left.minus(amount) : left), new Decimal(total));
    const at = bucketOf(daysBetween(due, asOn), bounds);
    buckets[at] = buckets[at]!.plus(open);
  }
  const sum = buckets.reduce((all, one) => all.plus(one), new Decimal(0));
  return { buckets: buckets.map((one) => one.toFixed(2)), total: sum.toFixed(2) };
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
