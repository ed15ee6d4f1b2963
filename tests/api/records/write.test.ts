import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

let bench: Bench;
let areas: [number, number, number];

beforeAll(async () => {
  bench = await startBench();
  const rows = await bench.sql<{ id: number }>(
    `insert into {s}.t_area (code, name, zone, address) values ('CHN', 'Chennai', 'S', '1 Mount Road'), ('BLR', 'Bengaluru', 'S', '2 MG Road'), ('DEL', 'Delhi', 'N', null) returning id`,
  );
  areas = rows.map(({ id }) => id) as typeof areas;
});
afterAll(() => bench.close());

const site = () => bench.screen('t_site');
let made = 0;
const create = (more: Record<string, unknown> = {}, session = bench.session()) =>
  bench.engine.create(session, site(), { code: `X${++made}`, name: `Site ${made}`, ...more });
const historyOf = (id: number, type = 't_site') =>
  bench.sql<{
    op: string;
    version: number;
    what: string;
    by: number;
    entity_id: number;
    change: Record<string, unknown> | null;
  }>(
    `select op, version, what, by, entity_id, change from {s}.history where record_type = $1 and record_id = $2 order by id`,
    [type, id],
  );

const everything = () => ({
  area_id: areas[0],
  areas: [areas[2], areas[0]],
  branch_id: bench.branches[0],
  owner_id: bench.users[1],
  kind: 'stair',
  price: '1234.5',
  weight: '1.5',
  share: '12.5',
  factor: '0.10',
  floors: 12,
  opened: '2025-02-28',
  opens_at: '09:30',
  seen_at: '2025-06-10T09:15:00+05:30',
  lit: false,
  words: ['red', 'blue'],
  position: { lat: 13.08, lng: 80.27 },
  extra: { b: 1, a: [1, null] },
  key: 'hush',
  parts: [
    { what: 'Rope', count: 3, cost: '0.10', at: areas[1] },
    { what: 'Car', count: 1, cost: '99999999999999.99' },
  ],
});

