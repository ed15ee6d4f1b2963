import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { clock } from '../../../domain/transcript/segment.ts';
import { writeSrt } from '../../../domain/transcript/subtitles.ts';
import { AppError } from '../../db/errors.ts';
import type { ActionItem } from './tasks.ts';
import type { ContentBlock, PrintContent } from '../../services/print/print_content.ts';
import { canBeWritten } from '../../services/print/print_fonts.ts';

export interface Line {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
}

/** The content of an exported transcription. */
export interface TranscriptFile {
  title: string;
  /** When it was last changed, as ISO time. */
  at: string;
  /** DD-MM-YYYY, speakers: one line below the title. */
  about: string;
  summary: string | null;
  lines: Line[];
  actionItems: (Pick<ActionItem, 'text' | 'due_on' | 'done'> & { owner_id__label?: string | null })[];
}

/** Lays out what is to be printed. */
type LayOut = (content: PrintContent) => Promise<Buffer>;

interface Export {
  type: string;
  write(file: TranscriptFile, layOut: LayOut): Promise<Buffer> | Buffer;
}

/** The files that a transcript is exported as, by the extension of their names. */
export const EXPORTS: ReadonlyMap<string, Export> = new Map<string, Export>([
  ['txt', { type: 'text/plain; charset=utf-8', write: (file) => Buffer.from(asText(file)) }],
  ['srt', { type: 'application/x-subrip; charset=utf-8', write: ({ lines }) => Buffer.from(writeSrt(lines)) }],
  ['docx', { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', write: asWord }],
  ['pdf', { type: 'application/pdf', write: (file, layOut) => layOut(onPaper(file)) }],
]);

/** Merges consecutive lines of one speaker into a paragraph. */
function paragraphs(lines: Line[]): { at: string; speaker: string | null; text: string }[] {
  const turns: { at: string; speaker: string | null; text: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = turns.at(-1);
    const near = index > 0 && line.startMs - lines[index - 1]!.endMs < 3_000;
    if (last && last.speaker === line.speaker && near && last.text.length < 400) last.text += ` ${line.text}`;
    else turns.push({ at: clock(line.startMs), speaker: line.speaker, text: line.text });
  }
  return turns;
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

/** The minutes of a meeting: participants, results, action items; the transcript last. */
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

/** The text of a recording as a printed document. @throws AppError 422 for characters without a font */
function onPaper(file: TranscriptFile): PrintContent {
  const spoken = paragraphs(file.lines);
  const all = [
    file.title,
    file.about,
    file.summary ?? '',
    ...file.actionItems.map(actionLine),
    ...spoken.map(({ text, speaker }) => `${text}${speaker ?? ''}`),
  ];
  if (!all.every((text) => canBeWritten(text.replaceAll(/[☐☑]/g, ''))))
    throw new AppError(
      422,
      'invalid',
      'PDF files are written in Latin, Greek and Cyrillic letters and those of Hindi, Marathi, Bengali, Gujarati, Tamil, Telugu, Kannada and Malayalam, and this text has others. Export it as DOCX, or print the page.',
    );
  const paragraph = (text: string, bold = false): ContentBlock => ({ kind: 'text', text, bold, align: 'left' });
  return {
    title: file.title,
    paper: 'A4',
    landscape: false,
    at: file.at,
    watermark: null,
    foot: file.title,
    blocks: [
      { kind: 'heading', text: file.title },
      paragraph(file.about),
      ...(file.summary ? [paragraph('Summary', true), paragraph(file.summary)] : []),
      ...(file.actionItems.length > 0
        ? [
            paragraph('To do', true),
            ...file.actionItems.map((one) => paragraph(actionLine(one).replace('☐', '[ ]').replace('☑', '[x]'))),
          ]
        : []),
      paragraph('Text', true),
      ...spoken.map(({ at, speaker, text }) => paragraph(`${at}  ${speaker ? `${speaker}: ` : ''}${text}`)),
    ],
  };
}
