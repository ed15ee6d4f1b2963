import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

DESCRIPTORS.t_box = {
  kind: 'master',
  title: 'Box',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      things: {
        type: 'array',
        title: 'Things',
        items: {
          type: 'object',
          properties: {
            what: { $ref: 'types#text', title: 'What' },
            pin: { $ref: 'types#text', title: 'Pin', 'x-secret': true },
            area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area' },
            address: { $ref: 'types#text', title: 'Address', 'x-fetch': 'area_id.address' },
          },
        },
      },
    },
  },
  grid: ['name'],
};

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;
const screen = (name: string) => bench.screen(name);
const create = (type: string, input: Row) => bench.engine.create(bench.session(), screen(type), input);
const update = (type: string, id: number, input: Row) => bench.engine.update(bench.session(), screen(type), id, input);

test('a choice that depends on another field is checked again when that field changes', async () => {
  const area = await create('t_area', { code: 'DEP', name: 'Dependent', zone: 'S' });
  const { id } = await create('t_site', { code: 'DEP', name: 'Dependent', zone: 'S', second_area_id: area.id });
  expect((await refusal(update('t_site', id, { version: 1, zone: 'N' }))).details).toMatchObject([
    { field: 'second_area_id' },
  ]);
  expect(await update('t_site', id, { version: 1, zone: 'N', second_area_id: null })).toMatchObject({
    version: 2,
    zone: 'N',
  });
});

describe('child rows', () => {
  test('keep a secret that is not sent back, and delete one that is emptied', async () => {
    const box = await create('t_box', {
      name: 'Safe',
      things: [
        { what: 'door', pin: 'hush' },
        { what: 'lid', pin: 'quiet' },
      ],
    });
    const [door, lid] = box.things as [Row, Row];
    expect(door).not.toHaveProperty('pin');
    const pins = () =>
      bench.sql<{ what: string; pin: string | null }>(
        'select what, pin from {s}.t_box__things where parent_id = $1 order by position',
        [box.id],
      );
    expect(await update('t_box', box.id, { version: 1, things: [door, lid] })).toMatchObject({ version: 1 });
    await update('t_box', box.id, { version: 1, things: [{ ...door, what: 'gate' }, lid] });
    expect(await pins()).toEqual([
      { what: 'gate', pin: 'hush' },
      { what: 'lid', pin: 'quiet' },
    ]);
    await update('t_box', box.id, { version: 2, things: [door, { ...lid, pin: null }] });
    expect(await pins()).toEqual([
      { what: 'door', pin: 'hush' },
      { what: 'lid', pin: null },
    ]);
    expect(JSON.stringify(await bench.sql(`select change from {s}.history where record_type = 't_box'`))).not.toMatch(
      /hush|quiet/,
    );
  });

  test('2,000 of them have references checked and values copied in short statements', async () => {
    const areas = await Promise.all(
      [1, 2].map((n) => create('t_area', { code: `ROWS${n}`, name: `Rows ${n}`, address: `${n} Row Road` })),
    );
    bench.statements();
    const box = await create('t_box', {
      name: 'Full',
      things: Array.from({ length: 2_000 }, (_, at) => ({ what: `w${at}`, area_id: areas[at % 2]!.id })),
    });
    expect((box.things as Row[])[1_999]).toMatchObject({
      what: 'w1999',
      area_id__label: 'Rows 2',
      address: '2 Row Road',
    });
    expect(Math.max(...bench.statements().map(({ text }) => text.length))).toBeLessThan(5_000);
    const refused = await refusal(
      create('t_box', {
        name: 'Wrong',
        things: [{ area_id: areas[0]!.id }, { area_id: 999_999 }, { area_id: areas[1]!.id }],
      }),
    );
    expect(refused.details).toMatchObject([{ field: 'things.1.area_id' }]);
  });
});
