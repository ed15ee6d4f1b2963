import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatNumber, formatValue } from '../../../descriptor/format.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn, ReportRow } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { labelExpression } from '../../db/columns.ts';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import { named } from '../../db/sql_text.ts';
import type { ContentBlock, PrintContent } from '../../services/print/print_content.ts';

/** Columns that fit on a sheet of A4, upright and across. */
const UPRIGHT = 7;
const ACROSS = 15;
/** Rows of one paper: some forty pages. */
const MAX_ROWS = 2_000;

/** A report's answer as it stands on paper. @throws AppError 422 where it does not fit */
export async function reportPaper(
  session: LiveSession,
  screens: ReadonlyMap<string, Screen>,
  report: Report,
  answer: ReportAnswer,
): Promise<PrintContent> {
  const { columns, rows, totals } = answer;
  if (columns.length > ACROSS)
    throw new AppError(
      422,
      'print_too_wide',
      `${columns.length} columns do not fit on paper; ${ACROSS} do. Narrow the report, or take it along as a sheet.`,
    );
  if (rows.length > MAX_ROWS)
    throw new AppError(
      422,
      'print_too_long',
      `A paper has at most ${formatNumber(MAX_ROWS)} rows. Narrow the report, or take it along as a sheet.`,
    );
  const isFigure = (field: Field) => fieldType(field.type).filter === 'number';
  const texts = (row: ReportRow) => columns.map((column) => cell(column, row));
  const table: ContentBlock = {
    kind: 'table',
    title: null,
    columns: columns.map((column) => ({
      title: [column.group, column.title].filter(Boolean).join(' '),
      align: isFigure(column) ? 'right' : 'left',
      width: isFigure(column) ? 'fit' : 'fill',
    })),
    groups: [{ title: null, rows: rows.map(texts), sums: null }],
    sums: totals && columns.map((column, at) => (at === 0 ? 'Total' : cell(column, totals))),
  };
  const chosen = await chosenTexts(session, screens, report, answer.parameters);
  const figures = answer.figures.map(({ title, value }) => ({ title, text: value }));
  const box = [...chosen, ...figures];
  return {
    title: report.title,
    paper: 'A4',
    landscape: columns.length > UPRIGHT,
    at: new Date().toISOString(),
    watermark: null,
    foot: `${report.title} · ${session.userName}`,
    blocks: [
      { kind: 'heading', text: report.title },
      ...(report.description === undefined
        ? []
        : [{ kind: 'text', text: report.description, bold: false, align: 'left' } as const]),
      ...(box.length > 0 ? [{ kind: 'box', columns: 3, entries: box } as const] : []),
      table,
      ...(answer.note === undefined ? [] : [{ kind: 'text', text: answer.note, bold: false, align: 'left' } as const]),
    ],
  };
}

function cell(column: ReportColumn, row: ReportRow): string {
  const value = row[column.name];
  if (value === null || value === undefined) return '';
  const label = row[`${column.name}__label`];
  return typeof label === 'string' ? label : formatValue(column, value, row);
}

/** What the reader chose, in words. */
export async function chosenTexts(
  session: LiveSession,
  screens: ReadonlyMap<string, Screen>,
  { parameters }: Report,
  values: Readonly<Record<string, unknown>>,
): Promise<{ title: string; text: string }[]> {
  const { schema, db } = session.tenant;
  const texts: { title: string; text: string }[] = [];
  for (const field of parameters) {
    const value = values[field.name];
    if (value === null || value === undefined) continue;
    const target = field.ref && screens.get(field.ref.type);
    const [row] = target
      ? await db.query<{ label: string }>(
          named(
            `select ${labelExpression(target, 't')} as label from ${tableName(schema, target.name)} t where t.id = $1`,
            [value],
          ),
        )
      : [];
    texts.push({ title: field.title, text: row?.label ?? formatValue(field, value) });
  }
  return texts;
}
