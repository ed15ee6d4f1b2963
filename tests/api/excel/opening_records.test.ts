import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as XLSX from 'xlsx';
import { upload } from '../multipart.ts';
import { schemasWith } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number };
const text = { $ref: 'types#text', maxLength: 40 };
/** An agreement that a year of papers begins with: it runs already, and has its number. */
const TYPES = {
  open_agreement: {
    $schema: '../meta/screen.schema.json',
    kind: 'document',
    title: 'Agreement',
    scope: 'entity',
    access: { screen: 'SCN_OPEN_AGREEMENT', module: 'MASTERS' },
    label: ['party'],
    schema: {
      required: ['party', 'ends_on', 'lines'],
      properties: {
        agreement_no: text,
        party: text,
        ends_on: { $ref: 'types#date' },
        signed_by: { ...text, readOnly: true },
        welcome: { ...text, readOnly: true },
        lines: {
          type: 'array',
          title: 'Lifts',
          minItems: 1,
          items: { required: ['lift', 'rate'], properties: { lift: text, rate: { $ref: 'types#money' } } },
        },
        total: { $ref: 'types#money', 'x-formula': 'sum(lines.rate)' },
      },
    },
    number: { field: 'agreement_no', on: 'submit', pattern: 'AG/{0000}' },
    workflow: {
      import: { running: 'take_over' },
      insert: {
        guard: [{ assert: "party != 'Nobody'", message: 'Nobody is no party.', field: 'party' }],
        effects: [{ set: { values: { welcome: "concat('Welcome, ', party)" } } }],
      },
      states: { draft: {}, submitted: {}, running: {}, ended: { is: 'closed' } },
      transitions: {
        submit: { from: ['draft'], to: 'submitted' },
        take_over: {
          from: ['draft'],
          to: 'running',
          right: { page: 'approval_screen' },
          guard: [{ assert: 'ends_on >= today()', message: 'It has ended.', field: 'ends_on' }],
        },
        end: { from: ['submitted', 'running'], to: 'ended', reason: true },
      },
    },
  },
  open_plain: {
    $schema: '../meta/screen.schema.json',
    kind: 'document',
    title: 'Plain',
    scope: 'entity',
    access: { screen: 'SCN_OPEN_PLAIN', module: 'MASTERS' },
    label: ['name'],
    schema: { required: ['name'], properties: { name: text, since: { $ref: 'types#date', readOnly: true } } },
    unique: [['name']],
    workflow: {
      import: { running: 'start' },
      states: { draft: {}, running: {} },
      transitions: { start: { from: ['draft'], to: 'running', ask: ['since!'] } },
    },
  },
};

const { schemasDir, remove } = schemasWith(TYPES);
let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;

beforeAll(async () => {
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_OPEN_AGREEMENT: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['IMPORT_DATA', 'EXPORT_DATA'],
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
});
afterAll(async () => {
  await world.close();
  remove();
});

function book(agreements: unknown[][], lines: unknown[][]): Buffer {
  const made = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(
    made,
    XLSX.utils.aoa_to_sheet([['Agreement no', 'Party', 'Ends on', 'Status'], ...agreements]),
    'Sheet1',
  );
  XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet([['Agreement no', 'Lift', 'Rate'], ...lines]), 'Lifts');
  return XLSX.write(made, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}
interface Run {
  id: number;
  state: string;
  message: string | null;
  insert: number;
  update: number;
  unchanged: number;
  error_count: number;
  errors: { row: number; column: string; message: string }[];
}
const runOf = async (by: Caller, id: number) => (await by.call('GET', `/tapi/import/${id}`)).json<{ data: Run }>().data;
async function check(by: Caller, bytes: Buffer, type = 'open_agreement'): Promise<Run> {
  const { payload, headers } = upload('opening.xlsx', bytes);
  const started = await by.call('POST', `/tapi/${type}/import?mode=all_or_nothing`, payload, headers);
  expect(started.statusCode, started.body).toBe(202);
  const { id } = started.json<{ data: Run }>().data;
  await vi.waitFor(async () => expect(['checked', 'failed']).toContain((await runOf(by, id)).state), {
    timeout: 60_000,
  });
  return runOf(by, id);
}
async function commit(by: Caller, { id }: Run): Promise<Run> {
  const answer = await by.call('POST', `/tapi/import/${id}/commit`);
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  await vi.waitFor(async () => expect(['imported', 'failed']).toContain((await runOf(by, id)).state), {
    timeout: 60_000,
  });
  return runOf(by, id);
}
const all = async () =>
  (await admin.call('GET', '/tapi/open_agreement?columns=agreement_no,party,status,welcome,total&sort=id')).json<{
    data: Row[];
  }>().data;

const FAR = '31-12-2099';

