import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LimitedReading } from '../../../../../src/server/engine/excel/limited_reading.ts';
import { inlineRow, parts, sheetOf, sheetsOf } from '../../../../made_workbooks.ts';

const reading = new LimitedReading();
afterAll(() => reading.close());

test('a file is read in its own process: rows below the headings, errors, all sheets', async () => {
  const bytes = sheetsOf({
    A: sheetOf(
      `${inlineRow(2, ['Code', 'Name'])}<row r="3"><c r="A3"><v>1</v></c><c r="B3" t="e"><v>#N/A</v></c><c r="C3"><v>9</v></c></row>`,
    ),
    B: sheetOf(inlineRow(1, ['x'])),
  });
  expect(await reading.rows({ bytes }, 10)).toEqual({
    heads: ['Code', 'Name'],
    rows: [{ row: 3, cells: [1, null] }],
    problems: [{ row: 3, column: 1, message: expect.stringContaining('#N/A') as string }],
  });
  expect((await reading.sheets({ bytes })).map(({ name }) => name)).toEqual(['A', 'B']);
});

test('a small file with too much content is refused, and the next one is read', async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `<row r="${at + 2}"><c r="A${at + 2}" t="s"><v>0</v></c></row>`,
  );
  const bytes = parts({
    'xl/sharedStrings.xml': `<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'x'.repeat(30_000)}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': sheetOf(`${inlineRow(1, ['Code'])}${rows.join('')}`),
  });
  expect(bytes.length).toBeLessThan(200_000);
  await expect(reading.rows({ bytes }, 20_000)).rejects.toMatchObject({ status: 413, field: 'file' });
  await expect(reading.rows({ bytes: Buffer.from('Code,Name\n1,"x') }, 10)).rejects.toMatchObject({ status: 422 });
  expect((await reading.rows({ bytes: Buffer.from('Code\n0071\n') }, 10)).rows).toEqual([{ row: 2, cells: ['0071'] }]);
});

test('the server itself reads no workbook: the library is loaded by separate processes only', () => {
  const server = join(import.meta.dirname, '../../../../../src/server');
  const readers = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const text = file.endsWith('.ts') ? readFileSync(join(server, file), 'utf8') : '';
    return /\bXLSX\.read\(|\bread(?:Sheet|Csv|PlainWorkbook|AnyWorkbook)\(/.test(text);
  });
  const folder = 'engine/excel/';
  expect(readers.sort()).toEqual(
    [
      'any_workbook',
      'csv_read',
      'error_sheet',
      'import_run',
      'plain_workbook',
      'read_file',
      'rows_read',
      'sheet_read',
    ].map((name) => `${folder}${name}.ts`),
  );
});
