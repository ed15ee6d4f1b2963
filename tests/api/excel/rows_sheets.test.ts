import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { copySchemas } from '../schemas_with.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

const kind = { $schema: '../meta/screen.schema.json', kind: 'document' };
/** Plans with lines that are records of their own, which have prices as rows and stops as parts. */
const PLANS = {
  sheet_plan: {
    ...kind,
    title: 'Plan',
    access: { screen: 'SCN_SHEET_PLAN', module: 'MASTERS' },
    schema: {
      required: ['code', 'lines'],
      properties: {
        code: { $ref: 'types#code' },
        lines: { type: 'array', title: 'Lines', minItems: 1, 'x-part': 'sheet_line' },
        total: { $ref: 'types#money', 'x-formula': 'sum(lines.yearly)' },
      },
    },
    unique: [['code']],
  },
  sheet_line: {
    ...kind,
    title: 'Plan line',
    part: { of: 'sheet_plan', by: 'plan_id' },
    schema: {
      required: ['plan_id', 'lift'],
      properties: {
        plan_id: { $ref: 'types#ref', 'x-ref': 'sheet_plan' },
        lift: { $ref: 'types#text' },
        prices: {
          type: 'array',
          title: 'Prices',
          items: {
            required: ['month', 'amount'],
            properties: { month: { $ref: 'types#text' }, amount: { $ref: 'types#money' } },
          },
        },
        stops: { type: 'array', title: 'Stops', 'x-part': 'sheet_stop' },
        yearly: { $ref: 'types#money', 'x-formula': 'sum(prices.amount)' },
      },
    },
    label: ['lift'],
  },
  sheet_account: {
    ...kind,
    title: 'Account',
    access: { screen: 'SCN_SHEET_PLAN', module: 'MASTERS' },
    schema: {
      required: ['name'],
      properties: {
        name: { $ref: 'types#name' },
        above_id: { $ref: 'types#ref', 'x-ref': 'sheet_account', title: 'Above' },
      },
    },
    unique: [['name']],
    label: ['name'],
    tree: { parent: 'above_id' },
  },
  sheet_budget: {
    ...kind,
    title: 'Budget',
    access: { screen: 'SCN_SHEET_PLAN', module: 'MASTERS' },
    schema: {
      required: ['code', 'fy'],
      properties: {
        code: { $ref: 'types#code' },
        fy: { $ref: 'types#financial_year' },
        lines: {
          type: 'array',
          title: 'Lines',
          'x-save': 'row',
          'x-periods': { start: 'fy', unit: 'month', count: 3, field: 'm', type: 'money', totals: ['all'] },
          'x-tree': { by: 'account_id' },
          items: {
            required: ['account_id'],
            properties: { account_id: { $ref: 'types#ref', 'x-ref': 'sheet_account', title: 'Account' } },
          },
        },
      },
    },
    unique: [['code']],
  },
  sheet_stop: {
    ...kind,
    title: 'Plan stop',
    part: { of: 'sheet_line', by: 'line_id' },
    schema: {
      required: ['line_id', 'floor'],
      properties: { line_id: { $ref: 'types#ref', 'x-ref': 'sheet_line' }, floor: { $ref: 'types#text' } },
    },
    label: ['floor'],
  },
};

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'rows-sheets-'));
  copySchemas(schemasDir, ['inverter_make_mstr']);
  for (const [name, type] of Object.entries(PLANS))
    writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(type));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

interface Run {
  id: number;
  state: string;
  errors: { sheet?: string; row: number; column: string; message: string }[];
  file_id: number;
}
type Row = Record<string, unknown>;

const bearer = () => ({ host: acme.host, authorization: `Bearer ${admin.token}` });

function workbook(sheets: Record<string, unknown[][]>): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows, { cellDates: true }), name);
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

function until(path: string, states: string[]): Promise<Run> {
  return untilIn(async () => (await admin.call('GET', path)).json<{ data: Run }>().data, states);
}

