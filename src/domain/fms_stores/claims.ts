import { Exact } from '../../descriptor/exact.ts';

/** What decides whose request comes first. */
export interface Claim {
  /** The lift stands still. */
  isDown: boolean;
  /** P1 comes before P2. */
  priority: string;
}

/** Stock reserved for a line of another request. */
export interface ReservedClaim extends Claim {
  line: number;
  qty: string;
}

/** Below 0: the first comes before the second. A lift that stands still comes first, then the priority. */
function claimOrder(a: Claim, b: Claim): number {
  return Number(b.isDown) - Number(a.isDown) || a.priority.localeCompare(b.priority);
}

/**
 * The reservations that a request may take (fms_stores.md 10): only from requests that come after it, the last first,
 * and of equal ones the youngest first, until the quantity is covered.
 */
export function claimsToTake<One extends ReservedClaim>(own: Claim, needed: string, others: readonly One[]): One[] {
  const taken: One[] = [];
  let left = new Exact(needed);
  for (const other of others
    .filter((one) => claimOrder(own, one) < 0)
    .toSorted((a, b) => claimOrder(b, a) || b.line - a.line)) {
    if (!left.isPositive() || left.isZero()) break;
    taken.push(other);
    left = left.minus(other.qty);
  }
  return taken;
}
