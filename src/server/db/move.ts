import type { Queryable } from './database.ts';

/** Values of a field that is no longer a list of rows, and their new place. */
export interface Move {
  /** Its text in the log of changes. */
  name: string;
  type: string;
  /** The field whose rows move. */
  rows: string;
  /** Columns that identify its rows. */
  columns: readonly string[];
  /** The type whose records they become. */
  into?: string;
  run(on: Queryable, schema: string): Promise<void>;
}
