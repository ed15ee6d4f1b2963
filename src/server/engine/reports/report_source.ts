import type { Screen } from '../../../descriptor/types.ts';
import type { ChartSeries, ReportFigure, ReportRow, Timeline } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { Statement } from '../../db/database.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { ReadCollections } from './read_collections.ts';
import type { RecordFigure } from '../record_figure.ts';

/** The maximum number of rows of one answer. */
export const MAX_ROWS = 5_000;

/** The input of a function that returns the rows of a report. */
export interface ReportCall {
  session: LiveSession;
  /** As the reader has them. */
  screens: Map<string, Screen>;
  /** Validated, with defaults: dates YYYY-MM-DD, references as ids; null = not chosen. */
  parameters: Record<string, unknown>;
  /** The client's current day, YYYY-MM-DD. */
  today: string;
  /** For a report with levels: the columns that distinguish rows; otherwise none. */
  by: string[];
  /** For a report with levels: the values of the opened parent columns. */
  within: Record<string, unknown>;
  /** The conditions for the rows of a type that the reader may see; `alias` is its table's. */
  scoped(type: string, alias: string, values: SqlParams): string[];
  /** For a tile: the figures of people that modules provide, by name. */
  recordFigures?: ReadonlyMap<string, RecordFigure>;
  /** For a tile: reads the collections with the rights of a person. */
  collections?: ReadCollections;
  /** The arguments from a dashboard tile. */
  args?: Readonly<Record<string, unknown>>;
  /** Runs the statement of records in groups; default: on the client's database. */
  run?(statement: Statement): Promise<Record<string, unknown>[]>;
}

export interface ReportRows {
  /** Values by column; `<column>__label` is the text of a reference, `<column>__to` the address behind a figure. */
  rows: ReportRow[];
  figures?: ReportFigure[];
  /** The columns of a pivot, in order, including those without rows. */
  pivot?: { value: string; title: string }[];
  /** Totals that are not sums of the rows, by column; they take precedence over sums. */
  totals?: ReportRow;
  /** Used if the chart shows something other than columns of the rows. */
  chart?: { x: string[]; series: ChartSeries[] };
  /** The bars of a timeline. */
  timeline?: Timeline;
  /** Columns that this reader may not see: they are absent from the answer, its totals, its chart and its files. */
  without?: readonly string[];
  /** Notes about the figures for the reader. */
  note?: string;
  /** For a tile: the address of the records behind its figures. */
  opens?: string;
  /** For a tile drawn by a component: its data. */
  widget?: unknown;
}

/** A named function of the server that returns the rows of a report or of a tile. */
export interface ReportSource {
  /**
   * The types whose tables it reads, with the fields that its figures reveal. Missing tables are created; a reader
   * whose roles hide one of the fields gets a message instead of the figures.
   */
  reads: Readonly<Record<string, readonly string[]>>;
  /** Types that it only counts or follows, without names or amounts of a record: the right to its page is enough. */
  counts?: readonly string[];
  rows(call: ReportCall): Promise<ReportRows>;
  /** A further file of its rows, for another program. `title`: on the button. */
  xml?: { title: string; write(rows: readonly ReportRow[]): string };
}
