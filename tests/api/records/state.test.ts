import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileExpression } from '../../../src/descriptor/expression/compile_expression.ts';
import { inUnit } from '../../../src/server/engine/records/unit_of_work.ts';
import { defineHooks } from '../../../src/server/engine/records/hooks.ts';
import type { Services } from '../../../src/server/engine/modules.ts';
import { completeEntries } from '../../../src/server/db/search_entries.ts';
import { refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

let bench: Bench;
const own = defineHooks({
  check: (_session, record) => (record.name === 'Hooked' ? [{ field: 'name', message: 'Not this one.' }] : []),
  leave: (_session, stored, how) => (stored.name === 'Needed' && how !== 'activate' ? 'It is needed.' : null),
});

beforeAll(async () => {
  bench = await startBench({
    hooks: {
      check: async (session, screen, record, stored, known) =>
        screen.name === 't_area' ? own.check!(session, record, stored, known, {} as Services) : [],
      saved: async () => undefined,
      decided: () => ({}),
      leave: async (session, screen, stored, how, known) =>
        screen.name === 't_area' ? own.leave!(session, stored, how, known) : null,
    },
  });
});
afterAll(() => bench.close());

const screen = (name: string) => bench.screen(name);
const create = (type: string, input: Record<string, unknown>, session = bench.session()) =>
  bench.engine.create(session, screen(type), input);
const area = (code: string) => create('t_area', { code, name: `Area ${code}`, zone: 'S', address: `${code} Road` });
const historyOf = (type: string, id: number) =>
  bench.sql<{ op: string; change: Record<string, unknown> }>(
    'select op, change from {s}.history where record_type = $1 and record_id = $2 order by id',
    [type, id],
  );

describe('references to a record', () => {
  const groups = async (id: number, session = bench.session()) =>
    (await bench.engine.related(session, screen('t_area'), id)).map(
      ({ type, field, by, count }) => `${type} ${field} (${by}) ${count}`,
    );

  test('are counted by type and field, including child rows, and match the list', async () => {
    const { id } = await area('REL');
    expect(await groups(id)).toEqual([]);
    const [first] = [
      await create('t_site', { code: 'R1', name: 'One', area_id: id, second_area_id: null }),
      await create('t_site', { code: 'R2', name: 'Two', area_id: id, areas: [id] }),
      await create('t_site', {
        code: 'R3',
        name: 'Rows',
        parts: [
          { what: 'x', at: id },
          { what: 'y', at: id },
        ],
      }),
    ];
    expect(await groups(id)).toEqual(['t_site area_id (Area) 2', 't_site areas (Areas) 1', 't_site parts.at (At) 1']);
    const filter = JSON.stringify(['parts.at', 'in', [id]]);
    const list = await bench.engine.list(bench.session(), screen('t_site'), bench.query('t_site', { filter }));
    expect(list.data.map(({ name }) => name)).toEqual(['Rows']);
    // What is out of use is left out, as in the list.
    await bench.engine.setActive(bench.session(), screen('t_site'), first.id, first.version, false);
    expect(await groups(id)).toContain('t_site area_id (Area) 1');
  });

  test('include only what this person may list: by right, company, and rows', async () => {
    const { id } = await area('REL2');
    const [chennai, bengaluru] = bench.branches;
    await create('t_site', { code: 'S1', name: 'One', area_id: id, branch_id: chennai });
    await create('t_site', { code: 'S2', name: 'Two', area_id: id, branch_id: bengaluru });
    const theirs = bench.session({ entityId: bench.companies[1] });
    await create('t_site', { code: 'S3', name: 'Theirs', area_id: id }, theirs);
    expect(await groups(id)).toEqual(['t_site area_id (Area) 2']);
    expect(await groups(id, theirs)).toEqual(['t_site area_id (Area) 1']);
    expect(await groups(id, bench.session({ scope: 'branch', branchIds: [chennai] }))).toEqual([
      't_site area_id (Area) 1',
    ]);
    expect(await groups(id, bench.session({ refuses: ['t_site'] }))).toEqual([]);
    expect(await groups(id, bench.session({ entityId: null }))).toEqual([]);
    expect((await refusal(bench.engine.related(bench.session(), screen('t_area'), 999_999))).status).toBe(404);
  });

  test('exclude author stamps, and stop counting at the list’s limit', async () => {
    const { id } = await area('REL3');
    await bench.sql(
      `insert into {s}.t_site (code, name, area_id, entity_id, kind) select 'REL' || n, 'Related ' || n, $1, $2, 'lift' from generate_series(1, 1001) n`,
      [id, bench.companies[0]],
    );
    expect(await bench.engine.related(bench.session(), screen('t_area'), id)).toEqual([
      { type: 't_site', title: 'Sites', field: 'area_id', by: 'Area', count: 1_000, capped: true },
    ]);
    const [user] = bench.users;
    await create('t_site', { code: 'OWN', name: 'Owned', owner_id: user });
    expect(await bench.engine.related(bench.session(), screen('users'), user)).toEqual([
      { type: 't_site', title: 'Sites', field: 'owner_id', by: 'Owner', count: 1, capped: false },
    ]);
  });
});

describe('delete', () => {
  test('is refused with the place of use: references, lists of them, child rows', async () => {
    const { id } = await area('USED');
    await create('t_site', { code: 'U1', name: 'By reference', area_id: id });
    await create('t_site', { code: 'U2', name: 'In a list', areas: [id] });
    const filter = JSON.stringify(['or', ['area_id', 'in', [id]], ['areas', 'in', [id]]]);
    const route = `/t_site?${new URLSearchParams({ filter, active: 'all' }).toString()}`;
    expect(await refusal(bench.engine.remove(bench.session(), screen('t_area'), id))).toMatchObject({
      extra: { used_by: [{ count: 2, route }] },
    });
    await create('t_site', { code: 'U3', name: 'In a row', parts: [{ what: 'x', at: id }] });
    const asked = ['or', ['area_id', 'in', [id]], ['areas', 'in', [id]], ['parts.at', 'in', [id]]];
    const inRows = `/t_site?${new URLSearchParams({ filter: JSON.stringify(asked), active: 'all' }).toString()}`;
    const refused = await refusal(bench.engine.remove(bench.session(), screen('t_area'), id));
    expect(refused).toMatchObject({
      status: 409,
      code: 'in_use',
      extra: {
        used_by: [{ type: 't_site', title: 'Sites', count: 3, route: inRows }],
      },
    });
    const free = await area('FREE');
    await bench.engine.remove(bench.session(), screen('t_area'), free.id);
    expect((await refusal(bench.engine.read(bench.session(), screen('t_area'), free.id))).status).toBe(404);
    expect((await historyOf('t_area', free.id)).map(({ op }) => op)).toEqual(['I', 'D']);
  });

  test('deactivate and activate, with the version', async () => {
    const { id } = await area('ACT');
    expect(await bench.engine.setActive(bench.session(), screen('t_area'), id, 1, false)).toMatchObject({
      active: false,
      version: 2,
    });
    expect(await refusal(bench.engine.setActive(bench.session(), screen('t_area'), id, 1, true))).toMatchObject({
      code: 'stale_version',
    });
    expect(await refusal(bench.engine.setActive(bench.session(), screen('t_area'), id, 2, false))).toMatchObject({
      code: 'bad_state',
    });
    await bench.engine.setActive(bench.session(), screen('t_area'), id, 2, true);
    expect((await historyOf('t_area', id)).map(({ op }) => op)).toEqual(['I', 'X', 'A']);
  });
});

test('bulk: possible changes are made; the others give a reason', async () => {
  const [one, two] = [await area('B1'), await area('B2')];
  expect(
    await bench.engine.bulkSet(bench.session(), screen('t_area'), [one.id, 999_999, two.id], { zone: 'N' }),
  ).toMatchObject({ changed: [one.id, two.id], errors: [{ id: 999_999 }] });
  await create('t_site', { code: 'B1', name: 'Holds one', area_id: one.id });
  expect(await bench.engine.bulkRemove(bench.session(), screen('t_area'), [one.id, two.id], 'delete')).toMatchObject({
    changed: [two.id],
    errors: [{ id: one.id }],
  });
});

test('a copy leaves out unique fields', async () => {
  const { id } = await create('t_site', {
    code: 'ORIG',
    name: 'Original',
    floors: 3,
    key: 'hush',
    parts: [{ what: 'x', count: 1, cost: '2.00' }],
  });
  const copy = await bench.engine.copy(bench.session(), screen('t_site'), id);
  expect(copy).toMatchObject({ name: 'Original', floors: 3, parts: [{ what: 'x', count: 1 }] });
  expect(copy).not.toHaveProperty('code');
  expect(copy).not.toHaveProperty('key');
  expect(copy.parts).not.toMatchObject([{ id: expect.any(Number) as number }]);
  expect(await create('t_site', { ...copy, code: 'COPY' })).toMatchObject({ name: 'Original', total: '2.00' });
});

test('hooks report together with the other findings', async () => {
  expect(
    (await refusal(create('t_area', { code: '', name: 'Hooked' }))).details.map(({ field }) => field).sort(),
  ).toEqual(['code', 'name']);
});

test('a hook keeps a record in use, with a reason', async () => {
  const area = screen('t_area');
  const { id } = await bench.engine.create(bench.session(), area, { code: 'KEEP', name: 'Needed' });
  await expect(bench.engine.setActive(bench.session(), area, id, null, false)).rejects.toMatchObject({
    status: 422,
    message: 'It is needed.',
  });
  await expect(bench.engine.remove(bench.session(), area, id)).rejects.toMatchObject({
    status: 422,
    message: 'It is needed.',
  });
  expect((await bench.engine.read(bench.session(), area, id)).active).toBe(true);
});

describe('options', () => {
  test('active records that match the filter, best matches first, with values to copy', async () => {
    await bench.sql(
      `insert into {s}.t_area (code, name, zone, address, active) values ('P1', 'Park Town', 'X', 'A', true), ('P2', 'Old Park', 'X', 'B', true), ('P3', 'Park gone', 'X', 'C', false), ('P4', 'Park far', 'Y', 'D', true)`,
    );
    const site = screen('t_site');
    const asking = (name: string) => ({
      screen: site,
      field: site.fields.find((field) => field.name === name)!,
      siblings: site.fields,
    });
    expect(
      await bench.engine.options(bench.session(), screen('t_area'), {
        q: 'park',
        asking: asking('second_area_id'),
        where: { zone: 'X' },
      }),
    ).toMatchObject([{ label: 'Park Town', detail: 'P1' }, { label: 'Old Park' }]);
    expect(
      await bench.engine.options(bench.session(), screen('t_area'), { q: 'park town', asking: asking('area_id') }),
    ).toMatchObject([{ fetch: { area_address: 'A' } }]);
    expect(await bench.engine.options(bench.session(), screen('t_area'), { q: '%' })).toEqual([]);
  });
});

describe('trees', () => {
  const node = (name: string, above?: number) =>
    create('t_node', { name, above_id: above ?? null }).then(({ id }) => id);
  const closure = () => bench.sql('select ancestor_id, descendant_id, depth from {s}.t_node_tree order by 1, 2');
  const expected = () =>
    bench.sql(
      'with recursive up(a, d, n) as (select id, id, 0 from {s}.t_node union all select t.above_id, up.d, up.n + 1 from up join {s}.t_node t on t.id = up.a where t.above_id is not null) select a as ancestor_id, d as descendant_id, n as depth from up order by 1, 2',
    );

  test('the closure follows every move; cycles are refused with a message', async () => {
    const root = await node('Root');
    const [a, b] = [await node('A', root), await node('B', root)];
    const a1 = await node('A1', a);
    const a2 = await node('A2', a1);
    expect(await closure()).toEqual(await expected());
    await bench.engine.update(bench.session(), screen('t_node'), a1, { version: 1, above_id: b });
    expect(await closure()).toEqual(await expected());
    expect(await bench.engine.subordinates(bench.session(), screen('t_node'), b, null)).toEqual([
      { id: a1, depth: 1 },
      { id: a2, depth: 2 },
    ]);
    const circle = await refusal(
      bench.engine.update(bench.session(), screen('t_node'), b, { version: 1, above_id: a2 }),
    );
    expect(circle).toMatchObject({ status: 422, field: 'above_id' });
    expect(circle.message).toMatch(/^A2 .* B \(2 levels\)\. Choose another/);
    expect(
      (await refusal(bench.engine.update(bench.session(), screen('t_node'), b, { version: 1, above_id: b }))).status,
    ).toBe(422);
    await bench.engine.update(bench.session(), screen('t_node'), a1, { version: 2, above_id: null });
    expect(await closure()).toEqual(await expected());
    await bench.engine.remove(bench.session(), screen('t_node'), a2);
    expect(await closure()).toEqual(await expected());
  });

  test('two simultaneous moves cannot create a cycle; records added meanwhile are in the closure', async () => {
    const [x, y] = [await node('X'), await node('Y')];
    const results = await Promise.allSettled([
      bench.engine.update(bench.session(), screen('t_node'), x, { version: 1, above_id: y }),
      bench.engine.update(bench.session(), screen('t_node'), y, { version: 1, above_id: x }),
      ...Array.from({ length: 10 }, (_, at) => node(`N${at}`, at % 2 === 0 ? x : y)),
    ]);
    expect(results.slice(0, 2).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await closure()).toEqual(await expected());
  });

  test('nodes from a root, to the requested depth', async () => {
    const top = await node('Top');
    const mid = await node('Mid', top);
    await node('Low', mid);
    const names = async (root: number | null, depth: number | null, q = '') =>
      (await bench.engine.tree(bench.session(), screen('t_node'), { root, depth, q })).map(({ label }) => label);
    expect((await names(top, null)).sort()).toEqual(['Low', 'Mid', 'Top']);
    expect((await names(top, 1)).sort()).toEqual(['Mid', 'Top']);
    const roots = await names(null, 0);
    expect(roots).toContain('Top');
    expect(roots).not.toContain('Mid');
    expect(await names(null, null, 'mid')).toEqual(['Mid']);
  });
});

test('settings: first the defaults, then the single record; two simultaneous first saves', async () => {
  const setup = screen('t_setup');
  expect(await bench.engine.single(bench.session(), setup)).toMatchObject({
    id: 0,
    version: 0,
    greeting: 'Vanakkam',
    limit: 5,
  });
  const saves = await Promise.allSettled(
    Array.from({ length: 20 }, () => bench.engine.saveSingle(bench.session(), setup, { limit: 7, version: 0 })),
  );
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const save of saves)
    if (save.status === 'rejected') expect(save.reason).toMatchObject({ code: 'stale_version' });
  const [{ n } = { n: 0 }] = await bench.sql<{ n: number }>('select count(*) as n from {s}.t_setup');
  expect(n).toBe(1);
  expect(await bench.engine.saveSingle(bench.session(), setup, { limit: 8, version: 1 })).toMatchObject({
    limit: 8,
    version: 2,
    greeting: 'Vanakkam',
  });
  expect(await bench.engine.single(bench.session({ entityId: bench.companies[1] }), setup)).toMatchObject({
    version: 0,
  });
});

