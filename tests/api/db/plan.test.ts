import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Field, Screen } from '../../../src/descriptor/types.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { applyPlan, describeRefusal } from '../../../src/server/db/apply.ts';
import { readCatalogue } from '../../../src/server/db/catalogue.ts';
import { planSchema } from '../../../src/server/db/plan.ts';
import { createTenant, ensureTables, migrateTenants } from '../../../src/server/db/tenants.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, field, screen, screenMap } from './screens.ts';

let db: TestDatabase;
let tenant: Tenant;
let count = 0;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  tenant = await createTenant(db.directory, new Map(), {
    subDomain: db.subDomain(String(++count)),
    name: 'Plan',
    products: [],
  });
});
afterAll(() => db.close());

const lift = (fields: Field[], more: Partial<Screen> = {}): Map<string, Screen> =>
  screenMap(screen('lift', [...codeAndName(), ...fields], more));
const rows = (text: string): Promise<Record<string, unknown>[]> =>
  tenant.db.owner.query(text.replaceAll('{s}', tenant.schema));
const plan = async (screens: Map<string, Screen>) =>
  planSchema(screens, tenant.schema, await readCatalogue(tenant.db, tenant.schema), screens.keys());

/** Every kind of thing a table may have. */
const full = (): Map<string, Screen> =>
  screenMap(
    screen('entity', codeAndName()),
    screen('make', codeAndName(), { scope: 'entity' }),
    screen(
      'item',
      [
        ...codeAndName(),
        field('make_id', 'ref', { ref: { type: 'make' } }),
        field('makes', 'refs', { ref: { type: 'make' } }),
        field('tags', 'tags'),
        field('amount', 'money'),
        field('share', 'percent', { schema: { minimum: 0, maximum: 100.5 } }),
        field('state', 'enum', {
          required: true,
          default: 'new',
          options: [
            { value: 'new', label: 'New' },
            { value: "it's (old)::x", label: 'Old' },
          ],
        }),
        field('stars', 'rating', { schema: { minimum: -1, exclusiveMaximum: 6 } }),
        field('from', 'date', { required: true }),
        field('to', 'date'),
        field('at', 'datetime'),
        field('hour', 'time'),
        field('place', 'geo'),
        field('ok', 'boolean', { default: true }),
        field('lines', 'rows', {
          rows: [field('part_id', 'ref', { ref: { type: 'make' } }), field('qty', 'quantity', { required: true })],
        }),
        field('parent_id', 'ref', { ref: { type: 'item' } }),
      ],
      {
        scope: 'entity',
        unique: [['code'], ['make_id', 'name']],
        index: [['state', 'from']],
        sort: ['-from', 'name'],
        ranges: [{ word: 'valid', from: 'from', to: 'to', key: ['code'], step: '1' }],
        tree: { parent: 'parent_id', closure: true },
        number: { field: 'code', pattern: '{0000}' },
      },
    ),
  );

