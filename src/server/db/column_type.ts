import { fieldType } from '../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../descriptor/types.ts';

/** PostgreSQL type of a field's column. */
export function columnType(field: Field): string {
  return fieldType(field.type).sql(field);
}
