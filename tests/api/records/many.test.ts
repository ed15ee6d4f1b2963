import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;
const screen = (name: string) => bench.screen(name);
const insert = (type: string, records: Row[]) =>
  bench.tenant.db.transaction((tx) => bench.engine.insertMany(tx, bench.session(), screen(type), records, 'import 1'));
const orders = (count: number) => Array.from({ length: count }, (): Row => ({ order_date: '2026-05-01' }));

describe('numbers of many records', () => {
  test('the company is read once, not for each record', async () => {
    bench.statements();
    await insert('t_order', orders(500));
    expect(bench.statements().length).toBeLessThan(5);
  });

  test('more simultaneous imports than connections all finish, without gaps or duplicates', async () => {
    const before = (await bench.sql<{ n: number }>('select count(*)::int as n from {s}.t_order'))[0]!.n;
    await Promise.all(Array.from({ length: 14 }, () => insert('t_order', orders(10))));
    const numbers = (await bench.sql<{ number: string }>('select number from {s}.t_order')).map(({ number }) =>
      Number(number.slice(number.lastIndexOf('/') + 1)),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: before + 140 }, (_, at) => at + 1));
  });
});

test('a duplicate key is reported with the value of the existing record', async () => {
  await insert('t_site', [{ code: 'TAKEN', name: 'Taken', kind: 'lift' }]);
  const among = (codes: string[]) =>
    refusal(
      insert(
        't_site',
        codes.map((code) => ({ code, name: code, kind: 'lift' })),
      ),
    );
  expect(await among(['FREE', 'taken', 'FREE TOO'])).toMatchObject({
    code: 'duplicate',
    message: 'Code taken already exists.',
  });
  expect(await among(['FREE', 'TWICE', 'TWICE'])).toMatchObject({ message: 'Code TWICE already exists.' });
  expect(await bench.sql(`select id from {s}.t_site where code like 'FREE%'`)).toEqual([]);
});

test('a top-level node added while the closure is rebuilt keeps its place', async () => {
  await bench.tenant.db.transaction(async (tx) => {
    // The moment between emptying the closure and filling it is where another's commit is seen half.
    const between = {
      query: async <T>(statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
        const rows = await tx.query<T>(statement, values);
        const text = typeof statement === 'string' ? statement : statement.text;
        if (/^delete from \S*t_node_tree/.test(text))
          await bench.engine.create(bench.session(), screen('t_node'), { name: 'Meanwhile' });
        return rows;
      },
    };
    await bench.engine.insertMany(between, bench.session(), screen('t_node'), [{ name: 'Many' }], 'import 3');
  });
  expect(
    await bench.sql(
      'select t.name, x.depth from {s}.t_node t join {s}.t_node_tree x on x.descendant_id = t.id order by 1',
    ),
  ).toEqual([
    { name: 'Many', depth: 0 },
    { name: 'Meanwhile', depth: 0 },
  ]);
});

test('a bulk change needs at most a fixed number of statements per record', async () => {
  const ids = await insert(
    't_site',
    Array.from({ length: 5_000 }, (_, at) => ({ code: `T${at}`, name: `Counted ${at}`, kind: 'lift', price: '1.10' })),
  );
  const statements = (count: number, price: string) =>
    bench.tenant.db.transaction(async (tx) => {
      const query = vi.spyOn(tx, 'query');
      await bench.engine.updateMany(
        tx,
        bench.session(),
        screen('t_site'),
        ids.slice(0, count).map((id) => ({ id, set: { price } })),
        'import 2',
      );
      return query.mock.calls.length;
    });
  const some = await statements(1_000, '2.00');
  expect(some).toBeGreaterThan(0);
  expect(await statements(5_000, '4.00')).toBeLessThanOrEqual(some * 5);
  expect(await bench.sql('select distinct price from {s}.t_site where id = any($1)', [ids])).toEqual([
    { price: '4.00' },
  ]);
});
