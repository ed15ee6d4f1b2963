import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normalised } from '../../../src/server/db/catalogue.ts';
import { shapesOf } from '../../../src/server/db/table_shapes.ts';
import { inZone } from '../../../src/server/services/clock/client_day.ts';
import { parseGroupQuery } from '../../../src/server/engine/records/groups.ts';
import { refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

let bench: Bench;
let areas: number[];
const names = [
  'Anna Salai',
  'beach road',
  'Cathedral',
  'anna nagar',
  '100%_Tower',
  'Zoo',
  'Élite',
  'delta',
  'Ωmega',
  'x',
];

beforeAll(async () => {
  bench = await startBench();
  const rows = await bench.sql<{ id: number }>(
    `insert into {s}.t_area (code, name, zone) values ('CHN', 'Chennai', 'S'), ('BLR', 'bengaluru', 'S'), ('DEL', 'Delhi', 'N') returning id`,
  );
  areas = rows.map(({ id }) => id);
  for (const [at, name] of names.entries())
    await bench.sql(
      `insert into {s}.t_site (entity_id, code, name, area_id, areas, branch_id, price, opened, seen_at, floors, lit, words, kind, created_by, updated_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'lift', $13, $13)`,
      [
        bench.companies[0],
        `S${at}`,
        name,
        at === 9 ? null : areas[at % 3],
        [areas[2], areas[0]],
        bench.branches[at % 2],
        `${at}.10`,
        at === 3 ? null : `2025-0${(at % 9) + 1}-15`,
        `2025-06-1${at % 9}T10:00:00.123456Z`,
        at,
        at % 2 === 0,
        ['red', `w${at}`],
        bench.users[at < 4 ? 0 : 1],
      ],
    );
  await bench.sql(`insert into {s}.t_site (entity_id, code, name, kind) values ($1, 'S0', 'Other company', 'lift')`, [
    bench.companies[1],
  ]);
  await bench.sql(
    `insert into {s}.t_site (entity_id, code, name, kind, active) values ($1, 'OLD', 'Old one', 'lift', false)`,
    [bench.companies[0]],
  );
});
afterAll(() => bench.close());

const list = (given: Record<string, string> = {}, session = bench.session()) =>
  bench.engine.list(session, bench.screen('t_site'), bench.query('t_site', given));
const codes = async (given: Record<string, string>, session = bench.session()) =>
  (await list(given, session)).data.map((row) => row.code);
const filtered = (filter: unknown) => codes({ filter: JSON.stringify(filter), sort: 'floors' });

describe('a map section', () => {
  const inBox = async (box: string) =>
    (
      await bench.engine.list(bench.session(), bench.screen('branch'), bench.query('branch', { box, sort: 'name' }))
    ).data.map(({ name }) => name);

  test('contains its places including those on the edge, and none without a position', async () => {
    await bench.sql(`update {s}.branch set geo = '{"lat": 13.0827, "lng": 80.2707}' where id = $1`, [
      bench.branches[0],
    ]);
    expect(await inBox('12,79,14,81')).toEqual(['Chennai']);
    expect(await inBox('13.0827,80.2707,13.0827,80.2707')).toEqual(['Chennai']);
    expect(await inBox('12,79,13,81')).toEqual([]);
  });

  test('uses an index that the next start keeps', async () => {
    const indexes = await bench.sql<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = '{s}.branch'::regclass`,
    );
    const found = indexes.filter(({ definition }) => definition.includes("'lat'")).map(({ definition }) => definition);
    expect(found).toHaveLength(1);
    const { tables } = shapesOf(new Map([['branch', bench.screen('branch')]])).get('branch')!;
    const wanted = tables.flatMap(({ indexes }) => indexes.map(({ definition }) => normalised(definition)));
    expect(wanted).toContain(normalised(found[0]!.replace(/^.* USING /, '')));
  });

  test.each([
    ['13,79,12,81', /south,west,north,east/],
    ['a,b', /south,west,north,east/],
    ['12,79,14,181', /south,west,north,east/],
  ])('is refused if %s is not a valid area', (box, message) => {
    expect(() => bench.query('branch', { box })).toThrow(message);
  });

  test('is available only for lists with a map', () => {
    expect(() => bench.query('t_site', { box: '12,79,14,81' })).toThrow(/has no map/);
  });
});

describe('statements', () => {
  test('a list takes two statements, one without the count; one that ends on its first page needs no count', async () => {
    bench.statements();
    const longer = await list({ size: '2' });
    expect(longer.pagination.count).toBeGreaterThan(2);
    const sent = bench.statements();
    expect(sent).toHaveLength(2);
    const whole = await list();
    expect(whole.pagination).toMatchObject({ count: whole.data.length, has_next: false, total_pages: 1 });
    expect(whole.pagination.count).toBe(longer.pagination.count);
    expect(bench.statements()).toHaveLength(1);
    expect(
      sent.every(({ text }) => !text.includes('"t_site"') || text.includes(`"${bench.tenant.schema}"."t_site"`)),
    ).toBe(true);
    await list({ count: 'none' });
    expect(bench.statements()).toHaveLength(1);
  });

  test('the same shape gives the same SQL text, whatever the values', async () => {
    bench.statements();
    await list({ q: 'anna', filter: '["floors","gt",1]' });
    await list({ q: 'beach', filter: '["floors","gt",7]' });
    const [a, b] = bench.statements().map(({ text }) => text);
    expect(a).toBe(b);
  });

  test('every value is bound', async () => {
    const evil = `x'; drop table branch; --`;
    bench.statements();
    await list({
      q: evil,
      filter: JSON.stringify([
        'or',
        ['name', 'contains', evil],
        ['area_id', 'starts', evil],
        ['words', 'contains', evil],
        ['name', 'in', [evil]],
      ]),
    });
    expect(bench.statements().every(({ text }) => !text.includes('drop'))).toBe(true);
    for (const sort of [
      'name; drop table x',
      'name desc',
      '"name"',
      'id) --',
      'key',
      'parts',
      'areas',
      '__proto__',
      'constructor',
    ])
      expect(
        (() => {
          try {
            bench.query('t_site', { sort });
            return 'taken';
          } catch {
            return 'refused';
          }
        })(),
      ).toBe('refused');
    for (const filter of [
      '["name;--","eq","x"]',
      '["name","eq; drop",1]',
      '["key","eq","x"]',
      '{"a":1}',
      '[[]]',
      'x',
      '["floors","eq","1 or 1=1"]',
      '["and",["constructor","eq",1]]',
    ])
      expect((await refusal((async () => bench.query('t_site', { filter }))())).code).toBe('bad_filter');
  });
});

describe('rows', () => {
  test('include labels of references, of lists of them, and of authors', async () => {
    const { data } = await list({ ids: '1', columns: '*' });
    expect(data[0]).toMatchObject({
      code: 'S0',
      area_id__label: 'Chennai',
      areas__label: ['Delhi', 'Chennai'],
      branch_id__label: 'Chennai',
      updated_by__label: 'Asha',
      price: '0.10',
      opened: '2025-01-15',
    });
    expect(data[0]).not.toHaveProperty('key');
    expect(Object.keys(data[0]!).some((name) => name.startsWith('__s'))).toBe(false);
  });

  test('are of the chosen company; inactive ones only on request', async () => {
    expect(await codes({ size: '100' })).toHaveLength(10);
    expect(await codes({ active: 'false' })).toEqual(['OLD']);
    expect(await codes({ active: 'all', size: '100' })).toHaveLength(11);
    expect(await codes({}, bench.session({ entityId: bench.companies[1] }))).toEqual(['S0']);
    const refused = await refusal(list({}, bench.session({ entityId: null })));
    expect(refused).toMatchObject({ status: 400, message: 'Choose a company first.' });
  });

  test('text is sorted case-insensitively, references by their label, ties by id', async () => {
    expect(await codes({ sort: 'name', ids: '1,2,3,4' })).toEqual(['S3', 'S0', 'S1', 'S2']);
    expect((await list({ sort: 'area_id,code', size: '100' })).data.map((row) => row.area_id__label)).toEqual([
      'bengaluru',
      'bengaluru',
      'bengaluru',
      'Chennai',
      'Chennai',
      'Chennai',
      'Delhi',
      'Delhi',
      'Delhi',
      null,
    ]);
    expect(await codes({ sort: 'kind' })).toEqual(['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9']);
  });

  test('q: contains; wildcards are literal, short texts match the start of words', async () => {
    expect((await codes({ q: 'ANNA' })).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['S0', 'S3']);
    expect(await codes({ q: '%_t' })).toEqual(['S4']);
    expect(await codes({ q: 'alai' })).toEqual(['S0']);
    expect(await codes({ q: '%' })).toEqual([]);
    expect(await codes({ q: 'sa' })).toEqual(['S0']);
  });

  test('have pages and pagination', async () => {
    const first = await list({ size: '4', sort: 'floors' });
    expect(first.pagination).toEqual({
      count: 10,
      first: 1,
      has_next: true,
      has_prev: false,
      last: 3,
      next_page: 2,
      page: 1,
      prev_page: null,
      total_pages: 3,
      more: true,
    });
    const last = await list({ size: '4', page: '3', sort: 'floors' });
    expect(last.data.map((row) => row.code)).toEqual(['S8', 'S9']);
    expect(last.pagination).toMatchObject({ has_next: false, next_page: null, prev_page: 2, more: false });
  });

  test.each([
    'name',
    '-name',
    'opened',
    '-opened',
    'area_id',
    '-area_id,price',
    'seen_at',
    '-seen_at',
    'lit,-price',
    'created_at',
    'opens_at,name',
    'kind,-floors',
  ])('each appear once by cursor, sorted by %s', async (sort) => {
    const all = await codes({ sort, size: '100' });
    const seen: unknown[] = [];
    let after: string | null = '';
    for (let turn = 0; turn < 20 && after !== null; turn++) {
      const page = await list({ sort, size: '3', count: 'none', ...(after !== '' && { after }) });
      seen.push(...page.data.map((row) => row.code));
      after = page.cursor;
    }
    expect(seen).toEqual(all);
  });

  test('a cursor of another list is refused', async () => {
    for (const values of [['x', 'y', 'z', 5], ['abc', 1, 2], [5]]) {
      const after = Buffer.from(JSON.stringify(values)).toString('base64url');
      expect((await refusal(list({ sort: 'opened', after }))).status).toBe(400);
    }
    const wrong = Buffer.from(JSON.stringify(['no date', 5])).toString('base64url');
    expect((await refusal(list({ sort: 'opened', after: wrong }))).status).toBe(400);
  });

  test('invalid parameters are reported by name', async () => {
    for (const [name, value] of Object.entries({
      page: '0',
      size: '501',
      sort: 'nope',
      active: 'maybe',
      ids: '1,x',
      count: 'all',
      columns: 'nope',
      after: '%%',
    }))
      expect(await refusal((async () => bench.query('t_site', { [name]: value }))())).toMatchObject({
        status: 400,
        field: name,
      });
    const twice = { sort: ['name', 'code'] } as unknown as Record<string, string>;
    expect(await refusal((async () => bench.query('t_site', twice))())).toMatchObject({ status: 400, field: 'sort' });
    expect(await refusal((async () => bench.query('t_site', { q: 'a\u0000b' }))())).toMatchObject({
      status: 400,
      field: 'q',
    });
    expect(
      (await refusal((async () => bench.query('t_site', { filter: JSON.stringify(['name', 'eq', 'a\u0000']) }))()))
        .status,
    ).toBe(400);
  });
});

describe('filters', () => {
  test('text and references', async () => {
    expect(await filtered(['name', 'contains', '%_'])).toEqual(['S4']);
    expect(await filtered(['name', 'starts', 'ANNA'])).toEqual(['S0', 'S3']);
    expect(await filtered(['name', 'eq', 'zoo'])).toEqual(['S5']);
    expect(await filtered(['area_id', 'contains', 'chen'])).toEqual(['S0', 'S3', 'S6']);
    expect(await filtered(['area_id', 'in', [areas[1]]])).toEqual(['S1', 'S4', 'S7']);
    expect(await filtered(['area_id', 'empty'])).toEqual(['S9']);
    expect(await filtered(['area_id', 'ne', areas[0]])).toHaveLength(7);
    // What is empty is none of those that are left out.
    expect(await filtered(['area_id', 'notin', [areas[0]]])).toHaveLength(7);
    expect(await filtered(['areas', 'contains', 'delh'])).toHaveLength(10);
    expect(await filtered(['areas', 'in', [areas[1]]])).toEqual([]);
    expect(await filtered(['words', 'contains', 'w7'])).toEqual(['S7']);
    expect(await filtered(['words', 'in', ['w1', 'w2']])).toEqual(['S1', 'S2']);
  });

  test('numbers, dates, moments, booleans, groups', async () => {
    expect(await filtered(['price', 'between', ['1.10', '3.10']])).toEqual(['S1', 'S2', 'S3']);
    expect(await filtered(['price', 'eq', '2.1'])).toEqual(['S2']);
    expect(await filtered(['floors', 'in', [2, 3]])).toEqual(['S2', 'S3']);
    expect(await filtered(['opened', 'before', '2025-02-15'])).toEqual(['S0', 'S9']);
    expect(await filtered(['opened', 'empty'])).toEqual(['S3']);
    expect(await filtered(['seen_at', 'eq', '2025-06-13'])).toEqual(['S3']);
    expect(await filtered(['seen_at', 'between', ['2025-06-13', '2025-06-14']])).toEqual(['S3', 'S4']);
    expect(await filtered(['lit', 'eq', false])).toHaveLength(5);
    expect(await filtered(['kind', 'in', ['lift']])).toHaveLength(10);
    expect(await filtered(['and', ['floors', 'gte', 3], ['or', ['name', 'eq', 'Zoo'], ['floors', 'lt', 5]]])).toEqual([
      'S3',
      'S4',
      'S5',
    ]);
    expect(await filtered(['created_by', 'eq', bench.users[1]])).toHaveLength(6);
  });
});
describe('groups', () => {
  const groups = async (given: Record<string, string>, session = bench.session()) => {
    const screen = bench.screen('t_site');
    const { by, sums, ...narrowed } = given;
    const asked = parseGroupQuery({ by, ...(sums !== undefined && { sums }) }, screen);
    return bench.engine.groups(session, screen, bench.query('t_site', narrowed), asked);
  };
  const told = async (given: Record<string, string>, session = bench.session()) =>
    (await groups(given, session)).groups.map(({ label, count, sums }) =>
      `${label || '(empty)'} ${count} ${Object.values(sums).join(' ')}`.trim(),
    );

  test('of references and choices have exact sums, and each opens with its filter', async () => {
    expect(await told({ by: 'area_id', sums: 'price' })).toEqual([
      'bengaluru 3 12.30',
      'Chennai 3 9.30',
      'Delhi 3 15.30',
      '(empty) 1 9.10',
    ]);
    expect(await told({ by: 'kind' })).toEqual(['Lift 10']);
    expect(await told({ by: 'lit', filter: JSON.stringify(['floors', 'lte', 4]) })).toEqual(['No 2', 'Yes 3']);
    for (const by of ['area_id', 'branch_id', 'kind', 'lit', 'floors', 'opened', 'seen_at', 'name', 'zone'])
      for (const { filter, count } of (await groups({ by })).groups)
        expect([by, (await list({ filter: JSON.stringify(filter), size: '50' })).data.length]).toEqual([by, count]);
  });

  test('of dates are by month, newest first; of moments by the month in the company’s time zone', async () => {
    const months = await told({ by: 'opened', filter: JSON.stringify(['opened', 'between', ['2025-07-01', null]]) });
    expect(months).toEqual(['Sep 2025 1', 'Aug 2025 1', 'Jul 2025 1']);
    expect(await told({ by: 'seen_at' })).toEqual(['Jun 2025 10']);
    const [moment] = await bench.sql<{ id: number }>(
      `update {s}.t_site set seen_at = '2025-06-30T20:00:00Z' where code = 'S1' returning id`,
    );
    // Half past one on the first of July in India.
    const [july, june] = (await groups({ by: 'seen_at' })).groups;
    expect([july!.label, july!.count, june!.count]).toEqual(['Jul 2025', 1, 9]);
    const rows = await list({ filter: JSON.stringify(july!.filter) });
    expect(rows.data.map(({ id }) => id)).toEqual([moment!.id]);
    // A filter by days means the same days.
    for (const [operator, day, holds] of [
      ['eq', '2025-07-01', true],
      ['eq', '2025-06-30', false],
      ['ne', '2025-07-01', false],
      ['gt', '2025-06-30', true],
      ['gte', '2025-07-01', true],
      ['before', '2025-07-01', false],
      ['lte', '2025-06-30', false],
      ['between', ['2025-07-01', '2025-07-01'], true],
      ['between', ['2025-06-30', '2025-06-30'], false],
    ] as const) {
      const filter = JSON.stringify(['and', ['id', 'eq', moment!.id], ['seen_at', operator, day]]);
      const found = await inZone('Asia/Kolkata', () => list({ filter }));
      expect([operator, day, found.data.length === 1]).toEqual([operator, day, holds]);
    }
  });

  test('include visible rows only, and only columns that can be grouped', async () => {
    const session = bench.session({ scope: 'branch', branchIds: [bench.branches[0]] });
    expect(await told({ by: 'branch_id' }, session)).toEqual(['Chennai 5']);
    for (const by of ['areas', 'parts', 'key', 'nothing', '']) expect((await refusal(groups({ by }))).field).toBe('by');
    for (const sums of ['name', 'key', 'nothing'])
      expect((await refusal(groups({ by: 'kind', sums }))).field).toBe('sums');
  });

  test('say if there are more than it shows', async () => {
    await bench.sql(
      `insert into {s}.t_site (entity_id, code, name, kind, zone) select $1, 'G' || n, 'Group ' || n, 'stair', 'Zone ' || n from generate_series(1, 501) n`,
      [bench.companies[0]],
    );
    const filter = JSON.stringify(['kind', 'eq', 'stair']);
    const all = await groups({ by: 'zone', filter });
    expect([all.groups.length, all.more]).toEqual([500, true]);
    expect((await groups({ by: 'kind' })).more).toBe(false);
    await bench.sql(`delete from {s}.t_site where kind = 'stair'`);
  });
});

describe('scope', () => {
  test('own, branch, all companies', async () => {
    expect(await codes({}, bench.session({ scope: 'own' }))).toHaveLength(4);
    expect(
      (await codes({}, bench.session({ scope: 'branch', branchIds: [bench.branches[1]] }))).toSorted((a, b) =>
        String(a).localeCompare(String(b)),
      ),
    ).toEqual(['S1', 'S3', 'S5', 'S7', 'S9']);
    expect(await codes({}, bench.session({ scope: 'branch', branchIds: [] }))).toEqual([]);
    expect(await codes({ size: '100' }, bench.session({ scope: 'all_companies' }))).toHaveLength(11);
    const outside = bench.session({ scope: 'own', userId: bench.users[1] });
    expect((await refusal(bench.engine.read(outside, bench.screen('t_site'), 1))).status).toBe(404);
  });
});

test('a count stops at its limit', async () => {
  await bench.sql(
    `insert into {s}.t_area (code, name, zone) select 'N' || n, 'Numbered ' || n, 'M' from generate_series(1, 3000) n`,
  );
  const page = (given: Record<string, string>) =>
    bench.engine.list(bench.session(), bench.screen('t_area'), bench.query('t_area', given));
  const capped = await page({ q: 'numbered' });
  expect(capped.pagination).toMatchObject({ count: 1000, capped: true, total_pages: null, last: null, has_next: true });
  const shallow = await page({ size: '500', page: '3', sort: 'code', q: 'numbered' });
  const deep = await page({ size: '400', page: '4', sort: 'code', q: 'numbered' });
  expect(deep.data.slice(0, 300).map((row) => row.id)).toEqual(shallow.data.slice(200).map((row) => row.id));
});
