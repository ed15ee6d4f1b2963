import { readFile } from 'node:fs/promises';
import type { Tenant } from '../../db/tenant.ts';
import type { FileStore } from '../files/store.ts';
import type { PDFDocument } from '@cantoo/pdf-lib';
import type { ContentBlock, Enclosed, LoadedContent, LoadedEnclosed, PrintContent } from './print_content.ts';

/** The most bytes of files in one document. */
const MAX_BYTES = 40 * 1024 * 1024;
const BY_HAND = 'Add it by hand.';
/** A page that is a picture, in points. */
const PAGE = { width: 515, height: 690 } as const;

/** Loads the stored files of enclosed documents: PDFs as they are, each picture on a page. */
export async function loadEnclosed(
  files: FileStore,
  tenant: Tenant,
  of: PrintContent,
  enclosed: readonly Enclosed[],
): Promise<LoadedEnclosed[]> {
  const loaded: LoadedEnclosed[] = [];
  let bytes = 0;
  for (const one of enclosed) {
    if (!('file' in one)) {
      loaded.push(one);
      continue;
    }
    const { title } = one;
    const stored = await files.open(tenant, one.file).catch(() => null);
    bytes += stored?.file.size ?? 0;
    if (stored === null) loaded.push({ title, missing: `The file cannot be found. ${BY_HAND}` });
    else if (bytes > MAX_BYTES) loaded.push({ title, missing: `The file is too large. ${BY_HAND}` });
    else if (stored.file.type === 'application/pdf') loaded.push({ title, pdf: await readFile(stored.path) });
    else if (stored.file.type.startsWith('image/'))
      loaded.push({
        title,
        content: {
          ...of,
          title,
          foot: title,
          paper: 'A4',
          landscape: false,
          watermark: null,
          blocks: [
            { kind: 'heading', text: title },
            { kind: 'picture', picture: one.file, ...PAGE },
          ],
        },
      });
    else loaded.push({ title, missing: `${stored.file.name} is neither a PDF nor a picture. ${BY_HAND}` });
  }
  return loaded;
}

const column = (title: string, width: 'fit' | 'fill') => ({ title, align: 'left', width }) as const;

/** The documents that are in the file, with their pages, and those that are missing. */
function listed(there: readonly [string, PDFDocument][], missing: readonly [string, string][]): ContentBlock[] {
  const list = (title: string, heads: [string, string], rows: string[][]): ContentBlock[] =>
    rows.length === 0
      ? []
      : [
          {
            kind: 'table',
            title,
            columns: [column(heads[0], 'fill'), column(heads[1], 'fit')],
            groups: [{ title: null, rows, sums: null }],
            sums: null,
          },
        ];
  return [
    ...list(
      'Enclosed',
      ['Document', 'Pages'],
      there.map(([title, file], at) => [`${at + 1}. ${title}`, String(file.getPageCount())]),
    ),
    ...list(
      'Not enclosed',
      ['Document', 'Reason'],
      missing.map(([title, why]) => [title, why]),
    ),
  ];
}

/** Lays out a document and those enclosed with it as one file. @param layOut lays out one document */
export async function joined(
  { enclosed = [], ...content }: LoadedContent,
  layOut: (content: PrintContent) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // Loaded when it is needed: most prints enclose nothing.
  const { PdfUnreadable, joinPdfs, readPdf } = await import('./join_pdfs.ts');
  const there: [string, PDFDocument][] = [];
  const missing: [string, string][] = [];
  for (const one of enclosed)
    if ('missing' in one) missing.push([one.title, one.missing]);
    else
      try {
        const bytes = 'pdf' in one ? one.pdf : await layOut(one.content);
        there.push([one.title, await readPdf(bytes)]);
      } catch (error) {
        if (!(error instanceof PdfUnreadable)) throw error;
        missing.push([one.title, `It cannot be enclosed: ${error.message}. ${BY_HAND}`]);
      }
  const first = await layOut({ ...content, blocks: [...content.blocks, ...listed(there, missing)] });
  return joinPdfs([await readPdf(first), ...there.map(([, file]) => file)], content);
}
