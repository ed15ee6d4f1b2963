import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESCRIPTORS, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

type Row = Record<string, unknown>;

const WIDTH = 300;
const REFERENCES = 100;

/** Columns as a large form has them: references, amounts, dates and texts. */
function columns(prefix: string): Row {
  const kinds: [string, object][] = [
    ['money', { $ref: 'types#money' }],
    ['date', { $ref: 'types#date' }],
    ['text', { $ref: 'types#text' }],
  ];
  return Object.fromEntries(
    Array.from({ length: WIDTH }, (_, at) => {
      if (at < REFERENCES) return [`${prefix}_ref_${at}`, { $ref: 'types#ref', 'x-ref': 't_area' }];
      const [name, schema] = kinds[at % kinds.length]!;
      return [`${prefix}_${name}_${at}`, schema];
    }),
  );
}

function filled(prefix: string, area: number): Row {
  return Object.fromEntries(
    Object.keys(columns(prefix)).map((name) => [
      name,
      name.includes('_ref_')
        ? area
        : name.includes('_money_')
          ? '10.50'
          : name.includes('_date_')
            ? '2026-01-31'
            : name,
    ]),
  );
}

DESCRIPTORS.t_wide = {
  kind: 'document',
  title: 'Wide',
  access: { screen: 'SCN_TEST', action: null },
  scope: 'entity',
  label: ['name'],
  sort: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#name' },
      ...columns('own'),
      lines: { type: 'array', items: { type: 'object', properties: columns('line') } },
    },
  },
  grid: ['name'],
};

let bench: Bench;
let area: Row & { id: number };
beforeAll(async () => {
  bench = await startBench();
  area = await bench.engine.create(bench.session(), bench.screen('t_area'), { code: 'WIDE', name: 'Wide area' });
});
afterAll(() => bench.close());

test(`${WIDTH} columns, ${REFERENCES} of them references, in a record and in its rows`, async () => {
  const { engine } = bench;
  const [session, screen] = [bench.session(), bench.screen('t_wide')];
  const line = filled('line', area.id);
  const made = await engine.create(session, screen, {
    name: 'All',
    ...filled('own', area.id),
    lines: [line, {}, line],
  });
  expect(made).toMatchObject({ own_ref_0__label: 'Wide area', own_ref_99__label: 'Wide area', own_money_102: '10.50' });
  const lines = made.lines as Row[];
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ ...line, line_ref_0__label: 'Wide area', line_ref_99__label: 'Wide area' });
  expect(Object.keys(lines[1]!)).toHaveLength(1 + WIDTH + REFERENCES);

  const changed = await engine.update(session, screen, made.id, {
    version: 1,
    own_text_299: 'other',
    lines: [{ ...lines[0], line_text_299: 'other' }, lines[2]],
  });
  expect(changed).toMatchObject({ version: 2, own_text_299: 'other' });
  expect((changed.lines as Row[]).map((row) => row.line_text_299)).toEqual(['other', 'line_text_299']);
  expect(await engine.read(session, screen, made.id)).toMatchObject({ version: 2 });

  const every = screen.fields.filter(({ rows }) => !rows).map(({ name }) => name);
  const list = await engine.list(session, screen, bench.query('t_wide', { columns: every.join(',') }));
  expect(list.data[0]).toMatchObject({ own_ref_99__label: 'Wide area', own_text_299: 'other' });
  const { data } = await engine.history(session, screen, made.id, 1);
  expect(data.map(({ op }) => op)).toEqual(['U', 'I']);
  expect(Object.keys(await engine.copy(session, screen, made.id))).toContain('own_text_299');

  await expect(engine.remove(session, bench.screen('t_area'), area.id)).rejects.toMatchObject({
    code: 'in_use',
    extra: { used_by: [expect.objectContaining({ type: 't_wide' })] },
  });
  await engine.remove(session, screen, made.id);
  expect(await bench.sql('select 1 from {s}.t_wide')).toEqual([]);
});

test('a change of all columns of many records at once', async () => {
  const { engine } = bench;
  const [session, screen] = [bench.session(), bench.screen('t_wide')];
  const own = filled('own', area.id);
  const [id] = await bench.tenant.db.transaction((tx) =>
    engine.insertMany(tx, session, screen, [{ name: 'Many', ...own }], 'import 1'),
  );
  const set = Object.fromEntries(Object.keys(own).map((name) => [name, null]));
  await bench.tenant.db.transaction((tx) => engine.updateMany(tx, session, screen, [{ id: id!, set }], 'import 2'));
  expect(await engine.read(session, screen, id!)).toMatchObject({ version: 2, own_text_299: null, own_ref_0: null });
});
