import { afterAll, beforeAll, expect, test } from 'vitest';
import { inlineRow, sheetOf, sheetsOf } from '../../made_workbooks.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let other: Caller;

beforeAll(async () => {
  world = await startWorld({ types: ['lift_make_mstr', 'payment_term_mstr'] });
  acme = await world.tenant({ companies: 1 });
  for (const name of ['admin', 'other']) await acme.user(name, { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  other = await world.signIn(acme, 'other');
});
afterAll(() => world.close());

type Answer = Awaited<ReturnType<Caller['call']>>;

interface Run {
  id: number;
  state: string;
  insert: number;
  error_count: number;
  notices: string[];
  message: string | null;
  errors: { row: number; column: string; message: string }[];
  columns: {
    sheet: string;
    sheets: string[];
    remembered: boolean;
    fields: { name: string; title: string; required: boolean }[];
    columns: {
      heading: string;
      column: string;
      field: string | null;
      state: string;
      guess: string | null;
      sample: string | null;
    }[];
  } | null;
}

const TYPE = 'lift_make_mstr';
const RESTING = ['columns', 'checked', 'imported', 'failed'];

function rested(id: number, as = admin): Promise<Run> {
  return untilIn(async () => (await as.call('GET', `/tapi/import/${id}`)).json<{ data: Run }>().data, RESTING);
}

function send(name: string, content: Buffer | string, query = 'ask=columns', as = admin): Promise<Answer> {
  const { payload, headers } = upload(name, content);
  return as.call('POST', `/tapi/${TYPE}/import?mode=good_rows&${query}`, payload, headers);
}

async function start(name: string, content: Buffer | string, query?: string, as = admin): Promise<Run> {
  const answer = await send(name, content, query, as);
  expect(answer.statusCode, answer.body).toBe(202);
  return rested(answer.json<{ data: { id: number } }>().data.id, as);
}

async function choose(id: number, body: object): Promise<Run> {
  const answer = await admin.call('POST', `/tapi/import/${id}/columns`, body);
  expect(answer.statusCode, answer.body).toBe(202);
  return rested(id);
}

async function written({ id }: Run): Promise<Run> {
  const answer = await admin.call('POST', `/tapi/import/${id}/commit`, {});
  expect(answer.statusCode, answer.body).toBe(202);
  return rested(id);
}

const makes = async () =>
  (await admin.call('GET', `/tapi/${TYPE}?size=100&columns=*`)).json<{ data: Record<string, unknown>[] }>().data;
const make = async (code: string) => (await makes()).find((one) => one.code === code);
const stateOf = ({ columns }: Run) =>
  columns?.columns.map(({ heading, field, state }) => `${heading} ${state} ${field ?? '-'}`);
const refusal = (answer: Answer) => {
  const { code, message, field } = answer.json<{ error: { code: string; message: string; field: string } }>().error;
  return { status: answer.statusCode, code, message, field };
};

const MATCHING = "Code,Name,Maker's support\n";

test('a file with known headings needs no questions: the dry run follows at once', async () => {
  const run = await start('plain.csv', `${MATCHING}P1,Plain one,Current\n`);
  expect(run).toMatchObject({ state: 'checked', insert: 1, columns: { remembered: false } });
  expect(stateOf(run)).toEqual(['Code matched code', 'Name matched name', "Maker's support matched support"]);
});

test('unknown and duplicate headings are asked about, and the choice is remembered for the person', async () => {
  const file = (code: string) =>
    `Code,Name,Maker's support,Mobile,Name,Colour,2024\n${code},Make ${code},Current,022 1234567,Second ${code},red,5\n`;
  const run = await start('asked.csv', file('A1'));
  expect(run).toMatchObject({ state: 'columns', insert: 0 });
  expect(stateOf(run)).toEqual([
    'Code matched code',
    'Name matched name',
    "Maker's support matched support",
    'Mobile unknown -',
    'Name (2) doubled -',
    'Colour unknown -',
    '2024 unknown -',
  ]);
  expect(run.columns!.columns[3]).toMatchObject({ column: 'D', sample: '022 1234567', guess: 'hotline' });
  expect(run.columns!.fields).toContainEqual({ name: 'name', title: 'Name', required: true });
  // Nothing was checked: there is nothing to write.
  expect((await admin.call('POST', `/tapi/import/${run.id}/commit`, {})).statusCode).toBe(409);

  const checked = await choose(run.id, {
    columns: [
      { heading: 'Mobile', field: 'hotline' },
      { heading: 'Name', field: null },
      { heading: 'Name (2)', field: 'name' },
      { heading: 'Colour', field: null },
      { heading: '2024', field: null },
    ],
  });
  expect(checked).toMatchObject({ state: 'checked', insert: 1, error_count: 0, notices: [] });
  expect(await written(checked)).toMatchObject({ state: 'imported' });
  expect(await make('A1')).toMatchObject({
    name: 'Second A1',
    hotline: expect.stringContaining('1234567') as string,
  });

  const next = await start('next.csv', file('A2'));
  expect(next).toMatchObject({ state: 'checked', insert: 1, columns: { remembered: true } });
  expect(stateOf(next)).toContain('Mobile chosen hotline');
  expect(await start('other.csv', file('A3'), 'ask=columns', other)).toMatchObject({ state: 'columns' });
  // A program that does not ask is not held to what somebody chose in a dialog.
  expect(await start('program.csv', file('A3'), '')).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('Column E "Name" fills') as string,
  });

  const reset = await choose(next.id, { reset: true });
  expect(reset).toMatchObject({ state: 'columns', columns: { remembered: false } });
  expect(stateOf(reset)).toContain('Mobile unknown -');
  expect(await start('again.csv', file('A4'))).toMatchObject({ state: 'columns' });
});

