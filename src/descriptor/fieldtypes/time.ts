import { SHORT_VALUE } from './can.ts';
import { parseTime } from './calendar.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

/** HH:MM, 24 hours. */
export const time: FieldType = {
  name: 'time',
  sql: () => 'time',
  filter: 'text',
  widget: 'time',
  can: SHORT_VALUE,
  parse: (text) => parseTime(text),
  format: (value) => written(value).slice(0, 5),
  clean: (value) => (typeof value === 'string' ? value.slice(0, 5) : value),
};
