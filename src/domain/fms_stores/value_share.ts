import { Exact } from '../../descriptor/exact.ts';
import { sharesOf } from './landed_cost.ts';

/**
 * The value of each stock point: its share of the company's value by quantity; on a tie the lower code gets the
 * remainder (5.7).
 */
export function valueShares(value: string, points: readonly { code: string; qty: string }[]): Map<string, string> {
  const sorted = points.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const shares = sharesOf(
    new Exact(value),
    sorted.map(({ qty }) => qty),
  );
  return new Map(sorted.map(({ code }, at) => [code, shares[at]!.toFixed(2)]));
}