describe('a plan', () => {
  test('is empty for newly created tables', async () => {
    const screens = full();
    await ensureTables(tenant, screens, ['item']);
    expect((await plan(screens)).map(({ what }) => what)).toEqual([]);
  });

  test('keeps the descriptor’s rules in the database', async () => {
    await ensureTables(tenant, full(), ['item']);
    await rows(`insert into {s}.entity (code, name) values ('A', 'A')`);
    const insert = (columns: string, values: string) =>
      rows(`insert into {s}.item (entity_id, name, ${columns}) values (1, 'x', ${values})`);
    await insert('code, "from", "to"', `'a', '2025-01-01', '2025-12-31'`);
    await expect(insert('code, "from"', `'b', null`)).rejects.toMatchObject({ code: '23502' });
    await expect(insert('code, "from", state', `'c', '2025-01-01', 'sold'`)).rejects.toMatchObject({
      code: '23514',
      constraint: 'item_state_check',
    });
    await expect(insert('code, "from", share', `'c', '2025-01-01', 101`)).rejects.toMatchObject({
      constraint: 'item_share_check',
    });
    await expect(insert('code, "from", make_id', `'c', '2025-01-01', 9`)).rejects.toMatchObject({
      constraint: 'item_make_id_fkey',
    });
    await rows(`insert into {s}.item__lines (parent_id, position, qty) values (1, 1, '2.5')`);
    await rows('delete from {s}.item where id = 1');
    expect(await rows('select * from {s}.item__lines')).toEqual([]);
  });

  test('adds fields, keys and child rows automatically, and keeps the rows', async () => {
    await ensureTables(tenant, lift([]), ['lift']);
    await rows(`insert into {s}.lift (code, name) select 'L' || i, 'Lift' from generate_series(1, 3) i`);
    const grown = lift(
      [
        field('speed', 'decimal', { required: true }),
        field('kind', 'enum', { required: true, default: 'goods', options: [{ value: 'goods', label: 'Goods' }] }),
        field('notes', 'rows', { rows: [field('text', 'text')] }),
      ],
      { sort: ['code'], index: [['kind']] },
    );
    expect(await ensureTables(tenant, grown, ['lift'])).toEqual([]);
    expect(await rows('select speed, kind from {s}.lift where id = 1')).toEqual([{ speed: null, kind: 'goods' }]);
    await expect(rows(`insert into {s}.lift (code, name) values ('L9', 'x')`)).rejects.toMatchObject({
      code: '23514',
      constraint: 'lift_speed_required_check',
    });
    await rows(`update {s}.lift set active = false where id = 1`);
    await rows(`insert into {s}.lift (code, name, speed) values ('L9', 'x', 1.5)`);
    expect((await plan(grown)).map(({ what }) => what)).toEqual([]);
  });

  test('refuses to lose values, names the number of rows, and does it only on explicit request', async () => {
    const before = lift([
      field('old', 'text', { required: true }),
      field('amount', 'decimal'),
      field('kind', 'enum', {
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ],
      }),
      field('lines', 'rows', { rows: [field('text', 'text')] }),
    ]);
    await ensureTables(tenant, before, ['lift']);
    await rows(
      `insert into {s}.lift (code, name, old, amount, kind) values ('1', 'same', 'x', 1.005, 'a'), ('2', 'same', 'y', 2, 'b')`,
    );
    await rows(`insert into {s}.lift__lines (parent_id, position, text) values (1, 1, 'x')`);
    const after = lift(
      [
        field('amount', 'money', { required: true }),
        field('kind', 'enum', {
          options: [
            { value: 'b', label: 'B' },
            { value: 'c', label: 'C' },
          ],
        }),
      ],
      { unique: [['code'], ['name']] },
    );
    const refused = await ensureTables(tenant, after, ['lift']);
    expect(refused.map(describeRefusal).sort()).toEqual([
      'allow each name only once: not done, rows with the same name are there (1 row, such as same; same). Correct these rows, then: npm run schema:plan -- --apply',
      'change the limits of kind: not done, rows hold values of kind that are no longer allowed (1 row, such as same: a). On purpose: npm run schema:plan -- --apply-destructive lift.kind',
      'change the type of amount: not done, not every value of amount fits its new type (1 row, such as same: 1.005). On purpose: npm run schema:plan -- --apply-destructive lift.amount',
      'drop column lift.old: not done, the field is no longer in the descriptor, its values would be lost (2 rows, such as same; same). On purpose: npm run schema:plan -- --apply-destructive lift.old',
      'drop table lift__lines: not done, the child rows are no longer in the descriptor, they would be lost (1 row). On purpose: npm run schema:plan -- --apply-destructive lift.lines',
    ]);
    // Writing goes on: the dropped field no longer needs a value, old and new choices both pass.
    await rows(`insert into {s}.lift (code, name, amount, kind) values ('3', 'other', 5, 'c')`);
    await rows(`update {s}.lift set name = 'more' where id = 1`);
    await expect(
      rows(`insert into {s}.lift (code, name, amount, kind) values ('4', 'x', 5, 'z')`),
    ).rejects.toMatchObject({ code: '23514' });
    const purpose = new Set(['lift.old', 'lift.amount', 'lift.lines']);
    await applyPlan(tenant.db, tenant.schema, await plan(after), { allowDestructive: purpose });
    expect(await rows('select * from {s}.lift where id = 1')).toMatchObject([{ amount: '1.01' }]);
    expect(await rows(`select to_regclass('{s}.lift__lines') as gone`)).toEqual([{ gone: null }]);
    expect((await plan(after)).map(({ what }) => what)).toEqual(['change the limits of kind']);
  });

  test('drops automatically a column that an earlier release computed from others', async () => {
    const settings = (...more: Field[]) =>
      screenMap(screen('employee_field_setting', [field('label', 'text'), ...more]));
    await ensureTables(tenant, settings(field('name', 'text')), ['employee_field_setting']);
    await rows(`insert into {s}.employee_field_setting (label, name) values ('Photo', 'Photo')`);
    expect(await ensureTables(tenant, settings(), ['employee_field_setting'])).toEqual([]);
    expect(await rows(`select to_jsonb(t) ? 'name' as has, label from {s}.employee_field_setting t`)).toEqual([
      { has: false, label: 'Photo' },
    ]);
  });

  test('widens types automatically', async () => {
    await ensureTables(
      tenant,
      lift([field('floors', 'integer'), field('load', 'money'), field('day', 'date')], { index: [['floors']] }),
      ['lift'],
    );
    await rows(`insert into {s}.lift (code, name, floors, load, day) values ('1', 'x', 12, 2.50, '2025-06-10')`);
    expect(
      await ensureTables(
        tenant,
        lift([field('floors', 'quantity'), field('load', 'decimal'), field('day', 'datetime')], {
          index: [['floors']],
        }),
        ['lift'],
      ),
    ).toEqual([]);
    expect(await rows('select floors, load, day from {s}.lift')).toEqual([
      { floors: '12.000', load: '2.50', day: '2025-06-10T00:00:00Z' },
    ]);
    expect(
      await rows(`select indexname from pg_indexes where schemaname = '{s}' and indexname = 'lift_floors_idx'`),
    ).toHaveLength(1);
  });

  test('indexes a reference for the rows that have one, and not at all where a longer index begins with it', async () => {
    const make = screen('make', codeAndName(), { scope: 'entity' });
    const lifts = (more: object) =>
      screenMap(
        screen(
          'lift',
          [...codeAndName(), field('make_id', 'ref', { ref: { type: 'make' } }), field('floors', 'integer')],
          {
            scope: 'entity',
            ...more,
          },
        ),
        make,
      );
    const indexes = () =>
      rows(
        `select indexname as name, indexdef like '%WHERE (make_id IS NOT NULL)' as filled from pg_indexes where schemaname = '{s}' and indexname like 'lift\\_make%'`,
      );
    await ensureTables(tenant, lifts({}), ['make', 'lift']);
    expect(await indexes()).toEqual([{ name: 'lift_make_id_idx', filled: true }]);
    await ensureTables(tenant, lifts({ index: [['make_id', 'floors']] }), ['lift']);
    expect(await indexes()).toEqual([{ name: 'lift_make_id_floors_idx', filled: false }]);
  });

  test('creates tables for a new reference, in either order', async () => {
    await ensureTables(tenant, lift([], { scope: 'entity' }), ['lift']);
    const screens = screenMap(
      screen('lift', [...codeAndName(), field('make_id', 'ref', { ref: { type: 'make' } })], { scope: 'entity' }),
      screen('make', [...codeAndName(), field('best_id', 'ref', { ref: { type: 'lift' } })], { scope: 'entity' }),
    );
    expect(await ensureTables(tenant, screens, ['make'])).toEqual([]);
    await rows(`insert into {s}.lift (entity_id, code, name) values (1, 'L', 'L')`);
    await rows(`insert into {s}.make (entity_id, code, name, best_id) values (1, 'M', 'M', 1)`);
    await expect(
      rows(`insert into {s}.make (entity_id, code, name, best_id) values (2, 'N', 'N', 1)`),
    ).rejects.toMatchObject({ code: '23503' });
  });

  test('is not computed for tenants with current tables', async () => {
    const screens = lift([]);
    await ensureTables(tenant, screens, ['lift']);
    await rows('alter table {s}.lift drop column custom');
    const own = (await migrateTenants(db.directory, lift([]), { only: new Set([tenant.subDomain]) })).filter(
      ({ subDomain }) => subDomain === tenant.subDomain,
    );
    expect(own).toEqual([]);
    const changed = (
      await migrateTenants(db.directory, lift([field('extra', 'text')]), { only: new Set([tenant.subDomain]) })
    ).find(({ subDomain }) => subDomain === tenant.subDomain);
    expect(changed?.applied.map(({ what }) => what).sort()).toEqual([
      'add column lift.custom jsonb',
      'add column lift.extra text',
    ]);
  });

  test('reports refusals at every start until they are resolved', async () => {
    await ensureTables(tenant, lift([field('old', 'text')]), ['lift']);
    await rows(`insert into {s}.lift (code, name, old) values ('1', 'x', 'kept')`);
    const start = async (screens: Map<string, Screen>) =>
      (await migrateTenants(db.directory, screens, { only: new Set([tenant.subDomain]) })).find(
        ({ subDomain }) => subDomain === tenant.subDomain,
      );
    const state = () => rows(`select hash from {s}.schema_state where type = 'lift'`);
    const before = await state();
    const grown = () => lift([field('extra', 'text')]);
    const first = await start(grown());
    expect(first?.applied.map(({ what }) => what)).toEqual(['add column lift.extra text']);
    const refused = first?.refused.map(describeRefusal);
    expect(refused).toHaveLength(1);
    expect(await state()).toEqual(before);
    const second = await start(grown());
    expect(second?.applied).toEqual([]);
    expect(second?.refused.map(describeRefusal)).toEqual(refused);
    // First use in a process says so too, once.
    const screens = grown();
    expect(await ensureTables(tenant, screens, ['lift'])).toHaveLength(1);
    expect(await ensureTables(tenant, screens, ['lift'])).toEqual([]);
    await applyPlan(tenant.db, tenant.schema, await plan(grown()), { allowDestructive: new Set(['lift.old']) });
    expect(await start(grown())).toBeUndefined();
    expect(await state()).not.toEqual(before);
  });

  describe('for rows whose values would change their meaning', () => {
    const makes = () => [
      screen('make', codeAndName()),
      screen('brand', codeAndName()),
      screen('entity', codeAndName()),
    ];
    const withMakes = (fields: Field[], more: Partial<Screen> = {}) =>
      screenMap(...makes(), screen('lift', [...codeAndName(), ...fields], more));
    const reference = (type: string) => field('make_id', 'ref', { title: 'Make', ref: { type } });
    const text = (schema: object) => field('mark', 'text', { title: 'Mark', schema: { type: 'string', ...schema } });

    const refusals = async (before: Map<string, Screen>, rowsSql: string, after: Map<string, Screen>) => {
      await ensureTables(tenant, before, before.keys());
      await rows(rowsSql);
      return (await ensureTables(tenant, after, ['lift'])).map(describeRefusal);
    };
    const onPurpose = async (screens: Map<string, Screen>, name: string) =>
      (
        await applyPlan(tenant.db, tenant.schema, await plan(screens), { allowDestructive: new Set([name]) })
      ).refused.map(describeRefusal);

    test('a reference to another type is refused, and emptied on explicit request', async () => {
      const after = withMakes([reference('brand')]);
      expect(
        await refusals(
          withMakes([reference('make')]),
          `insert into {s}.make (code, name) values ('K', 'Kone'); insert into {s}.brand (code, name) values ('O', 'Otis');
           insert into {s}.lift (code, name, make_id) values ('1', 'First', 1), ('2', 'Second', null)`,
          after,
        ),
      ).toEqual([
        'change what Make means: not done, the numbers stored refer to make and would refer to brand (1 row, such as First). On purpose: npm run schema:plan -- --apply-destructive lift.make_id',
      ]);
      expect(await onPurpose(after, 'lift.make_id')).toEqual([]);
      expect(await rows('select make_id from {s}.lift order by id')).toEqual([{ make_id: null }, { make_id: null }]);
      expect((await plan(after)).map(({ what }) => what)).toEqual([]);
    });

    test('records of all companies are never assigned to none', async () => {
      const after = withMakes([], { scope: 'entity' });
      expect(
        await refusals(
          withMakes([]),
          `insert into {s}.entity (code, name) values ('A', 'Acme'); insert into {s}.lift (code, name) values ('1', 'First'), ('2', 'Second')`,
          after,
        ),
      ).toEqual([
        'make lifts records of one company each: not done, they are of all companies (2 rows). On purpose: npm run schema:plan -- --apply-destructive lift',
      ]);
      await onPurpose(after, 'lift');
      expect(await rows('select entity_id from {s}.lift')).toEqual([{ entity_id: 1 }, { entity_id: 1 }]);
      expect(await ensureTables(tenant, new Map(after), ['lift'])).toEqual([]);
      expect((await plan(after)).map(({ what }) => what)).toEqual([]);
    });

    test.each([
      ['a shorter limit', text({ maxLength: 40 }), text({ maxLength: 5 })],
      ['another pattern', text({}), text({ pattern: '^[A-Z]+$' })],
      [
        'a type of another form',
        text({}),
        field('mark', 'email', { title: 'Mark', schema: { type: 'string', format: 'email' } }),
      ],
    ])('%s is refused where values do not satisfy it', async (_what, before, after) => {
      const next = withMakes([after]);
      const [refused, ...more] = await refusals(
        withMakes([before]),
        `insert into {s}.lift (code, name, mark) select i::text, 'Lift ' || i, 'too long ' || i from generate_series(1, 5) i; insert into {s}.lift (code, name) values ('9', 'Empty')`,
        next,
      );
      expect(more).toEqual([]);
      expect(refused).toBe(
        'change the limits of Mark: not done, rows hold values that the field no longer takes (5 rows, such as Lift 1: too long 1; Lift 2: too long 2; Lift 3: too long 3). On purpose: npm run schema:plan -- --apply-destructive lift.mark',
      );
      // Accepted on purpose, it stays accepted.
      expect(await onPurpose(next, 'lift.mark')).toEqual([]);
      expect((await plan(next)).map(({ what }) => what)).toEqual([]);
    });

    test('narrower limits, choices, units and single values from lists are refused', async () => {
      const before = withMakes([
        field('load', 'integer', { title: 'Load', unit: 'kg', schema: { type: 'integer' } }),
        field('floors', 'integer', { title: 'Floors', schema: { type: 'integer', maximum: 90 } }),
        field('marks', 'tags', { title: 'Marks', schema: { type: 'array', items: { enum: ['a', 'b'] } } }),
        reference('make'),
      ]);
      const after = withMakes([
        field('load', 'integer', { title: 'Load', unit: 't', schema: { type: 'integer' } }),
        field('floors', 'integer', { title: 'Floors', schema: { type: 'integer', maximum: 20 } }),
        field('marks', 'tags', { title: 'Marks', schema: { type: 'array', items: { enum: ['b'] } } }),
        field('make_id', 'refs', { title: 'Make', ref: { type: 'make' } }),
      ]);
      const found = await refusals(
        before,
        `insert into {s}.make (code, name) values ('K', 'Kone');
         insert into {s}.lift (code, name, load, floors, marks, make_id) values ('1', 'First', 630, 80, '{a,b}', 1)`,
        after,
      );
      expect(found.map((line) => line.split(' On purpose')[0]).toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
        'change the limits of Floors: not done, rows hold values of Floors that are no longer allowed (1 row, such as First: 80).',
        'change the limits of Marks: not done, rows hold values that the field no longer takes (1 row, such as First: ["a","b"]).',
        'change the type of Make: not done, not every value of Make fits its new type (1 row, such as First: 1).',
        'change what Load means: not done, the values stored are in kg, not in t (1 row, such as First).',
      ]);
    });

    test('no confirmation is needed if no row has a value', async () => {
      expect(
        await refusals(
          withMakes([reference('make'), text({})]),
          `insert into {s}.lift (code, name) values ('1', 'First')`,
          withMakes([reference('brand'), text({ maxLength: 3 })], { scope: 'tenant' }),
        ),
      ).toEqual([]);
    });

    test('a renamed field keeps its values, its rights and its accepted differences', async () => {
      const before = withMakes([
        field('mark', 'text', { required: true, schema: { type: 'string' } }),
        field('parts', 'rows', { rows: [field('qty', 'integer')] }),
      ]);
      await ensureTables(tenant, before, before.keys());
      await rows(
        `insert into {s}.lift (code, name, mark) values ('1', 'First', 'x'); insert into {s}.lift__parts (parent_id, position, qty) values (1, 0, 7);
         insert into {s}.field_right (role_id, record_type, field, access) values (1, 'lift', 'mark', 'hidden')`,
      );
      const after = withMakes([
        field('label', 'text', { required: true, was: ['mark'], schema: { type: 'string' } }),
        field('pieces', 'rows', { was: ['parts'], rows: [field('number', 'integer', { was: ['qty'] })] }),
      ]);
      const renames = [
        'rename lift.mark to label',
        'rename lift.parts to pieces',
        'rename lift.pieces.qty to pieces.number',
      ];
      expect((await plan(after)).filter(({ rename }) => rename).map(({ what }) => what)).toEqual(renames);
      expect(await ensureTables(tenant, after, ['lift'])).toEqual([]);
      expect(
        await rows('select l.label, p.number from {s}.lift l join {s}.lift__pieces p on p.parent_id = l.id'),
      ).toEqual([{ label: 'x', number: 7 }]);
      expect(await rows('select field from {s}.field_right')).toEqual([{ field: 'label' }]);
      expect((await plan(after)).map(({ what }) => what)).toEqual([]);
      // Taken back, the values are there again.
      expect(await ensureTables(tenant, before, ['lift'])).toEqual([]);
      expect(await rows('select mark from {s}.lift')).toEqual([{ mark: 'x' }]);
    });
  });

  test('waits for a busy table without blocking others for long', async () => {
    await ensureTables(tenant, lift([]), ['lift']);
    const writer = await tenant.db.owner.connect();
    await writer.query(`begin; insert into ${tenant.schema}.lift (code, name) values ('1', 'x')`);
    const altered = ensureTables(tenant, lift([field('extra', 'text')]), ['lift']);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await writer.query('commit');
    writer.release();
    await altered;
    expect(await rows('select extra from {s}.lift')).toEqual([{ extra: null }]);
  });
});
