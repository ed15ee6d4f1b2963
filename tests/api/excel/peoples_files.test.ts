import { afterAll, beforeAll, expect, test } from 'vitest';
import { inlineRow, sheetOf, sheetsOf, stylesOf } from '../../made_workbooks.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: ['lift_make_mstr', 'payment_term_mstr'] });
  acme = await world.tenant({ companies: 1 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

interface Run {
  id: number;
  state: string;
  insert: number;
  update: number;
  unchanged: number;
  error_count: number;
  notices: string[];
  errors: { row: number; column: string; message: string }[];
  message: string | null;
}

function until(id: number, states: string[]): Promise<Run> {
  return untilIn(async () => (await admin.call('GET', `/tapi/import/${id}`)).json<{ data: Run }>().data, states);
}

/** Sends a file; answers its dry run. */
async function check(type: string, name: string, content: Buffer | string, query = 'mode=good_rows'): Promise<Run> {
  const { payload, headers } = upload(name, content);
  const answer = await admin.call('POST', `/tapi/${type}/import?${query}`, payload, headers);
  expect(answer.statusCode, answer.body).toBe(202);
  return until(answer.json<{ data: { id: number } }>().data.id, ['checked', 'failed', 'columns']);
}

/** Writes what a dry run found and answers the records of the type. */
async function written(type: string, { id }: Run): Promise<Record<string, unknown>[]> {
  expect((await admin.call('POST', `/tapi/import/${id}/commit`, {})).statusCode).toBe(202);
  expect(await until(id, ['imported', 'failed'])).toMatchObject({ state: 'imported' });
  return (await admin.call('GET', `/tapi/${type}?size=100&columns=*`)).json<{ data: Record<string, unknown>[] }>().data;
}

const said = ({ errors }: Run) => errors.map(({ row, column, message }) => `${row} ${column}: ${message}`).sort();

const of = (records: Record<string, unknown>[], code: string) => records.find((record) => record.code === code);

test('a CSV cell is text until its field converts it: day first in dates, codes keep their zeros', async () => {
  const lines = [
    "\u200bCode;Name;Maker's support;Obsolete\u2009from\u200b;Parts from the maker only;Maker's hotline;Remarks",
    '0071;Seventy-one;Obsolete;05-04-2024;TRUE;98400 12345;"two',
    'lines"',
    '1E5;Five;Obsolete;05/04/24;no;;1E5',
    '0x1F;Café;obsolete;2024/05/04;;;0x1F',
    '="0072";TRUE;Current;;;\u00a0;05-04-2024',
  ];
  const run = await check('lift_make_mstr', 'makes.csv', Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le'));
  expect(said(run)).toEqual([]);
  const found = await written('lift_make_mstr', run);
  expect(of(found, '0071')).toMatchObject({
    obsolete_from: '2024-04-05',
    oem_only_parts: true,
    hotline: '+919840012345',
    remarks: 'two\nlines',
  });
  expect(of(found, '1E5')).toMatchObject({ obsolete_from: '2024-04-05', oem_only_parts: false, remarks: '1E5' });
  expect(of(found, '0x1F')).toMatchObject({ obsolete_from: '2024-05-04', name: 'Café', remarks: '0x1F' });
  expect(of(found, '0072')).toMatchObject({ name: 'TRUE', hotline: null, remarks: '05-04-2024' });
});

test('amounts in CSV are read in common formats; a decimal comma and month-first dates are refused', async () => {
  const grades = await check(
    'employee_grade',
    'grades.csv',
    Buffer.from(
      'Code;Name;Rank;Pay from;Pay up to\nG1;Ren\u00e9;1;1,23,456.50;\u00a02,00,000 \nG2;Two;2;(500);\nG3;Three;3;12,5;\nG4;Four;4;1E5;',
      'latin1',
    ),
  );
  expect(said(grades)).toEqual([
    '3 Pay from: Pay from must be at least 0.',
    '4 Pay from: "12,5" is not a number.',
    '5 Pay from: "1E5" is not a number.',
  ]);
  expect(of(await written('employee_grade', grades), 'G1')).toMatchObject({
    name: 'René',
    min_ctc: '123456.50',
    max_ctc: '200000.00',
  });
  const days = await check(
    'lift_make_mstr',
    'makes.csv',
    "Code,Name,Maker's support,Obsolete from\nD1,One,Obsolete,04/05/2024\nD2,Two,Obsolete,04/13/2024\nD3,Three,Obsolete,25/04/2024\n",
  );
  expect(said(days)).toEqual([
    '2 Obsolete from: The month may come first here, as in 04/13/2024 in row 3. Write the day first: DD-MM-YYYY.',
    '3 Obsolete from: 04/13/2024 is not a day of the calendar. Write the day first: DD-MM-YYYY.',
  ]);
});

test('a workbook is read as displayed: codes with zeros, percentages as numbers; errors are reported by row and column', async () => {
  const book = sheetsOf(
    {
      '.Notes': sheetOf(inlineRow(1, ['Code', 'Name'])),
      Terms: sheetOf(
        `${inlineRow(1, ['Code', 'Name', 'Counted from', 'Days', 'Interest per year'])}
        <row r="2"><c r="A2" s="1"><v>7</v></c><c r="B2" t="str"><v>Seven</v></c><c r="C2" t="str"><v>Bill date</v></c><c r="D2"><v>30</v></c><c r="E2" s="2"><v>0.1</v></c></row>
        <row r="3"><c r="A3" t="str"><v>T3</v></c><c r="B3" t="e"><v>#REF!</v></c><c r="C3" t="str"><v>Bill date</v></c><c r="D3"><f>10+20</f></c></row>
        <row r="4"><c r="A4" s="3"><v>46054</v></c><c r="B4" t="str"><v>Day</v></c><c r="C4" t="str"><v>Bill date</v></c><c r="D4"><v>30</v></c></row>
        <row r="5"><c r="A5"><v>12345678901234567</v></c><c r="B5"><v>12.3</v></c><c r="C5" t="str"><v>Bill date</v></c><c r="D5"><v>30</v></c></row>`,
      ),
    },
    stylesOf(['00000', '0%', 'dd/mm/yyyy']),
  );
  const run = await check('payment_term_mstr', 'terms.xlsx', book);
  expect(said(run)).toEqual([
    '3 Days: The result of the formula in this cell is not in the file. Open the file in Excel or LibreOffice, save it there, and choose it again.',
    '3 Name: This cell shows #REF!: its formula failed. Correct it, or write the value.',
    '4 Code: The spreadsheet changed this code into the date 01-02-2026. Format the column as text and enter it again.',
    '5 Code: Spreadsheets keep only 15 digits of a number; this one has more. Format the column as text and write it again.',
  ]);
  const [term] = (await written('payment_term_mstr', run)).filter(({ code }) => code === '00007');
  expect(Number(term?.interest_pa)).toBe(10);
});

test('an import whose server is gone is interrupted at the next start, with what was stored and what to do; a running one is left alone', async () => {
  const file = (code: string) => `Code,Name,Maker's support\n${code},Make ${code},Current\n`;
  const gone = await check('lift_make_mstr', 'gone.csv', file('GONE'));
  const goes = await check('lift_make_mstr', 'goes.csv', file('GOES'));
  const done = await check('lift_make_mstr', 'done.csv', file('DONE'));
  await written('lift_make_mstr', done);
  // That it is imported was stored with its records: there is no moment at which one is so and the other not.
  const [same] = await acme.sql<{ run: string; record: string }>(
    `select r.xmin::text as run, m.xmin::text as record from {s}.import_run r, {s}.lift_make_mstr m where r.id = $1 and m.code = 'DONE'`,
    [done.id],
  );
  expect(same!.run).toBe(same!.record);
  await acme.sql(`update {s}.import_run set state = 'writing' where id = any($1)`, [[gone.id, goes.id]]);
  await acme.sql(`update {s}.import_run set server = 1 where id = any($1)`, [[gone.id, done.id]]);
  await world.app.endInterruptedRuns();
  expect(await until(gone.id, ['interrupted'])).toMatchObject({
    message: 'The server stopped while this import was being written. Nothing was stored. Choose the file again.',
  });
  for (const [{ id }, state] of [
    [goes, 'writing'],
    [done, 'imported'],
  ] as const)
    expect(await until(id, ['writing', 'imported', 'interrupted'])).toMatchObject({ state });
  // Several notices of a kind become one, with all they say.
  await expect
    .poll(async () => (await admin.call('GET', '/tapi/notifications')).body, { timeout: 60_000 })
    .toContain('was interrupted');
});

test('skipped parts of a file are reported: further sheets, unknown headings with suggestions; duplicate headings are refused', async () => {
  const row = (...texts: string[]) => inlineRow(2, texts);
  const heads = ['Code', 'Name', "Maker's support", 'Mobile', 'Colour', 'Empty'];
  const book = sheetsOf({
    Makes: sheetOf(
      `${inlineRow(1, heads)}${row('N1', 'Notice', 'Current', '9840012345', 'red').replace('r="2"', 'r="2" hidden="1"')}`,
    ),
    Old: sheetOf(row('N2', 'Old')),
  });
  const run = await check('lift_make_mstr', 'notices.xlsx', book);
  expect(run).toMatchObject({
    insert: 1,
    error_count: 0,
    notices: [
      'Only the sheet "Makes" is read, not "Old".',
      'Column D "Mobile" is not known and is not imported. If it is "Maker\'s hotline", give it that head.',
      'Column E "Colour" is not known and is not imported.',
      'One row is hidden in the sheet. It is imported as well.',
    ],
  });
  const doubled = await check(
    'lift_make_mstr',
    'doubled.csv',
    "Code,Name,Maker's support,Name\nN3,Three,Current,Four\n",
  );
  expect(doubled).toMatchObject({ state: 'failed', message: expect.stringContaining('Column D "Name"') as string });
  // A second column of that head with nothing in it is no question.
  expect(
    await check('lift_make_mstr', 'doubled.csv', "Code,Name,Maker's support,Name\nN3,Three,Current,\n"),
  ).toMatchObject({ state: 'checked', insert: 1, notices: [] });
});

test('an export can be imported with its read-only columns; differences in them are reported and ignored', async () => {
  const made = await admin.call('POST', '/tapi/skillsgroup', { code: 'RO1', name: 'Read only' });
  expect(made.statusCode, made.body).toBe(201);
  const exported = await admin.call('GET', '/tapi/skillsgroup/export.xlsx?columns=code,library_code,created_by,active');
  expect(await check('skillsgroup', 'groups.xlsx', exported.rawPayload)).toMatchObject({
    state: 'checked',
    unchanged: 1,
    error_count: 0,
    notices: [],
  });
  expect(await check('skillsgroup', 'groups.csv', 'Code,Library code\nRO1,LIB-7\n')).toMatchObject({
    state: 'checked',
    unchanged: 1,
    notices: [expect.stringMatching(/^Adopted from cannot be imported: .* \(row 2\)\.$/)],
  });
});
