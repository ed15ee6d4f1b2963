import { formatMoment, formatNumber } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Printing } from '../../services/print/printing.ts';
import { SheetWriter } from '../excel/sheet_write.ts';
import { chartHead, reportPaper, timelineHeads, timelineRows } from './report_paper.ts';
import { MAX_ROWS } from './report_source.ts';
import type { ReportDeps } from './run_report.ts';
import { runReport } from './run_report.ts';

/** The formats of every report. */
export const REPORT_FORMATS = ['pdf', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
/** The formats of files: XML for other programs, where the source of the report writes it. */
export const FILE_FORMATS = [...REPORT_FORMATS, 'xml'] as const;
type FileFormat = (typeof FILE_FORMATS)[number];

const TYPES: Record<FileFormat, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

/** A value of a chart as a column of a sheet. */
const FIGURE: Field = {
  name: 'value',
  type: 'decimal',
  title: '',
  required: false,
  schema: {},
  secret: false,
  readOnly: true,
};

export interface ReportFileDeps extends ReportDeps {
  printing: Printing;
}

export interface ReportFile {
  name: string;
  type: string;
  bytes: Buffer;
  answer: ReportAnswer;
}

/**
 * A report as a file, as this reader may see it. @throws AppError 422 with a parameter, or if it takes too long; 403
 */
export async function reportFile(
  deps: ReportFileDeps,
  session: LiveSession,
  report: Report,
  parameters: Record<string, string | undefined>,
  format: FileFormat,
): Promise<ReportFile> {
  const xml = format === 'xml' ? deps.sources[report.source ?? '']?.xml : undefined;
  if (format === 'xml' && !xml) throw notFound();
  const answer = await runReport(deps, session, report, { parameters, level: null, within: {}, whole: true });
  // Another program would take a part for the whole.
  if (xml && answer.more)
    throw new AppError(
      422,
      'validation',
      `The file would have more than ${formatNumber(MAX_ROWS)} rows. Narrow the report.`,
    );
  const bytes = xml
    ? Buffer.from(xml.write(answer.rows))
    : format === 'pdf'
      ? await deps.printing.pdf(session.tenant, reportPaper(session, report, answer))
      : sheetOf(report, answer, facts(session, report, answer));
  return { name: `${report.title}.${format}`, type: TYPES[format], bytes, answer };
}

/** The content of the second sheet: the report, the choices, the person and the time. */
function facts(session: LiveSession, report: Report, answer: ReportAnswer): { title: string; text: string }[] {
  return [
    { title: 'Report', text: report.title },
    ...answer.chosen,
    ...answer.figures.map(({ title, value }) => ({ title, text: value })),
    { title: 'Created by', text: session.userName },
    { title: 'Created on', text: formatMoment(new Date().toISOString()) },
    ...(answer.note === undefined ? [] : [{ title: 'Note', text: answer.note }]),
  ];
}

function sheetOf(report: Report, answer: ReportAnswer, about: { title: string; text: string }[]): Buffer {
  const { columns, rows, totals, chart } = answer;
  const title = ({ group, title: own }: ReportColumn) => (group === undefined ? own : `${group} ${own}`);
  const sheet = new SheetWriter(columns.map((field) => ({ title: title(field), field, key: field.name })));
  sheet.add(rows);
  const first = columns[0];
  if (totals && first)
    sheet.add([
      { ...totals, ...(totals[first.name] === undefined && { [first.name]: 0, [`${first.name}__label`]: 'Total' }) },
    ]);
  const text = (name: string, head: string): { title: string; field: Field | null; key: string } => ({
    title: head,
    field: null,
    key: name,
  });
  const second = new SheetWriter([text('title', 'About this report'), text('text', 'Value')]);
  second.add(about);
  const further = new Map([['About', second]]);
  if (chart) {
    const drawn = new SheetWriter([
      text('x', chart.along ?? chartHead(report, columns)),
      ...chart.series.map(({ title: head }, at) => ({ title: head, field: FIGURE, key: `y${at}` })),
    ]);
    drawn.add(
      chart.x.map((x, at) => ({
        x,
        ...Object.fromEntries(chart.series.map(({ values }, of) => [`y${of}`, values[at]])),
      })),
    );
    further.set('Chart', drawn);
  }
  if (answer.timeline) {
    const heads = timelineHeads(report);
    const bars = new SheetWriter(heads.map((head, at) => text(`c${at}`, head)));
    bars.add(
      timelineRows(answer.timeline).map((cells) => Object.fromEntries(cells.map((value, at) => [`c${at}`, value]))),
    );
    further.set('Chart', bars);
  }
  return sheet.bytes(further);
}
