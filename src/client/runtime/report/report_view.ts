import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { yearSpan } from '../../../descriptor/financial_year.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { narrowedNames, narrowedPath } from '../../../descriptor/narrowing.ts';
import { place } from '../../../descriptor/place.ts';
import type { Field, FilterExpression } from '../../../descriptor/types.ts';
import { holds, scopeOf } from '../../../descriptor/validate.ts';
import { addDays, firstDay } from '../../../domain/dashboard_span.ts';
import { BALANCE_ROW } from '../../../domain/report.ts';
import type { Mark, Report, ReportColumn, ReportRow } from '../../../domain/report.ts';

/** The reader's choices as in the address; an empty text is a choice of nothing. */
export type Chosen = Readonly<Record<string, string>>;

export interface Sort {
  column: string;
  descending: boolean;
}

export const isFigure = ({ type }: Field): boolean => fieldType(type).filter === 'number';

/** The parameters that an address carries. */
export function chosenOf(parameters: readonly Field[], search: string): Chosen {
  const query = new URLSearchParams(search);
  return Object.fromEntries(parameters.flatMap(({ name }) => (query.has(name) ? [[name, query.get(name)!]] : [])));
}

/** A parameter's value as in an address. `usual`: its default. */
export function written(value: unknown, usual: unknown): string | null {
  if (value === null || value === undefined || value === '') return usual === null || usual === undefined ? null : '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** A cell as text: zero as a dash, empty values as nothing. */
export function cellText(column: ReportColumn, row: ReportRow): string {
  const value = row[column.name];
  if (value === null || value === undefined) return '';
  const label = row[`${column.name}__label`];
  if (typeof label === 'string') return label;
  if (Array.isArray(label)) return label.join(', ');
  if (isFigure(column) && Number(value) === 0) return '–';
  return formatValue(column, value, row);
}

/** Rows sorted as requested: figures by amount, all others by text; empty values last. */
export function sorted(
  rows: readonly ReportRow[],
  columns: readonly ReportColumn[],
  sort: Sort | null,
): readonly ReportRow[] {
  const column = columns.find(({ name }) => name === sort?.column);
  if (!column) return rows;
  const figure = isFigure(column);
  const plain = ['date', 'datetime', 'month', 'time'].includes(column.type);
  const keyed = rows.map((row) => ({
    row,
    empty: row[column.name] === null || row[column.name] === undefined,
    key: figure ? Number(row[column.name]) : plain ? String(row[column.name]) : cellText(column, row),
  }));
  const sign = sort!.descending ? -1 : 1;
  keyed.sort(
    (a, b) =>
      Number(a.empty) - Number(b.empty) ||
      sign *
        (typeof a.key === 'number' && typeof b.key === 'number'
          ? a.key - b.key
          : String(a.key).localeCompare(String(b.key), 'en', { numeric: true })),
  );
  return keyed.map(({ row }) => row);
}

/** The highlight of a cell, if any. */
export function markOf(
  marks: readonly Mark[] | undefined,
  columns: readonly ReportColumn[],
  column: ReportColumn,
  row: ReportRow,
): Mark | null {
  const own = marks?.filter((mark) => mark.column === (column.of ?? column.name));
  if (!own || own.length === 0) return null;
  const scope = scopeOf([...columns], row);
  return own.find(({ when }) => holds(when, scope)) ?? null;
}

/** The heat of a cell: 0 to 1 as a fraction of the greatest value of these columns. */
export function heatOf(
  heat: readonly string[] | undefined,
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
): (column: ReportColumn, row: ReportRow) => number | null {
  if (!heat || heat.length === 0) return () => null;
  const own = columns.filter(({ name, of }) => heat.includes(of ?? name) && !name.startsWith('.total.'));
  const names = new Set(own.map(({ name }) => name));
  let max = 0;
  for (const row of rows) for (const name of names) max = Math.max(max, Number(row[name] ?? 0));
  return (column, row) =>
    max > 0 && names.has(column.name) && row[column.name] !== null && row[column.name] !== undefined
      ? Number(row[column.name]) / max
      : null;
}

/** The link of a cell: the address in the descriptor with values of the row; null if one is missing. */
export function linkOf(address: string | undefined, row: ReportRow): string | null {
  if (address === undefined) return null;
  const missing = [...address.matchAll(/:(\w+)/g)].some(
    ([, name = '']) => row[name] === null || row[name] === undefined,
  );
  return missing ? null : address.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(row[name])));
}

const PERIODS: Record<string, (text: string) => [string, string]> = {
  day: (text) => [text, text],
  week: (text) => {
    const monday = mondayOf(text);
    return [monday, addDays(monday, 6)];
  },
  month: (text) => [`${text}-01`, lastDay(`${text}-01`, 1)],
  quarter: (text) => {
    const [year, quarter] = text.split(' Q').map(Number) as [number, number];
    const first = `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`;
    return [first, lastDay(first, 3)];
  },
  year: (text) => [`${text}-01-01`, `${text}-12-31`],
};

