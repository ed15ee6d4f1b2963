import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESCRIPTORS, refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

const MONTHS = Array.from({ length: 12 }, (_, at) => `m${String(at + 1).padStart(2, '0')}`);

DESCRIPTORS.t_plan = {
  kind: 'document',
  title: 'Plan',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      limit: { $ref: 'types#money', title: 'Limit' },
      lines: {
        type: 'array',
        title: 'Lines',
        'x-save': 'row',
        maxItems: 2000,
        items: {
          type: 'object',
          required: ['account'],
          properties: {
            account: { $ref: 'types#text', title: 'Account' },
            area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area' },
            ...Object.fromEntries(MONTHS.map((name) => [name, { $ref: 'types#money', minimum: 0 }])),
            year: {
              $ref: 'types#money',
              'x-formula': MONTHS.map((name) => `if(${name} == null, 0, ${name})`).join(' + '),
            },
          },
        },
      },
      total: { $ref: 'types#money', 'x-formula': 'sum(lines.year)' },
    },
  },
  rules: [
    { assert: 'm01 <= 1000', message: 'At most 1,000 in April.', rows: 'lines', field: 'm01' },
    { assert: 'total <= limit', message: 'More than the limit.', field: 'total' },
  ],
  workflow: {
    field: 'status',
    states: { draft: {}, submitted: { edit: false } },
    transitions: { submit: { from: ['draft'], to: 'submitted' }, reopen: { from: ['submitted'], to: 'draft' } },
  },
  grid: ['name', 'total'],
};

DESCRIPTORS.t_period = {
  kind: 'document',
  title: 'Period',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['month'],
  schema: {
    required: ['month', 'book', 'state'],
    properties: {
      month: { $ref: 'types#month', title: 'Month' },
      book: { $ref: 'types#text', title: 'Book' },
      state: { enum: ['open', 'closed'], title: 'State' },
    },
  },
  grid: ['month', 'state'],
};

DESCRIPTORS.t_closing_plan = {
  kind: 'document',
  title: 'Plan with closed periods',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  unique: [['name']],
  schema: {
    required: ['name', 'fy'],
    properties: {
      name: { $ref: 'types#name' },
      fy: { $ref: 'types#financial_year', title: 'Year' },
      book: { $ref: 'types#text', title: 'Book' },
      over: { $ref: 'types#date', title: 'Closed until' },
      lines: {
        type: 'array',
        title: 'Lines',
        'x-save': 'row',
        'x-periods': {
          start: 'fy',
          unit: 'month',
          count: 12,
          field: 'm',
          type: 'money',
          totals: ['all'],
          closed: { until: 'over', by: 't_period', period: 'month', when: { state: 'closed' }, same: { book: 'book' } },
        },
        items: { type: 'object', required: ['account'], properties: { account: { $ref: 'types#text' } } },
      },
      notes: {
        type: 'array',
        title: 'Notes',
        'x-periods': { start: 'fy', unit: 'quarter', count: 4, field: 'q', type: 'integer', closed: { until: 'over' } },
        items: { type: 'object', properties: { account: { $ref: 'types#text' } } },
      },
    },
  },
  grid: ['name'],
};

DESCRIPTORS.t_tree_plan = {
  kind: 'document',
  title: 'Plan by node',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  unique: [['name']],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      fy: { $ref: 'types#financial_year' },
      lines: {
        type: 'array',
        title: 'Lines',
        'x-save': 'row',
        'x-periods': { start: 'fy', unit: 'month', count: 3, field: 'm', type: 'money', totals: ['all'] },
        'x-tree': { by: ['segment', 'node_id'] },
        items: {
          type: 'object',
          required: ['node_id'],
          properties: {
            segment: { $ref: 'types#text', title: 'Segment' },
            node_id: { $ref: 'types#ref', 'x-ref': 't_node', title: 'Node' },
          },
        },
      },
    },
  },
  grid: ['name'],
};

