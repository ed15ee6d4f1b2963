import type { CompaniesChoice } from './dashboard.ts';
import type { Descriptor, Field, FilterExpression, JsonSchema, Screen } from '../descriptor/types.ts';

/** How a date or time of a record is grouped. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A measure of the records in a group: their number, or an aggregate of a field. */
export interface Measure {
  name: string;
  title: string;
  /** Number of records. */
  count?: true;
  sum?: string;
  average?: string;
  lowest?: string;
  highest?: string;
  /** An expression of other measures of the group: `round(100 * done / planned, 1)`. */
  formula?: string;
  /** Decimals shown, where the field stores more. */
  decimals?: number;
  /** Only records that meet this condition. */
  filter?: FilterExpression;
}

/** Records of a type in groups, with their measures. */
export interface RecordsGrouped {
  type: string;
  filter?: FilterExpression;
  /** Fields of the type, or of a record that it refers to (`department_id.branch_id`); a date or time by period. */
  group: (string | { field: string; by: Period })[];
  measures: Measure[];
  /**
   * Further fields of the type, or of a record that it refers to, beside the groups: columns that divide no chart. With
   * them the report also has the fields that the client wants in reports, of the type and of its references in `group`.
   */
  details?: string[];
  /** Further measures: the records by the range of a number, such as an age in days. */
  bands?: { of: string; edges: number[]; sum?: string };
  /**
   * Fields by which the reader may filter the report, also of a record that the type refers to; a month by financial
   * year and period, a person by somebody above them.
   */
  filters?: (string | { field: string; by: 'period' | 'above'; title?: string })[];
  /** A running balance. */
  running?: RunningBalance;
}

/**
 * `box`: lowest value, quartiles with the median, highest value; `heat`: a grid of values with a column for each `y`;
 * `timeline`: bars between two days, given by the function of the report.
 */
export type ChartKind = 'line' | 'bar' | 'waterfall' | 'box' | 'heat' | 'timeline';

/** What holds from one day to another, in a lane of a timeline. */
export interface TimelineBar {
  lane: string;
  title: string;
  from: string;
  /** The last day; null = no end. */
  until: string | null;
  tone?: 'brand' | 'neutral' | 'warning' | 'danger';
  /** The address of its record. */
  to?: string;
}

/** Bars by lane, in the order of the lanes, over the days shown. */
export interface Timeline {
  first: string;
  last: string;
  today: string;
  bars: TimelineBar[];
}

/** A running balance of a measure, row by row in chronological order, as in a ledger. */
export interface RunningBalance {
  /** The accumulated measure. */
  of: string;
  /** The date or time group in whose order the rows are sorted. */
  order: string;
  /** Groups with separate balances; default: one balance for all. */
  per?: string[];
  /** The heading of its column; default "Balance". */
  title?: string;
}

/** The column of a running balance. */
export const BALANCE = 'balance';
/** For opening and closing balance rows: which of the two. */
export const BALANCE_ROW = '__balance';

export interface Mark {
  column: string;
  /** An expression over the columns of the row. */
  when: string;
  tone: 'success' | 'warning' | 'danger';
  /** The meaning of the colour, for people who cannot see it. */
  text: string;
}

/** A file `schemas/<module>/<name>.json` with `"kind": "report"`, as written. */
export interface ReportDescriptor extends Pick<Descriptor, '$schema' | 'title' | 'description' | 'icon' | 'menu'> {
  kind: 'report';
  access: NonNullable<Descriptor['access']>;
  /** Default /reports/<name>. */
  route?: string;
  /** A named function of the server that returns the rows … */
  source?: string;
  /** … or records in groups. */
  from?: RecordsGrouped;
  /** JSON Schema of the reader's choices. */
  parameters?: JsonSchema;
  /** Whether the reader chooses one of their companies, or also all of them at once, as on a dashboard. */
  companies?: CompaniesChoice;
  /** Initial values of the parameters, as expressions: { "from": "add_months(today(), -12)" }. */
  defaults?: Record<string, string>;
  /** JSON Schema of a row; with `from` the groups and measures are the columns. */
  columns?: JsonSchema;
  /** Columns that expand one after another. */
  levels?: string[];
  /** The values of one column become columns, each with these figures. */
  pivot?: { by: string; values: string[] };
  /** Columns that are added up; with `from` all counts and sums are. */
  totals?: string[];
  /** `stacked`: the bars of a value stand on top of each other; a waterfall adds up the values of one column. */
  chart?: { kind: ChartKind; stacked?: boolean; x: string; other?: string; y: string[] };
  /** For records in groups: the column by which the rows are sorted; default: by the groups from the left. */
  sort?: { by: string; descending?: boolean };
  /** Columns whose cells are coloured by value. */
  heat?: string[];
  marks?: Mark[];
  /** Column → address with `:column` for values of the row. */
  links?: Record<string, string>;
}

/** A compiled report descriptor: complete, with the fields of parameters and columns. */
export interface Report extends Pick<
  ReportDescriptor,
  | 'title'
  | 'description'
  | 'icon'
  | 'companies'
  | 'defaults'
  | 'levels'
  | 'pivot'
  | 'chart'
  | 'sort'
  | 'heat'
  | 'marks'
  | 'links'
> {
  name: string;
  folder: string;
  access: Screen['access'];
  route: string;
  source: string | null;
  from: RecordsGrouped | null;
  parameters: Field[];
  columns: Field[];
  totals: string[];
  menu: Screen['menu'];
}

/** A report as sent to a reader. */
export interface ReadableReport extends Report {
  /** Whether the reader may export it. */
  exports: boolean;
  /** Whether readers who may export it may subscribe to it by mail too. */
  mails: boolean;
  /** The title of its XML file for another program, if there is one. */
  xml?: string;
}

/** A row of a report: values as on the wire, `<column>__label` for values with a label. */
export type ReportRow = Record<string, unknown>;

/** A displayed column; those of a pivot are grouped under its value. */
export interface ReportColumn extends Field {
  group?: string;
  /** The measure of a pivot that it shows. */
  of?: string;
}

/** A figure above the table. */
export interface ReportFigure {
  title: string;
  value: string;
  note?: string;
  tone?: 'success' | 'warning' | 'danger';
}

/** The colour of a value, as its list of values has it, or one that a client has chosen. */
export type Tone = NonNullable<NonNullable<Field['options']>[number]['colour']> | `#${string}`;

/** The values of a chart along its axis; `tone`: it stands for a value with that colour. */
export interface ChartSeries {
  title: string;
  values: (number | null)[];
  tone?: Tone;
}

/** The result of a report for these parameters. */
export interface ReportAnswer {
  /** The used parameters, including defaults. */
  parameters: Record<string, unknown>;
  /** The choices as text. */
  chosen: { title: string; text: string }[];
  columns: ReportColumn[];
  rows: ReportRow[];
  /** By column; null = none, or there are more rows than are shown. */
  totals: ReportRow | null;
  /** There are more rows than an answer may contain. */
  more: boolean;
  figures: ReportFigure[];
  /** `minutes`: each figure is a duration. */
  chart: {
    along?: string;
    x: string[];
    series: ChartSeries[];
    minutes?: true;
  } | null;
  timeline?: Timeline;
  note?: string;
  /** The reader may not see the underlying data, as `note` explains: there are no figures. */
  withheld?: true;
}
