import { decimalType, decimalOf } from './decimal_numbers.ts';
import { grouped } from '../money.ts';

/** Percent, 12.5 = 12.5 %. */
export const percent = decimalType('percent', null, () => 'numeric(9,4)', {
  format: (value, field) => {
    const number = value === null || value === undefined || value === '' ? null : decimalOf(value);
    if (number === null) return '';
    return `${grouped(field.precision === undefined ? number.toFixed() : number.toFixed(field.precision))} %`;
  },
});