type Row = Record<string, unknown>;
let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const plan = () => bench.screen('t_plan');
const asha = () => bench.session();
const bala = () => bench.session({ userId: bench.users[1] });
const save = (sent: Row, id: number, by = asha()) => bench.engine.saveRows(by, plan(), id, 'lines', sent);
const read = (id: number) => bench.engine.read(asha(), plan(), id);
async function made(count = 3, more: Row = {}): Promise<{ id: number; rows: Row[] }> {
  const { id, lines } = await bench.engine.create(asha(), plan(), {
    name: 'Plan',
    lines: Array.from({ length: count }, (_, at) => ({ account: `A${at}`, m01: '100', m02: '200' })),
    ...more,
  });
  return { id, rows: lines as Row[] };
}
const cell = (row: Row, name: string, from: unknown, to: unknown) => ({ id: row.id, set: { [name]: [from, to] } });

describe('cells edited by two people', () => {
  test('merge within a row; totals, history and the number of saves are correct; the version stays', async () => {
    const { id, rows } = await made();
    const one = await save({ cells: [cell(rows[0]!, 'm01', '100.00', '150')] }, id);
    expect(one).toMatchObject({
      conflicts: [],
      refused: [],
      record: { version: 1, rows_version: 1, total: '950.00', lines: { add: [], remove: [] } },
    });
    expect(Object.keys((one.record.lines as unknown as { set: object }).set)).toEqual([String(rows[0]!.id)]);
    await save({ cells: [cell(rows[0]!, 'm02', '200', '250')] }, id, bala());
    expect(await read(id)).toMatchObject({
      version: 1,
      rows_version: 2,
      total: '1000.00',
      lines: [{ m01: '150.00', m02: '250.00', year: '400.00' }, {}, {}],
    });
    const { data } = await bench.engine.history(asha(), plan(), id, 1);
    expect((data[0] as Row).change).toMatchObject({
      lines: { [String(rows[0]!.id)]: { m02: ['200.00', '250.00'], year: ['350.00', '400.00'] } },
      total: ['950.00', '1000.00'],
    });
  });

  test('a conflicting cell is kept, and both values are reported; the rest of the row is saved', async () => {
    const { id, rows } = await made();
    await save({ cells: [cell(rows[0]!, 'm01', '100', '150')] }, id, bala());
    const answer = await save({ cells: [{ id: rows[0]!.id, set: { m01: ['100', '170'], m03: [null, '5'] } }] }, id);
    expect(answer.conflicts).toMatchObject([
      { id: rows[0]!.id, field: 'm01', yours: '170', theirs: '150.00', by: 'Bala' },
    ]);
    expect((await read(id)).lines).toMatchObject([{ m01: '150.00', m03: '5.00' }, {}, {}]);
    const none = await refusal(save({ cells: [cell(rows[0]!, 'm01', '100', '170')] }, id));
    expect([none.status, none.code]).toEqual([409, 'conflict']);
    // What they want anyway is no conflict.
    expect((await save({ cells: [cell(rows[0]!, 'm01', '100', '150')] }, id)).conflicts).toEqual([]);
  });

  test('a row removed by somebody else is reported; new rows come last', async () => {
    const { id, rows } = await made();
    await save({ remove: [rows[1]!.id], insert: [{ account: 'New', m01: '1' }] }, id, bala());
    const answer = await save(
      { cells: [cell(rows[1]!, 'm01', '100', '1'), cell(rows[2]!, 'm01', '100', '2')], remove: [rows[1]!.id] },
      id,
    );
    expect(answer.conflicts).toEqual([]);
    const gone = await save({ cells: [cell(rows[1]!, 'm01', '100', '1'), cell(rows[2]!, 'm02', '200', '3')] }, id);
    expect(gone.conflicts).toMatchObject([{ id: rows[1]!.id, field: null, yours: { m01: '1' }, by: 'Bala' }]);
    expect(((await read(id)).lines as Row[]).map(({ account }) => account)).toEqual(['A0', 'A2', 'New']);
  });

  test('saved at once: saves of one record queue, and no cell is lost', async () => {
    const { id, rows } = await made(12);
    await Promise.all(
      rows.map((row, at) => save({ cells: [cell(row, 'm03', null, '10')] }, id, at % 2 === 0 ? asha() : bala())),
    );
    expect(await read(id)).toMatchObject({ total: '3720.00', rows_version: 12 });
  });
});