test('saved views: own and shared ones', async () => {
  const site = screen('t_site');
  const mine = await bench.engine.saveView(bench.session(), site, null, { name: 'Mine', state: { sort: ['name'] } });
  await bench.engine.saveView(bench.session(), site, null, { name: 'Ours', shared: true, state: {} });
  const other = bench.session({ userId: bench.users[1] });
  expect((await bench.engine.views(other, site)).map(({ name }) => name)).toEqual(['Ours']);
  expect((await refusal(bench.engine.saveView(other, site, mine.id, { name: 'Stolen' }))).status).toBe(404);
  expect((await refusal(bench.engine.removeView(other, site, mine.id))).status).toBe(404);
  await bench.engine.removeView(bench.session(), site, mine.id);
});

test('search: only types that may be listed, only visible rows', async () => {
  await create('t_site', { code: 'FIND', name: 'Quaint tower' });
  await create('t_site', { code: 'FIND', name: 'Quaint spire' }, bench.session({ entityId: bench.companies[1] }));
  await create('t_area', { code: 'QA', name: 'The quaint area' });
  const found = async (session = bench.session()) =>
    (await bench.engine.search(session, 'quaint')).map(({ label }) => label);
  expect(await found()).toEqual(['Quaint tower', 'The quaint area']);
  expect(await found(bench.session({ refuses: ['t_site'] }))).toEqual(['The quaint area']);
  expect(await bench.engine.search(bench.session(), '%%')).toEqual([]);
});

