import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';

/** A field whose value is the id of an uploaded file. */
export function storedFileType(name: string): FieldType {
  return {
    name,
    sql: () => 'bigint',
    filter: 'none',
    widget: name,
    can: { ...WITH_PARTS, file: true },
    parse: () => ({ error: 'A file cannot be typed. Open the record and upload it.' }),
    format: (value) => (value === null || value === undefined ? '' : 'Attached'),
  };
}
