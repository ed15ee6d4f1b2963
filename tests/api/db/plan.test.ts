import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Field, Screen } from '../../../src/descriptor/types.ts';
import type { Tenant } from '../../../src/server/context.ts';
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
        valid: { from: 'from', to: 'to', key: ['code'] },
        tree: { parent: 'parent_id', closure: true },
        number: { field: 'code', pattern: '{0000}' },
      },
    ),
  );

describe('a plan', () => {
  test('finds nothing to do on tables that it has just made', async () => {
    const screens = full();
    await ensureTables(tenant, screens, ['item']);
    expect((await plan(screens)).map(({ what }) => what)).toEqual([]);
  });

  test('keeps the rules of the descriptor in the database', async () => {
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

  test('adds fields, keys and child rows by itself, and keeps the rows', async () => {
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

  test('refuses what loses values, says how many rows, and does it on purpose', async () => {
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
      'add unique key lift_name_key: not done, rows with the same values are there (1 row). Correct these rows, then: npm run schema:plan -- --apply',
      "change check lift_kind_check: not done, rows hold values that are no longer allowed (\"kind\" = any (array['b', 'c'])) (1 row). On purpose: npm run schema:plan -- --apply-destructive lift.kind",
      'change lift.amount from numeric to numeric(18,2): not done, numeric(18,2) cannot hold every value of numeric (1 row). On purpose: npm run schema:plan -- --apply-destructive lift.amount',
      'drop column lift.old: not done, the field is no longer in the descriptor, its values would be lost (2 rows). On purpose: npm run schema:plan -- --apply-destructive lift.old',
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
    expect((await plan(after)).map(({ what }) => what)).toEqual(['change check lift_kind_check']);
  });

  test('widens types by itself', async () => {
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

  test('makes tables that a new reference needs, in either order', async () => {
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

  test('is not made for tenants whose tables are as they should be', async () => {
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

  test('tells what was refused at every start, until it is settled', async () => {
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

  test('waits its turn behind a busy table without blocking the others for long', async () => {
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
