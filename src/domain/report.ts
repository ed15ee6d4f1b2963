import type { Descriptor, Field, FilterExpression, JsonSchema, Screen } from '../descriptor/types.ts';

/** How a date or a moment of a record is put into groups. */
export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A figure over the records of a group: how many there are, or what a field of theirs comes to. */
export interface Measure {
  name: string;
  title: string;
  /** Number of records. */
  count?: true;
  sum?: string;
  average?: string;
  lowest?: string;
  highest?: string;
  /** Of the other figures of the group, as an expression: `round(100 * done / planned, 1)`. */
  formula?: string;
  /** Only of the records for which this holds. */
  filter?: FilterExpression;
}

/** Records of a type in groups, with figures of each. */
export interface RecordsGrouped {
  type: string;
  filter?: FilterExpression;
  /** Fields of the type, or of a record that it refers to (`department_id.branch_id`); a date or a moment by a period. */
  group: (string | { field: string; by: Period })[];
  measures: Measure[];
  /** Further figures: the records by how high a number of theirs is, such as an age in days. */
  bands?: { of: string; edges: number[]; sum?: string };
  /** Fields of the type that the reader may narrow the report by. */
  filters?: string[];
  /** A balance that runs on from row to row. */
  running?: RunningBalance;
}

/** A balance that a figure adds to, row by row in the order of a date, as an account book has it. */
export interface RunningBalance {
  /** The figure that is added. */
  of: string;
  /** The date or moment of the groups in whose order the rows stand. */
  order: string;
  /** Groups of which each has a balance of its own; default: one balance for all. */
  per?: string[];
  /** The heading of its column; default "Balance". */
  title?: string;
}

/** The column of a running balance. */
export const BALANCE = 'balance';
/** In rows that are a balance brought forward or carried down: which of the two. */
export const BALANCE_ROW = '__balance';

export interface Mark {
  column: string;
  /** An expression over the columns of the row. */
  when: string;
  tone: 'success' | 'warning' | 'danger';
  /** What the colour means, for those who do not see it. */
  text: string;
}

/** A file of `schemas/<module>/<name>.json` with `"kind": "report"`, as its author wrote it. */
export interface ReportDescriptor extends Pick<Descriptor, '$schema' | 'title' | 'description' | 'icon' | 'menu'> {
  kind: 'report';
  access: NonNullable<Descriptor['access']>;
  /** Default /reports/<name>. */
  route?: string;
  /** A named function of the server that gives the rows … */
  source?: string;
  /** … or records in groups. */
  from?: RecordsGrouped;
  /** JSON Schema of what the reader chooses. */
  parameters?: JsonSchema;
  /** What parameters are until the reader chooses, as expressions: { "from": "add_months(today(), -12)" }. */
  defaults?: Record<string, string>;
  /** JSON Schema of a row; of `from` the groups and measures are the columns. */
  columns?: JsonSchema;
  /** Columns of which each is opened out of the one before. */
  levels?: string[];
  /** The values of one column become columns, each with these figures. */
  pivot?: { by: string; values: string[] };
  /** Columns that are added up; of `from` all counts and sums are. */
  totals?: string[];
  chart?: { kind: 'line' | 'bar'; x: string; y: string[] };
  /** Of records in groups: the column by which the rows stand; default: by the groups from the left. */
  sort?: { by: string; descending?: boolean };
  /** Columns whose cells are coloured by their value. */
  heat?: string[];
  marks?: Mark[];
  /** Column → address with `:column` for values of the row. */
  links?: Record<string, string>;
}

/** A report descriptor compiled: complete, with the fields of parameters and columns. */
export interface Report extends Pick<
  ReportDescriptor,
  'title' | 'description' | 'icon' | 'defaults' | 'levels' | 'pivot' | 'chart' | 'sort' | 'heat' | 'marks' | 'links'
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

/** A report as a reader gets it. */
export interface ReadableReport extends Report {
  /** Whether the reader may have it as a file. */
  exports: boolean;
  /** Whether who may have it as a file may have it sent by mail too. */
  mails: boolean;
}

/** A row of a report: values as on the wire, `<column>__label` beside what has a name of its own. */
export type ReportRow = Record<string, unknown>;

/** A column as it is shown; those made of a pivot's values stand below its value. */
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

/** What a report says to these parameters. */
export interface ReportAnswer {
  /** With defaults filled in, as they were used. */
  parameters: Record<string, unknown>;
  /** What was chosen, in words. */
  chosen: { title: string; text: string }[];
  columns: ReportColumn[];
  rows: ReportRow[];
  /** By column; null = none, or there are more rows than are shown. */
  totals: ReportRow | null;
  /** There are more rows than an answer has. */
  more: boolean;
  figures: ReportFigure[];
  chart: { x: string[]; series: { title: string; values: (number | null)[] }[] } | null;
  note?: string;
  /** Rights keep from the reader what the figures are made of, as `note` says: there are none. */
  withheld?: true;
}
