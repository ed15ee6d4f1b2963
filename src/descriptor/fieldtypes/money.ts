import { EXACT_NUMBER } from './can.ts';
import { decimalType } from './decimal_numbers.ts';

/** Rupees and paise, or another currency with two decimals; unit prices may have three or four (`x-precision`). */
export const money = decimalType('money', 2, (precision) => `numeric(18,${Math.max(2, precision ?? 2)})`, {
  can: { ...EXACT_NUMBER, sum: 'total' },
});
