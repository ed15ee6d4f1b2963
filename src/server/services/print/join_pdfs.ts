import { EncryptedPDFError, PDFArray, PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib';

/** The file cannot be joined with others; the message says why. */
export class PdfUnreadable extends Error {}

/** Because anybody may upload a file. */
const MAX_PAGES = 1_000;

/** What would run when somebody opens or clicks a page of a file that was uploaded. */
const RUNS = ['JavaScript', 'Launch', 'SubmitForm', 'ImportData'].map((kind) => PDFName.of(kind));
const name = (text: string) => PDFName.of(text);

const isOfKind = (action: PDFDict | undefined) => RUNS.some((kind) => action?.lookup(name('S')) === kind);

/** Removes the actions of a page and of its annotations that would run something. */
function withoutActions({ node }: ReturnType<PDFDocument['getPage']>): void {
  node.delete(name('AA'));
  const annotations = node.lookupMaybe(name('Annots'), PDFArray);
  for (let at = (annotations?.size() ?? 0) - 1; at >= 0; at--) {
    const one = annotations!.lookupMaybe(at, PDFDict);
    if (!one || isOfKind(one)) {
      annotations!.remove(at);
      continue;
    }
    one.delete(name('AA'));
    // It names its page, which would be copied once more.
    one.delete(name('P'));
    const action = one.lookupMaybe(name('A'), PDFDict);
    if (isOfKind(action)) one.delete(name('A'));
    // What follows an action may run something, too.
    else action?.delete(name('Next'));
  }
}

/**
 * Reads a PDF.
 * @throws PdfUnreadable if it is damaged, is protected by a password or has too many pages
 */
export async function readPdf(bytes: Uint8Array): Promise<PDFDocument> {
  if (!Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')) throw new PdfUnreadable('the file is no PDF');
  let read: PDFDocument;
  let count: number;
  try {
    read = await PDFDocument.load(bytes, { updateMetadata: false });
    count = read.getPageCount();
  } catch (error) {
    throw new PdfUnreadable(
      error instanceof EncryptedPDFError ? 'the file is protected by a password' : 'the file is damaged',
    );
  }
  if (count === 0) throw new PdfUnreadable('the file is damaged');
  if (count > MAX_PAGES) throw new PdfUnreadable(`the file has more than ${MAX_PAGES} pages`);
  return read;
}

/**
 * One PDF with the pages of several, in their order, without what would run something. The same files give the same
 * bytes. It changes the files that it is given.
 */
export async function joinPdfs(
  files: readonly PDFDocument[],
  { title, at }: { title: string; at: string },
): Promise<Uint8Array> {
  const into = await PDFDocument.create({ updateMetadata: false });
  into.setTitle(title);
  into.setCreationDate(new Date(at));
  for (const file of files) {
    for (const page of file.getPages()) withoutActions(page);
    for (const page of await into.copyPages(file, file.getPageIndices())) into.addPage(page);
  }
  return into.save();
}
