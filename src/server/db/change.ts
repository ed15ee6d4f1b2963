import type { Queryable } from './database.ts';
import type { Concerned } from './misfits.ts';

/** One step from what a schema holds to what the descriptors say. */
export interface Change {
  /** The record type. */
  type: string;
  /** `field`, `rows_field.column`, or empty for a whole table. */
  field: string;
  table: string;
  /** For people: "add column …". */
  what: string;
  sql: string[];
  /** Loses or refuses rows if `affected` finds any: then only done on purpose. */
  destructive?: {
    reason: string;
    /** Counts the affected rows, as column `n`; or finds them where no statement can. */
    count: string | ((on: Queryable) => Promise<Concerned>);
    /** Some of the affected rows in people's words, as column `who`. */
    examples?: string;
    /** Even without affected rows not by itself. */
    always?: boolean;
    /** What to do when doing it on purpose is no way. */
    command?: string;
    /** What is done instead so that writing goes on. */
    meanwhile: string[];
    /** Instead of `meanwhile`, when what is done depends on the values found. */
    relax?: { find: string; sql: (values: string[]) => string[] };
  };
  /** Runs after the transaction, without blocking writers: indexes of large tables. */
  concurrently?: true;
  /** Not done when that one was refused. */
  after?: Change;
  /** A field of another name than before. */
  rename?: true;
  /** Done after `sql`, where no statement can. */
  follow?: (on: Queryable) => Promise<void>;
  /** Instead of `sql` when done on purpose. */
  onPurpose?: string[];
  /** Fails without harm when the data does not fit (foreign keys to rows that are gone). */
  optional?: true;
}
