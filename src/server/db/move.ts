import type { Queryable } from './database.ts';

/** Values of a field that is not a list of rows any more, and where they go. */
export interface Move {
  /** In the log of what was changed. */
  name: string;
  type: string;
  /** The field whose rows move. */
  rows: string;
  /** Columns by which its rows are known to be those. */
  columns: readonly string[];
  /** The type whose records they become. */
  into?: string;
  run(on: Queryable, schema: string): Promise<void>;
}
