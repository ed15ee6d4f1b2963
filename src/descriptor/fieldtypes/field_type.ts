import type { Can } from './can.ts';
import type { Field } from '../types.ts';

export type FilterKind = 'text' | 'number' | 'date' | 'enum' | 'boolean' | 'ref' | 'refs' | 'none';
export type Parsed = { value: unknown } | { error: string };

/** Everything about one kind of field, except the code of its widget. */
export interface FieldType {
  name: string;
  /** PostgreSQL type of the column. */
  sql(field: Field): string;
  filter: FilterKind;
  /** Name in the client's widget registry. */
  widget: string;
  align?: 'right';
  /** The uses that the type allows. */
  can: Can;
  /** Parses a person's text, an Excel cell or a pasted value. Empty gives null. */
  parse(text: unknown, field: Field): Parsed;
  /** The displayed text: Indian grouping, DD-MM-YYYY. Empty for no value. */
  format(value: unknown, field: Field): string;
  excel?: {
    format?(field: Field): string;
    write?(value: unknown, field: Field): string | number | boolean | Date | null;
  };
  /** Normalises a received value. */
  clean?(value: unknown, field: Field): unknown;
}
