import { createRequire } from 'node:module';
import pdfmake from 'pdfmake';
import { documentOf } from './lay_out.ts';
import type { PagesOfRows } from './lay_out.ts';
import { plainFont } from './plain_font.ts';
import type { PrintContent } from './print_content.ts';
import { allowMarksWithoutAnchor, printFonts } from './print_fonts.ts';

/** Files that the layout engine has in memory; its types leave them out. */
const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(name: string, content: Buffer): void } };
for (const file of new Set(Object.values(printFonts).flatMap((faces) => Object.values(faces))))
  virtualfs.writeFileSync(file, plainFont(file));
pdfmake.setFonts(printFonts);
// Whatever stands in a content, nothing is fetched and no file is read.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(() => false);

interface PdfDocument {
  provideFont(family: string, bold: boolean, italics: boolean): unknown;
}
const { default: PdfDocuments } = createRequire(import.meta.url)('pdfmake/js/PDFDocument.js') as {
  default: { prototype: PdfDocument };
};
const { provideFont } = PdfDocuments.prototype;
PdfDocuments.prototype.provideFont = function mending(this: PdfDocument, family, bold, italics) {
  const provided = provideFont.call(this, family, bold, italics);
  allowMarksWithoutAnchor(provided);
  return provided;
};

/** Tables are laid out anew so often at most, to keep rows together. */
const MAX_PASSES = 8;

/** Lays a content out: its bytes, where rows that belong together came to stand, and how often it was laid out for that. */
export async function laidOutPages(
  content: PrintContent,
): Promise<{ bytes: Uint8Array; pages: PagesOfRows; passes: number }> {
  const breaks = new Set<string>();
  for (let passes = 1; ; passes++) {
    const pages: PagesOfRows = new Map();
    const bytes = await pdfmake.createPdf(documentOf(content, breaks, pages)).getBuffer();
    const [apart] = [...pages].find(([mark, { first, last }]) => last > first && first > 0 && !breaks.has(mark)) ?? [];
    if (apart === undefined || passes === MAX_PASSES) return { bytes, pages, passes };
    breaks.add(apart);
  }
}

/** Lays a content out on pages. */
export default async function layOut(content: PrintContent): Promise<Uint8Array> {
  return (await laidOutPages(content)).bytes;
}
