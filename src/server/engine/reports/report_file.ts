import { formatMoment } from '../../../descriptor/format.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { Printing } from '../../services/print/printing.ts';
import { SheetWriter } from '../excel/sheet_write.ts';
import { chosenTexts, reportPaper } from './report_paper.ts';
import type { ReportDeps } from './run_report.ts';
import { runReport } from './run_report.ts';

/** The kinds of file in which a report is taken along. */
export const REPORT_FORMATS = ['pdf', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const TYPES: Record<ReportFormat, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
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

/** A report as a file, as this reader may see it. @throws AppError 422 naming a parameter, or where it takes too long; 403 */
export async function reportFile(
  deps: ReportFileDeps,
  session: LiveSession,
  report: Report,
  parameters: Record<string, string | undefined>,
  format: ReportFormat,
): Promise<ReportFile> {
  const answer = await runReport(deps, session, report, { parameters, level: null, within: {}, whole: true });
  const screens = deps.screens(session);
  const bytes =
    format === 'pdf'
      ? await deps.printing.pdf(session.tenant, await reportPaper(session, screens, report, answer))
      : sheetOf(answer, await facts(session, screens, report, answer));
  return { name: `${report.title}.${format}`, type: TYPES[format], bytes, answer };
}

/** What stands on the second sheet: which report it is, by what it was chosen, whose and from when. */
async function facts(
  session: LiveSession,
  screens: ReadonlyMap<string, Screen>,
  report: Report,
  answer: ReportAnswer,
): Promise<{ title: string; text: string }[]> {
  return [
    { title: 'Report', text: report.title },
    ...(await chosenTexts(session, screens, report, answer.parameters)),
    ...answer.figures.map(({ title, value }) => ({ title, text: value })),
    { title: 'Made by', text: session.userName },
    { title: 'Made on', text: formatMoment(new Date().toISOString()) },
    ...(answer.note === undefined ? [] : [{ title: 'Note', text: answer.note }]),
  ];
}

function sheetOf({ columns, rows, totals }: ReportAnswer, about: { title: string; text: string }[]): Buffer {
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
  return sheet.bytes(new Map([['About', second]]));
}