describe('search over all types', () => {
  const labels = async (q: string, session = bench.session()) =>
    (await bench.engine.search(session, q)).map(({ label }) => label);
  const entries = () =>
    bench.sql<{ record_type: string; record_id: number; text: string }>(
      'select record_type, record_id, title, code, text from {s}.search_entry order by 1, 2',
      [],
    );

  test('finds every stored record at once, whichever call stored it, and none that was deleted, renamed or deactivated', async () => {
    const session = bench.session();
    const made = await create('t_area', { code: 'VLG-00001', name: 'Velachery' });
    expect(await labels('velachery')).toEqual(['Velachery']);
    expect(await labels('vlg-00001')).toEqual(['Velachery']);
    const renamed = await bench.engine.update(session, screen('t_area'), made.id, { name: 'Guindy', version: 1 });
    expect(await labels('velachery')).toEqual([]);
    const idle = await bench.engine.setActive(session, screen('t_area'), made.id, renamed.version, false);
    expect(await labels('guindy')).toEqual([]);
    await bench.engine.setActive(session, screen('t_area'), made.id, idle.version, true);
    await bench.engine.bulkSet(session, screen('t_area'), [made.id], { zone: 'Foreshore' });
    expect(await labels('foreshore')).toEqual(['Guindy']);
    await bench.tenant.db.transaction((tx) =>
      bench.engine.updateMany(tx, session, screen('t_area'), [{ id: made.id, set: { name: 'Adyar' } }], 'import'),
    );
    expect(await labels('guindy')).toEqual([]);
    const imported = await bench.tenant.db.transaction((tx) =>
      bench.engine.insertMany(tx, session, screen('t_area'), [{ code: 'IMP9', name: 'Thiruvanmiyur' }], 'import'),
    );
    expect(await labels('thiruvanmiyur')).toEqual(['Thiruvanmiyur']);
    await bench.tenant.db.transaction((tx) =>
      bench.engine.removeMany(tx, session, screen('t_area'), imported, 'import'),
    );
    await bench.engine.remove(session, screen('t_area'), made.id);
    expect([...(await labels('thiruvanmiyur')), ...(await labels('adyar'))]).toEqual([]);
    expect((await entries()).filter(({ text }) => /thiruvan|adyar/.test(text))).toEqual([]);
    const number = (await create('t_order', { order_date: '2025-06-02' })).number as string;
    expect(await labels(number)).toEqual([number]);
  });

  test('tolerates a typing error, and ranks the exact name or code first', async () => {
    await create('t_area', { code: 'MNK1', name: 'Manikandan Towers' });
    expect(await labels('manikndan')).toEqual(['Manikandan Towers']);
    expect(await labels('towers manikandan')).toEqual(['Manikandan Towers']);
    await create('t_area', { code: 'QX7', name: 'Beside' });
    await create('t_area', { code: 'QX70', name: 'A house QX7' });
    expect(await labels('qx7')).toEqual(['Beside', 'A house QX7']);
    await create('t_area', { code: 'VLK-00077', name: 'Saidapet' });
    expect(await labels('vlk-0077')).toEqual(['Saidapet']);
    // Another code with the same number is another record.
    expect(await labels('xqz-00077')).toEqual([]);
  });

  test('finds one’s own rows among many invisible ones', async () => {
    const others = Array.from({ length: 260 }, (_, at) => ({ code: `CRW${at}`, name: `Crowded ${at}`, kind: 'lift' }));
    await bench.tenant.db.transaction((tx) =>
      bench.engine.insertMany(tx, bench.session(), screen('t_site'), others, 'import'),
    );
    const mine = bench.session({ scope: 'own', userId: 77 });
    await create('t_site', { code: 'CRWX', name: 'Crowded and mine' }, mine);
    expect(await labels('crowded', mine)).toEqual(['Crowded and mine']);
  });

  test('missing entries are added from the stored records, and orphaned ones removed', async () => {
    const complete = () => completeEntries(bench.tenant.db, bench.tenant.schema, bench.screens);
    await complete();
    const known = await entries();
    await bench.sql(`insert into {s}.t_area (code, name) values ('RAW1', 'Rawlins'), ('RAW2', 'Rawson')`, []);
    await bench.sql(`delete from {s}.search_entry where record_type = 't_site'`, []);
    await bench.sql(
      `insert into {s}.search_entry (record_type, record_id, place, text) values ('t_area', 999999, 4, 'rawhide'), ('t_gone', 1, 4, 'gone')`,
      [],
    );
    expect(await complete()).toBeGreaterThan(0);
    expect(await labels('raws')).toEqual(['Rawson']);
    const now = await entries();
    expect(now.filter(({ text }) => !text.includes('raw'))).toEqual(known);
    expect(now.filter(({ text }) => text.includes('raw'))).toHaveLength(2);
    expect(await complete()).toBe(0);
  });
});

