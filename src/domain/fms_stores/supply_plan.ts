import { Exact } from '../../descriptor/exact.ts';

/** A stock point that may give an item. Quantities are decimals as text. */
export interface SupplySource {
  stockPoint: number;
  free: string;
}

/** What becomes of a released quantity. */
export interface SupplyPlan {
  /** Reserved in the own store. */
  reserve: string;
  /** Asked of other stores, in this order. */
  indents: { from: number; qty: string }[];
  /** Proposed to be bought. */
  order: string;
}

/**
 * Supply plan of a released quantity (5.10 of the design of the stores): the own store, the stores that supply it, stores
 * beside it, and what nobody has is bought.
 * @param others from the nearest in the chain of supply to the last of the lateral stores
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
 * Which batches are issued (5.10): what expires first, without what has expired or would within `minDays`; equal days by the
 * name of the batch.
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
