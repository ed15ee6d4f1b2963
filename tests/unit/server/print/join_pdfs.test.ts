import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { joinPdfs } from '../../../../src/server/services/print/join_pdfs.ts';
import type { PdfFile, PdfValue } from '../../../../src/server/services/print/pdf_file.ts';
import { readPdf } from '../../../../src/server/services/print/pdf_file.ts';

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

/** Its page tree is packed; the table of objects is a stream. */
const PACKED = (() => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Note (\\)<<) >>',
  ];
  const offsets = objects
    .map((_one, at) => `${at + 1} ${objects.slice(0, at).join(' ').length + (at > 0 ? 1 : 0)}`)
    .join(' ');
  const packed = deflateSync(Buffer.from(`${offsets} ${objects.join(' ')}`, 'latin1'));
  return file(
    `9 0 obj << /Type /ObjStm /N 3 /First ${offsets.length + 1} /Filter /FlateDecode /Length ${packed.length} >> stream\r\n`,
    packed,
    '\nendstream endobj\n10 0 obj << /Type /XRef /Root 1 0 R /Length 0 >> stream\n\nendstream endobj\n',
  );
})();

const entry = ({ pages }: PdfFile, page: number, name: string): PdfValue | undefined =>
  pages[page]!.dict.entries.get(name);
const numbers = (value: PdfValue | undefined) =>
  value?.kind === 'array' ? value.items.map((one) => (one.kind === 'token' ? Number(one.text) : null)) : null;

describe('PDFs', () => {
  it('are joined page by page, with what their pages take over and use, and nothing that runs', () => {
    const bytes = joinPdfs([readPdf(PLAIN), readPdf(PACKED)], { title: 'Pack ₹', at: '2026-11-28T10:00:00Z' });
    expect(joinPdfs([readPdf(PLAIN), readPdf(PACKED)], { title: 'Pack ₹', at: '2026-11-28T10:00:00Z' })).toEqual(bytes);
    const joined = readPdf(bytes);
    expect(joined.pages.map((_page, at) => numbers(entry(joined, at, '/MediaBox')))).toEqual([
      [0, 0, 200, 300],
      [0, 0, 50, 60],
      [0, 0, 595.28, 841.89],
    ]);
    expect(entry(joined, 1, '/Rotate')).toEqual({ kind: 'token', text: '90' });
    const contents = entry(joined, 0, '/Contents');
    expect(joined.objects.get(contents?.kind === 'ref' ? contents.id : 0)!.stream!.toString()).toBe(
      '(first endobj 9 0 obj) Tj',
    );
    const text = bytes.toString('latin1');
    expect(text).toContain('/BaseFont /Helv#65tica');
    expect(text).not.toContain('JavaScript');
    expect(text).toContain('/Note (\\)<<)');
    // A table of objects that is right: other programs go by it.
    const [, at] = /startxref\n(\d+)/.exec(text)!;
    const rows = text.slice(Number(at)).match(/\d{10} 00000 n/g)!;
    rows.forEach((row, index) => expect(text.startsWith(`${index + 1} 0 obj`, Number(row.slice(0, 10)))).toBe(true));
    expect(rows.length).toBe(joined.objects.size);
  });

  it('that were changed later have their last content', () => {
    const later = file(PLAIN, '4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 70 80] >>\nendobj\n');
    expect(numbers(entry(readPdf(later), 1, '/MediaBox'))).toEqual([0, 0, 70, 80]);
  });

  it('that are damaged, locked, or no PDFs are refused with the reason', () => {
    expect(() => readPdf(Buffer.from('Dear Sir'))).toThrow('the file is no PDF');
    expect(() => readPdf(file('1 0 obj << /Type /Catalog'))).toThrow('the file is damaged');
    expect(() => readPdf(file(PLAIN, 'trailer << /Root 1 0 R /Encrypt 8 0 R >>'))).toThrow('protected by a password');
    expect(() => readPdf(file(`1 0 obj ${'['.repeat(5_000)}`, 'trailer << /Root 1 0 R >>'))).toThrow(
      'the file is damaged',
    );
    // Groups of pages that contain each other end.
    const ring = file(
      '1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R 4 0 R] >> endobj 3 0 obj << /Kids [2 0 R] >> endobj',
      ' 4 0 obj << /Type /Page >> endobj trailer << /Root 1 0 R >>',
    );
    expect(readPdf(ring).pages).toHaveLength(1);
  });
});
