import { Exact } from '../../descriptor/exact.ts';

/** A stock point that may supply an item. Quantities are decimals as text. */
export interface SupplySource {
  stockPoint: number;
  free: string;
}

/** The supply plan of a released quantity. */
export interface SupplyPlan {
  /** Reserved in the own store. */
  reserve: string;
  /** Requested from other stores, in this order. */
  indents: { from: number; qty: string }[];
  /** Proposed to be bought. */
  order: string;
}

/**
 * Supply plan of a released quantity (5.10 of the design of the stores): the own store, the stores that supply it,
 * lateral stores; the rest is purchased.
 * @param others from the nearest in the supply chain to the last of the lateral stores
 */
export function supplyPlan(need: string, own: string, others: readonly SupplySource[]): SupplyPlan {
  let open = Exact.max(0, need);
  const take = (free: string) => {
    const taken = Exact.max(0, Exact.min(open, free));
    open = open.minus(taken);
    return taken;
  };
  const reserve = take(own).toString();
  const indents = others.flatMap(({ stockPoint, free }) => {
    const taken = take(free);
    return taken.isZero() ? [] : [{ from: stockPoint, qty: taken.toString() }];
  });
  return { reserve, indents, order: open.toString() };
}

/** A batch in a store. Days are YYYY-MM-DD. */
export interface BatchInStock {
  batch: string;
  /** Null = it does not expire. */
  expiresOn: string | null;
  free: string;
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/**
 * The batches to issue (5.10): the first to expire, without those that have expired or expire within `minDays`; on a
 * tie by batch name.
 */
export function batchesToIssue(
  need: string,
  day: string,
  minDays: number,
  batches: readonly BatchInStock[],
): { taken: { batch: string; qty: string }[]; short: string } {
  let open = Exact.max(0, need);
  const usable = batches
    .filter(({ expiresOn }) => expiresOn === null || (expiresOn >= day && daysBetween(day, expiresOn) >= minDays))
    .toSorted(
      (a, b) =>
        (a.expiresOn ?? '9999-12-31').localeCompare(b.expiresOn ?? '9999-12-31') || a.batch.localeCompare(b.batch),
    );
  const taken = usable.flatMap(({ batch, free }) => {
    const qty = Exact.max(0, Exact.min(open, free));
    open = open.minus(qty);
    return qty.isZero() ? [] : [{ batch, qty: qty.toString() }];
  });
  return { taken, short: open.toString() };
}
