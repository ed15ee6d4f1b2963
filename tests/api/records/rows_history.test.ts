import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

DESCRIPTORS.t_crate = {
  kind: 'master',
  title: 'Crate',
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
          required: ['what'],
          properties: {
            what: { $ref: 'types#text', title: 'What' },
            qty: { $ref: 'types#integer', title: 'Quantity' },
            pin: { $ref: 'types#text', title: 'Pin', 'x-secret': true },
          },
        },
      },
    },
  },
  grid: ['name'],
};

DESCRIPTORS.t_offer = {
  kind: 'master',
  title: 'Offer',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { option: { $ref: 'types#text' }, net: { $ref: 'types#money' } },
        },
      },
      options: {
        type: 'array',
        'x-group': { of: 'lines', by: 'option' },
        items: {
          type: 'object',
          properties: {
            option: { $ref: 'types#text' },
            total: { $ref: 'types#money', 'x-formula': 'sum(lines.net)' },
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
const crate = () => bench.screen('t_crate');
const update = (id: number, input: Row) => bench.engine.update(bench.session(), crate(), id, input);
const what = (rows: unknown) => (rows as Row[]).map((row) => row.what);

/** A crate with the things a, b, c, d. */
async function made(): Promise<{ id: number; things: Row[] }> {
  const { id, things } = await bench.engine.create(bench.session(), crate(), {
    name: 'Crate',
    things: ['a', 'b', 'c', 'd'].map((name, at) => ({ what: name, qty: at })),
  });
  return { id, things: things as Row[] };
}

const changes = async (id: number) =>
  (
    await bench.sql<{ change: Row }>(
      `select change from {s}.history where record_type = 't_crate' and record_id = $1 order by id`,
      [id],
    )
  ).map(({ change }) => change);

/** Rows of the table as PostgreSQL wrote them: which statement wrote a row last. */
const written = async (id: number) =>
  new Map(
    (
      await bench.sql<{ id: number; xmin: string }>(
        'select id, xmin::text from {s}.t_crate__things where parent_id = $1 order by id',
        [id],
      )
    ).map((row) => [row.id, row.xmin]),
  );

test('one changed row is written and recorded in the history; the others stay unchanged', async () => {
  const { id, things } = await made();
  const before = await written(id);
  await update(id, { version: 1, things: things.with(1, { ...things[1], qty: 20, pin: 'hush' }) });
  const after = await written(id);
  expect([...after].filter(([row, xmin]) => before.get(row) !== xmin).map(([row]) => row)).toEqual([things[1]!.id]);
  expect((await changes(id))[1]).toEqual({ things: { [String(things[1]!.id)]: { qty: [1, 20], pin: 'changed' } } });
});

test('removed and added rows: the rest is not written; their ids and values are in the history', async () => {
  const { id, things } = await made();
  const before = await written(id);
  const saved = await update(id, {
    version: 1,
    things: [things[0], things[2], things[3], { what: 'e', pin: 'hush' }, { what: 'f' }],
  });
  expect(what(saved.things)).toEqual(['a', 'c', 'd', 'e', 'f']);
  const after = await written(id);
  const [e, f] = (saved.things as Row[]).slice(3) as [Row, Row];
  expect([...after].filter(([row, xmin]) => before.get(row) !== xmin).map(([row]) => row)).toEqual([e.id, f.id]);
  expect((await changes(id))[1]).toEqual({
    things: {
      [`-${String(things[1]!.id)}`]: { what: 'b', qty: 1, position: 1 },
      [`+${String(e.id)}`]: { what: 'e', pin: 'changed', position: 3 },
      [`+${String(f.id)}`]: { what: 'f', position: 4 },
    },
  });
  const again = await update(id, { version: 2, things: [...(saved.things as Row[]), { what: 'g' }] });
  expect(what(again.things)).toEqual(['a', 'c', 'd', 'e', 'f', 'g']);
});

test('a moved row: the order is stored, and the history names the row', async () => {
  const { id, things } = await made();
  const [a, b, c, d] = things;
  const moved = await update(id, { version: 1, things: [a, d, { what: 'new' }, b, c] });
  expect(what(moved.things)).toEqual(['a', 'd', 'new', 'b', 'c']);
  expect((await changes(id))[1]).toMatchObject({ things: { [String(d!.id)]: { position: [3, 1] } } });
  const [, , added] = moved.things as Row[];
  expect(Object.keys((await changes(id))[1]!.things as Row).sort()).toEqual(
    [`+${String(added!.id)}`, String(d!.id)].sort(),
  );
});

test('a person who saves after others gets the rows they started with, from new history entries and old ones', async () => {
  const { id, things } = await made();
  const [a, b, c, d] = things as [Row, Row, Row, Row];
  await update(id, { version: 1, things: [d, { ...a, qty: 7 }, { what: 'new' }, c] });
  const stale = await refusal(update(id, { version: 1, things: [] }));
  expect(stale.code).toBe('stale_version');
  expect(stale.extra!.base).toMatchObject({ version: 1, things: [a, b, c, d] });
  // As entries were before: both lists whole.
  await bench.sql(
    `update {s}.history set change = jsonb_build_object('things', jsonb_build_array($2::jsonb, '[]'::jsonb)) where record_type = 't_crate' and record_id = $1 and version = 2`,
    [id, JSON.stringify([{ id: a.id, what: 'old' }])],
  );
  expect((await refusal(update(id, { version: 1, things: [] }))).extra!.base).toMatchObject({
    things: [{ id: a.id, what: 'old' }],
  });
});

test('a part of the rows: changed, removed, added; the rest keeps its secrets', async () => {
  const { id, things } = await made();
  const [a, b, c] = things as [Row, Row, Row];
  await update(id, { version: 1, things: { set: { [String(a.id)]: { pin: 'hush' } } } });
  const before = await written(id);
  const saved = await update(id, {
    version: 2,
    things: { add: [{ what: 'e' }], set: { [String(b.id)]: { qty: 11 } }, remove: [c.id] },
  });
  expect(saved.things).toMatchObject([{ ...a }, { ...b, qty: 11 }, { what: 'd' }, { what: 'e', qty: null }]);
  const rewritten = [...(await written(id))].filter(([row, xmin]) => before.get(row) !== xmin).map(([row]) => row);
  expect(rewritten).toEqual([b.id, (saved.things as Row[])[3]!.id]);
  expect(await bench.sql('select pin from {s}.t_crate__things where id = $1', [a.id])).toEqual([{ pin: 'hush' }]);
  expect(await update(id, { version: 3, things: {} })).toMatchObject({ version: 3 });
});

test('a part of the rows is checked by every rule, with errors at the positions that were sent', async () => {
  const { id, things } = await made();
  const [a, b] = things as [Row, Row];
  const details = async (part: Row) => (await refusal(update(id, { version: 1, things: part }))).details;
  expect(await details({ add: [{ qty: 1 }], set: { [String(b.id)]: { what: null, qty: 'x' } } })).toMatchObject([
    { field: `things.set.${String(b.id)}.what` },
    { field: `things.set.${String(b.id)}.qty` },
    { field: 'things.add.0.what' },
  ]);
  expect(await details({ set: { 999999: { qty: 1 } }, remove: [888888] })).toMatchObject([
    { field: 'things.set.999999' },
    { field: 'things.remove' },
  ]);
  expect(await details({ add: [{ id: a.id, what: 'again' }], change: [] })).toMatchObject([
    { field: 'things.change' },
    { field: 'things.add.0' },
  ]);
  expect(await details({ add: 5, set: [], remove: {} })).toHaveLength(3);
  expect((await refusal(update(id, { version: 0, things: {} }))).code).toBe('stale_version');
  expect(
    (await refusal(bench.engine.create(bench.session(), crate(), { name: 'New', things: { add: [] } }))).details,
  ).toMatchObject([{ field: 'things' }]);
});

test('group totals are stored; only changed groups are written; nobody can set them', async () => {
  const offer = () => bench.screen('t_offer');
  const made = await bench.engine.create(bench.session(), offer(), {
    name: 'Offer',
    lines: [
      { option: 'A', net: '10' },
      { option: 'B', net: '5' },
    ],
    options: [{ option: 'Z', total: '1' }],
  });
  expect(made.options).toMatchObject([
    { option: 'A', total: '10.00' },
    { option: 'B', total: '5.00' },
  ]);
  const [a, b] = made.options as [Row, Row];
  const [first] = made.lines as [Row];
  const changed = await bench.engine.update(bench.session(), offer(), made.id, {
    version: 1,
    lines: { set: { [String(first.id)]: { net: '12' } }, add: [{ option: 'C', net: '1' }] },
    options: [],
  });
  expect(changed.options).toMatchObject([{ id: a.id, total: '12.00' }, b, { option: 'C', total: '1.00' }]);
  const [, last] = await bench.sql<{ change: { options: Row } }>(
    `select change from {s}.history where record_type = 't_offer' and record_id = $1 order by id`,
    [made.id],
  );
  expect(last!.change.options).toEqual({
    [String(a.id)]: { total: ['10.00', '12.00'] },
    [`+${String((changed.options as Row[])[2]!.id)}`]: { option: 'C', total: '1.00', position: 2 },
  });
  const fewer = await bench.engine.update(bench.session(), offer(), made.id, {
    version: 2,
    lines: (changed.lines as Row[]).slice(1),
  });
  expect(fewer.options).toMatchObject([{ id: b.id }, { option: 'C' }]);
});

test('if only the written rows are requested, the rest is neither read nor returned, with the same result as for the whole list', async () => {
  const offer = () => bench.screen('t_offer');
  const lines = Array.from({ length: 60 }, (_, at) => ({ option: at % 2 === 0 ? 'A' : 'B', net: String(at + 1) }));
  const [whole, some] = await Promise.all(
    ['Whole', 'Some'].map((name) => bench.engine.create(bench.session(), offer(), { name, lines })),
  );
  const ids = (record: Row) => (record.lines as Row[]).map(({ id }) => Number(id));
  const part = (of: number[]) => ({
    set: { [String(of[3])]: { net: '400' }, [String(of[8])]: { option: 'C' } },
    add: [{ option: 'C', net: '7' }],
    remove: [of[10]],
  });
  const all = await bench.engine.update(bench.session(), offer(), whole!.id, {
    version: 1,
    lines: part(ids(whole!)),
  });
  bench.statements();
  const input = { version: 1, lines: part(ids(some!)) };
  const answer = await bench.engine.update(bench.session(), offer(), some!.id, input, 'form', 'changed');
  expect(bench.statements().filter(({ text }) => / t\."name".*option.*t_offer__lines/s.test(text))).toHaveLength(2);
  const bare = (row: Row) => ({ option: row.option, net: row.net });
  const answered = answer.lines as unknown as { set: Record<string, Row>; add: Row[]; remove: number[] };
  expect(Object.keys(answered.set).map(Number)).toEqual([ids(some!)[3], ids(some!)[8]]);
  expect(answered.add.map(bare)).toEqual([{ option: 'C', net: '7.00' }]);
  expect(answered.remove).toEqual([ids(some!)[10]]);
  const stored = await bench.engine.read(bench.session(), offer(), some!.id);
  expect((stored.lines as Row[]).map(bare)).toEqual((all.lines as Row[]).map(bare));
  const totals = (rows: unknown) => (rows as Row[]).map(({ option, total }) => [option, total]);
  expect(totals(stored.options)).toEqual(totals(all.options));
  const same = await bench.engine.update(
    bench.session(),
    offer(),
    some!.id,
    { version: 2, name: 'Renamed' },
    'form',
    'changed',
  );
  expect(same).toMatchObject({ name: 'Renamed', version: 3, lines: { set: {}, add: [], remove: [] } });
  const wrong = { version: 3, lines: { set: { [String(ids(some!)[5])]: { net: 'x' }, 999999: { net: '1' } } } };
  expect(
    (await refusal(bench.engine.update(bench.session(), offer(), some!.id, wrong, 'form', 'changed'))).details,
  ).toMatchObject([{ field: 'lines.set.999999' }]);
});