it('imports records into the states that the descriptor names, through their transitions, with numbers and rows', async () => {
  const run = await check(
    admin,
    book(
      [
        ['OLD/17', 'Acme', FAR, 'Running'],
        ['OLD/18', 'Bright', FAR, 'Draft'],
      ],
      [
        ['OLD/17', 'A', '100'],
        ['OLD/17', 'B', '50'],
        ['OLD/18', 'C', '10'],
      ],
    ),
  );
  expect(run).toMatchObject({ errors: [], insert: 2, update: 0, unchanged: 0, error_count: 0 });
  // What was tried was not kept.
  expect(await all()).toEqual([]);
  const done = await commit(admin, run);
  expect([done.state, done.message]).toEqual(['imported', null]);
  const stored = await all();
  expect(stored).toMatchObject([
    { agreement_no: 'OLD/17', status: 'running', welcome: 'Welcome, Acme', total: '150.00' },
    { agreement_no: 'OLD/18', status: 'draft', welcome: 'Welcome, Bright', total: '10.00' },
  ]);
  expect(
    await acme.sql('select transition, to_state, cause from {s}.transition_log where record_type = $1', [
      'open_agreement',
    ]),
  ).toEqual([{ transition: 'take_over', to_state: 'running', cause: `import ${run.id}` }]);
  // The own series goes on beside the numbers that were brought.
  const draft = (
    await admin.call('POST', '/tapi/open_agreement', {
      party: 'New',
      ends_on: '2099-12-31',
      lines: [{ lift: 'D', rate: '1' }],
    })
  ).json<{ data: Row & { version: number } }>().data;
  const submitted = await admin.call('POST', `/tapi/open_agreement/${draft.id}/submit`, { version: draft.version });
  expect(submitted.json<{ data: Row }>().data).toMatchObject({ agreement_no: 'AG/0001' });
  // The same file again: the records are known by their numbers, and nothing is different.
  const again = await check(
    admin,
    book(
      [['OLD/17', 'Acme', FAR, 'Running']],
      [
        ['OLD/17', 'A', '100'],
        ['OLD/17', 'B', '50'],
      ],
    ),
  );
  expect(again).toMatchObject({ errors: [], insert: 0, update: 0, unchanged: 1, error_count: 0 });
});

it('gives the reason for refusing each row', async () => {
  const { errors, ...counts } = await check(
    admin,
    book(
      [
        ['P/1', 'Past', '31-12-2001', 'Running'],
        ['P/2', 'Nobody', FAR, 'Running'],
        ['P/3', 'Late', FAR, 'Submitted'],
        ['OLD/18', 'Bright', FAR, 'Running'],
        ['P/5', 'Good', FAR, 'Running'],
      ],
      [
        ['P/1', 'A', '1'],
        ['P/2', 'A', '1'],
        ['P/3', 'A', '1'],
        ['OLD/18', 'C', '10'],
        ['P/5', 'A', '1'],
      ],
    ),
  );
  expect(errors.map(({ row, column, message }) => [row, column, message])).toEqual([
    [2, 'Ends on', 'It has ended.'],
    [3, 'Party', 'Nobody is no party.'],
    [4, 'Status', expect.stringContaining('An import opens records in "Draft" or "Running", not in "Submitted".')],
    [5, 'Status', expect.stringContaining('changes by its steps')],
  ]);
  expect(counts).toMatchObject({ insert: 1, error_count: 4 });
});

it('requires the right to the transition', async () => {
  const file = book([['R/1', 'Right', FAR, 'Running']], [['R/1', 'A', '1']]);
  const { errors } = await check(clerk, file);
  expect(errors).toHaveLength(1);
  expect((await check(clerk, book([['R/1', 'Right', FAR, '']], [['R/1', 'A', '1']]))).errors).toEqual([]);
});

it('has the state and the number in its template, and can be undone until somebody continues', async () => {
  const template = XLSX.read((await admin.call('GET', '/tapi/open_agreement/template.xlsx')).rawPayload);
  expect(XLSX.utils.sheet_to_json<string[]>(template.Sheets.Sheet1!, { header: 1 })[0]).toEqual(
    expect.arrayContaining([expect.stringContaining('Agreement no'), expect.stringContaining('Status')]),
  );
  expect(XLSX.utils.sheet_to_csv(template.Sheets.Lists!)).not.toContain('Submitted');
  const run = await check(admin, book([['U/1', 'Undone', FAR, 'Running']], [['U/1', 'A', '1']]));
  expect((await commit(admin, run)).state).toBe('imported');
  // What was set beside when it was added would stay behind.
  expect((await admin.call('POST', `/tapi/import/${run.id}/undo`)).statusCode).toBe(409);
  const sheet = 'Name,Status\nOne,Running\nTwo,Draft\n';
  const asked = await check(admin, Buffer.from(sheet), 'open_plain');
  expect(asked.errors).toMatchObject([{ row: 2, message: expect.stringContaining('Since') }]);
  const plain = await check(
    admin,
    Buffer.from('Name,Status,Since\nOne,Running,01-04-2025\nTwo,Draft,\n'),
    'open_plain',
  );
  expect(plain.errors).toEqual([]);
  expect((await commit(admin, plain)).state).toBe('imported');
  expect(await acme.sql('select name, status, since::text as since from {s}.open_plain order by id')).toEqual([
    { name: 'One', status: 'running', since: '2025-04-01' },
    { name: 'Two', status: 'draft', since: null },
  ]);
  expect((await admin.call('POST', `/tapi/import/${plain.id}/undo`)).statusCode).toBe(200);
  expect(await acme.sql('select 1 from {s}.open_plain')).toEqual([]);
});
