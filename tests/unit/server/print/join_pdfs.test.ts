import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { joinPdfs, readPdf } from '../../../../src/server/services/print/join_pdfs.ts';

const file = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(['%PDF-1.5\n', ...parts].map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)));

/** Two pages in a group that gives them their paper; the length of the first page's content stands elsewhere. */
const PLAIN = file(
  '1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>\nendobj\n',
  '2 0 obj\n<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 200 300] /Resources << /Font << /F1 7 0 R >> >> >>\nendobj\n',
  '3 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Annots [<< /S /JavaScript /JS (x) >> << /Rect [0 0 1 1] /P 3 0 R /AP << /N 5 0 R >> >>] >>\nendobj\n',
  '4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 60] /Rotate 90 >>\nendobj\n',
  '5 0 obj\n<< /Length 6 0 R >>\nstream\n(first endobj 9 0 obj) Tj\n\nendstream\nendobj\n6 0 obj 25 endobj\n',
  '7 0 obj\n<< /Type /Font /BaseFont /Helv#65tica >>\nendobj\n',
  'trailer\n<< /Root 1 0 R >>\n%%EOF\n',
);

/** Its objects are packed, and its annotation starts a program. */
async function packed(): Promise<Uint8Array> {
  const made = await PDFDocument.create();
  const page = made.addPage([100, 150]);
  const action = made.context.obj({ S: 'Launch', F: PDFString.of('calc') });
  page.node.set(PDFName.of('Annots'), made.context.obj([made.context.obj({ Subtype: 'Link', A: action })]));
  return made.save();
}

const TITLE = { title: 'Pack ₹', at: '2026-11-28T10:00:00Z' };
const join = async () => joinPdfs([await readPdf(PLAIN), await readPdf(await packed())], TITLE);

describe('PDFs', () => {
  it('are joined page by page, with what their pages take over and use, and nothing that runs', async () => {
    const bytes = await join();
    expect(await join()).toEqual(bytes);
    const joined = await readPdf(bytes);
    expect(joined.getTitle()).toBe('Pack ₹');
    expect(joined.getPages().map((page) => [page.getWidth(), page.getHeight(), page.getRotation().angle])).toEqual([
      [200, 300, 0],
      [50, 60, 90],
      [100, 150, 0],
    ]);
    const objects = joined.context.enumerateIndirectObjects().map(([, object]) => String(object));
    expect(objects.some((one) => one.includes('Helv'))).toBe(true);
    expect(objects.filter((one) => /JavaScript|Launch/.test(one))).toEqual([]);
    // The annotation that runs nothing is kept.
    expect(objects.filter((one) => one.includes('/Rect'))).toHaveLength(1);
  });

  it('that were changed later have their last content', async () => {
    const later = file(PLAIN, '4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 70 80] >>\nendobj\n');
    const page = (await readPdf(later)).getPage(1);
    expect([page.getWidth(), page.getHeight()]).toEqual([70, 80]);
  });

  it('that are damaged, locked, or no PDFs are refused with the reason', async () => {
    const refusal = (bytes: Buffer) =>
      readPdf(bytes).then(
        () => null,
        (error: Error) => error.message,
      );
    expect(await refusal(Buffer.from('Dear Sir'))).toBe('the file is no PDF');
    expect(await refusal(file('1 0 obj << /Type /Catalog'))).toBe('the file is damaged');
    const locked = file(PLAIN, '8 0 obj << /Filter /Standard /V 1 >> endobj trailer << /Root 1 0 R /Encrypt 8 0 R >>');
    expect(await refusal(locked)).toBe('the file is protected by a password');
    expect(await refusal(file(`1 0 obj ${'['.repeat(5_000)}`, 'trailer << /Root 1 0 R >>'))).toBe(
      'the file is damaged',
    );
    // Groups of pages that contain each other end.
    const ring = file(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Type /Pages /Kids [3 0 R 4 0 R] /Count 1 >> endobj',
      ' 3 0 obj << /Type /Pages /Kids [2 0 R] /Count 0 >> endobj 4 0 obj << /Type /Page >> endobj trailer << /Root 1 0 R >>',
    );
    expect(await refusal(ring)).not.toBeUndefined();
  });
});
