import type { Field } from '../../descriptor/types.ts';

const types: Record<string, string> = {
  integer: 'integer', rating: 'integer', duration: 'integer',
  decimal: 'numeric', money: 'numeric(18,2)', percent: 'numeric(9,4)', quantity: 'numeric(18,3)',
  date: 'date', datetime: 'timestamptz', time: 'time', boolean: 'boolean',
  ref: 'bigint', country: 'bigint', state: 'bigint', city: 'bigint', refs: 'bigint[]', tags: 'text[]',
  file: 'bigint', image: 'bigint', signature: 'bigint', geo: 'jsonb', json: 'jsonb',
};

/** PostgreSQL type of a field's column. */
export function columnType(field: Field): string {
  return types[field.type] ?? 'text';
}