test('an error refuses its row; rules over the record wait for its own save', async () => {
  const { id, rows } = await made(3, { limit: '950' });
  const answer = await save(
    {
      cells: [
        cell(rows[0]!, 'm01', '100', '2000'),
        cell(rows[1]!, 'm02', '200', 'x'),
        cell(rows[2]!, 'm03', null, '900'),
      ],
      insert: [{ account: null }, { account: 'New' }],
    },
    id,
  );
  expect(answer.refused.map(({ field }) => field).sort()).toEqual(
    [`lines.set.${String(rows[0]!.id)}.m01`, `lines.set.${String(rows[1]!.id)}.m02`, 'lines.add.0.account'].sort(),
  );
  expect(await read(id)).toMatchObject({
    total: '1800.00',
    lines: [{ m01: '100.00' }, {}, { m03: '900.00' }, { account: 'New' }],
  });
  const put = { version: 1, name: 'Other name' };
  expect((await refusal(bench.engine.update(asha(), plan(), id, put))).details).toMatchObject([{ field: 'total' }]);
  const all = await refusal(save({ cells: [cell(rows[0]!, 'm01', '100', '2000')] }, id));
  expect([all.status, all.details.map(({ message }) => message)]).toEqual([422, ['At most 1,000 in April.']]);
});

test('state, data scope, field rights and permitted calls are respected', async () => {
  const { id, rows } = await made();
  const put = (lines: Row[]) => bench.engine.update(asha(), plan(), id, { version: 1, lines });
  expect((await refusal(put([{ ...rows[0], m01: '1' }]))).details).toMatchObject([{ field: 'lines' }]);
  // Sent back as they are, they are left alone.
  await put(rows);
  for (const sent of [{ cells: 5 }, { cells: [{ id: 1, set: { m01: '5' } }] }, { insert: [1] }, { remove: ['x'] }])
    expect((await refusal(save(sent, id))).status).toBe(400);
  for (const name of ['year', 'nothing'])
    expect((await refusal(save({ cells: [cell(rows[0]!, name, null, '5')] }, id))).details).toHaveLength(1);
  expect((await refusal(bench.engine.saveRows(asha(), plan(), id, 'name', {}))).status).toBe(404);
  const elsewhere = bench.session({ entityId: bench.companies[1] });
  expect((await refusal(save({ cells: [cell(rows[0]!, 'm01', '100', '5')] }, id, elsewhere))).status).toBe(404);
  const area = { cells: [cell(rows[0]!, 'area_id', null, 999)] };
  expect((await refusal(save(area, id))).details).toMatchObject([
    { field: `lines.set.${String(rows[0]!.id)}.area_id` },
  ]);
  // Whoever submits has seen the rows as they are.
  await save({ cells: [cell(rows[0]!, 'm01', '100', '120')] }, id, bala());
  const submit = (more: Row) => bench.engine.transition(asha(), plan(), id, 'submit', { version: 1, ...more });
  expect((await refusal(submit({ rows_version: 0 }))).code).toBe('stale_version');
  await submit({ rows_version: 1 });
  const late = await refusal(save({ cells: [cell(rows[0]!, 'm01', '120', '130')] }, id));
  expect([late.status, late.code]).toEqual([409, 'bad_state']);
});

test('viewers catch up with changes since their last read', async () => {
  const { id, rows } = await made();
  const since = (version: number | null) => bench.engine.rowsSince(asha(), plan(), id, 'lines', version);
  await save({ cells: [cell(rows[0]!, 'm01', '100', '150')], insert: [{ account: 'New' }] }, id);
  await save({ remove: [rows[1]!.id], cells: [cell(rows[2]!, 'm01', '100', '160')] }, id);
  const all = await since(0);
  const { set, add, remove } = all.lines as unknown as { set: Record<string, Row>; add: Row[]; remove: number[] };
  expect([Object.keys(set).map(Number), add.map(({ account }) => account), remove]).toEqual([
    [rows[0]!.id, rows[2]!.id],
    ['New'],
    [rows[1]!.id],
  ]);
  expect(all).toMatchObject({ rows_version: 2, total: '710.00' });
  expect((await since(1)).lines).toMatchObject({ add: [], remove: [rows[1]!.id] });
  expect((await since(2)).lines).toEqual({ set: {}, add: [], remove: [] });
  expect((await since(null)).lines).toHaveLength(3);
});

test('12,000 pasted cells are one save', async () => {
  const { id, rows } = await made(1000);
  const cells = rows.map((row) => ({
    id: row.id,
    set: Object.fromEntries(MONTHS.map((name) => [name, [row[name] ?? null, '7.50']])),
  }));
  const { record } = await save({ cells }, id);
  expect(record.total).toBe('90000.00');
});

