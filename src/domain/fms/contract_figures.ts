import { Exact } from '../../descriptor/exact.ts';

type Amount = string | number;

/** The net annual amount of a line: rate × quantity less its discount, rounded (C1). */
export function netOf({ rate, qty = 1, discount }: { rate: Amount; qty?: Amount; discount: Amount }): string {
  return new Exact(rate)
    .times(qty)
    .times(new Exact(1).minus(new Exact(discount).div(100)))
    .toDecimalPlaces(2, Exact.ROUND_HALF_UP)
    .toFixed(2);
}

/** A percentage with two decimals; null if the whole is zero. */
function percentOf(part: Amount, whole: Amount): string | null {
  return new Exact(whole).isZero() ? null : new Exact(part).div(whole).times(100).toDecimalPlaces(2).toFixed(2);
}

/** The margin of a contract, as an amount and in percent (C20). */
export function marginOf(
  earned: Amount,
  costs: { labour_hours: Amount; cost_per_hour: Amount; material: Amount; km: Amount; cost_per_km: Amount },
): { cost: string; margin: string; percent: string | null } {
  const cost = new Exact(costs.labour_hours)
    .times(costs.cost_per_hour)
    .plus(costs.material)
    .plus(new Exact(costs.km).times(costs.cost_per_km));
  const margin = new Exact(earned).minus(cost);
  return { cost: cost.toFixed(2), margin: margin.toFixed(2), percent: percentOf(margin.toFixed(), earned) };
}

/** Renewal rate of ended contracts, by count and value, and price increase, in percent (C21). */
export function renewalFigures(of: {
  expiring: number;
  expiring_value: Amount;
  renewed: number;
  renewed_old_value: Amount;
  renewed_new_value: Amount;
}): { by_count: string | null; by_value: string | null; price_lift: string | null } {
  return {
    by_count: percentOf(of.renewed, of.expiring),
    by_value: percentOf(of.renewed_old_value, of.expiring_value),
    price_lift: percentOf(new Exact(of.renewed_new_value).minus(of.renewed_old_value).toFixed(), of.renewed_old_value),
  };
}

/** Collection rate in percent (C21). */
export function collectionEfficiency(collected: Amount, due: Amount): string | null {
  return percentOf(collected, due);
}

/** Days of sales outstanding: outstanding divided by billed in a number of days (C21). */
export function daysOutstanding(outstanding: Amount, billed: Amount, days = 90): string | null {
  return new Exact(billed).isZero()
    ? null
    : new Exact(outstanding).div(billed).times(days).toDecimalPlaces(1).toFixed(1);
}

/** How many persons a lift carries (C22). */
export function personsOf(capacityKg: number, kgPerPerson = 68): number {
  return Math.floor(capacityKg / kgPerPerson);
}
