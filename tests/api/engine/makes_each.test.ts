import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemasWith } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number; lines: Row[] };
const text = { $ref: 'types#text', maxLength: 40 };
const type = (title: string, properties: object, more: object) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title,
  scope: 'entity',
  access: { screen: `SCN_${title.toUpperCase().replace(' ', '_')}`, module: 'MASTERS' },
  schema: { required: [Object.keys(properties)[0]], properties },
  label: [Object.keys(properties)[0]],
  ...more,
});
const TYPES = {
  each_plan: type(
    'Each plan',
    {
      name: text,
      lines: {
        type: 'array',
        items: { required: ['what'], properties: { what: text, open: { $ref: 'types#boolean', default: true } } },
      },
    },
    {
      workflow: {
        states: { draft: { edit: true }, given: { edit: true }, gone: { is: 'cancelled' } },
        transitions: {
          give: { from: ['draft'], to: 'given', effects: [{ makes: 'tasks' }] },
          take_back: { from: ['given'], to: 'draft', undo: ['give'] },
          cancel: { from: ['draft', 'given'], to: 'gone' },
        },
      },
      makes: {
        tasks: {
          to: 'each_task',
          title: 'Give tasks',
          each: { rows: 'lines', when: 'open' },
          set: { what: 'what', plan_id: 'id', source: "concat(name, ': ', what)" },
        },
        sheets: {
          to: 'each_sheet',
          title: 'Make sheets',
          each: { type: 'each_person', filter: ['staff', 'eq', true] },
          set: { title: "concat(name, ' of ', each.name)", person_id: 'each.id' },
          cascade: true,
        },
      },
    },
  ),
  each_task: type(
    'Each task',
    {
      what: text,
      number: text,
      plan_id: { $ref: 'types#ref', 'x-ref': 'each_plan' },
      source: text,
    },
    {
      number: { field: 'number', pattern: 'T/{0000}' },
      workflow: {
        states: { open: {}, done: { is: 'closed' }, void: { is: 'cancelled' } },
        transitions: {
          finish: { from: ['open'], to: 'done' },
          void: { from: ['open'], to: 'void' },
        },
      },
    },
  ),
  each_person: type('Each person', { name: text, staff: { $ref: 'types#boolean', default: true } }, {}),
  each_sheet: type('Each sheet', { title: text, person_id: { $ref: 'types#ref', 'x-ref': 'each_person' } }, {}),
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
    screens: { SCN_EACH_PLAN: ['landing', 'view_screen', 'edit_screen'], SCN_EACH_TASK: ['landing', 'view_screen'] },
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  for (const name of Object.keys(TYPES)) await admin.call('GET', `/tapi/${name}`);
});
afterAll(async () => {
  await world.close();
  remove();
});

async function add(name: string, values: object): Promise<Row> {
  const answer = await admin.call('POST', `/tapi/${name}`, values);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
}
const read = async (name: string, id: number) =>
  (await admin.call('GET', `/tapi/${name}/${id}`)).json<{ data: Row }>().data;
const step = async (name: string, id: number, by: string) =>
  admin.call('POST', `/tapi/${name}/${id}/${by}`, { version: (await read(name, id)).version });
