import type { Screen } from '../../../descriptor/types.ts';
import type { ReportFigure, ReportRow } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { Statement } from '../../db/database.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/** Rows of one answer at most. */
export const MAX_ROWS = 5_000;

/** What a function that gives the rows of a report receives. */
export interface ReportCall {
  session: LiveSession;
  /** As the reader has them. */
  screens: Map<string, Screen>;
  /** Checked, with defaults: dates YYYY-MM-DD, references as ids; null = not chosen. */
  parameters: Record<string, unknown>;
  /** Today where the client is, YYYY-MM-DD. */
  today: string;
  /** Of a report with levels: the columns that rows are distinguished by; else none. */
  by: string[];
  /** Of a report with levels: the values of columns above that were opened. */
  within: Record<string, unknown>;
  /** The conditions by which the reader sees rows of a type; `alias` is its table's. */
  scoped(type: string, alias: string, values: SqlParams): string[];
  /** What a tile of a dashboard passes to it. */
  args?: Readonly<Record<string, unknown>>;
  /** Runs the statement of records in groups; default: the client's database does. */
  run?(statement: Statement): Promise<Record<string, unknown>[]>;
}

export interface ReportRows {
  rows: ReportRow[];
  figures?: ReportFigure[];
  /** The columns of a pivot, in their order, those without rows too. */
  pivot?: { value: string; title: string }[];
  /** Totals that are no sums of the rows, by column; they go before sums. */
  totals?: ReportRow;
  /** Where the chart shows something else than columns of the rows. */
  chart?: { x: string[]; series: { title: string; values: (number | null)[] }[] };
  /** What a reader should know of the figures. */
  note?: string;
  /** Of a tile that a component draws: what it is given. */
  widget?: unknown;
}

/** A named function of the server that gives the rows of a report or of a tile. */
export interface ReportSource {
  /**
   * The types whose tables it reads, with the fields that its figures say something about. Tables that are not there yet
   * are made; somebody from whom roles keep one of the fields gets that message instead of the figures.
   */
  reads: Readonly<Record<string, readonly string[]>>;
  rows(call: ReportCall): Promise<ReportRows>;
}
