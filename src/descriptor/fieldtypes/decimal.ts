import { EXACT_NUMBER } from './can.ts';
import { decimalType } from './decimal_numbers.ts';

/** A decimal with any number of places. */
export const decimal = decimalType('decimal', null, () => 'numeric', { can: { ...EXACT_NUMBER, sum: 'asked' } });
