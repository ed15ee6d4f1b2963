import { Decimal } from 'decimal.js';

/**
 * A share of the strength as a number of people, rounded up. Shares have four decimals and are cut off: 0.3333 is a third,
 * 0.6666 two thirds, 0.5 a half, 0.5001 more than half.
 */
export function shareOf(strength: number, share: Decimal.Value): number {
  return new Decimal(share).times(strength).ceil().toNumber();
}
