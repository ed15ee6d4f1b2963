import { SHORT_VALUE } from './can.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

const YES = new Set(['yes', 'y', 'true', '1', 'on', '✓']);
const NO = new Set(['no', 'n', 'false', '0', 'off', '']);

export const boolean: FieldType = {
  name: 'boolean',
  sql: () => 'boolean',
  filter: 'boolean',
  widget: 'boolean',
  can: { ...SHORT_VALUE, group: true, narrow: true, fixed: true },
  parse: (input): Parsed => {
    if (typeof input === 'boolean' || input === null || input === undefined) return { value: input ?? null };
    const text = written(input).trim().toLowerCase();
    if (YES.has(text)) return { value: true };
    return NO.has(text)
      ? { value: text === '' ? null : false }
      : { error: `Enter Yes or No, not "${written(input)}".` };
  },
  format: (value) => (value === true ? 'Yes' : value === false ? 'No' : ''),
  excel: { write: (value) => (typeof value === 'boolean' ? value : null) },
};
