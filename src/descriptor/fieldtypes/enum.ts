import { SHORT_VALUE } from './can.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

/** One of a fixed list; the value is stored, the label is shown. */
export const enumeration: FieldType = {
  name: 'enum',
  sql: (field) => (field.options?.every((option) => typeof option.value === 'number') ? 'integer' : 'text'),
  filter: 'enum',
  widget: 'enum',
  can: { ...SHORT_VALUE, name: true, text: true, group: true, narrow: true, fixed: true },
  parse: (input, field): Parsed => {
    const text = written(input).trim().toLowerCase();
    if (text === '') return { value: null };
    const found = field.options?.find(
      (option) => option.label.toLowerCase() === text || String(option.value).toLowerCase() === text,
    );
    return found
      ? { value: found.value }
      : { error: `"${String(input)}" is not one of ${field.options?.map((option) => option.label).join(', ')}.` };
  },
  format: (value, field) =>
    value === null || value === undefined
      ? ''
      : (field.options?.find((option) => option.value === value)?.label ?? written(value)),
};
