import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

export const json: FieldType = {
  name: 'json',
  sql: () => 'jsonb',
  filter: 'none',
  widget: 'json',
  can: WITH_PARTS,
  parse: (input) => {
    const text = written(input).trim();
    if (text === '') return { value: null };
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      return { error: 'This is not JSON.' };
    }
  },
  format: (value) => (value === null || value === undefined ? '' : JSON.stringify(value)),
};
