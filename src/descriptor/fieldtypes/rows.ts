import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';

/** Child rows: a separate table, edited as a sheet. */
export const rows: FieldType = {
  name: 'rows',
  sql: () => 'none',
  filter: 'none',
  widget: 'rows',
  can: WITH_PARTS,
  parse: () => ({ error: 'Rows cannot be typed in one cell.' }),
  format: (value) => (Array.isArray(value) ? `${value.length} ${value.length === 1 ? 'row' : 'rows'}` : ''),
};