async function check(content: Buffer, type = 'inverter_make_mstr'): Promise<Run> {
  const { payload, headers } = upload('controllers.xlsx', content);
  const answer = await world.inject({
    method: 'POST',
    url: `/tapi/${type}/import?mode=all_or_nothing`,
    payload,
    headers: { ...bearer(), ...headers },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  return until(`/tapi/import/${answer.json<{ data: { id: number } }>().data.id}`, ['checked', 'failed', 'columns']);
}

async function commit({ id }: Run): Promise<void> {
  const answer = await admin.call('POST', `/tapi/import/${id}/commit`);
  expect(answer.statusCode, answer.body).toBe(202);
  await until(`/tapi/import/${id}`, ['imported']);
}

async function stored(code: string): Promise<{ id: number; version: number; fault_codes: Row[] }> {
  const { data } = (await admin.call('GET', '/tapi/inverter_make_mstr?size=100&columns=*')).json<{ data: Row[] }>();
  const { id } = data.find((row) => row.code === code)!;
  return (await admin.call('GET', `/tapi/inverter_make_mstr/${String(id)}`)).json<{ data: never }>().data;
}

const HEADS = ['Code *', 'Name *', 'Support *'];
let support = '';

test('rows are imported from a separate sheet, joined by the key; all or nothing', async () => {
  const { properties } = world.screens.get('inverter_make_mstr')!.schema as {
    properties: Record<string, { enum?: string[] }>;
  };
  support = properties.support!.enum![0]!;
  const sheets = (meaning: string, owner: string) =>
    workbook({
      Sheet1: [HEADS, ['MK1', 'Make one', support], ['MK2', 'Make two', support]],
      'Fault codes': [
        ['Make code', 'Code *', 'Meaning *', 'Check first'],
        ['MK1', 'E1', 'Over current', 'Cable'],
        [owner, 'E2', meaning, null],
      ].map((row, at) => (at === 0 ? [keyHead(), ...row.slice(1)] : row)),
    });
  const wrong = await check(sheets('', 'mk1'));
  expect(wrong.errors).toEqual([
    expect.objectContaining({ sheet: 'Fault codes', row: 3, column: 'Meaning', message: 'Meaning is required.' }),
  ]);
  expect((await admin.call('POST', `/tapi/import/${wrong.id}/commit`)).statusCode).toBe(422);
  const told = await world.inject({ method: 'GET', url: `/tapi/import/${wrong.id}/errors.xlsx`, headers: bearer() });
  const returned = XLSX.read(told.rawPayload);
  expect(returned.SheetNames).toEqual(['Sheet1', 'Fault codes']);
  expect(XLSX.utils.sheet_to_json<unknown[]>(returned.Sheets['Fault codes']!, { header: 1 })[2]!.at(-1)).toBe(
    'Meaning: Meaning is required.',
  );
  const lost = await check(sheets('Over voltage', 'NONE'));
  expect(lost.errors).toEqual([expect.objectContaining({ sheet: 'Fault codes', row: 3, column: keyHead() })]);

  const good = await check(sheets('Over voltage', 'mk1'));
  expect(good).toMatchObject({ state: 'checked', errors: [], insert: 2 });
  await commit(good);
  expect((await stored('MK1')).fault_codes).toMatchObject([
    { code: 'E1', meaning: 'Over current', first_check: 'Cable' },
    { code: 'E2', meaning: 'Over voltage', first_check: null },
  ]);
  expect((await stored('MK2')).fault_codes).toEqual([]);
});

test('the template has a sheet for the rows', async () => {
  const answer = await world.inject({
    method: 'GET',
    url: '/tapi/inverter_make_mstr/template.xlsx',
    headers: bearer(),
  });
  const book = XLSX.read(answer.rawPayload);
  expect(book.SheetNames).toEqual(['Sheet1', 'Help', 'Lists', 'Fault codes']);
  expect(XLSX.utils.sheet_to_json(book.Sheets['Fault codes']!, { header: 1 })).toEqual([
    [`${keyHead()} *`, 'Code *', 'Meaning *', 'Check first'],
  ]);
});

test('an export has the rows; importing it changes nothing, edited rows only, and can be undone', async () => {
  const answer = await admin.call('POST', '/tapi/inverter_make_mstr/export', {});
  expect(answer.statusCode, answer.body).toBe(202);
  const { id } = answer.json<{ data: { id: number } }>().data;
  await until(`/tapi/export/${id}`, ['done', 'failed']);
  const { url } = (await admin.call('GET', `/tapi/export/${id}/link`)).json<{ url: string }>();
  const file = await world.inject({ method: 'GET', url, headers: bearer() });
  const book = XLSX.read(file.rawPayload);
  expect(book.SheetNames).toEqual(['Sheet1', 'Fault codes']);
  const rows = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets['Fault codes']!, { header: 1 });
  expect(rows).toEqual([
    [keyHead(), 'Code', 'Meaning', 'Check first'],
    ['MK1', 'E1', 'Over current', 'Cable'],
    ['MK1', 'E2', 'Over voltage'],
  ]);
  expect(await check(file.rawPayload)).toMatchObject({ state: 'checked', errors: [], update: 0, unchanged: 2 });

  const before = await stored('MK1');
  const main = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets.Sheet1!, { header: 1 });
  const changed = await check(
    workbook({ Sheet1: main, 'Fault codes': [rows[0]!, rows[1]!.with(2, 'Too much'), rows[2]!, ['MK1', 'E3', 'New']] }),
  );
  expect(changed).toMatchObject({ errors: [], update: 1, unchanged: 1 });
  await commit(changed);
  const after = await stored('MK1');
  expect(after).toMatchObject({ version: before.version + 1 });
  expect(after.fault_codes).toMatchObject([
    { id: before.fault_codes[0]!.id, meaning: 'Too much' },
    { id: before.fault_codes[1]!.id, meaning: 'Over voltage' },
    { code: 'E3' },
  ]);
  expect((await admin.call('POST', `/tapi/import/${changed.id}/undo`)).json()).toEqual({
    data: { removed: 0, restored: 1 },
  });
  expect((await stored('MK1')).fault_codes).toEqual(before.fault_codes);
});