async function make(id: number, name: string, query = ''): Promise<{ made: Row[]; left: number }> {
  const answer = await admin.call('POST', `/tapi/each_plan/${id}/make/${name}${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: { made: Row[]; left: number } }>().data;
}
const tasks = (plan: number) =>
  acme.sql<{ id: number; what: string; number: string; status: string }>(
    'select id, what, number, status from {s}.each_task where plan_id = $1 order by id',
    [plan],
  );
const plan = (lines: object[]) => add('each_plan', { name: 'Spring', lines });

it('previews its documents without numbers, makes all of them, and later only the missing ones', async () => {
  const { id } = await plan([{ what: 'Oil' }, { what: 'Clean' }, { what: 'Later', open: false }]);
  const shown = await make(id, 'tasks', '?preview=1');
  expect(shown.made).toMatchObject([
    { what: 'Oil', source: 'Spring: Oil', number: 'T/····' },
    { what: 'Clean', number: 'T/····' },
  ]);
  expect(await tasks(id)).toEqual([]);
  expect((await make(id, 'tasks')).made.map(({ number }) => number)).toEqual(['T/0001', 'T/0002']);
  expect(await make(id, 'tasks')).toEqual({ made: [], left: 0 });
  const stored = await read('each_plan', id);
  await admin.call('PUT', `/tapi/each_plan/${id}`, {
    version: stored.version,
    lines: [...stored.lines, { what: 'Check' }],
  });
  expect((await make(id, 'tasks')).made).toMatchObject([{ what: 'Check', number: 'T/0003' }]);
  // What was cancelled is missing; what was finished is not.
  const [oil, clean] = await tasks(id);
  await step('each_task', oil!.id, 'void');
  await step('each_task', clean!.id, 'finish');
  expect((await make(id, 'tasks')).made).toMatchObject([{ what: 'Oil', number: 'T/0004' }]);
  // Two at once make it once.
  const twice = await plan([{ what: 'A' }, { what: 'B' }]);
  const both = await Promise.all([make(twice.id, 'tasks'), make(twice.id, 'tasks')]);
  expect(both.flatMap(({ made }) => made)).toHaveLength(2);
  const links = (await admin.call('GET', `/tapi/each_plan/${twice.id}/links`)).json<{ data: { to: unknown[] } }>().data;
  expect(links.to).toHaveLength(2);
});

it('makes one for each record of a type', async () => {
  const [ann, bob] = [await add('each_person', { name: 'Ann' }), await add('each_person', { name: 'Bob' })];
  await add('each_person', { name: 'Guest', staff: false });
  const { id } = await plan([{ what: 'Oil' }]);
  expect((await make(id, 'sheets')).made).toMatchObject([
    { title: 'Spring of Ann', person_id: ann.id },
    { title: 'Spring of Bob', person_id: bob.id },
  ]);
  const cy = await add('each_person', { name: 'Cy' });
  expect((await make(id, 'sheets')).made).toMatchObject([{ person_id: cy.id }]);
});

it('is part of a step and undone with it; completed documents keep their plan from being cancelled', async () => {
  const { id } = await plan([{ what: 'Oil' }, { what: 'Clean' }]);
  expect((await step('each_plan', id, 'give')).statusCode).toBe(200);
  expect(await tasks(id)).toHaveLength(2);
  const refused = await step('each_plan', id, 'cancel');
  expect([refused.statusCode, refused.body]).toEqual([
    409,
    expect.stringContaining('made from this each plan first: each task'),
  ]);
  expect((await step('each_plan', id, 'take_back')).statusCode).toBe(200);
  expect(await tasks(id)).toEqual([]);
  expect((await step('each_plan', id, 'give')).statusCode).toBe(200);
  const [first, second] = await tasks(id);
  await step('each_task', first!.id, 'finish');
  // All or nothing: one that went on keeps the others.
  expect((await step('each_plan', id, 'take_back')).statusCode).toBe(409);
  expect(await tasks(id)).toHaveLength(2);
  await step('each_task', second!.id, 'void');
  expect(await tasks(id)).toMatchObject([{ status: 'done' }, { status: 'void' }]);
});

it('requires the right to add, and the records that documents are made for', async () => {
  const { id, lines } = await plan([{ what: 'Oil' }]);
  expect((await clerk.call('POST', `/tapi/each_plan/${id}/make/tasks`)).statusCode).toBe(403);
  expect((await admin.call('POST', `/tapi/each_plan/${id}/make/nothing`)).statusCode).toBe(404);
  const from = { type: 'each_plan', id, make: 'tasks' };
  expect((await admin.call('POST', '/tapi/each_task', { what: 'x', _from: from })).statusCode).toBe(404);
  const each = lines[0]!.id;
  expect((await admin.call('POST', '/tapi/each_task', { what: 'x', _from: { ...from, each } })).statusCode).toBe(201);
  expect((await admin.call('POST', '/tapi/each_task', { what: 'x', _from: { ...from, each } })).statusCode).toBe(409);
});
