import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

DESCRIPTORS.t_errand = {
  kind: 'master',
  title: 'Errand',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      runner_id: { $ref: 'types#ref', 'x-ref': 'employee', title: 'Runner' },
    },
  },
  grid: ['name', 'runner_id'],
};

DESCRIPTORS.t_note = {
  kind: 'master',
  title: 'Note',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: { required: ['name'], properties: { name: { $ref: 'types#name' } } },
  grid: ['name'],
};

DESCRIPTORS.t_round = {
  kind: 'master',
  title: 'Round',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  relations: { walker: 'walker_ids' },
  scopes: { own: ['walker'] },
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      walker_ids: { $ref: 'types#refs', 'x-ref': 'employee', title: 'Walkers' },
    },
  },
  grid: ['name', 'walker_ids'],
};

let bench: Bench;
const people: Record<string, number> = {};

beforeAll(async () => {
  bench = await startBench();
  await ensureTables(bench.tenant, bench.screens, ['employee']);
  // Only who reports to whom matters here: people without the rest of their facts will do.
  const required = await bench.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  );
  for (const { name } of required) await bench.sql(`alter table {s}.employee alter column "${name}" drop not null`);
  for (const [name, above] of [
    ['head', null],
    ['lead', 'head'],
    ['fitter', 'lead'],
    ['clerk', null],
  ] as const) {
    const [row] = await bench.sql<{ id: number }>(
      'insert into {s}.employee (entity_id, empno, reporting_to_id) values ($1, $2, $3) returning id',
      [bench.companies[0], name, above && people[above]],
    );
    const id = (people[name] = row!.id);
    await bench.sql(
      `insert into {s}.employee_tree (ancestor_id, descendant_id, depth) select ancestor_id, $1::bigint, depth + 1 from {s}.employee_tree where descendant_id = $2::bigint union all select $1::bigint, $1::bigint, 0`,
      [id, above && people[above]],
    );
    await bench.sql('insert into {s}.t_errand (entity_id, name, runner_id) values ($1, $2, $3)', [
      bench.companies[0],
      `of ${name}`,
      id,
    ]);
  }
  await bench.sql(
    `insert into {s}.t_errand (entity_id, name, created_by) values ($1, 'made by Bala', $2), ($1, 'of nobody', null)`,
    [bench.companies[0], bench.users[1]],
  );
});
afterAll(() => bench.close());

const as = (name: string) => bench.session({ scope: 'team', employeeId: people[name]!, userId: bench.users[1] });
const list = async (type: string, name: string) =>
  (await bench.engine.list(as(name), bench.screen(type), bench.query(type))).data;

test('people: myself and everybody below me, at any depth; nobody else', async () => {
  const seen = async (name: string) => (await list('employee', name)).map(({ empno }) => empno as string).sort();
  expect(await seen('head')).toEqual(['fitter', 'head', 'lead']);
  expect(await seen('lead')).toEqual(['fitter', 'lead']);
  expect(await seen('fitter')).toEqual(['fitter']);
});

test('records of others: those of my people and my own; count, reading and writing agree', async () => {
  expect((await list('t_errand', 'lead')).map(({ name }) => name)).toEqual(['made by Bala', 'of fitter', 'of lead']);
  const errand = bench.screen('t_errand');
  expect(await bench.engine.count(as('lead'), errand, bench.query('t_errand'))).toMatchObject({ count: 3 });
  const [above] = await bench.sql<{ id: number }>(`select id from {s}.t_errand where name = 'of head'`);
  expect((await refusal(bench.engine.read(as('lead'), errand, above!.id))).status).toBe(404);
  expect(
    (await refusal(bench.engine.update(as('lead'), errand, above!.id, { version: 1, name: 'Taken' }))).status,
  ).toBe(404);
  expect((await refusal(bench.engine.remove(as('lead'), errand, above!.id))).status).toBe(404);
  expect((await refusal(bench.engine.history(as('lead'), errand, above!.id, 1))).status).toBe(404);
});

test('a type without a person field: records created by me or by my team', async () => {
  await bench.sql(
    `insert into {s}.t_note (entity_id, name, created_by) values ($1, 'mine', $2), ($1, 'of nobody', null)`,
    [bench.companies[0], bench.users[1]],
  );
  const note = bench.screen('t_note');
  for (const scope of ['team', 'own'] as const)
    expect(
      (
        await bench.engine.list(
          bench.session({ scope, employeeId: people.lead!, userId: bench.users[1] }),
          note,
          bench.query('t_note'),
        )
      ).data.map(({ name }) => name),
    ).toEqual(['mine']);
});

test('records of several people: those of which one is mine or below me', async () => {
  for (const [name, walkers] of [
    ['Cellar', ['fitter', 'clerk']],
    ['Roof', ['head']],
  ] as const)
    await bench.sql('insert into {s}.t_round (entity_id, name, walker_ids) values ($1, $2, $3::bigint[])', [
      bench.companies[0],
      name,
      walkers.map((one) => people[one]),
    ]);
  const seen = async (name: string) => (await list('t_round', name)).map((row) => row.name);
  expect(await seen('head')).toEqual(['Cellar', 'Roof']);
  expect(await seen('lead')).toEqual(['Cellar']);
  expect(await seen('clerk')).toEqual(['Cellar']);
});
