import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { Random } from '../../../../../src/server/platform/demo/random.ts';
import { readPlainWorkbook } from '../../../../../src/server/engine/excel/plain_workbook.ts';
import { readAnyWorkbook } from '../../../../../src/server/engine/excel/any_workbook.ts';
import { parts, sheetOf } from '../../../../made_workbooks.ts';

type Cells = (XLSX.CellObject | undefined)[][];

function book(cells: Cells, options: XLSX.WritingOptions = {}, workbook: XLSX.WorkBook['Workbook'] = {}): Buffer {
  const width = Math.max(1, ...cells.map((line) => line.length));
  const sheet: XLSX.WorkSheet = {
    '!data': cells as XLSX.CellObject[][],
    '!ref': XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: { r: Math.max(0, cells.length - 1), c: width - 1 } }),
  };
  const made = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(made, sheet, 'Sheet1');
  made.Workbook = workbook;
  return XLSX.write(made, { type: 'buffer', bookType: 'xlsx', compression: true, ...options }) as Buffer;
}

/** Where something is written, and what; moments to the second, because the library is a thousandth of one off now and then. */
const filled = (rows: (unknown[] | undefined)[]) =>
  Array.from(rows, (line, row) =>
    Array.from(
      line ?? [],
      (value, column) =>
        [row, column, value instanceof Date ? new Date(Math.round(value.getTime() / 1000) * 1000) : value] as const,
    ),
  )
    .flat()
    .filter(([, , value]) => value !== null && value !== undefined);

function expectAlike(bytes: Buffer): void {
  const plain = readPlainWorkbook(bytes);
  expect(plain).not.toBeNull();
  const { rows, ...more } = readAnyWorkbook(bytes);
  expect(filled(plain!.rows)).toEqual(filled(rows));
  expect(plain).toMatchObject(more);
}

const TEXTS = [
  '  two spaces ',
  'a\nb',
  '<b> & "c"',
  'தமிழ்',
  'नमस्ते',
  '😀',
  "it's",
  '=1+1',
  '007',
  'R&D',
  '10%',
  '#N/A',
  'x'.repeat(300),
  '\t',
  '.',
];
/** A cell of some kind, the same for the same seed. */
function anyCell(next: () => number): XLSX.CellObject | undefined {
  const whole = (max: number) => Math.floor(next() * max);
  const kinds: (() => XLSX.CellObject | undefined)[] = [
    () => ({ t: 's', v: TEXTS[whole(TEXTS.length)]! }),
    () => ({ t: 's', v: Array.from({ length: 1 + whole(9) }, () => String.fromCharCode(32 + whole(0x2000))).join('') }),
    () => ({ t: 'n', v: (next() - 0.5) * 10 ** (whole(30) - 10) }),
    () => ({ t: 'n', v: whole(2_000_000) - 1_000_000 }),
    () => ({ t: 'b', v: next() < 0.5 }),
    () => ({ t: 'n', v: 61 + whole(73_000), z: 'yyyy-mm-dd' }),
    () => ({ t: 'n', v: 61 + whole(73_000 * 1440) / 1440, z: 'dd/mm/yyyy hh:mm' }),
    () => ({ t: 'n', v: whole(9_999) / 100, z: '#,##0.00 "days"' }),
    () => undefined,
  ];
  return kinds[whole(kinds.length)]!();
}

