import { AppError } from '../../db/errors.ts';
import { RunProcesses } from './run_processes.ts';
import type { ReadTask } from './read_task.ts';
import type { CellProblem } from './sheet_read.ts';

/** The sheet of a file, only columns with a heading. */
export interface ReadRows {
  heads: string[];
  rows: { row: number; cells: unknown[] }[];
  problems: CellProblem[];
}

/** A sheet as its file has it. */
export interface ReadGrid {
  name: string;
  rows: unknown[][];
}

/** The messages of the reading process: some of the content, or why the file cannot be read. */
export type ReadAnswer =
  | { rows: ReadRows['rows'] }
  | { heads: string[]; problems: CellProblem[] }
  | { sheets: ReadGrid[] }
  | { refused: { status: number; code: string; message: string } };

/** The maximum time for a file; a normal list takes seconds. */
const MAX_MS = 120_000;

/**
 * Reads uploaded files in a separate process, with limited memory and time, one at a time: a small file can unpack to
 * more memory than the server has.
 */
export class LimitedReading {
  readonly #processes = new RunProcesses();
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * The first sheet of a workbook or CSV file; its headings are in the first row with content. @throws AppError 413,
   * 415, 422
   */
  async rows(file: ReadTask['file'], maxRows: number): Promise<ReadRows> {
    const read: ReadRows = { heads: [], rows: [], problems: [] };
    await this.#read({ kind: 'read', file, of: { maxRows } }, (answer) => {
      if ('rows' in answer) for (const row of answer.rows) read.rows.push(row);
      else if ('heads' in answer) Object.assign(read, answer);
    });
    return read;
  }

  /** All sheets of a workbook. @throws AppError 413, 415, 422 */
  async sheets(file: ReadTask['file']): Promise<ReadGrid[]> {
    const read: ReadGrid[] = [];
    await this.#read({ kind: 'read', file, of: 'all_sheets' }, (answer) => {
      if ('sheets' in answer) read.push(...answer.sheets);
    });
    return read;
  }

  #read(task: ReadTask, take: (answer: ReadAnswer) => void): Promise<void> {
    const mine = this.#turn.then(() => this.#begin(task, take));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #begin(task: ReadTask, take: (answer: ReadAnswer) => void): Promise<void> {
    let refused: AppError | null = null;
    let late = false;
    const running = this.#processes.start(task, (answer: ReadAnswer) => {
      if ('refused' in answer)
        refused = new AppError(answer.refused.status, answer.refused.code, answer.refused.message, { field: 'file' });
      else take(answer);
    });
    const limit = setTimeout(() => {
      late = true;
      running.stop();
    }, MAX_MS);
    const { fault } = await running.ended;
    clearTimeout(limit);
    if (refused) throw refused as AppError;
    if (fault === undefined) return;
    const error = new AppError(
      413,
      'too_large',
      `Reading this file takes too much ${late ? 'time' : 'memory'}. Save it as a plain list, or split it.`,
      { field: 'file' },
    );
    error.cause = fault;
    throw error;
  }

  /** Ends the process when the server shuts down. */
  close(): Promise<void> {
    return this.#processes.close();
  }
}
