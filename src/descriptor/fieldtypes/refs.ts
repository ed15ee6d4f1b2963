import { SHORT_VALUE } from './can.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

/** References to several records of another type. */
export const refs: FieldType = {
  name: 'refs',
  sql: () => 'bigint[]',
  filter: 'refs',
  widget: 'refs',
  can: { ...SHORT_VALUE, sort: false, message: false },
  parse: (input) => {
    const ids = (Array.isArray(input) ? input : written(input).split(','))
      .map((part) => String(part).trim())
      .filter(Boolean)
      .map(Number);
    return ids.every((id) => Number.isSafeInteger(id) && id > 0)
      ? { value: ids }
      : { error: 'Some of these are not known.' };
  },
  format: (value) => (Array.isArray(value) ? value.map((id) => `#${String(id)}`).join(', ') : ''),
};
