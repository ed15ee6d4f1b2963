import { decimalType, decimalOf, indianGrouping } from './decimal_numbers.ts';

/** Percent, 12.5 = 12.5 %. */
export const percent = decimalType('percent', null, () => 'numeric(9,4)', {
  format: (value, field) => {
    const number = value === null || value === undefined || value === '' ? null : decimalOf(value);
    if (number === null) return '';
    return `${indianGrouping(field.precision === undefined ? number.toFixed() : number.toFixed(field.precision))} %`;
  },
});