test('rows form a tree of their references, with exact subtotals that nobody can set', async () => {
  const node = async (name: string, above: number | null = null) =>
    (await bench.engine.create(asha(), bench.screen('t_node'), { name, above_id: above })).id;
  const top = await node('Expenses');
  const personnel = await node('Personnel', top);
  const [salaries, bonus, rent] = [
    await node('Salaries', personnel),
    await node('Bonus', personnel),
    await node('Office rent', top),
  ];
  const screen = bench.screen('t_tree_plan');
  const of = (segment: string | null, id: number, m01: string | null, m02: string | null = null) => ({
    segment,
    node_id: id,
    m01,
    m02,
  });
  const { id, lines } = await bench.engine.create(asha(), screen, {
    name: 'Plan',
    fy: '2025-2026',
    lines: [
      of('North', salaries, '0.10'),
      of('North', rent, '5'),
      of('South', bonus, '1', '2'),
      of('North', bonus, '0.20'),
      of(null, rent, '7'),
    ],
  });
  const field = screen.fields.find(({ name }) => name === 'lines')!;
  const tree = await bench.engine.rowTree(asha(), field, lines as Row[]);
  const ids = (lines as Row[]).map((row) => row.id);
  const group = (key: string) => tree.find((line) => line.key === key);
  expect(tree.map(({ depth, label, id: row }) => [depth, label ?? ids.indexOf(row)])).toEqual([
    [0, 'North'],
    [1, 'Expenses'],
    [2, 1],
    [2, 'Personnel'],
    [3, 0],
    [3, 3],
    [0, 'South'],
    [1, 'Expenses'],
    [2, 'Personnel'],
    [3, 2],
    [0, 'Expenses'],
    [1, 4],
  ]);
  expect(group('segment:North')).toMatchObject({ rows: 3, sums: { m01: '5.30', m_all: '5.30' }, above: null });
  expect(group(`segment:North/node_id:${personnel}`)?.sums).toEqual({ m01: '0.30', m_all: '0.30' });
  expect(group(`segment:South/node_id:${top}`)?.sums).toEqual({ m01: '1.00', m02: '2.00', m_all: '3.00' });
  // What a person typed on a group is in history, if the group has it after the save.
  const cells = [cell({ id: ids[0] }, 'm01', '0.10', '33.33'), cell({ id: ids[3] }, 'm01', '0.20', '66.67')];
  const groups = [
    { group: `segment:North/node_id:${personnel}`, field: 'm01', total: '100' },
    { group: 'segment:North', field: 'm01', total: '7' },
  ];
  await bench.engine.saveRows(asha(), screen, id, 'lines', { cells, groups });
  const { data } = await bench.engine.history(asha(), screen, id, 1);
  const change = ((data[0] as Row).change as { lines: Row }).lines;
  expect(Object.keys(change).sort()).toEqual([String(ids[0]), String(ids[3]), '=Personnel'].sort());
  expect(change['=Personnel']).toEqual({ m01: ['0.30', '100.00'] });
  const since = await bench.engine.rowsSince(asha(), screen, id, 'lines', 0);
  expect(Object.keys((since.lines as unknown as { set: Row }).set)).toHaveLength(2);
  // A total of periods that somebody sends is refused; nobody enters it.
  const sent = { cells: [{ id: ids[1], set: { m_all: ['5.00', '99'] } }] };
  expect((await refusal(bench.engine.saveRows(asha(), screen, id, 'lines', sent))).status).toBe(422);
});

