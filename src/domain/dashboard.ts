import type { Field, FilterExpression, JsonSchema, Screen, WireRecord } from '../descriptor/types.ts';
import type { Span, Comparison } from './dashboard_span.ts';
import type { Measure, RecordsGrouped, Report, ReportAnswer, ReportDescriptor } from './report.ts';

export const TILE_KINDS = [
  'figure',
  'gauge',
  'line',
  'bar',
  'donut',
  'heat',
  'funnel',
  'waterfall',
  'treemap',
  'list',
  'search',
  'calendar',
  'widget',
] as const;
export type TileKind = (typeof TILE_KINDS)[number];

/** What an account is marked as, beside its roles. */
export type AccountFlag = 'chairman' | 'ceo' | 'secretary';

/** Of which companies a dashboard shows figures: one of the reader's, or also all of them at once. */
export type CompaniesChoice = 'one' | 'all';

/** The filter in which the reader chooses a company, and its value for all companies at once. */
export const COMPANY_FILTER = 'company';
export const ALL_COMPANIES = 'all';

/** In an address: the earlier day as of which the page is. */
export const DAY_CHOICE = 'day';

/** Where the figures of a tile come from: records of a type or rows of a view. */
export interface TileFrom {
  type: string;
  filter?: FilterExpression;
  /** The condition in place of `filter` as of an earlier day: `@day` in it is the last day of the month that the filter `at` names. */
  past?: Past;
  /** The days that count, by a date of the record. */
  span?: Span;
  /** Fields that filters of the dashboard narrow under another name; of a date the first and the last day. */
  narrow?: Record<string, string | [string, string]>;
  group?: RecordsGrouped['group'];
  measures?: Measure[];
  bands?: NonNullable<RecordsGrouped['bands']>;
  /** Of a list: what stands on each line, the first as its name. */
  columns?: string[];
  /** Of a list; default: that of the type's own list. */
  sort?: string[];
  /** Lines of a list at most. */
  size?: number;
}

/** The condition of an earlier day, and the filter with its month. */
export interface Past {
  at: string;
  filter: FilterExpression;
}

/** A tile as its author wrote it. */
export interface WrittenTile {
  name: string;
  title: string;
  kind: TileKind;
  note?: string;
  /** How a figure that is not nought looks. */
  tone?: 'brand' | 'warning' | 'danger';
  wide?: boolean;
  from?: TileFrom;
  source?: string;
  /** What the function gets. */
  args?: Record<string, unknown>;
  /** JSON Schema of the columns that `source` gives. */
  columns?: JsonSchema;
  compare?: Comparison;
  /** Of a gauge: the figure, or the number, that is the whole. */
  of?: string | number;
  /** Where the tile leads, in place of the list behind its figures. */
  opens?: string;
  /** Who has the tile, any of them: role:CODE, action:CODE; none = whoever may see its figures. */
  for?: string[];
  /** Types whose changes fetch it again; default: those it is made of. */
  refresh?: string[];
  /** What is said when there is nothing. */
  empty?: string;
  /** Of a widget: the name of its component. */
  widget?: string;
  /** It stands on Home, not on the dashboard. */
  home?: true;
  /** Its figures are of today whatever month the reader chose, which it says. */
  now?: true;
}

/** A file of `schemas/<module>/<name>.json` with `"kind": "dashboard"`, as its author wrote it. */
export interface DashboardDescriptor extends Pick<
  ReportDescriptor,
  '$schema' | 'title' | 'description' | 'icon' | 'menu' | 'access' | 'route'
> {
  kind: 'dashboard';
  /** JSON Schema of what the reader chooses. */
  filters?: JsonSchema;
  /** Whether the reader chooses one of their companies, or also all of them at once. */
  companies?: CompaniesChoice;
  /** The type whose records say which tiles each role has, in what order and over which rows and days. */
  arranged?: string;
  /** Who has the dashboard beside the right to it: accounts with one of these flags. */
  flags?: AccountFlag[];
  /** The type whose records are questions asked from a tile. */
  asks?: string;
  /** The function whose row fills in the filters that the reader left open; it refuses what the reader may not see. */
  begins?: { source: string; args?: Record<string, unknown> };
  /** Where the page returns when the reader may not see it any more. */
  otherwise?: string;
  tiles: WrittenTile[];
}