/** The head of the key: the rows have a column "Code" of their own. */
const keyHead = () => `${world.screens.get('inverter_make_mstr')!.title} Code`;

test('rows stored as records are exported and imported in a sheet per level, joined by the key and their position', async () => {
  const book = (price: unknown, place = 2) =>
    workbook({
      Sheet1: [['Code *'], ['P1'], ['P2']],
      Lines: [
        ['Code', 'Lift'],
        ['P1', 'North'],
        ['P1', 'South'],
        ['P2', 'East'],
      ],
      Prices: [
        ['Code', 'Row of Lines', 'Month', 'Amount'],
        ['P1', 1, 'April', 10],
        ['P1', place, 'April', price],
        ['P1', 1, 'May', 5.5],
      ],
      Stops: [
        ['Code', 'Row of Lines', 'Floor'],
        ['P2', 1, 'Ground'],
      ],
    });
  const all = async () => {
    const { data } = (await admin.call('GET', '/tapi/sheet_plan?columns=*&sort=code')).json<{ data: Row[] }>();
    return Promise.all(
      data.map(
        async ({ id }) => (await admin.call('GET', `/tapi/sheet_plan/${String(id)}`)).json<{ data: Row }>().data,
      ),
    );
  };
  expect((await check(book(7, 3), 'sheet_plan')).errors).toEqual([
    expect.objectContaining({
      sheet: 'Prices',
      row: 3,
      column: 'Row of Lines',
      message: 'The record has no such row.',
    }),
  ]);
  expect((await check(book('much'), 'sheet_plan')).errors).toEqual([
    expect.objectContaining({ sheet: 'Prices', row: 3, column: 'Amount' }),
  ]);
  const good = await check(book(7), 'sheet_plan');
  expect(good).toMatchObject({ state: 'checked', errors: [], insert: 2 });
  await commit(good);
  const plans = await all();
  expect(plans).toMatchObject([
    {
      code: 'P1',
      total: '22.50',
      lines: [
        { lift: 'North', yearly: '15.50', prices: [{ month: 'April' }, { month: 'May', amount: '5.50' }] },
        { lift: 'South', yearly: '7.00' },
      ],
    },
    { code: 'P2', lines: [{ lift: 'East', stops: [{ floor: 'Ground' }] }] },
  ]);

  const { id } = (await admin.call('POST', '/tapi/sheet_plan/export', {})).json<{ data: { id: number } }>().data;
  await until(`/tapi/export/${id}`, ['done', 'failed']);
  const { url } = (await admin.call('GET', `/tapi/export/${id}/link`)).json<{ url: string }>();
  const file = await world.inject({ method: 'GET', url, headers: bearer() });
  const exported = XLSX.read(file.rawPayload);
  expect(exported.SheetNames).toEqual(['Sheet1', 'Lines', 'Prices', 'Stops']);
  expect(XLSX.utils.sheet_to_json(exported.Sheets.Prices!, { header: 1 })).toContainEqual(['P1', 2, 'April', 7]);
  expect(await check(file.rawPayload, 'sheet_plan')).toMatchObject({ errors: [], update: 0, unchanged: 2 });

  const changed = await check(book(8), 'sheet_plan');
  expect(changed).toMatchObject({ errors: [], update: 1, unchanged: 1 });
  await commit(changed);
  expect(await all()).toMatchObject([{ total: '23.50' }, { version: plans[1]!.version }]);
  const undone = await admin.call('POST', `/tapi/import/${changed.id}/undo`);
  expect(undone.statusCode, undone.body).toBe(200);
  expect((await all())[0]).toMatchObject({ total: '22.50' });
  const refused = await world.inject({
    method: 'POST',
    url: '/tapi/sheet_line/import?mode=all_or_nothing',
    payload: upload('x.xlsx', book(1)).payload,
    headers: { ...bearer(), ...upload('x.xlsx', book(1)).headers },
  });
  expect(refused.statusCode, refused.body).toBe(409);
});

