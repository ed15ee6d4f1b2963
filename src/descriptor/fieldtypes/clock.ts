import { clockText } from '../../domain/clock_value.ts';
import type { ClockValue } from '../../domain/clock_value.ts';
import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

/** The state of a record's clock; only the product writes it. */
export const clock: FieldType = {
  name: 'clock',
  sql: () => 'jsonb',
  filter: 'none',
  widget: 'clock',
  can: { ...WITH_PARTS, cell: 'short', excel: false, bulk: false },
  parse: (input) => (written(input).trim() === '' ? { value: null } : { error: 'A clock is kept by the product.' }),
  format: (value) => (value === null || value === undefined ? '' : clockText(value as ClockValue, Date.now())),
};
