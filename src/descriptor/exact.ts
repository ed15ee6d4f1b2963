import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half up: apart from the library's own default, which others may change. */
export const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -30, toExpPos: 40 });
