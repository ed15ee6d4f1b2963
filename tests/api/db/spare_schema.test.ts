import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, keepSpareFor } from '../../../src/server/db/tenants.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, field, screen, screenMap } from './screens.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase(true);
});
afterAll(() => db.close());

const product = (code: string) => ({
  access: { screens: ['X'], products: [code], modules: [], action: null, everyone: false, common: false },
});
const screens = screenMap(
  screen('entity', codeAndName()),
  screen('branch', codeAndName(), { scope: 'entity' }),
  screen(
    'lift',
    [
      ...codeAndName(),
      field('branch_id', 'ref', { ref: { type: 'branch' } }),
      field('ticket_id', 'ref', { ref: { type: 'ticket' } }),
      field('parts', 'rows', { rows: [field('name', 'name', { required: true })] }),
    ],
    { scope: 'entity', ...product('FMS') },
  ),
  screen(
    'ticket',
    [
      ...codeAndName(),
      field('branch_id', 'ref', { ref: { type: 'branch' } }),
      field('about_id', 'ref', { ref: { type: 'ticket' } }),
    ],
    { scope: 'entity', ...product('TKT') },
  ),
  screen('offer', [...codeAndName(), field('amount', 'money')], product('CRM')),
);
const main = () => db.directory.main;
const spares = () =>
  main().query<{ name: string; tables: number }>(
    `select s.name, (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = s.name and c.relkind = 'r') as tables from public.spare_schema s`,
  );
const make = (suffix: string, products: string[]) =>
  createTenant(db.directory, screens, { subDomain: db.subDomain(suffix), name: suffix, products, mayTakeSpare: true });
const keep = (products: string[]) => keepSpareFor(db.directory, screens, products, async () => undefined);
/** Tables, columns, keys and indexes of a schema, without its name. */
const shapeOf = async (schema: string) =>
  main().query<{ line: string }>(
    `select replace(line, $1, '') as line from (
       select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line from information_schema.columns where table_schema = $1
       union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = $1::regnamespace and contype <> 'n'
       union all select indexdef from pg_indexes where schemaname = $1
       union all select type || ' ' || hash from ${schema}.schema_state) x order by 1`,
    [schema],
  );

describe('a spare schema', () => {
  it('has the same tables and indexes as a schema created directly', async () => {
    await keep(['FMS', 'TKT']);
    const quick = await make('quick', ['FMS', 'TKT']);
    expect(await spares()).toEqual([]);
    const slow = await make('slow', ['FMS', 'TKT']);
    expect(await shapeOf(quick.schema)).toEqual(await shapeOf(slow.schema));
  });

  it('gets the missing tables for more products; for fewer products a new schema is created', async () => {
    await keep(['TKT']);
    const more = await make('more', ['FMS', 'TKT']);
    expect(await spares()).toEqual([]);
    const slow = await make('slow2', ['FMS', 'TKT']);
    expect(await shapeOf(more.schema)).toEqual(await shapeOf(slow.schema));

    await keep(['FMS', 'TKT']);
    const fewer = await make('fewer', ['TKT']);
    expect(await spares()).toHaveLength(1);
    expect(await main().query('select to_regclass($1) as there', [`${fewer.schema}.lift`])).toEqual([{ there: null }]);
  });

  it('is used by one of two simultaneous requests, and neither waits for the other', async () => {
    expect(await keep(['FMS', 'TKT'])).toBe(false);
    const both = await Promise.all([make('one', ['FMS', 'TKT']), make('two', ['FMS', 'TKT'])]);
    const [one, two] = await Promise.all(both.map(({ schema }) => shapeOf(schema)));
    expect(one).toEqual(two);
    expect(await spares()).toEqual([]);
  });

  it('is replaced if it was created from other descriptors', async () => {
    await keep(['TKT']);
    expect(await spares()).toHaveLength(1);
    await main().query(`update public.spare_schema set types = types || '{"branch": "of before"}'`);
    const made = await make('after', ['TKT']);
    expect(await spares()).toHaveLength(1);
    expect(await main().query('select to_regclass($1) is not null as there', [`${made.schema}.branch`])).toEqual([
      { there: true },
    ]);
    expect(await keep(['TKT'])).toBe(true);
    await make('again', ['TKT']);
    expect(await spares()).toEqual([]);
  });

  it('is left for the next client if the address is taken', async () => {
    await keep(['TKT']);
    await expect(make('again', ['TKT'])).rejects.toMatchObject({ status: 409 });
    expect(await spares()).toHaveLength(1);
  });
});
