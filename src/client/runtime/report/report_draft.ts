import { FIGURES, isDated, isGrouped, isMeasured, isNarrowed } from '../../../descriptor/report_fields.ts';
import type { FieldFigure } from '../../../descriptor/report_fields.ts';
import type { Field, FilterExpression, Screen } from '../../../descriptor/types.ts';
import type { ChartKind, Measure, Period, RecordsGrouped, ReportDescriptor } from '../../../domain/report.ts';
import type { Condition } from '../landing/list_address.ts';
import { conditionsOf, filterOf } from '../landing/list_address.ts';

export type Sharing = 'own' | 'roles' | 'all';
export type OwnReport = Pick<ReportDescriptor, 'title' | 'description' | 'from' | 'chart' | 'sort'>;

/** A user-built report, as the server stores it. */
export interface SavedReport {
  id: number;
  report: OwnReport;
  owner_id__label: string | null;
  shared: Sharing;
  roles: number[];
  roles__label: string[];
  version: number;
  mayChange: boolean;
}

/** A report while it is built. */
export interface ReportDraft {
  title: string;
  description: string;
  type: string;
  group: RecordsGrouped['group'];
  measures: Measure[];
  conditions: Condition[];
  filters: string[];
  sort: OwnReport['sort'] | null;
  /** What is drawn, by the first group; null = no chart. */
  chart: { kind: ChartKind; y: string } | null;
}

export const PERIODS: Record<Period, string> = {
  day: 'by day',
  week: 'by week',
  month: 'by month',
  quarter: 'by quarter',
  year: 'by year',
};

export const FIGURE_WORDS: Record<FieldFigure, string> = {
  sum: 'Sum',
  average: 'Average',
  lowest: 'Minimum',
  highest: 'Maximum',
};

export const MAX_GROUPS = 3;
export const MAX_MEASURES = 8;

/** Fields whose values a reader sees: groups, and fields with measures. */
const shown = ({ fields }: Screen) => fields.filter(({ hidden }) => hidden !== 'always');
export const groupFields = (screen: Screen): Field[] => shown(screen).filter(isGrouped);
export const narrowFields = (screen: Screen): Field[] => shown(screen).filter(isNarrowed);

/** Measures of numbers and amounts, and the first and last of dates. */
export function figureFields(screen: Screen, figure: FieldFigure): Field[] {
  return shown(screen).filter((field) => isMeasured(field, figure) && (isMeasured(field, 'sum') || isDated(field)));
}

/** A field as a group; a date by month initially. */
export const groupOf = (field: Field): RecordsGrouped['group'][number] =>
  isDated(field) ? { field: field.name, by: 'month' } : field.name;

export const fieldOfGroup = (group: RecordsGrouped['group'][number]): string =>
  typeof group === 'string' ? group : group.field;

/** The name of the column that a group makes, as the server names it. */
export function columnOfGroup(group: RecordsGrouped['group'][number]): string {
  const name = fieldOfGroup(group).replaceAll('.', '_');
  return typeof group === 'string' ? name : `${name}_${group.by}`;
}

/** The number of records. */
export const countMeasure = (screen: Screen): Measure => ({
  name: 'records',
  title: screen.plural.slice(0, 60),
  count: true,
});

/** A measure of a field, named by both, so that its name is stable while others are added and removed. */
export function measureOf(figure: FieldFigure, field: Field): Measure {
  const title = figure === 'sum' ? field.title : `${field.title}, ${FIGURE_WORDS[figure].toLowerCase()}`;
  return { name: `${figure}_${field.name}`.slice(0, 60), title: title.slice(0, 60), [figure]: field.name };
}

/** The kind and field of a measure; null if the builder does not support it. */
export function figureOf(measure: Measure): { figure: 'count' | FieldFigure; field: string } | null {
  if (measure.filter !== undefined || measure.formula !== undefined) return null;
  if (measure.count) return { figure: 'count', field: '' };
  const figure = FIGURES.find((word) => measure[word] !== undefined);
  return figure === undefined ? null : { figure, field: measure[figure]! };
}

/** The first draft of a report on a type: the number of records per value of one of its list's filters. */
export function newDraft(screen: Screen, filter: unknown): ReportDraft {
  const fields = groupFields(screen);
  const first =
    screen.filters.flatMap((name) => fields.find((field) => field.name === name) ?? [])[0] ??
    fields.find(({ options, ref, type }) => options ?? ref ?? type === 'boolean') ??
    fields[0];
  return {
    title: '',
    description: '',
    type: screen.name,
    group: first ? [groupOf(first)] : [],
    measures: [countMeasure(screen)],
    conditions: conditionsOf(filter),
    filters: [],
    sort: null,
    chart: first ? { kind: isDated(first) ? 'line' : 'bar', y: 'records' } : null,
  };
}

/** A saved report, for further editing. */
export function draftOf({ title, description = '', from, sort, chart }: OwnReport): ReportDraft {
  const { type, group, measures, filter, filters = [] } = from!;
  return {
    title,
    description,
    type,
    group,
    measures,
    conditions: conditionsOf(filter),
    filters: filters.filter((one) => typeof one === 'string'),
    sort: sort ?? null,
    chart: chart ? { kind: chart.kind, y: chart.y[0] ?? '' } : null,
  };
}

/** The descriptor of a draft. A chart needs a single group; the sort column must exist. */
export function reportOf(draft: ReportDraft, title = draft.title): OwnReport {
  const { type, group, measures, conditions, filters, sort, chart } = draft;
  const filter: FilterExpression | null = filterOf(conditions);
  const description = draft.description.trim();
  const [only] = group;
  const drawn = chart && only !== undefined && group.length === 1 && measures.some(({ name }) => name === chart.y);
  return {
    title,
    ...(description !== '' && { description }),
    from: { type, group, measures, ...(filter && { filter }), ...(filters.length > 0 && { filters }) },
    ...(sort && columnsOf(draft).includes(sort.by) && { sort }),
    ...(drawn && { chart: { kind: chart.kind, x: columnOfGroup(only), y: [chart.y] } }),
  };
}

/** The columns of a draft, by name. */
const columnsOf = ({ group, measures }: ReportDraft): string[] => [
  ...group.map(columnOfGroup),
  ...measures.map(({ name }) => name),
];