test('nobody changes figures of closed periods: not by cells, a form, in bulk, a new row or a removal', async () => {
  const screen = bench.screen('t_closing_plan');
  const period = (month: string, state: string, book = 'budget', by = asha()) =>
    bench.engine.create(by, bench.screen('t_period'), { month, state, book });
  const { id, lines, notes } = await bench.engine.create(asha(), screen, {
    name: 'Closing',
    fy: '2025-2026',
    book: 'budget',
    lines: [
      { account: 'Rent', m01: '10', m02: '20' },
      { account: 'Fuel', m02: '5' },
    ],
    notes: [{ account: 'Heads', q01: 3, q02: 4 }],
  });
  const [rent, fuel] = lines as [Row, Row];
  const saves = (sent: Row) => bench.engine.saveRows(asha(), screen, id, 'lines', sent);
  const read = () => bench.engine.read(asha(), screen, id);
  const april = await period('2025-04', 'open');
  await period('2025-05', 'closed', 'actual');
  // Of another company.
  await period('2025-05', 'closed', 'budget', bench.session({ entityId: bench.companies[1] }));
  await saves({ cells: [cell(rent, 'm01', '10', '11')] });
  await bench.engine.update(asha(), bench.screen('t_period'), april.id, { version: 1, state: 'closed' });
  expect(await bench.engine.closedPeriods(asha(), screen, await read())).toEqual({ lines: ['m01'], notes: [] });

  // Other cells of the row are its own matter; what is wrong refuses its row alone.
  const answer = await saves({
    cells: [cell(rent, 'm01', '11', '12'), cell(fuel, 'm02', '5', '6')],
    insert: [{ account: 'New', m03: '1' }],
  });
  expect(answer.refused).toEqual([{ field: `lines.set.${String(rent.id)}.m01`, message: 'Apr 2025 is closed.' }]);
  expect((await refusal(saves({ insert: [{ account: 'Late', m01: '1' }] }))).details).toMatchObject([
    { field: 'lines.add.0.m01', message: 'Apr 2025 is closed.' },
  ]);
  expect((await refusal(saves({ remove: [rent.id] }))).message).toContain('cannot be removed');
  await saves({ remove: [fuel.id] });
  const make = (more: Row) =>
    bench.engine.create(asha(), screen, { name: 'Late', fy: '2025-2026', book: 'budget', ...more });
  expect((await refusal(make({ lines: [{ account: 'Rent', m01: '1' }] }))).details).toMatchObject([
    { field: 'lines.0.m01' },
  ]);
  await make({ lines: [{ account: 'Rent', m02: '1' }] });

  // By a day: the quarter is over with its last month's last day, and moving the year moves nothing out of it.
  const put = async (more: Row) =>
    bench.engine.update(asha(), screen, id, { version: (await read()).version, ...more });
  await put({ over: '2025-06-29' });
  await put({ notes: [{ ...(notes as Row[])[0], q01: 5 }] });
  await put({ over: '2025-06-30' });
  expect((await refusal(put({ notes: [{ ...(notes as Row[])[0], q01: 6 }] }))).details).toMatchObject([
    { field: 'notes.0.q01', message: 'Apr – Jun 2025 is closed.' },
  ]);
  await put({ notes: [{ ...(notes as Row[])[0], q01: 5, q02: 9 }] });
  expect((await refusal(put({ fy: '2026-2027' }))).details).toMatchObject([{ field: 'fy' }, { field: 'fy' }]);
  const many = await bench.engine.checkMany(asha(), screen, [{ id, record: { fy: '2026-2027' }, changed: ['fy'] }]);
  expect(many?.[0]?.errors.map(({ field }) => field)).toContain('fy');
});

test('closing a period waits for a save that has checked it', async () => {
  const screen = bench.screen('t_closing_plan');
  const [may] = (await bench.sql<{ id: number }>(
    `insert into {s}.t_period (month, book, state, entity_id) values ('2025-05', 'waiting', 'open', $1) returning id`,
    [bench.companies[0]],
  )) as [{ id: number }];
  const { id, lines } = await bench.engine.create(asha(), screen, {
    name: 'Waiting',
    fy: '2025-2026',
    book: 'waiting',
    lines: [{ account: 'Rent', m02: '1' }],
  });
  const saves = Array.from({ length: 5 }, (_, at) =>
    bench.engine
      .saveRows(asha(), screen, id, 'lines', { insert: [{ account: `New ${at}`, m02: '2' }] })
      .then(() => 'saved')
      .catch(() => 'refused'),
  );
  const close = bench.engine.update(asha(), bench.screen('t_period'), may.id, { version: 1, state: 'closed' });
  const [done] = await Promise.all([Promise.all(saves), close]);
  // Whatever came first, no figure came after.
  const kept = (await bench.engine.read(asha(), screen, id)).lines as Row[];
  expect(kept).toHaveLength(1 + done.filter((one) => one === 'saved').length);
  const late =
    saves.length > 0 &&
    bench.engine.saveRows(asha(), screen, id, 'lines', { cells: [cell((lines as Row[])[0]!, 'm02', '1', '3')] });
  expect((await refusal(late as Promise<unknown>)).status).toBe(422);
});
