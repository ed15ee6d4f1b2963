import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../../src/server/services/files/text_encoding.ts';
import { contentType } from '../../../../../src/server/services/files/content_type.ts';
import { readCsv } from '../../../../../src/server/engine/excel/csv_read.ts';

describe('cells of a CSV file', () => {
  it('are plain texts, whatever they look like', () => {
    const texts = ['05-04-2024', '05/04/24', '0071', '1E5', '0x1F', 'TRUE', '1,23,456.50', '(500)', '10%', '=1+1'];
    expect(readCsv(`Code,A\n${texts.map((text) => `x,"${text}"`).join('\n')}`).slice(1)).toEqual(
      texts.map((text) => ['x', text]),
    );
  });

  it.each([
    ['commas', ',', 'Rate "a, b"'],
    ['semicolons, with commas in numbers', ';', '12,5'],
    ['tabs, with commas in addresses', '\t', '12, North Street, Fort, Chennai'],
    ['bars', '|', 'a;b'],
  ])('stand between %s', (_what, separator, text) => {
    const row = (...cells: string[]) =>
      cells
        .map((cell) => (cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(separator);
    expect(readCsv([row('Code', 'Name', 'Rate'), row('A', 'One', text), row('B', 'Two', text)].join('\r\n'))).toEqual([
      ['Code', 'Name', 'Rate'],
      ['A', 'One', text],
      ['B', 'Two', text],
    ]);
  });

  it('may be below a title, contain line breaks, and lose surrounding blanks and byte order marks', () => {
    expect(
      readCsv('List of zones, 2026\n\nCode;Name;Note\n A \u00a0;"Line 1\nLine 2";="0071"\nB;  ;"=""00""""7"""\n'),
    ).toEqual([
      ['List of zones, 2026'],
      [null],
      ['Code', 'Name', 'Note'],
      ['A', 'Line 1\nLine 2', '0071'],
      ['B', null, '00"7'],
      [null],
    ]);
    expect(readCsv('sep=|\r\nCode|Name\r\nA|x;y,z')).toEqual([[], ['Code', 'Name'], ['A', 'x;y,z']]);
  });

  it('with unbalanced quotation marks are refused by row', () => {
    expect(() => readCsv('Code,Name\nA,One\nB,"Two\nC,Three\n')).toThrow(/^Row 3: the quotation marks/);
    expect(() => readCsv('Code,Name\nA,"One" and more\n')).toThrow(/^Row 2: the quotation marks/);
  });
});

describe('the encoding of a file', () => {
  const text = 'Code,Name\nCHN,Café – சென்னை\n';
  const western = Buffer.from('Code,Name\nCAF,Caf\u00e9 \u0096 \u0093a\u0094\n', 'latin1');
  const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  it('is detected: UTF-8 with and without a mark, UTF-16 in both byte orders, and Windows-1252', () => {
    expect(decodeText(Buffer.from(text))).toBe(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`))).toBe(text);
    expect(decodeText(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text);
    expect(decodeText(big)).toBe(text);
    expect(decodeText(western)).toBe('Code,Name\nCAF,Café – “a”\n');
    expect(decodeText(Buffer.from('PK\u0003\u0004\u0000'))).toBeNull();
  });

  it('may be any of them for uploads', async () => {
    for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), big, western])
      expect(await contentType(bytes, 'zones.csv')).toBe('text/csv');
    expect(await contentType(western, 'zones.html')).toBeNull();
  });
});
