import { WHOLE_NUMBER } from './can.ts';
import { decimalOf } from './decimal_numbers.ts';
import { grouped } from '../money.ts';
import type { Field } from '../types.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

/** A number limited to a range of years is a year, which is written without a comma. */
const isYear = ({ schema: { minimum, maximum } }: Field): boolean =>
  typeof minimum === 'number' && minimum >= 1000 && typeof maximum === 'number' && maximum < 3000;

/** A whole number; JSON number on the wire. */
export function integerType(name: string, more: Partial<FieldType> = {}): FieldType {
  return {
    name,
    sql: () => 'integer',
    filter: 'number',
    widget: name,
    align: 'right',
    can: WHOLE_NUMBER,
    parse: (text): Parsed => {
      if (text === null || text === undefined || written(text).trim() === '') return { value: null };
      const number = decimalOf(text);
      if (number === null || !number.isInteger()) return { error: `"${written(text)}" is not a whole number.` };
      return number.abs().greaterThan(2_147_483_647)
        ? { error: 'This number is too large.' }
        : { value: number.toNumber() };
    },
    format: (value, field) =>
      value === null || value === undefined ? '' : isYear(field) ? written(value) : grouped(written(value)),
    excel: { format: () => '0', write: (value) => (typeof value === 'number' ? value : null) },
    ...more,
  };
}

export const integer = integerType('integer', {
  can: { ...WHOLE_NUMBER, name: true, group: true, sum: 'asked', narrow: true, fixed: true },
});
