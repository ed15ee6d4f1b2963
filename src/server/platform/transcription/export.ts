import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { clock } from '../../../domain/transcript/segment.ts';
import { writeSrt } from '../../../domain/transcript/subtitles.ts';
import { AppError } from '../../db/errors.ts';
import type { ActionItem } from './tasks.ts';
import { allowMarksWithoutAnchor, fontOf, fontRuns } from './pdf_fonts.ts';

export interface Line {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
}

/** What a file of a transcription holds. */
export interface TranscriptFile {
  title: string;
  /** DD-MM-YYYY, speakers: one line below the title. */
  about: string;
  summary: string | null;
  lines: Line[];
  actionItems: (Pick<ActionItem, 'text' | 'due_on' | 'done'> & { owner_id__label?: string | null })[];
}

export const EXPORTS: Record<string, { type: string; write: (file: TranscriptFile) => Promise<Buffer> | Buffer }> = {
  txt: { type: 'text/plain; charset=utf-8', write: (file) => Buffer.from(asText(file)) },
  srt: { type: 'application/x-subrip; charset=utf-8', write: ({ lines }) => Buffer.from(writeSrt(lines)) },
  docx: { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', write: asWord },
  pdf: { type: 'application/pdf', write: asPdf },
};

/** Lines of one speaker one after the other, as a paragraph. */
function paragraphs(lines: Line[]): { at: string; speaker: string | null; text: string }[] {
  const told: { at: string; speaker: string | null; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = told.at(-1);
    const near = index > 0 && line.startMs - lines[index - 1]!.endMs < 3_000;
    if (last && last.speaker === line.speaker && near && last.text.length < 400) last.text += ` ${line.text}`;
    else told.push({ at: clock(line.startMs), speaker: line.speaker, text: line.text });
  }
  return told;
}

const actionLine = ({ text, owner_id__label: owner, due_on: day, done }: TranscriptFile['actionItems'][number]) =>
  `${done ? '☑' : '☐'} ${text}${owner ? ` – ${owner}` : ''}${day ? `, by ${dayFirst(day)}` : ''}`;

function asText(file: TranscriptFile): string {
  const parts = [file.title, file.about, ''];
  if (file.summary) parts.push(file.summary, '');
  if (file.actionItems.length > 0) parts.push('To do', ...file.actionItems.map(actionLine), '');
  for (const { at, speaker, text } of paragraphs(file.lines))
    parts.push(`[${at}] ${speaker ? `${speaker}: ` : ''}${text}`);
  return `${parts.join('\n')}\n`;
}

/** What goes into the minutes of a meeting: who was there, what came of it, who does what; the words themselves last. */
export function asMinutes(file: TranscriptFile, present: string[]): string {
  const parts = [file.title, file.about, ''];
  if (present.length > 0) parts.push(`Present: ${present.join(', ')}`, '');
  if (file.summary) parts.push('Summary', file.summary, '');
  if (file.actionItems.length > 0) parts.push('To do', ...file.actionItems.map(actionLine), '');
  parts.push(
    'What was said',
    ...paragraphs(file.lines).map(({ speaker, text }) => `${speaker ? `${speaker}: ` : ''}${text}`),
  );
  return `${parts.join('\n')}\n`;
}

async function asWord(file: TranscriptFile): Promise<Buffer> {
  const { Document, HeadingLevel, Packer, Paragraph, TextRun } = await import('docx');
  const document = new Document({
    title: file.title,
    creator: 'Mainstay',
    sections: [
      {
        children: [
          new Paragraph({ text: file.title, heading: HeadingLevel.TITLE }),
          new Paragraph({ text: file.about }),
          ...(file.summary
            ? [
                new Paragraph({ text: 'Summary', heading: HeadingLevel.HEADING_1 }),
                ...file.summary.split('\n').map((text) => new Paragraph({ text })),
              ]
            : []),
          ...(file.actionItems.length > 0
            ? [
                new Paragraph({ text: 'To do', heading: HeadingLevel.HEADING_1 }),
                ...file.actionItems.map((one) => new Paragraph({ text: actionLine(one) })),
              ]
            : []),
          new Paragraph({ text: 'Text', heading: HeadingLevel.HEADING_1 }),
          ...paragraphs(file.lines).map(
            ({ at, speaker, text }) =>
              new Paragraph({
                spacing: { after: 120 },
                children: [
                  new TextRun({ text: `${at}  `, color: '767676' }),
                  ...(speaker ? [new TextRun({ text: `${speaker}: `, bold: true })] : []),
                  new TextRun(text),
                ],
              }),
          ),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

async function asPdf(file: TranscriptFile): Promise<Buffer> {
  const all = [
    file.title,
    file.about,
    file.summary ?? '',
    ...file.actionItems.map(({ text, owner_id__label: owner }) => `${text}${owner ?? ''}`),
    ...file.lines.map(({ text, speaker }) => `${text}${speaker ?? ''}`),
  ];
  if (!all.every((text) => fontRuns(text) !== null))
    throw new AppError(
      422,
      'invalid',
      'PDF files are written in Latin letters and those of Hindi, Marathi, Bengali, Gujarati, Tamil, Telugu, Kannada and Malayalam, and this text has others. Export it as DOCX, or print the page.',
    );
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    size: 'A4',
    margin: 56,
    bufferPages: true,
    info: { Title: file.title, Creator: 'Mainstay' },
  });
  const parts: Buffer[] = [];
  const ended = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
  });
  /** Writes a text, each part in a font that has its letters, all on one line's foot; only those letters go into the file. */
  const write = (text: string, { bold = false, continued = false } = {}) => {
    const runs = fontRuns(text) ?? [];
    if (runs.length === 0) runs.push({ script: null, text });
    for (const [at, run] of runs.entries()) {
      document.font(fontOf(run.script, bold));
      allowMarksWithoutAnchor(document);
      document.text(run.text, { continued: continued || at < runs.length - 1, baseline: 'alphabetic' });
    }
  };
  const heading = (text: string) => {
    document.moveDown(0.8).fontSize(12);
    write(text, { bold: true });
    document.moveDown(0.3).fontSize(10);
  };
  document.fontSize(18).moveDown(0.8);
  write(file.title, { bold: true });
  document.fontSize(10).fillColor('#555555');
  write(file.about);
  document.fillColor('black');
  if (file.summary) {
    heading('Summary');
    write(file.summary);
  }
  if (file.actionItems.length > 0) {
    heading('To do');
    for (const one of file.actionItems) write(actionLine(one).replace('☐', '[ ]').replace('☑', '[x]'));
  }
  heading('Text');
  for (const { at, speaker, text } of paragraphs(file.lines)) {
    document.fillColor('#555555');
    write(`${at}  `, { continued: true });
    document.fillColor('black');
    if (speaker) write(`${speaker}: `, { bold: true, continued: true });
    write(text);
    document.moveDown(0.4);
  }
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    // Below the margin, where a text would begin a new page.
    document.page.margins.bottom = 0;
    document
      .font('Helvetica')
      .fontSize(8)
      .fillColor('#555555')
      .text(`${page + 1} / ${count}`, 56, document.page.height - 36, { align: 'center', lineBreak: false });
  }
  document.end();
  return ended;
}