describe('a workbook from a program', () => {
  it('is read like the library does, whatever it contains', () => {
    const chance = new Random(20_261_122);
    const next = () => chance.next();
    for (let round = 0; round < 200; round++) {
      const cells = Array.from({ length: 1 + Math.floor(next() * 8) }, () =>
        Array.from({ length: Math.floor(next() * 7) }, () => anyCell(next)),
      );
      expectAlike(book(cells, { bookSST: round % 2 === 0, compression: round % 3 > 0 }));
    }
  });

  it('is read with dates of every format, including before 1900 and the 1904 calendar', () => {
    const formats = [
      'm/d/yy',
      'd-mmm-yy',
      'h:mm',
      '[h]:mm:ss',
      'yyyy\\-mm\\-dd',
      '[$-4009]dd/mm/yyyy;@',
      '"am"0',
      '0.00E+00',
      '@',
      '[Red]0.0',
      'mmm-yy',
    ];
    const cells: Cells = formats.map((z) => [1, 45_000, 45_000.5, 45_000.999_988, 0.25].map((v) => ({ t: 'n', v, z })));
    expectAlike(book(cells));
    expectAlike(book(cells, {}, { WBProps: { date1904: true } }));
    expect(readPlainWorkbook(book([[{ t: 'n', v: 45_000, z: 'dd/mm/yyyy' }]]))?.rows[0]?.[0]).toEqual(
      new Date('2023-03-15T00:00:00Z'),
    );
  });

  it('is read with features that the library does not write: rich text, phonetic text, inline text, errors, formula results, missing names', () => {
    const bytes = parts({
      'xl/sharedStrings.xml':
        '<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="4"><si><t>plain</t></si><si><r><t xml:space="preserve">in </t></r><r><rPr><b/></rPr><t>pieces</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t/></si><si><t>line&#10;two &lt;&#x2713;&gt;</t></si></sst>',
      'xl/styles.xml':
        '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="14"><alignment horizontal="left"/></xf></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': sheetOf(
        '<row r="2" spans="1:9"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" s="1"><v>45000</v></c><c r="E2" s="2"/><c r="F2" t="inlineStr"><is><t>in the cell</t></is></c><c r="G2" t="e"><v>#N/A</v></c><c r="H2" t="str"><f>A2&amp;"x"</f><v>plainx</v></c><c r="I2" t="b"><v>1</v></c><c r="AA2"><f>1+1</f><v>2</v></c></row><row r="3"/><row r="4"><c t="s"><v>4</v></c><c><v>1.5</v></c></row>',
      ),
    });
    expectAlike(bytes);
    expect(filled(readPlainWorkbook(bytes)!.rows).map(([, , value]) => value)).toEqual([
      'plain',
      'in pieces',
      '東京',
      new Date('2023-03-15T00:00:00Z'),
      'in the cell',
      '#N/A',
      'plainx',
      true,
      2,
      'line\ntwo <✓>',
      1.5,
    ]);
  });

  it('keeps text that looks like an XML entity, which the library would decode', () => {
    expect(readPlainWorkbook(book([[{ t: 's', v: '&amp; &lt;' }]]))?.rows).toEqual([['&amp; &lt;']]);
  });

  it('from LibreOffice is read without the library', () => {
    expectAlike(readFileSync(join(import.meta.dirname, '../../../../e2e/fixtures/lift_makes.xlsx')));
  });
});

describe('unusual workbooks', () => {
  const strange: Record<string, Buffer> = {
    'no zip': Buffer.from('Code,Name\nA,B\n'),
    'an old workbook': XLSX.write(
      { SheetNames: ['A'], Sheets: { A: XLSX.utils.aoa_to_sheet([['Code']]) } },
      { type: 'buffer', bookType: 'biff8' },
    ) as Buffer,
    'an open document': XLSX.write(
      { SheetNames: ['A'], Sheets: { A: XLSX.utils.aoa_to_sheet([['Code']]) } },
      { type: 'buffer', bookType: 'ods' },
    ) as Buffer,
    'names with a prefix': parts({
      'xl/worksheets/sheet1.xml':
        '<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData/></x:worksheet>',
    }),
    'rows out of order': parts({
      'xl/worksheets/sheet1.xml': sheetOf(
        '<row r="3"><c r="A3"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
      ),
    }),
    'other quotation marks': parts({ 'xl/worksheets/sheet1.xml': sheetOf("<row r='2'><c r='A2'><v>2</v></c></row>") }),
    'a comment': parts({ 'xl/worksheets/sheet1.xml': sheetOf('<!-- <row r="2"> -->') }),
    'a text that is not there': parts({
      'xl/worksheets/sheet1.xml': sheetOf('<row r="2"><c r="A2" t="s"><v>7</v></c></row>'),
    }),
    'a date before all dates': parts({
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': sheetOf('<row r="2"><c r="A2" s="0"><v>-5</v></c></row>'),
    }),
    'a sheet that was cut off': parts({
      'xl/worksheets/sheet1.xml': sheetOf('<row r="2"><c r="A2"><v>1').slice(0, -40),
    }),
  };
  it.each(Object.entries(strange))('%s is left to the library', (_what, bytes) => {
    expect(readPlainWorkbook(bytes)).toBeNull();
  });

  it('a part that unpacks to more than declared is refused, and a truncated file as well', () => {
    const good = book([[{ t: 's', v: 'Code' }], [{ t: 's', v: 'x'.repeat(5_000) }]]);
    const lying = Buffer.from(good);
    // The size that the central directory tells of every part.
    for (
      let at = lying.indexOf('PK\u0001\u0002', 0, 'latin1');
      at >= 0;
      at = lying.indexOf('PK\u0001\u0002', at + 4, 'latin1')
    )
      lying.writeUInt32LE(10, at + 24);
    expect(readPlainWorkbook(lying)).toBeNull();
    for (const length of [10, 200, good.length - 30]) expect(readPlainWorkbook(good.subarray(0, length))).toBeNull();
  });
});
