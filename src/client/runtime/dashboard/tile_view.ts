import { isFigure } from '../../../descriptor/dashboard_kinds.ts';
import { formatCompact, formatLongDate, formatNumber, formatValue } from '../../../descriptor/format.ts';
import { currencyOf, unitOf } from '../../../descriptor/money.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Tile, TileAnswer } from '../../../domain/dashboard.ts';
import type { ReportRow, Tone } from '../../../domain/report.ts';
import { toneOf } from '../../../domain/tone.ts';
import { linkOf, recordsBehind } from '../report/report_view.ts';

/** The columns of an answer: those that name what the figures are of, and the figures. */
export function columnsOf({ figures }: TileAnswer): { names: Field[]; figures: Field[] } {
  const columns = (figures?.columns ?? []).filter(({ hidden }) => !hidden);
  return { names: columns.filter((column) => !isFigure(column)), figures: columns.filter(isFigure) };
}

/** What a row's group is called; @param none what stands for an empty one */
export function nameOf(column: Field, row: ReportRow, none = 'None'): string {
  const label = row[`${column.name}__label`];
  const text = typeof label === 'string' ? label : formatValue(column, row[column.name], row);
  return text === '' ? none : text;
}

/** A figure as number; null = there is none. */
export function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** A figure with its unit before or behind, in few characters where it is long. */
export function figureText(column: Field, value: unknown): string {
  const number = numberOf(value);
  if (number === null) return '–';
  if (column.type === 'duration') return formatValue(column, value);
  const text = formatCompact(number, column.type === 'money' ? currencyOf(column) : undefined);
  const unit = column.type === 'percent' ? '%' : unitOf(column);
  if (unit === undefined) return text;
  return column.type === 'money' ? `${unit}${text}` : `${text} ${unit}`;
}

/** The same in full, for tables and for those who ask. */
export function exactText(column: Field, value: unknown): string {
  const text = formatValue(column, value);
  if (text === '') return '–';
  return column.type === 'money' ? `${unitOf(column) ?? ''}${text}` : text;
}

/** How a figure stands against the days that it is compared with; null = there is nothing to compare. */
export function comparedText(value: unknown, earlier: TileAnswer['earlier']): string | null {
  if (!earlier) return null;
  const [now, before] = [numberOf(value) ?? 0, numberOf(earlier.value) ?? 0];
  const [from, to] = earlier.days;
  const days = from === to ? formatLongDate(from!) : `${formatLongDate(from!)} to ${formatLongDate(to!)}`;
  if (before === 0) return now === 0 ? `same as ${days}` : `none from ${days}`;
  const percent = Math.round((100 * (now - before)) / Math.abs(before));
  if (percent === 0) return `same as ${days}`;
  return `${percent > 0 ? '▲' : '▼'} ${formatNumber(Math.abs(percent))} % against ${days}`;
}

/** Where a figure of a row, a row, or all of a tile leads; null = nowhere. `landing`: the list of its type, if the reader may open it. */
export function leadsTo(
  tile: Tile,
  { behind, opens, leads }: TileAnswer,
  landing: string | null,
  row: ReportRow = {},
  measure?: string,
): string | null {
  const own = measure === undefined ? undefined : row[`${measure}__to`];
  if (typeof own === 'string') return own;
  if (opens !== undefined) return opens;
  if (tile.opens !== undefined) return linkOf(leads ?? tile.opens, row);
  if (!behind || landing === null) return null;
  const from = tile.report?.from;
  const name = measure ?? from?.measures.find(({ formula }) => formula === undefined)?.name;
  const filter =
    from && name !== undefined
      ? recordsBehind(
          {
            from: {
              ...from,
              filters: [],
              ...(behind.filter ? { filter: behind.filter } : { filter: undefined }),
            } as never,
          },
          row,
          {},
          name,
        )
      : behind.filter;
  const query = new URLSearchParams(filter === null ? {} : { filter: JSON.stringify(filter) });
  for (const [one, value] of Object.entries(behind.choice)) query.set(`p.${one}`, value);
  const text = query.toString();
  return text === '' ? landing : `${landing}?${text}`;
}

/** Rows and series of a tile with one or two groups, in the order of the answer. */
export interface Matrix {
  x: { title: string; row: ReportRow }[];
  series: { title: string; column: Field; cells: (ReportRow | null)[]; tone?: Tone | undefined }[];
}

/** Two groups become rows and series; of one group each figure is a series, or the first alone if it is computed. */
export function matrixOf(answer: TileAnswer, isComputed = false): Matrix {
  const { names, figures } = columnsOf(answer);
  const rows = answer.figures?.rows ?? [];
  const [along, across] = names as [Field, Field | undefined];
  if (!across)
    return {
      x: rows.map((row) => ({ title: nameOf(along, row), row })),
      series: figures
        .slice(0, isComputed ? 1 : undefined)
        .map((column) => ({ title: column.title, column, cells: rows })),
    };
  const keyOf = (column: Field, row: ReportRow) => JSON.stringify(row[column.name] ?? null);
  const heads = new Map(rows.map((row) => [keyOf(along, row), row]));
  const kinds = new Map(rows.map((row) => [keyOf(across, row), row]));
  const cells = new Map(rows.map((row) => [`${keyOf(along, row)} ${keyOf(across, row)}`, row]));
  return {
    x: [...heads.values()].map((row) => ({ title: nameOf(along, row), row })),
    series: inOrder(across, [...kinds]).map(([kind, row]) => ({
      title: nameOf(across, row),
      tone: toneOf(across, row),
      column: figures[0]!,
      cells: [...heads.keys()].map((head) => cells.get(`${head} ${kind}`) ?? null),
    })),
  };
}

/** What stands for a day or a period begins with its year. */
const PERIOD = /^\d{4}-/;

/** Choices as the list has them, periods as they follow one another, all else by what it is called. */
function inOrder(column: Field, kinds: [string, ReportRow][]): [string, ReportRow][] {
  const place = (row: ReportRow) => column.options?.findIndex(({ value }) => value === row[column.name]) ?? 0;
  const wordOf = (row: ReportRow) => {
    const value = row[column.name];
    return typeof value === 'string' && PERIOD.test(value) ? value : nameOf(column, row);
  };
  return kinds.toSorted(
    ([, a], [, b]) => place(a) - place(b) || wordOf(a).localeCompare(wordOf(b), 'en', { numeric: true }),
  );
}

/** The figure that a gauge shows, of those that it is computed from. */
export function gaugeFigure(tile: Tile, figures: Field[]): Field {
  return figures.find(({ name }) => name !== tile.of) ?? figures[0]!;
}

const NEVER_EMPTY: ReadonlySet<string> = new Set(['widget', 'figure', 'calendar', 'search']);

/** Whether there is anything to see. */
export function isEmpty(tile: Tile, answer: TileAnswer): boolean {
  if (NEVER_EMPTY.has(tile.kind)) return false;
  if (answer.list) return answer.list.rows.length === 0;
  const { names, figures } = columnsOf(answer);
  const rows = answer.figures?.rows ?? [];
  if (tile.kind === 'gauge')
    return (
      numberOf(rows[0]?.[gaugeFigure(tile, figures).name]) === null ||
      // A part of nothing says nothing.
      (typeof tile.of === 'string' && numberOf(rows[0]?.[tile.of]) === 0)
    );
  return names.length === 0
    ? rows.every((row) => figures.every((column) => numberOf(row[column.name]) === null))
    : rows.length === 0;
}