describe('create', () => {
  test('every field type is stored and read without a change of meaning', async () => {
    const record = await create(everything());
    expect(record).toMatchObject({
      version: 1,
      active: true,
      entity_id: bench.companies[0],
      created_by: bench.users[0],
      created_by__label: 'Asha',
      area_id__label: 'Chennai',
      areas__label: ['Delhi', 'Chennai'],
      owner_id__label: 'Bala',
      price: '1234.50',
      floors: 12,
      opened: '2025-02-28',
      opens_at: '09:30',
      lit: false,
      words: ['red', 'blue'],
      position: { lat: 13.08, lng: 80.27 },
      extra: { b: 1, a: [1, null] },
      key__set: true,
      parts: [
        { what: 'Rope', count: 3, cost: '0.10', at: areas[1], at__label: 'Bengaluru', amount: '0.30' },
        { what: 'Car', cost: '99999999999999.99', amount: '99999999999999.99' },
      ],
      total: '100000000000000.29',
    });
    expect(record).not.toHaveProperty('key');
    expect(new Date(String(record.seen_at)).toISOString()).toBe('2025-06-10T03:45:00.000Z');
    const [written] = await historyOf(record.id);
    expect(written).toMatchObject({
      op: 'I',
      version: 1,
      what: 'form',
      by: bench.users[0],
      entity_id: bench.companies[0],
    });
    expect(JSON.stringify(written)).not.toContain('hush');
  });

  test('sending back what was read changes nothing', async () => {
    const record = await create(everything());
    const again = await bench.engine.update(bench.session(), site(), record.id, record);
    expect(again.version).toBe(1);
    expect(await historyOf(record.id)).toHaveLength(1);
    const spelt = await bench.engine.update(bench.session(), site(), record.id, {
      version: 1,
      price: '1234.5',
      weight: '1.500',
      share: '12.50',
      factor: '0.10',
      seen_at: '2025-06-10T03:45:00.000Z',
      opens_at: '09:30',
    });
    expect(spelt.version).toBe(1);
  });

  test('defaults are filled, and values of the reference are copied into empty fields', async () => {
    expect(await create({ area_id: areas[0] })).toMatchObject({ kind: 'lift', area_address: '1 Mount Road' });
    expect(await create({ area_id: areas[0], area_address: 'Mine' })).toMatchObject({ area_address: 'Mine' });
    expect(await create({ area_id: areas[2] })).toMatchObject({ area_address: null });
  });

  test('all findings at once, each with its field', async () => {
    const refused = await refusal(
      create({
        code: '',
        name: undefined,
        floors: 100,
        price: '-1',
        opened: '2025-02-30',
        area_id: 999_999,
        kind: 'boat',
        nonsense: 1,
        parts: [{ what: 'Rope' }, { count: 1.5, at: 999_999 }],
      }),
    );
    expect(refused).toMatchObject({ status: 422, code: 'invalid' });
    const fields = refused.details.map(({ field }) => field).sort();
    expect(fields).toEqual([
      'area_id',
      'code',
      'floors',
      'kind',
      'name',
      'nonsense',
      'opened',
      'parts.1.at',
      'parts.1.count',
      'parts.1.what',
      'price',
    ]);
    expect(refused.details.find(({ field }) => field === 'floors')?.message).toBe('Nobody builds that high.');
  });

  test('a duplicate key is reported with its value, whatever its case; another company may use it', async () => {
    await create({ code: 'TAKEN' });
    const refused = await refusal(create({ code: 'taken' }));
    expect(refused).toMatchObject({
      status: 409,
      code: 'duplicate',
      field: 'code',
      message: 'Code taken already exists.',
    });
    expect((await create({ code: 'TAKEN' }, bench.session({ entityId: bench.companies[1] }))).entity_id).toBe(
      bench.companies[1],
    );
    const both = await refusal(create({ code: 'TAKEN', floors: 200 }));
    expect(both).toMatchObject({ status: 422 });
    expect(both.details.map(({ field }) => field).sort()).toEqual(['code', 'floors']);
    // What only the database knows is told together too, and nothing was written.
    const asked = await refusal(
      create({
        code: 'TAKEN',
        area_id: 999_999,
        parts: [
          { what: 'Rope', count: 1, at: areas[0] },
          { what: 'Car', count: 1, at: 999_999 },
        ],
      }),
    );
    expect(asked.status).toBe(422);
    expect(asked.details.map(({ field }) => field).sort()).toEqual(['area_id', 'code', 'parts.1.at']);
    expect(await bench.sql(`select 1 from {s}.t_site where lower(code) = 'taken'`)).toHaveLength(2);
  });

  test('two at once with one key: one succeeds, the other is refused', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => create({ code: 'RACE' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ status: 409, code: 'duplicate', field: 'code' });
  });

  test('a character that no database accepts is refused without a server error', async () => {
    for (const more of [
      { name: 'a\u0000b' },
      { extra: { a: '\u0000' } },
      { parts: [{ what: 'a\u0000' }] },
      { words: ['\u0000'] },
    ])
      expect((await refusal(create(more))).status).toBe(422);
  });

  test('numbers beyond the columns’ range are refused', async () => {
    for (const more of [{ floors: 9_999_999_999 }, { area_id: 9e15 }, { parts: [{ what: 'x', count: 3_000_000_000 }] }])
      expect((await refusal(create(more))).status).toBe(422);
  });

  test('ranges of one key may not overlap', async () => {
    const term = (starts: string, ends: string) =>
      bench.engine.create(bench.session(), bench.screen('t_term'), { name: 'Summer', starts, ends });
    await term('2025-01-01', '2025-03-31');
    expect(await refusal(term('2025-03-31', '2025-05-01'))).toMatchObject({ status: 422, field: 'starts' });
    await term('2025-04-01', '2025-05-01');
  });
});

describe('references', () => {
  test('inactive, of another company, and outside the filter are refused; unchanged ones stay', async () => {
    const [gone] = await bench.sql<{ id: number }>(
      `insert into {s}.t_area (code, name, active) values ('OLD', 'Old', false) returning id`,
    );
    expect((await refusal(create({ area_id: gone!.id }))).details[0]).toMatchObject({ field: 'area_id' });
    expect((await refusal(create({ areas: [areas[0], gone!.id] }))).details[0]).toMatchObject({ field: 'areas' });
    expect((await refusal(create({ zone: 'N', second_area_id: areas[0] }))).details[0]).toMatchObject({
      field: 'second_area_id',
    });
    expect(await create({ zone: 'N', second_area_id: areas[2] })).toMatchObject({ second_area_id__label: 'Delhi' });
    const theirs = await create({}, bench.session({ entityId: bench.companies[1] }));
    const order = bench.engine.create(bench.session(), bench.screen('t_order'), {
      order_date: '2025-06-01',
      site_id: theirs.id,
    });
    expect((await refusal(order)).details[0]).toMatchObject({ field: 'site_id' });
    const kept = await create({ area_id: areas[1] });
    await bench.sql('update {s}.t_area set active = false where id = $1', [areas[1]]);
    expect(await bench.engine.update(bench.session(), site(), kept.id, { version: 1, name: 'Renamed' })).toMatchObject({
      version: 2,
      area_id: areas[1],
    });
    await bench.sql('update {s}.t_area set active = true where id = $1', [areas[1]]);
  });
});

