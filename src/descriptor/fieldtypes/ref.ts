import { SHORT_VALUE } from './can.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

/** A reference to one record of another type: its id. Names are resolved where records can be looked up. */
export const ref: FieldType = {
  name: 'ref',
  sql: () => 'bigint',
  filter: 'ref',
  widget: 'ref',
  can: { ...SHORT_VALUE, name: true, group: true, narrow: true },
  parse: (input) => {
    if (input === null || input === undefined || input === '') return { value: null };
    const id = Number(input);
    return Number.isSafeInteger(id) && id > 0 ? { value: id } : { error: `"${written(input)}" is not known.` };
  },
  format: (value) => (value === null || value === undefined ? '' : `#${written(value)}`),
};
