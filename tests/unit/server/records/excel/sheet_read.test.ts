import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { readAnyWorkbook } from '../../../../../src/server/engine/excel/any_workbook.ts';
import { readPlainWorkbook } from '../../../../../src/server/engine/excel/plain_workbook.ts';
import { readSheet } from '../../../../../src/server/engine/excel/sheet_read.ts';
import { inlineRow, sheetOf, sheetsOf, stylesOf } from '../../../../made_workbooks.ts';

const KNOWN = new Set(['Code', 'Name', 'City', 'Rate']);
const read = (bytes: Buffer, sheet?: string) =>
  readSheet(bytes, { maxRows: 100, fits: (cells) => cells.filter((cell) => KNOWN.has(String(cell))).length, sheet });
const table = (...rows: string[][]) => sheetOf(rows.map((texts, at) => inlineRow(at + 1, texts)).join(''));

/** The same workbook by both readers. */
function bothWays(bytes: Buffer): void {
  const plain = readPlainWorkbook(bytes);
  const { rows, ...more } = readAnyWorkbook(bytes);
  expect(plain).toMatchObject(more);
  const dense = (lines: (unknown[] | undefined)[]) =>
    Array.from(lines, (line) =>
      JSON.stringify(Array.from(line ?? [], (cell) => cell ?? null)).replace(/(?:,?null)*\]$/, ']'),
    )
      .join('\n')
      .trimEnd()
      .replace(/(?:\n\[\])*$/, '');
  expect(dense(plain!.rows)).toEqual(dense(rows));
}

describe('the sheet to read', () => {
  const book = sheetsOf({
    '.Old': table(['Code', 'Name'], ['O', 'Hidden']),
    Cover: sheetOf(''),
    Zones: table(['Code', 'Name'], ['A', 'One']),
    'More &amp; more': table(['Code', 'Name'], ['B', 'Two']),
    '.Lists': table(['Code', 'Name']),
  });

  it('is the first visible one with content; the others are named', () => {
    expect(read(book)).toMatchObject({
      name: 'Zones',
      others: ['More & more'],
      rows: [{ row: 2, cells: ['A', 'One'] }],
    });
    expect(read(book, 'More & more')).toMatchObject({ others: ['Zones'], rows: [{ row: 2, cells: ['B', 'Two'] }] });
    bothWays(book);
  });

  it('is the same in old workbooks and OpenDocument files', () => {
    const made = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      made,
      XLSX.utils.aoa_to_sheet([
        ['Code', 'Name'],
        ['O', 'Hidden'],
      ]),
      'Old',
    );
    XLSX.utils.book_append_sheet(
      made,
      XLSX.utils.aoa_to_sheet([
        ['Code', 'Name'],
        ['A', 'One'],
      ]),
      'Zones',
    );
    made.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    expect(read(XLSX.write(made, { type: 'buffer', bookType: 'biff8' }) as Buffer)).toMatchObject({
      name: 'Zones',
      others: [],
    });
    const zip = XLSX.CFB.read(XLSX.write(made, { type: 'buffer', bookType: 'ods' }) as Buffer, { type: 'buffer' });
    const entry = XLSX.CFB.find(zip, '/content.xml')!;
    const xml = Buffer.from(entry.content as Uint8Array).toString();
    entry.content = Buffer.from(
      xml
        .replace(
          '</office:automatic-styles>',
          '<style:style style:name="ta9" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>',
        )
        .replace(
          /<table:table table:name="Old"( table:style-name="\w+")?/,
          '<table:table table:name="Old" table:style-name="ta9"',
        ),
    ) as unknown as typeof entry.content;
    expect(read(XLSX.CFB.write(zip, { fileType: 'zip', type: 'buffer', compression: true }) as Buffer)).toMatchObject({
      name: 'Zones',
      others: [],
    });
  });
});

