import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveNames } from '../../../src/server/engine/excel/reference_names.ts';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

const access = { screen: 'SCN_TEST', action: null };
DESCRIPTORS.t_cause = {
  kind: 'master',
  title: 'Cause',
  access,
  scope: 'tenant',
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      state: { enum: ['open', 'closed'], default: 'open' },
      uses: { $ref: 'types#tags' },
      grave: { $ref: 'types#boolean' },
      level: { $ref: 'types#integer' },
    },
  },
};
DESCRIPTORS.t_case = {
  kind: 'master',
  title: 'Case',
  access,
  scope: 'entity',
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      cause_id: {
        $ref: 'types#ref',
        'x-ref': 't_cause',
        'x-ref-filter': { uses: { const: 'case' }, state: { const: 'open' } },
      },
      grave_ids: {
        $ref: 'types#refs',
        'x-ref': 't_cause',
        title: 'Grave ones',
        'x-ref-filter': { grave: { const: true }, level: { const: 2 } },
      },
      steps: {
        type: 'array',
        'x-unique': ['level'],
        items: {
          type: 'object',
          properties: {
            level: { $ref: 'types#integer' },
            cause_id: { $ref: 'types#ref', 'x-ref': 't_cause', 'x-ref-filter': { state: { const: 'open' } } },
          },
        },
      },
    },
  },
};

let bench: Bench;
const cause: Record<string, number> = {};
type Row = Record<string, unknown>;
const create = (type: string, input: Row) => bench.engine.create(bench.session(), bench.screen(type), input);
const update = (id: number, input: Row) => bench.engine.update(bench.session(), bench.screen('t_case'), id, input);

beforeAll(async () => {
  bench = await startBench();
  for (const row of [
    { name: 'Right', state: 'open', uses: ['other', 'case'] },
    { name: 'Closed', state: 'closed', uses: ['case'] },
    { name: 'Elsewhere', state: 'open', uses: ['other'] },
    { name: 'Unused', state: 'open' },
    { name: 'Grave', grave: true, level: 2 },
    { name: 'Graver', grave: true, level: 3 },
  ])
    cause[row.name] = (await create('t_cause', row)).id;
});
afterAll(() => bench.close());

test('look-ups offer only records that match the fixed filter', async () => {
  const { fields } = bench.screen('t_case');
  const offered = async (name: string) => {
    const options = await bench.engine.options(bench.session(), bench.screen('t_cause'), {
      asking: { screen: bench.screen('t_case'), field: fields.find((field) => field.name === name)!, siblings: fields },
    });
    return options.map(({ label }) => label);
  };
  expect(await offered('cause_id')).toEqual(['Right']);
  expect(await offered('grave_ids')).toEqual(['Grave']);
});

test('other records are refused on saving, also in rows', async () => {
  for (const name of ['Closed', 'Elsewhere', 'Unused'])
    expect((await refusal(create('t_case', { name, cause_id: cause[name] }))).details).toMatchObject([
      { field: 'cause_id' },
    ]);
  expect(
    (await refusal(create('t_case', { name: 'G', grave_ids: [cause.Grave, cause.Graver] }))).details,
  ).toMatchObject([{ field: 'grave_ids' }]);
  expect(
    (await refusal(create('t_case', { name: 'R', steps: [{ cause_id: cause.Right }, { cause_id: cause.Closed }] })))
      .details,
  ).toMatchObject([{ field: 'steps.1.cause_id' }]);
  expect(
    await create('t_case', {
      name: 'All',
      cause_id: cause.Right,
      grave_ids: [cause.Grave],
      steps: [{ cause_id: cause.Elsewhere }],
    }),
  ).toMatchObject({ cause_id__label: 'Right' });
});

test('a choice stays when its record no longer matches, but cannot be made again', async () => {
  const later = (await create('t_cause', { name: 'Later', state: 'open', uses: ['case'] })).id;
  const { id } = await create('t_case', { name: 'Kept', cause_id: later });
  await bench.sql(`update {s}.t_cause set state = 'closed' where id = $1`, [later]);
  expect(await update(id, { version: 1, name: 'Kept on', cause_id: later })).toMatchObject({
    version: 2,
    cause_id: later,
  });
  await update(id, { version: 2, cause_id: null });
  expect((await refusal(update(id, { version: 3, cause_id: later }))).details).toMatchObject([{ field: 'cause_id' }]);
});

test('sheets accept only matching records; an existing choice may stay', async () => {
  const field = bench.screen('t_case').fields.find((one) => one.name === 'cause_id')!;
  const names = await resolveNames(
    bench.session(),
    new Map([bench.screen('t_case'), bench.screen('t_cause')].map((screen) => [screen.name, screen])),
    field,
    bench.screen('t_cause'),
    new Set(['right', 'Closed', 'Nothing']),
  );
  expect(names.get('right')).toEqual({ id: cause.Right });
  expect(names.get('Closed')).toEqual({ error: 'Cause "Closed" cannot be used here.', candidates: [cause.Closed] });
  expect(names.get('Nothing')).toMatchObject({ error: 'Cause "Nothing" is not in the list of causes.' });
});

test('duplicate rows are refused', async () => {
  expect(
    await refusal(create('t_case', { name: 'Alike', steps: [{ level: 1 }, { level: 2 }, { level: 1 }, {}, {}] })),
  ).toMatchObject({ status: 422, details: [{ field: 'steps.2.level', message: 'Level: row 1 has the same.' }] });
  expect(await create('t_case', { name: 'Unlike', steps: [{ level: 1 }, { level: 2 }] })).toMatchObject({ version: 1 });
});