/** Which field of a tile's type a filter of the dashboard narrows; of a date the two filters that bound it. */
export interface Narrowing {
  field: string;
  by: string | [from: string | null, to: string | null];
}

/** A tile compiled. */
export interface Tile extends Omit<WrittenTile, 'from' | 'columns'> {
  refresh: string[];
  /** Its figures as the report that they are; null = it is a list. */
  report: Report | null;
  list: (Required<Pick<TileFrom, 'type' | 'columns'>> & Pick<TileFrom, 'filter' | 'sort' | 'size'>) | null;
  past: Past | null;
  span: Span | null;
  narrow: Narrowing[];
  /** Parameters of a view that filters of the dashboard set. */
  choice: string[];
}

/** What records that arrange dashboards may say besides the role and its tiles. */
export const ARRANGING = ['dashboard', 'scope', 'period'] as const;
export type Arranging = (typeof ARRANGING)[number];

/** A dashboard descriptor compiled. */
export interface Dashboard extends Pick<
  Report,
  'name' | 'folder' | 'title' | 'description' | 'icon' | 'access' | 'route'
> {
  menu: Screen['menu'];
  filters: Field[];
  companies?: CompaniesChoice;
  arranged?: string;
  /** Which of `dashboard`, `scope` and `period` the records of `arranged` have. */
  arrangedBy?: Arranging[];
  /** The filters whose choice the records of `arranged` may be for, each with the field that says it. */
  arrangedFor?: { filter: string; field: string }[];
  flags?: AccountFlag[];
  asks?: string;
  begins?: NonNullable<DashboardDescriptor['begins']>;
  otherwise?: string;
  tiles: Tile[];
}

/** What a tile shows. */
export interface TileAnswer {
  name: string;
  /** Why it shows nothing. */
  problem?: string;
  figures?: Pick<ReportAnswer, 'columns' | 'rows' | 'totals' | 'more' | 'figures' | 'note'>;
  /** The same figure of the days that it is compared with. */
  earlier?: { value: unknown; days: [string | null, string | null] };
  list?: { columns: Field[]; rows: WireRecord[]; count: number | null; capped: boolean };
  /** What narrows the records behind it: the condition, and of a view what was chosen. */
  behind?: { filter: FilterExpression | null; choice: Record<string, string> };
  /** Where its figures lead, where its function says so. */
  opens?: string;
  /** The address of the tile's `opens` with the choices of the page. */
  leads?: string;
  /** What a widget is given. */
  widget?: unknown;
  /** For a layout that depends on the reader's choice: whether it takes the full width. */
  wide?: boolean;
  /** The reader chose an earlier month, and the figures are of today. */
  now?: true;
}

/** What a dashboard says to these filters; tiles that are not the reader's are absent. */
export interface DashboardAnswer {
  /** With defaults filled in, as they were used. */
  filters: Record<string, unknown>;
  tiles: TileAnswer[];
  /** The moment of the figures, as ISO text. */
  at: string;
  /** The earlier day as of which they are: the last one of the month that the reader chose. */
  day?: string;
}

/** The text in a condition that stands for the day as of which a page is. */
const PAGE_DAY = '@day';

/** The condition with the day in it. */
export function onPageDay(filter: FilterExpression, day: string): FilterExpression {
  return JSON.parse(JSON.stringify(filter).replaceAll(`"${PAGE_DAY}"`, `"${day}"`)) as FilterExpression;
}

/** A figure as a person sees it: what its tile is called, and what it says in words. */
export interface NamedFigure {
  title: string;
  value: string;
}
