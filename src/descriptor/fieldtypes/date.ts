import { SHORT_VALUE } from './can.ts';
import { parseDate } from './calendar.ts';
import { dayFirst } from './written.ts';
import type { FieldType } from './field_type.ts';

export const date: FieldType = {
  name: 'date',
  sql: () => 'date',
  filter: 'date',
  widget: 'date',
  can: { ...SHORT_VALUE, name: true, group: true, order: true, narrow: true },
  parse: (text) => parseDate(text),
  format: (value) => (value === null || value === undefined ? '' : dayFirst(value)),
  excel: {
    format: () => 'dd-mm-yyyy',
    write: (value) => (typeof value === 'string' ? new Date(`${value}T00:00:00Z`) : null),
  },
};