test('a choice is checked against the fields and the headings: errors name the heading', async () => {
  const run = await start('wrong.csv', 'Code,Name,Mobile,Colour\nW1,Wrong,022,red\n');
  const refused = async (columns: unknown) =>
    refusal(await admin.call('POST', `/tapi/import/${run.id}/columns`, { columns }));
  const invalid = (message: string) => ({ status: 422, code: 'invalid', field: 'columns', message });
  expect(await refused([{ heading: 'Colour', field: 'colr' }])).toEqual(
    invalid(
      'The column "Colour" cannot go to "colr": there is no such field. Choose another field, or leave the column out.',
    ),
  );
  expect(
    await refused([
      { heading: 'Mobile', field: 'hotline' },
      { heading: 'Colour', field: 'hotline' },
    ]),
  ).toMatchObject({ status: 422, message: expect.stringContaining('"Mobile" and "Colour" both go to') as string });
  expect(await refused([{ heading: 'Colour', field: 'name' }])).toMatchObject({
    status: 422,
    message: 'The columns "Name" and "Colour" both go to Name. Choose another field for one of them, or leave it out.',
  });
  expect(await refused([{ heading: 'Size', field: null }])).toEqual(invalid('The sheet has no column "Size".'));
  expect(await refused(['Code', 'Name', 'Mobile', 'Colour'].map((heading) => ({ heading, field: null })))).toEqual(
    invalid('Choose a field for at least one column.'),
  );
  expect((await refused('Mobile')).status).toBe(422);
  expect((await refused([{ heading: 'Mobile', field: 5 }])).status).toBe(422);
  expect((await admin.call('POST', `/tapi/import/${run.id}/columns`, { sheet: 'None' })).statusCode).toBe(422);
  // A stranger's import is none.
  expect((await other.call('POST', `/tapi/import/${run.id}/columns`, { columns: [] })).statusCode).toBe(404);
  // Nothing that was refused is remembered.
  expect(await start('wrong2.csv', 'Code,Name,Mobile\nW1,Wrong,022\n')).toMatchObject({ state: 'columns' });
});

test('the first call accepts and checks a choice too', async () => {
  const columns = (choice: unknown) => `columns=${encodeURIComponent(JSON.stringify(choice))}`;
  const file = "Code,Label,Maker's support\nF1,First call,Current\n";
  const run = await start('first.csv', file, columns([{ heading: 'Label', field: 'name' }]));
  expect(run).toMatchObject({ state: 'checked', insert: 1, error_count: 0 });
  expect(refusal(await send('first.csv', file, columns([{ heading: 'Label', field: 'nmae' }])))).toMatchObject({
    status: 422,
    message: expect.stringContaining('"Label"') as string,
  });
  expect((await send('first.csv', file, 'columns=[')).statusCode).toBe(422);
  expect(await start('first.csv', file, columns([{ heading: 'Lable', field: 'name' }]))).toMatchObject({
    state: 'failed',
    message: 'The sheet has no column "Lable".',
  });
});

test('another sheet can be chosen; errors are written into it; findings of other columns are not committed', async () => {
  const rows = (code: string) =>
    sheetOf(
      inlineRow(1, ['Code', 'Name', "Maker's support"]) +
        inlineRow(2, [code, `Make ${code}`, 'Current']) +
        inlineRow(3, ['', `None ${code}`, 'Current']),
    );
  const book = sheetsOf({ Cover: sheetOf(inlineRow(1, ['List of makes'])), New: rows('S1'), Old: rows('S2') });
  const run = await start('sheets.xlsx', book);
  expect(run).toMatchObject({ state: 'columns', columns: { sheet: 'Cover', sheets: ['Cover', 'New', 'Old'] } });
  const old = await choose(run.id, { sheet: 'Old' });
  expect(old).toMatchObject({ state: 'columns', columns: { sheet: 'Old' } });
  const checked = await choose(run.id, { sheet: 'Old', columns: [] });
  expect(checked).toMatchObject({ state: 'checked', insert: 1, error_count: 1, notices: [] });
  const marked = await admin.call('GET', `/tapi/import/${run.id}/errors.xlsx`);
  const again = await start('marked.xlsx', marked.rawPayload, '');
  expect(again).toMatchObject({ insert: 1, error_count: 1 });
  // As if another server had read the other sheet meanwhile.
  await acme.sql(`update {s}.import_run set server = 1, choice = jsonb_set(choice, '{sheet}', '"New"') where id = $1`, [
    run.id,
  ]);
  await written(checked);
  expect((await makes()).map(({ code }) => code)).toContain('S1');
  expect((await makes()).map(({ code }) => code)).not.toContain('S2');
});

test('a file whose headings are all unknown is asked about', async () => {
  const run = await start('strange.csv', 'Brand no,Brand label,Standing\nX1,Strange,Current\n');
  expect(run).toMatchObject({ state: 'columns' });
  const checked = await choose(run.id, {
    columns: [
      { heading: 'Brand no', field: 'code' },
      { heading: 'Brand label', field: 'name' },
      { heading: 'Standing', field: 'support' },
    ],
  });
  expect(checked).toMatchObject({ state: 'checked', insert: 1, error_count: 0 });
});
