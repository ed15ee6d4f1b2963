import { WHOLE_NUMBER } from './can.ts';
import { decimalOf } from './decimal_numbers.ts';
import { grouped } from '../money.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

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
    format: (value) => (value === null || value === undefined ? '' : grouped(written(value))),
    excel: { format: () => '0', write: (value) => (typeof value === 'number' ? value : null) },
    ...more,
  };
}

export const integer = integerType('integer', {
  can: { ...WHOLE_NUMBER, name: true, group: true, sum: 'asked', narrow: true, fixed: true },
});