test('history by pages', async () => {
  const { id } = await area('HIST');
  for (let version = 1; version <= 55; version++)
    await bench.engine.update(bench.session(), screen('t_area'), id, { version, address: `No ${version}` });
  const first = await bench.engine.history(bench.session(), screen('t_area'), id, 1);
  expect(first.more).toBe(true);
  expect(first.data[0]).toMatchObject({
    op: 'U',
    version: 56,
    by__label: 'Asha',
    what: 'form',
    change: { address: ['No 54', 'No 55'] },
  });
  const second = await bench.engine.history(bench.session(), screen('t_area'), id, 2);
  expect(second).toMatchObject({ more: false });
  expect(first.data.length + second.data.length).toBe(56);
});

describe('many records', () => {
  const tx = <T>(work: (on: Parameters<Parameters<Bench['tenant']['db']['transaction']>[0]>[0]) => Promise<T>) =>
    bench.tenant.db.transaction(work);

  test('are inserted 6,000 at a time with history; changes have old and new values; unchanged ones are left alone; secrets are not recorded', async () => {
    const site = screen('t_site');
    const session = bench.session();
    const records = bench.engine.validateMany(
      session,
      site,
      Array.from({ length: 6_000 }, (_, at) => ({
        code: `M${at}`,
        name: `Many ${at}`,
        kind: 'lift',
        price: '1.10',
        areas: [],
        key: 'hush',
        position: { lat: 1, lng: 2 },
      })),
    );
    expect(records.every(({ errors }) => errors.length === 0)).toBe(true);
    const ids = await tx((on) =>
      bench.engine.insertMany(
        on,
        session,
        site,
        records.map(({ record }) => record),
        'import 1',
      ),
    );
    expect(ids).toHaveLength(6_000);
    expect(await bench.engine.read(session, site, ids[5_999]!)).toMatchObject({
      code: 'M5999',
      price: '1.10',
      position: { lat: 1, lng: 2 },
      key__set: true,
    });
    const set = ids.map((id, at) => ({
      id,
      set: at % 2 === 0 ? { price: '2.5', key: 'more hush' } : { price: '1.1' },
    }));
    await tx((on) => bench.engine.updateMany(on, session, site, set, 'import 2'));
    const logged = await bench.sql<{ op: string; n: number }>(
      `select op, count(*) as n from {s}.history where record_type = 't_site' and record_id = any($1) group by op order by op`,
      [ids],
    );
    expect(logged).toEqual([
      { op: 'I', n: 6_000 },
      { op: 'U', n: 3_000 },
    ]);
    expect((await historyOf('t_site', ids[0]!))[1]!.change).toEqual({ price: ['1.10', '2.50'], key: 'changed' });
    expect(
      JSON.stringify(await bench.sql(`select change from {s}.history where record_type = 't_site'`)),
    ).not.toContain('hush');
    expect(await bench.engine.read(session, site, ids[1]!)).toMatchObject({ version: 1 });
  });

  test('outside the person’s scope are refused, and nothing is written', async () => {
    const mine = await create('t_site', { code: 'SEEN', name: 'Seen' });
    const theirs = await create(
      't_site',
      { code: 'SEEN', name: 'Theirs' },
      bench.session({ entityId: bench.companies[1] }),
    );
    const refused = await refusal(
      tx((on) =>
        bench.engine.updateMany(
          on,
          bench.session(),
          screen('t_site'),
          [mine, theirs].map(({ id }) => ({ id, set: { name: 'Taken over' } })),
          'import 3',
        ),
      ),
    );
    expect(refused.status).toBe(404);
    expect(await bench.sql(`select id from {s}.t_site where name = 'Taken over'`)).toEqual([]);
  });
});

test('are written at one moment', async () => {
  const at = () => compileExpression('now()').evaluate({});
  const moments = await inUnit(bench.session(), async ({ session, now }) => {
    const first = at();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const inner = await inUnit(session, () => Promise.resolve(at()));
    return [first, inner, at(), now().toISOString()];
  });
  expect(new Set(moments).size).toBe(1);
  expect(Date.parse(String(at()))).toBeGreaterThan(Date.parse(String(moments[0])));
});
