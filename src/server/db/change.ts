import type { Queryable } from './database.ts';
import type { Concerned } from './misfits.ts';

/** One step from a schema's current tables to those of the descriptors. */
export interface Change {
  /** The record type. */
  type: string;
  /** `field`, `rows_field.column`, or empty for a whole table. */
  field: string;
  table: string;
  /** For people: "add column …". */
  what: string;
  sql: string[];
  /** Loses or refuses rows if `affected` finds any: then only applied on purpose. */
  destructive?: {
    reason: string;
    /** Counts the affected rows, as column `n`; or finds them if SQL cannot. */
    count: string | ((on: Queryable) => Promise<Concerned>);
    /** Some of the affected rows by label, as column `who`. */
    examples?: string;
    /** Not automatic even without affected rows. */
    always?: boolean;
    /** What to do if applying it on purpose is not possible. */
    command?: string;
    /** The interim change with which writing continues. */
    meanwhile: string[];
    /** Instead of `meanwhile`, if it depends on the values found. */
    relax?: { find: string; sql: (values: string[]) => string[] };
  };
  /** Runs after the transaction, without blocking writers: indexes of large tables. */
  concurrently?: true;
  /** Not applied if that one was refused. */
  after?: Change;
  /** A renamed field. */
  rename?: true;
  /** Runs after `sql`, for changes that SQL cannot express. */
  follow?: (on: Queryable) => Promise<void>;
  /** Instead of `sql` when applied on purpose. */
  onPurpose?: string[];
  /** Fails harmlessly if the data does not fit (foreign keys to missing rows). */
  optional?: true;
}