describe('update', () => {
  test('changes part of a record; history has old and new values, but of secrets only that they changed', async () => {
    const { id } = await create(everything());
    const changed = await bench.engine.update(bench.session({ userId: bench.users[1] }), site(), id, {
      version: 1,
      price: '2',
      key: 'new hush',
      name: ' Hall   A ',
    });
    expect(changed).toMatchObject({
      version: 2,
      price: '2.00',
      name: 'Hall A',
      floors: 12,
      updated_by__label: 'Bala',
      created_by__label: 'Asha',
    });
    const [, last] = await historyOf(id);
    expect(last).toMatchObject({ op: 'U', version: 2, change: { price: ['1234.50', '2.00'], key: 'changed' } });
    expect(Object.keys(last!.change!).sort()).toEqual(['key', 'name', 'price']);
    expect(JSON.stringify(await bench.sql('select * from {s}.history'))).not.toContain('hush');
  });

  test('child rows: added, changed, removed, reordered; sums follow', async () => {
    const { id, parts } = await create(everything());
    const [rope, car] = parts as { id: number }[];
    const changed = await bench.engine.update(bench.session(), site(), id, {
      version: 1,
      parts: [
        { what: 'New', count: 2, cost: '1.05' },
        { ...rope, count: 10 },
      ],
    });
    expect(changed.parts).toMatchObject([
      { what: 'New', amount: '2.10' },
      { id: rope!.id, count: 10, amount: '1.00' },
    ]);
    expect(changed.total).toBe('3.10');
    expect(await bench.sql('select id from {s}.t_site__parts where id = $1', [car!.id])).toEqual([]);
    const [, last] = await historyOf(id);
    expect(Object.keys(last!.change!).sort()).toEqual(['parts', 'total']);
  });

  test('a row of another record is refused', async () => {
    const one = await create(everything());
    const other = await create(everything());
    const stolen = (other.parts as { id: number }[])[0]!;
    expect(
      await refusal(
        bench.engine.update(bench.session(), site(), one.id, { version: 1, parts: [{ ...stolen, what: 'Mine now' }] }),
      ),
    ).toMatchObject({ status: 422, field: 'parts.0' });
    expect((await bench.engine.read(bench.session(), site(), other.id)).parts).toMatchObject([
      { what: 'Rope' },
      { what: 'Car' },
    ]);
  });

  test('a stale version returns the stored values, the base, the author and the time', async () => {
    const { id } = await create({ name: 'First', floors: 1 });
    await bench.engine.update(bench.session({ userId: bench.users[1] }), site(), id, { version: 1, name: 'Second' });
    await bench.engine.update(bench.session({ userId: bench.users[1] }), site(), id, {
      version: 2,
      name: 'Third',
      floors: 3,
    });
    const refused = await refusal(bench.engine.update(bench.session(), site(), id, { version: 1, name: 'Mine' }));
    expect(refused).toMatchObject({
      status: 409,
      code: 'stale_version',
      extra: {
        theirs: { name: 'Third', version: 3 },
        base: { name: 'First', floors: 1, version: 1 },
        changed_by: 'Bala',
      },
    });
    expect(typeof refused.extra.changed_at).toBe('string');
    expect((await refusal(bench.engine.update(bench.session(), site(), id, { name: 'Mine' }))).status).toBe(400);
  });

  test('20 authors of one version: one succeeds', async () => {
    const { id } = await create();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        bench.engine.update(bench.session(), site(), id, { version: 1, name: `Writer ${at}` }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'stale_version' });
    expect(await historyOf(id)).toHaveLength(2);
  });

  test('records outside the person’s scope are not found', async () => {
    const { id } = await create();
    for (const session of [
      bench.session({ entityId: bench.companies[1] }),
      bench.session({ scope: 'own', userId: bench.users[1] }),
      bench.session({ scope: 'branch', branchIds: [bench.branches[1]] }),
    ]) {
      expect((await refusal(bench.engine.read(session, site(), id))).status).toBe(404);
      expect((await refusal(bench.engine.update(session, site(), id, { version: 1, name: 'x' }))).status).toBe(404);
      expect((await refusal(bench.engine.remove(session, site(), id))).status).toBe(404);
      expect((await refusal(bench.engine.setActive(session, site(), id, 1, false))).status).toBe(404);
      expect((await refusal(bench.engine.history(session, site(), id, 1))).status).toBe(404);
      expect((await bench.engine.bulkSet(session, site(), [id], { name: 'x' })).changed).toEqual([]);
    }
  });

  test('a change that would move a record outside its author’s scope is refused', async () => {
    const session = bench.session({ scope: 'branch', branchIds: [bench.branches[0]] });
    const mine = await create({ branch_id: bench.branches[0] }, session);
    const before = await bench.sql('select count(*) as n from {s}.t_site');
    expect((await refusal(create({ branch_id: bench.branches[1] }, session))).details).toMatchObject([
      { field: 'branch_id' },
    ]);
    expect((await refusal(create({}, session))).details).toMatchObject([{ field: 'branch_id' }]);
    expect(
      (await refusal(bench.engine.update(session, site(), mine.id, { version: 1, branch_id: bench.branches[1] })))
        .details,
    ).toMatchObject([{ field: 'branch_id' }]);
    expect(await bench.sql('select count(*) as n from {s}.t_site')).toEqual(before);
    const given = await create({ owner_id: bench.users[1] });
    const own = bench.session({ scope: 'own', userId: bench.users[1] });
    expect(await bench.engine.update(own, site(), given.id, { version: 1, owner_id: bench.users[0] })).toMatchObject({
      version: 2,
      owner_id: bench.users[0],
    });
  });

  test('with all companies visible, a record keeps its own company', async () => {
    const theirs = await create({ area_id: areas[0] }, bench.session({ entityId: bench.companies[1] }));
    const wide = bench.session({ scope: 'all_companies' });
    expect(await bench.engine.update(wide, site(), theirs.id, { version: 1, name: 'Seen from afar' })).toMatchObject({
      version: 2,
      entity_id: bench.companies[1],
    });
    await bench.engine.setActive(wide, site(), theirs.id, 2, false);
    expect((await historyOf(theirs.id)).map((row) => row.entity_id)).toEqual([
      bench.companies[1],
      bench.companies[1],
      bench.companies[1],
    ]);
  });
});

