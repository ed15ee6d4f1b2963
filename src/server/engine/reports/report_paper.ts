import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatNumber, formatValue } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn, ReportRow } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError } from '../../db/errors.ts';
import type { ContentBlock, PrintContent } from '../../services/print/print_content.ts';

/** The number of columns on an A4 page, portrait and landscape. */
const UPRIGHT = 7;
const ACROSS = 15;
/** The maximum number of rows of one document: some forty pages. */
const MAX_ROWS = 2_000;

/** The most columns that are repeated in each part of a wide table. */
const REPEATED = 2;

/** A report's result for printing; of a wide one, the columns stand in parts below each other. @throws AppError 422 if it is too long */
export function reportPaper(
  { userName }: Pick<LiveSession, 'userName'>,
  report: Report,
  answer: ReportAnswer,
): PrintContent {
  const { columns, rows, totals } = answer;
  const parts = columnParts(columns);
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
    columns: shown.map((column) => ({
      title: [column.group, column.title].filter(Boolean).join(' '),
      align: isFigure(column) ? 'right' : 'left',
      width: isFigure(column) ? 'fit' : 'fill',
    })),
    groups: [{ title: null, rows: rows.map((row) => shown.map((column) => cell(column, row))), sums: null }],
    sums: totals && shown.map((column, at) => (at === 0 ? 'Total' : cell(column, totals))),
  }));
  const figures = answer.figures.map(({ title, value }) => ({ title, text: value }));
  const box = [...answer.chosen, ...figures];
  return {
    title: report.title,
    paper: 'A4',
    landscape: columns.length > UPRIGHT,
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
      ...(answer.note === undefined ? [] : [{ kind: 'text', text: answer.note, bold: false, align: 'left' } as const]),
    ],
  };
}

const isFigure = (field: Field) => fieldType(field.type).filter === 'number';

/** The columns in parts that fit on paper; the first ones, which name a row, are repeated in each. */
function columnParts(columns: readonly ReportColumn[]): ReportColumn[][] {
  if (columns.length <= ACROSS) return [[...columns]];
  const figure = columns.findIndex(isFigure);
  const names = columns.slice(0, Math.max(1, Math.min(REPEATED, figure < 0 ? REPEATED : figure)));
  const others = columns.slice(names.length);
  const count = Math.ceil(others.length / (ACROSS - names.length));
  const each = Math.ceil(others.length / count);
  return Array.from({ length: count }, (_, at) => [...names, ...others.slice(at * each, (at + 1) * each)]);
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
  const titles = [chartHead(report, columns), ...chart.series.map(({ title }) => title)];
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

/** The labels of the values on the chart's axis. */
export function chartHead(report: Report, columns: readonly Field[]): string {
  const name = report.chart?.x;
  return [...report.columns, ...columns].find((column) => column.name === name)?.title ?? 'Along';
}
