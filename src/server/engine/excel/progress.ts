import type { Database } from '../../db/database.ts';
import type { CellError } from './cell_error.ts';
import type { FoundSheet } from './found_columns.ts';

export interface RunState {
  state?:
    | 'reading'
    | 'columns'
    | 'checking'
    | 'checked'
    | 'writing'
    | 'imported'
    | 'running'
    | 'done'
    | 'failed'
    | 'cancelled'
    | 'interrupted';
  done?: number;
  total?: number;
  counts?: Record<string, number>;
  errors?: CellError[];
  message?: string;
  file_id?: number;
  notices?: string[];
  columns?: FoundSheet;
}

/**
 * The progress of a run, stored in its row, so that any server process can report it. Written outside the run's own
 * transaction, at most four times a second unless the state changes.
 */
export class Progress {
  readonly #db: Database;
  readonly #table: string;
  readonly #id: number;
  #written = 0;
  #pending: RunState = {};

  constructor(db: Database, schema: string, table: 'import_run' | 'export_run', id: number) {
    this.#db = db;
    this.#table = `"${schema}"."${table}"`;
    this.#id = id;
  }

  async say(change: RunState): Promise<void> {
    Object.assign(this.#pending, change);
    const onlyCounting = Object.keys(change).every((key) => key === 'done');
    if (onlyCounting && Date.now() - this.#written < 250) return;
    const entries = Object.entries(this.#pending);
    this.#pending = {};
    this.#written = Date.now();
    const values = entries.map(([key, value]) =>
      ['counts', 'errors', 'notices', 'columns'].includes(key) ? JSON.stringify(value) : value,
    );
    // A cancelled run stays cancelled, whatever the worker was about to report.
    await this.#db.query(
      `update ${this.#table} set ${entries.map(([key], index) => `"${key}" = $${index + 2}`).join(', ')} where id = $1 and state <> 'cancelled'`,
      [this.#id, ...values],
    );
  }

  /** True if the person cancelled, in this process or another. */
  async cancelled(): Promise<boolean> {
    const [row] = await this.#db.query<{ state: string }>(`select state from ${this.#table} where id = $1`, [this.#id]);
    return row === undefined || row.state === 'cancelled';
  }
}