describe('numbers', () => {
  test('50 at once: no gap, no duplicate, per company and financial year; refused ones use none', async () => {
    const order = (day: string, more = {}, session = bench.session()) =>
      bench.engine
        .create(session, bench.screen('t_order'), { order_date: day, ...more })
        .then((record) => record.number as string);
    const wrong = () => order('2025-06-01', { site_id: 999_999 }).catch(() => null);
    const numbers = (
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          Promise.all([order(at % 2 === 0 ? '2025-06-01' : '2026-03-31'), wrong()]),
        ),
      )
    ).map(([number]) => number);
    expect(numbers.sort()).toEqual(
      Array.from({ length: 50 }, (_, at) => `ORD/C1/2025-26/${String(at + 1).padStart(4, '0')}`),
    );
    expect(await order('2026-04-01')).toBe('ORD/C1/2026-27/0001');
    expect(await order('2025-06-01', {}, bench.session({ entityId: bench.companies[1] }))).toBe('ORD/C2/2025-26/0001');
  });

  test('a number cannot be set', async () => {
    const record = await bench.engine.create(bench.session(), bench.screen('t_order'), {
      order_date: '2030-05-01',
      number: 'MINE',
    });
    expect(record.number).toBe('ORD/C1/2030-31/0001');
    expect(
      await bench.engine.update(bench.session(), bench.screen('t_order'), record.id, { version: 1, number: 'MINE' }),
    ).toMatchObject({ version: 1, number: 'ORD/C1/2030-31/0001' });
  });
});
