import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import { chartPaper } from './chart_paper.ts';
import type { ChartPrint } from './chart_paper.ts';
import { RowsApart, documentOf } from './lay_out.ts';
import type { PagesOfRows } from './lay_out.ts';
import { plainFont } from './plain_font.ts';
import { joined } from './enclosed.ts';
import type { LoadedContent, PrintContent } from './print_content.ts';
import { printFonts } from './print_fonts.ts';
import { keptFont } from './shared_fonts.ts';
import { shortenStyles } from './short_styles.ts';

/** The layout engine's in-memory files; its types omit them. */
const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(name: string, content: Buffer): void } };
for (const file of new Set(Object.values(printFonts).flatMap((faces) => Object.values(faces))))
  virtualfs.writeFileSync(
    file,
    keptFont(() => plainFont(file)),
  );
pdfmake.setFonts(printFonts);
shortenStyles();
// Nothing is downloaded and no file is read, whatever the content.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(() => false);

/** People waiting for a page come before people waiting for a document: on Linux each thread has its own priority. */
function yieldThread(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // On other systems the priority is unchanged.
  }
}
if (!isMainThread && process.platform === 'linux') yieldThread();

/** How often tables are laid out again to keep rows together. */
const MAX_PASSES = 8;

/** Lays out a content: its bytes, the positions of rows that must stay together, and the number of layouts needed. */
export async function laidOutPages(
  content: PrintContent,
): Promise<{ bytes: Uint8Array; pages: PagesOfRows; passes: number }> {
  const breaks = new Set<string>();
  for (let passes = 1; ; passes++) {
    const pages: PagesOfRows = new Map();
    try {
      const document = documentOf(content, breaks, pages, passes < MAX_PASSES);
      return { bytes: await pdfmake.createPdf(document).getBuffer(), pages, passes };
    } catch (error) {
      if (!(error instanceof RowsApart)) throw error;
      breaks.add(error.mark);
    }
  }
}

const alone = async (content: PrintContent): Promise<Uint8Array> => (await laidOutPages(content)).bytes;

/** Lays a content out on pages, with the documents that it encloses. */
export default function layOut(content: LoadedContent): Promise<Uint8Array> {
  return content.enclosed === undefined ? alone(content) : joined(content, alone);
}

/** Lays an organisation chart out on pages, or gives the reason why not: errors lose their class between threads. */
export async function layOutChart(chart: ChartPrint): Promise<Uint8Array | { refused: string }> {
  const paper = chartPaper(chart);
  return 'refused' in paper ? paper : layOut(paper.content);
}
