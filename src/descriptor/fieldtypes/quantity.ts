import { EXACT_NUMBER } from './can.ts';
import { decimalType } from './decimal_numbers.ts';

/** A measured amount, up to three decimals; the unit is in the column heading. */
export const quantity = decimalType('quantity', null, () => 'numeric(18,3)', {
  can: { ...EXACT_NUMBER, sum: 'total' },
});
