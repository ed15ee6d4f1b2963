import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half up: independent of the library's default, which others may change. */
export const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -30, toExpPos: 40 });
