import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

DESCRIPTORS.t_bill = {
  kind: 'master',
  title: 'Bill',
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
        title: 'Lines',
        items: {
          type: 'object',
          properties: {
            qty: { $ref: 'types#quantity', title: 'Quantity' },
            note: { $ref: 'types#text', title: 'Note' },
          },
        },
      },
    },
  },
  workflow: {
    field: 'status',
    states: { draft: { title: 'Draft' }, posted: { title: 'Posted', is: 'closed', edit: ['lines.note'] } },
    transitions: { post: { from: ['draft'], to: 'posted', title: 'Post' } },
  },
  grid: ['name'],
};

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;

test('a locked field stays locked for a part of the rows and for an import; fields that the state leaves open do not', async () => {
  const bill = bench.screen('t_bill');
  const { id, lines } = await bench.engine.create(bench.session(), bill, { name: 'Bill', lines: [{ qty: '2' }] });
  await bench.sql(`update {s}.t_bill set status = 'posted' where id = $1`, [id]);
  const [line] = lines as [Row];
  const part = (set: Row) =>
    bench.engine.update(bench.session(), bill, id, { version: 1, lines: { set: { [String(line.id)]: set } } });
  const locked = 'This bill is "Posted": Quantity in Lines can no longer be changed.';
  expect(await refusal(part({ qty: '3' }))).toMatchObject({ status: 409, message: locked });
  const imported = async (changed: Row) =>
    (
      await bench.engine.checkMany(bench.session(), bill, [
        { id, record: { name: 'Bill', ...changed }, changed: Object.keys(changed) },
      ])
    )?.[0]?.errors.map(({ message }) => message);
  expect(await imported({ lines: [{ ...line, qty: '3' }] })).toEqual([locked]);
  expect(await imported({ lines: [line, { qty: '1' }] })).toEqual([
    'This bill is "Posted": Lines can no longer be changed.',
  ]);
  expect(await imported({ name: 'Another' })).toHaveLength(1);
  // The same quantity, written in another way.
  expect(await imported({ lines: [{ ...line, qty: '2.0', note: 'Seen' }] })).toEqual([]);
  expect((await part({ qty: '2.00', note: 'Seen' })).lines).toMatchObject([{ note: 'Seen' }]);
});