test('a tree of rows is exported with an outline and group totals, and imported without them', async () => {
  const made = async (type: string, body: object) => {
    const answer = await admin.call('POST', `/tapi/${type}`, body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number; lines: Row[] } }>().data;
  };
  const account = async (name: string, above: number | null) =>
    (await made('sheet_account', { name, above_id: above })).id;
  const top = await account('Expenses', null);
  const personnel = await account('Personnel', top);
  const [salaries, rent] = [await account('Salaries', personnel), await account('Office rent', top)];
  const line = (id: number, m01: string) => ({ account_id: id, m01 });
  const { id: budget } = await made('sheet_budget', {
    code: 'B1',
    fy: '2025-2026',
    lines: [line(salaries, '100.10'), line(rent, '7'), line(salaries, '0.20')],
  });
  const told = await admin.call('GET', `/tapi/sheet_budget/${budget}/rows/lines/tree`);
  expect(told.json<{ data: Row[] }>().data[0]).toMatchObject({ label: 'Expenses', rows: 3, sums: { m01: '107.30' } });
  const above = await admin.call('POST', '/tapi/sheet_budget/rows/lines/above', { account_id: [salaries] });
  expect(above.json<{ data: { account_id: Row[] } }>().data.account_id.map(({ label }) => label)).toEqual([
    'Expenses',
    'Personnel',
    'Salaries',
  ]);
  expect((await admin.call('POST', '/tapi/sheet_budget/rows/lines/above', { account_id: ['1'] })).statusCode).toBe(400);

  const { id } = (await admin.call('POST', '/tapi/sheet_budget/export', {})).json<{ data: { id: number } }>().data;
  await until(`/tapi/export/${id}`, ['done', 'failed']);
  const { url } = (await admin.call('GET', `/tapi/export/${id}/link`)).json<{ url: string }>();
  const file = await world.inject({ method: 'GET', url, headers: bearer() });
  const book = XLSX.read(file.rawPayload, { cellStyles: true });
  const sheet = book.Sheets.Lines!;
  const rows = XLSX.utils.sheet_to_json<unknown[]>(sheet, { header: 1, defval: null });
  expect(rows.map((cells) => cells.slice(1, 5))).toEqual([
    ['Group of Lines', 'Row of Lines', 'Account', 'Month 1 (₹)'],
    ['Expenses', null, null, 107.3],
    [null, 2, 'Office rent', 7],
    ['  Personnel', null, null, 100.3],
    [null, 1, 'Salaries', 100.1],
    [null, 3, 'Salaries', 0.2],
  ]);
  expect(Array.from(sheet['!rows'] ?? [], (row) => (row as XLSX.RowInfo | undefined)?.level ?? 0)).toEqual([
    0, 0, 1, 1, 2, 2,
  ]);
  expect(await check(file.rawPayload, 'sheet_budget')).toMatchObject({ state: 'checked', errors: [], unchanged: 1 });

  // Another figure of a group is nobody's figure; that of a row is.
  rows[1]![4] = 5;
  rows[4]![4] = 200;
  const main = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets.Sheet1!, { header: 1 });
  await commit(await check(workbook({ Sheet1: main, Lines: rows }), 'sheet_budget'));
  const now = (await admin.call('GET', `/tapi/sheet_budget/${budget}`)).json<{ data: { lines: Row[] } }>().data.lines;
  expect(now.map(({ account_id: of, m01 }) => [of, m01])).toEqual([
    [salaries, '200.00'],
    [rent, '7.00'],
    [salaries, '0.20'],
  ]);
});
