import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { copySchemas } from '../schemas_with.ts';
import { startWorld } from '../world.ts';
import { change, run, steady, stepsOf } from './implementer_chapters.ts';

/** The first chapter of docs/implementer.md, followed literally by somebody whose server runs. */
const steps = stepsOf('A new list in five minutes');

let home: string;
let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'mainstay-implementer-')));
  // The chapters use no type beyond these; each saved file compiles all that there are.
  copySchemas(join(home, 'schemas'));
  world = await startWorld({ schemasDir: join(home, 'schemas'), alone: true });
  acme = await world.tenant({ companies: 1 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  world.app.live.watch();
});
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

const screenNow = async () =>
  (await admin.call('GET', '/tapi/screens/vehicle')).json<{ data?: { screen: Screen } }>().data?.screen;
const problems = async () =>
  (await admin.call('GET', '/tapi/screens/problems'))
    .json<{ data: { message: string }[] }>()
    .data.map(({ message }) => message);

test('docs/implementer.md, from the first command to the last', { timeout: 120_000 }, async () => {
  expect(steps.map(({ kind }) => kind)).toEqual([
    'sh',
    'text',
    'json',
    'diff',
    'diff',
    'diff',
    'diff',
    'sh',
    'text',
    'diff',
    'sh',
    'text',
    'diff',
  ]);
  let output = '';
  let added = 0;
  for (const { kind, file, body, line } of steps) {
    const at = join(home, file);
    if (kind === 'sh') output = run(body, home);
    else if (kind === 'text') expect(steady(output), `line ${line}`).toBe(steady(body));
    else if (kind === 'diff') writeFileSync(at, change(readFileSync(at, 'utf8'), body));
    else {
      expect(readFileSync(at, 'utf8'), `line ${line}`).toBe(body);
      await expect.poll(async () => (await screenNow())?.plural, { timeout: 60_000 }).toBe('Vehicles');
      expect(JSON.stringify((await admin.call('GET', '/tapi/menu')).json())).toContain('"/vehicle"');
      const [branch] = await acme.sql<{ id: number }>(
        `insert into {s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode)
         select id, 'CHN', 'Chennai', 'branch', address1, city, state_id, country, pincode from {s}.entity returning id`,
      );
      const answer = await admin.call('POST', '/tapi/vehicle', {
        code: 'V1',
        name: 'Tata Ace',
        kind: 'van',
        branch_id: branch!.id,
      });
      expect(answer.statusCode, answer.body).toBe(201);
      added = answer.json<{ data: { id: number } }>().data.id;
    }
  }
  await expect.poll(async () => (await screenNow())?.views[0]?.name, { timeout: 60_000 }).toBe('Two-wheelers');
  await expect.poll(problems, { timeout: 60_000 }).toEqual([]);
  expect((await screenNow())?.fields.map(({ name }) => name)).toEqual([
    'code',
    'name',
    'kind',
    'branch_id',
    'driver_id',
    'bought_on',
    'price',
    'insured_until',
    'services',
    'spent',
  ]);

  const put = (body: object) => admin.call('PUT', `/tapi/vehicle/${added}`, body);
  const refused = await put({
    version: 1,
    bought_on: '2025-04-01',
    insured_until: '2025-03-31',
    services: [{ on: '2025-05-01', cost: '10.00' }, { on: '2025-05-01' }],
  });
  expect(
    refused
      .json<{ error: { details: { field: string }[] } }>()
      .error.details.map(({ field }) => field)
      .sort(),
  ).toEqual(['insured_until', 'services.1.on']);
  const right = await put({
    version: 1,
    bought_on: '2025-04-01',
    insured_until: '2026-03-31',
    services: [
      { on: '2025-05-01', cost: '1200.50' },
      { on: '2025-08-01', cost: '800.00' },
    ],
  });
  expect(right.json(), right.body).toMatchObject({ data: { code: 'V1', spent: '2000.50' } });
});

test('an error leaves the last valid version in force, and is reported', { timeout: 60_000 }, async () => {
  const at = join(home, 'schemas/organisation/vehicle.json');
  const good = readFileSync(at, 'utf8');
  writeFileSync(at, good.replace('"grid": ["code", "name"', '"grid": ["code", "nmae"'));
  await expect.poll(problems, { timeout: 60_000 }).toEqual(['There is no field "nmae" for "grid".']);
  expect((await screenNow())?.grid[1]?.field).toBe('name');
  rmSync(at);
  await expect
    .poll(async () => (await admin.call('GET', '/tapi/screens/vehicle')).statusCode, { timeout: 60_000 })
    .toBe(404);
  expect(await acme.sql('select code from {s}.vehicle')).toEqual([{ code: 'V1' }]);
});

test(
  'the chapter on a plan by month: months, groups, single cells and closed months',
  { timeout: 120_000 },
  async () => {
    const at = join(home, 'schemas/organisation/cost_plan.json');
    const lines = async () =>
      (await admin.call('GET', '/tapi/screens/cost_plan'))
        .json<{ data?: { screen: Screen } }>()
        .data?.screen.fields.find(({ name }) => name === 'lines');
    for (const { kind, body } of stepsOf("A year's plan, month by month")) {
      if (kind === 'json') writeFileSync(at, body);
      else writeFileSync(at, change(readFileSync(at, 'utf8'), body));
    }
    await expect.poll(async () => (await lines())?.periods?.closed?.until).toBe('closed_until');
    expect(await problems()).toEqual([]);
    const made = async (path: string, body: object) => {
      const answer = await admin.call('POST', path, body);
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ data: { id: number; version: number; lines?: { id: number }[] } }>().data;
    };
    const sales = await made('/tapi/department', { code: 'SAL', name: 'Sales' });
    const [field, shop] = [
      await made('/tapi/department', { code: 'FLD', name: 'Field', parent_department_id: sales.id }),
      await made('/tapi/department', { code: 'SHP', name: 'Shop', parent_department_id: sales.id }),
    ];
    const plan = await made('/tapi/cost_plan', {
      name: 'Costs',
      year: '2026-2027',
      lines: [
        { department_id: shop.id, cost: 'Fairs', m04: '500.00' },
        { department_id: field.id, cost: 'Travel', m04: '100.00', m05: '40.00' },
      ],
    });
    const cells = (id: number, set: object) =>
      admin.call('PATCH', `/tapi/cost_plan/${plan.id}/rows/lines`, { cells: [{ id, set }] });
    const travel = plan.lines![1]!.id;
    expect((await cells(travel, { m04: ['100.00', '150.00'] })).statusCode).toBe(200);
    const tree = (await admin.call('GET', `/tapi/cost_plan/${plan.id}/rows/lines/tree`)).json<{ data: object[] }>()
      .data;
    expect(tree).toMatchObject([
      { label: 'Sales', rows: 2, sums: { m04: '650.00', m_q2: '690.00', m_all: '690.00' } },
      { depth: 1 },
      { depth: 1 },
    ]);
    const { data } = (await admin.call('GET', `/tapi/cost_plan/${plan.id}`)).json<{ data: { version: number } }>();
    expect(data).toMatchObject({ total: '690.00' });
    const closed = { version: data.version, closed_until: '2026-07' };
    expect((await admin.call('PUT', `/tapi/cost_plan/${plan.id}`, closed)).statusCode).toBe(200);
    // July is the fourth month of the year, August the fifth.
    expect((await cells(travel, { m04: ['150.00', '1.00'] })).statusCode).toBe(422);
    expect((await cells(travel, { m05: ['40.00', '45.00'] })).statusCode).toBe(200);
  },
);
