import type { Can } from './can.ts';
import type { Field } from '../types.ts';

export type FilterKind = 'text' | 'number' | 'date' | 'enum' | 'boolean' | 'ref' | 'refs' | 'none';
export type Parsed = { value: unknown } | { error: string };

/** All that is to know of one kind of field, apart from its widget's code. */
export interface FieldType {
  name: string;
  /** PostgreSQL type of the column. */
  sql(field: Field): string;
  filter: FilterKind;
  /** Name in the client's widget registry. */
  widget: string;
  align?: 'right';
  /** What a field of the type may be used for. */
  can: Can;
  /** From a person's text, an Excel cell or a paste. Empty gives null. */
  parse(text: unknown, field: Field): Parsed;
  /** For people: Indian grouping, DD-MM-YYYY. Empty for no value. */
  format(value: unknown, field: Field): string;
  excel?: {
    format?(field: Field): string;
    write?(value: unknown, field: Field): string | number | boolean | Date | null;
  };
  /** Tidies a value that came over the wire. */
  clean?(value: unknown, field: Field): unknown;
}
