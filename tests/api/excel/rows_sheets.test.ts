import { afterAll, beforeAll, expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

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

async function until(path: string, states: string[]): Promise<Run> {
  for (let turn = 0; turn < 400; turn++) {
    const { data } = (await admin.call('GET', path)).json<{ data: Run }>();
    if (states.includes(data.state)) return data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} never became ${states.join(' or ')}.`);
}

async function check(content: Buffer): Promise<Run> {
  const { payload, headers } = upload('controllers.xlsx', content);
  const answer = await world.inject({
    method: 'POST',
    url: '/tapi/inverter_make_mstr/import?mode=all_or_nothing',
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

test('rows come in a sheet of their own, joined by the key; all of it or nothing', async () => {
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

test('the template has the sheet of the rows', async () => {
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

test('an export has the rows; sent back it changes nothing, changed only what was changed, and can be undone', async () => {
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