describe('displayed values', () => {
  it('are read: codes with their zeros, percentages as numbers, without units', () => {
    const styles = stylesOf(['00000', '0%', '0.00%', '"INV-"0000', '#,##0.00', '0 "kg"', '0.00', '[Red]000-000']);
    const book = sheetsOf(
      {
        A: sheetOf(
          `${inlineRow(1, ['Code', 'Name'])}<row r="2"><c r="A2" s="1"><v>7</v></c><c r="B2" s="2"><v>0.07</v></c><c r="C2" s="3"><v>0.30000000000000004</v></c><c r="D2" s="4"><v>7</v></c><c r="E2" s="5"><v>1234.5</v></c><c r="F2" s="6"><v>7</v></c><c r="G2" s="7"><v>0.5</v></c><c r="H2" s="8"><v>1234</v></c></row>`,
        ),
      },
      styles,
    );
    expect(read(book).rows).toEqual([{ row: 2, cells: ['00007', '7%', '30%', 'INV-0007', 1234.5, 7, 0.5, '001-234'] }]);
    bothWays(book);
  });

  it('of a formula without a saved result are reported as missing; an empty result is one', () => {
    const cells = [
      '<c r="A2"><f>1+1</f></c>',
      '<c r="B2"><f>1+1</f><v/></c>',
      '<c r="C2" t="str"><f>""</f><v></v></c>',
      '<c r="D2"><f>1+1</f><v>2</v></c>',
      '<c r="E2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="F2" t="inlineStr"><is><t>#N/A</t></is></c>',
    ];
    const book = sheetsOf({
      A: sheetOf(
        `${inlineRow(1, ['Code', 'Name'])}<row r="2">${cells.join('')}</row><row r="9"><c r="B9"><f>1</f></c></row>`,
      ),
    });
    const { rows, problems } = read(book);
    expect(rows.map(({ row }) => row)).toEqual([2, 9]);
    expect(Array.from(rows[0]!.cells).slice(2)).toEqual(['', 2, null, null]);
    expect(problems.map(({ row, column, message }) => [row, column, /^[^:.]*/.exec(message)![0]])).toEqual([
      [2, 0, 'The result of the formula in this cell is not in the file'],
      [2, 1, 'The result of the formula in this cell is not in the file'],
      [9, 1, 'The result of the formula in this cell is not in the file'],
      [2, 4, 'This cell shows #DIV/0!'],
      [2, 5, 'This cell shows #N/A'],
    ]);
    bothWays(book);
  });

  it('start below titles and empty rows, merged or not; hidden rows are counted', () => {
    const book = sheetsOf({
      A: sheetOf(
        `<row r="3"><c r="A3" t="inlineStr"><is><t>Code</t></is></c><c r="B3" t="inlineStr"><is><t>Address</t></is></c></row>
         <row r="4"><c r="B4" t="inlineStr"><is><t>City</t></is></c><c r="C4" t="inlineStr"><is><t>Rate</t></is></c></row>${inlineRow(5, ['A', 'Chennai', '5'])}${inlineRow(6, ['B', 'Salem', '6']).replace('r="6"', 'r="6" hidden="1"')}`,
        '<mergeCells count="2"><mergeCell ref="A3:A4"/><mergeCell ref="B3:C3"/></mergeCells>',
      ),
    });
    expect(read(book)).toMatchObject({
      heads: ['Code', 'City', 'Rate'],
      headRow: 4,
      hiddenRows: 1,
      rows: [{ row: 5 }, { row: 6 }],
    });
    bothWays(book);
  });
});

it('prefixed names, ISO 8601 dates and HTML tables are read by the library', () => {
  const prefixed = sheetsOf({
    A: '<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Code</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2" t="d"><x:v>2024-05-04</x:v></x:c><x:c r="B2"><x:f>1+1</x:f></x:c></x:row></x:sheetData></x:worksheet>',
  });
  expect(read(prefixed)).toMatchObject({
    rows: [{ row: 2, cells: [new Date('2024-05-04T00:00:00Z'), null] }],
    problems: [{ row: 2, column: 1 }],
  });
  const page = Buffer.from(
    '<html><body><table><tr><td>Code</td><td>Name</td></tr><tr><td>0071</td><td>05-04-2024</td></tr></table></body></html>',
  );
  expect(read(page).rows).toEqual([{ row: 2, cells: ['0071', '05-04-2024'] }]);
});