/** The Monday of an ISO 8601 week, `2026 W07`: 4 January is always in the first. */
function mondayOf(week: string): string {
  const [year, number] = week.split(' W').map(Number) as [number, number];
  return addDays(firstDay('week', `${year}-01-04`, 1), (number - 1) * 7);
}

/** The last day of so many months. */
function lastDay(first: string, months: number): string {
  const [year, month] = first.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + months, 0)).toISOString().slice(0, 10);
}

/** The months chosen by financial year, from and to; null without a beginning or an end. */
function monthsOf(name: string, parameters: Readonly<Record<string, unknown>>): string[] | null {
  const text = (key: string) => (typeof parameters[key] === 'string' ? parameters[key] : null);
  const year = text(`${name}_year`);
  const own = year === null ? null : yearSpan(Number(year.slice(0, 4)), place().fyStartMonth);
  const from = [own?.from.slice(0, 7) ?? null, text(`${name}_from`)]
    .filter((month) => month !== null)
    .toSorted()
    .at(-1);
  const to = [own?.to.slice(0, 7) ?? null, text(`${name}_to`)].filter((month) => month !== null).toSorted()[0];
  if (from === undefined || to === undefined) return null;
  const months: string[] = [];
  for (let day = `${from}-01`; day.slice(0, 7) <= to && months.length < 240; day = addDays(lastDay(day, 1), 1))
    months.push(day.slice(0, 7));
  return months.length === 0 ? null : months;
}

/** The filter for the list of records behind a row of groups and, for one measure, behind that figure. */
export function recordsBehind(
  { from }: Pick<Report, 'from'>,
  row: ReportRow,
  parameters: Readonly<Record<string, unknown>>,
  measure: string,
): FilterExpression | null {
  const figure = from?.measures.find(({ name }) => name === measure);
  if (!from || !figure) return null;
  const conditions: FilterExpression[] = [];
  for (const group of from.group) {
    const [field, by] = typeof group === 'string' ? [group, null] : [group.field, group.by];
    const own = field.replaceAll('.', '_');
    const name = by === null ? own : `${own}_${by}`;
    // A total includes all values of a column.
    if (!(name in row)) continue;
    // The list cannot be filtered by fields of other records.
    if (field.includes('.')) return null;
    const value = row[name];
    conditions.push(
      value === null || value === undefined
        ? [field, 'empty']
        : by === null
          ? [field, 'eq', value]
          : [field, 'between', PERIODS[by]!(String(value))],
    );
  }
  for (const one of from.filters ?? []) {
    const name = narrowedPath(one);
    if (typeof one !== 'string' || name.includes('.')) {
      if (narrowedNames(one).every((chosen) => (parameters[chosen] ?? null) === null)) continue;
      const months = typeof one !== 'string' && one.by === 'period' ? monthsOf(name, parameters) : null;
      // The list cannot be filtered by people above, by fields of other records, or by a period without an end.
      if (!months) return null;
      conditions.push([name, 'in', months]);
      continue;
    }
    const span = [parameters[`${name}_from`] ?? null, parameters[`${name}_to`] ?? null];
    if (span.some((day) => day !== null)) conditions.push([name, 'between', span]);
    else if (parameters[name] !== null && parameters[name] !== undefined)
      conditions.push([name, 'eq', parameters[name]]);
  }
  if (from.filter) conditions.push(from.filter);
  if (figure.filter) conditions.push(figure.filter);
  return conditions.length <= 1 ? (conditions[0] ?? null) : ['and', ...conditions];
}

/**
 * The address of the list with the records behind a figure; null = there is no such list, or it is not a figure of
 * records.
 */
export function listBehind(
  report: Report,
  row: ReportRow,
  parameters: Readonly<Record<string, unknown>>,
  { name, of: pivoted }: Pick<ReportColumn, 'name' | 'of'>,
  list: string | null,
): string | null {
  const measure = pivoted ?? name;
  if (list === null || row[BALANCE_ROW] !== undefined || !report.from?.measures.some((one) => one.name === measure))
    return null;
  const { pivot } = report;
  let of = row;
  if (pivot) {
    if (pivoted === undefined) return null;
    const key = name.slice(0, -measure.length - 1);
    if (key !== '.total') of = { ...row, [pivot.by]: key === '' ? null : valueOf(report, pivot.by, key) };
  }
  const filter = recordsBehind(report, of, parameters, measure);
  const query = new URLSearchParams(filter === null ? {} : { filter: JSON.stringify(filter) });
  const narrowing = new Set(
    report.from.filters?.flatMap((one) => [
      `${narrowedPath(one)}_from`,
      `${narrowedPath(one)}_to`,
      ...narrowedNames(one),
    ]),
  );
  for (const { name: chosen } of report.parameters)
    if (!narrowing.has(chosen) && parameters[chosen] !== null && parameters[chosen] !== undefined)
      query.set(`p.${chosen}`, String(parameters[chosen] as string | number | boolean));
  return `${list}?${query.toString()}`;
}

/** The value of a pivot column, in its field's type. */
function valueOf({ columns }: Report, name: string, key: string): unknown {
  const field = columns.find((one) => one.name === name);
  if (field?.ref || field?.type === 'integer') return Number(key);
  return field?.type === 'boolean' ? key === 'true' : key;
}
