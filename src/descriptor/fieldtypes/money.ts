import { decimalType } from './decimal_numbers.ts';

/** Rupees and paise, or another currency's two decimals. */
export const money = decimalType('money', 2, 'numeric(18,2)');
