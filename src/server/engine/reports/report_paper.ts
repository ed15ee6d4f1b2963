import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatDate, formatNumber, formatValue } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn, ReportRow, Timeline } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError } from '../../db/errors.ts';
import type { ContentBlock, PrintContent } from '../../services/print/print_content.ts';

/** The width of an A4 page between its margins in points, portrait and landscape. */
const UPRIGHT = 515;
const ACROSS = 762;
/** The most columns of a page in portrait. */
const MAX_UPRIGHT = 7;
/** A letter in bold and the space beside a cell, in points. */
const LETTER = 5;
const BESIDE = 10;
/** Texts are wrapped: a column of them is at least as wide as its longest word, within these limits, in points. */
const MIN_TEXT = 50;
const MAX_TEXT = 160;
/** The maximum number of rows of one document: some forty pages. */
const MAX_ROWS = 2_000;

/** The most columns that are repeated in each part of a wide table. */
const REPEATED = 2;

/**
 * A report's result for printing; of a wide one, the columns stand in parts below each other. @throws AppError 422 if
 * it is too long
 */
export function reportPaper(
  { userName }: Pick<LiveSession, 'userName'>,
  report: Report,
  answer: ReportAnswer,
): PrintContent {
  const { columns, rows, totals } = answer;
  const texts = rows.map((row) => columns.map((column) => cell(column, row)));
  const sums = totals && columns.map((column, at) => (at === 0 ? 'Total' : cell(column, totals)));
  const widths = columns.map((column, at) =>
    widthOf(
      column,
      [...texts, ...(sums ? [sums] : [])].map((row) => row[at]!),
    ),
  );
  const parts = columnParts(columns, widths);
  const most = Math.floor(MAX_ROWS / parts.length);
  if (rows.length > most)
    throw new AppError(
      422,
      'print_too_long',
      `A PDF of ${columns.length === 1 ? 'one column' : `${columns.length} columns`} has at most ${formatNumber(most)} rows. Narrow the report, or export it to Excel.`,
    );
  const tables = parts.map((shown, at): ContentBlock => ({
    kind: 'table',
    title: parts.length === 1 ? null : `Part ${at + 1} of ${parts.length}`,
    columns: shown.map((place) => ({
      title: titleOf(columns[place]!),
      align: isFigure(columns[place]!) ? 'right' : 'left',
      width: isFigure(columns[place]!) ? 'fit' : 'fill',
    })),
    groups: [{ title: null, rows: texts.map((row) => shown.map((place) => row[place]!)), sums: null }],
    sums: sums && shown.map((place) => sums[place]!),
  }));
  const figures = answer.figures.map(({ title, value }) => ({ title, text: value }));
  const box = [...answer.chosen, ...figures];
  return {
    title: report.title,
    paper: 'A4',
    landscape: columns.length > MAX_UPRIGHT || sumOf(widths) > UPRIGHT,
    at: new Date().toISOString(),
    watermark: null,
    foot: `${report.title} · ${userName}`,
    blocks: [
      { kind: 'heading', text: report.title },
      ...(report.description === undefined
        ? []
        : [{ kind: 'text', text: report.description, bold: false, align: 'left' } as const]),
      ...(box.length > 0 ? [{ kind: 'box', columns: 3, entries: box } as const] : []),
      ...tables,
      ...chartTable(report, answer),
      ...timelineTable(report, answer),
      ...(answer.note === undefined ? [] : [{ kind: 'text', text: answer.note, bold: false, align: 'left' } as const]),
    ],
  };
}

const isFigure = (field: Field) => fieldType(field.type).filter === 'number';

const titleOf = (column: ReportColumn) => [column.group, column.title].filter(Boolean).join(' ');
const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);
const longestOf = (texts: readonly string[]) => texts.reduce((longest, { length }) => Math.max(longest, length), 0);

/** The width that a column needs, in points: figures are never wrapped. */
function widthOf(column: ReportColumn, texts: readonly string[]): number {
  const words = (all: readonly string[]) => longestOf(all.flatMap((text) => text.split(/\s+/)));
  const title = words([titleOf(column)]) * LETTER + BESIDE;
  if (isFigure(column)) return Math.max(title, longestOf(texts) * LETTER + BESIDE);
  return Math.min(Math.max(MIN_TEXT, title, words(texts) * LETTER + BESIDE), MAX_TEXT);
}

/** The places of the columns in parts that fit on paper; the first ones, which name a row, are repeated in each. */
function columnParts(columns: readonly ReportColumn[], widths: readonly number[]): number[][] {
  const places = [...columns.keys()];
  if (sumOf(widths) <= ACROSS) return [places];
  const figure = columns.findIndex(isFigure);
  const names = places.slice(0, Math.max(1, Math.min(REPEATED, figure < 0 ? REPEATED : figure)));
  const free = ACROSS - sumOf(names.map((place) => widths[place]!));
  const parts: number[][] = [];
  let left = 0;
  for (const place of places.slice(names.length)) {
    if (widths[place]! > left) {
      parts.push([...names]);
      left = free;
    }
    parts.at(-1)!.push(place);
    left -= widths[place]!;
  }
  return parts;
}

function cell(column: ReportColumn, row: ReportRow): string {
  const value = row[column.name];
  if (value === null || value === undefined) return '';
  const label = row[`${column.name}__label`];
  return typeof label === 'string' ? label : formatValue(column, value, row);
}

/**
 * The figures of the chart, each series in a column: the chart of a pivot shows figures that the table does not have.
 */
function chartTable(report: Report, { columns, chart }: ReportAnswer): ContentBlock[] {
  if (!chart) return [];
  const titles = [chart.along ?? chartHead(report, columns), ...chart.series.map(({ title }) => title)];
  return [
    {
      kind: 'table',
      title: 'Figures of the chart',
      columns: titles.map((title, at) => ({
        title,
        align: at === 0 ? 'left' : 'right',
        width: at === 0 ? 'fill' : 'fit',
      })),
      groups: [
        {
          title: null,
          rows: chart.x.map((x, at) => [
            x,
            ...chart.series.map(({ values }) => (values[at] === null ? '' : formatNumber(values[at]!))),
          ]),
          sums: null,
        },
      ],
      sums: null,
    },
  ];
}

/** The columns of a timeline as a table. */
export function timelineHeads(report: Report): string[] {
  const [from, until] = report.chart?.y ?? [];
  const titled = (name: string | undefined, other: string) =>
    report.columns.find((column) => column.name === name)?.title ?? other;
  return [chartHead(report, []), 'What', titled(from, 'From'), titled(until, 'Until')];
}

/** The bars of a timeline as lines of a table. */
export const timelineRows = ({ bars }: Timeline): string[][] =>
  bars.map(({ lane, title, from, until }) => [lane, title, formatDate(from), until === null ? '' : formatDate(until)]);

function timelineTable(report: Report, { timeline }: ReportAnswer): ContentBlock[] {
  if (!timeline) return [];
  return [
    {
      kind: 'table',
      title: 'Figures of the chart',
      columns: timelineHeads(report).map((title, at) => ({ title, align: 'left', width: at < 2 ? 'fill' : 'fit' })),
      groups: [{ title: null, rows: timelineRows(timeline), sums: null }],
      sums: null,
    },
  ];
}

/** The labels of the values on the chart's axis. */
export function chartHead(report: Report, columns: readonly Field[]): string {
  const name = report.chart?.x;
  return [...report.columns, ...columns].find((column) => column.name === name)?.title ?? 'Along';
}
