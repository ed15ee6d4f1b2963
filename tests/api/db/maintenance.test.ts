import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import type { Directory } from '../../../src/server/db/directory.ts';
import { createTenant, ensureTables } from '../../../src/server/db/tenants.ts';
import { createMaintenance } from '../../../src/server/services/jobs/maintenance.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, screen, screenMap } from './screens.ts';

let db: TestDatabase;
let tenant: Tenant;
let own: Directory;
const screens = screenMap(screen('lift', codeAndName()), screen('make', codeAndName()));
const log = {
  info: () => {},
  warn: (fields: object) => {
    throw new Error(JSON.stringify(fields));
  },
};
const maintenance = (threshold?: number) =>
  createMaintenance({ directory: own, screens: () => screens, log, ...(threshold !== undefined && { threshold }) });

beforeAll(async () => {
  db = await testDatabase();
  tenant = await createTenant(db.directory, new Map(), {
    subDomain: db.subDomain('m'),
    name: 'Maintenance',
    products: [],
  });
  await ensureTables(tenant, screens, ['lift', 'make']);
  await tenant.db.owner.query(
    `insert into ${tenant.schema}.lift (code, name) select 'L' || i, 'Lift ' || i from generate_series(1, 300) i`,
  );
  await tenant.db.owner.query(`insert into ${tenant.schema}.make (code, name) values ('M', 'Make')`);
  await tenant.db.owner.query(`analyze ${tenant.schema}.lift`);
  await tenant.db.owner.query(`analyze ${tenant.schema}.make`);
  // Other test files' tenants are theirs.
  own = {
    ...db.directory,
    tenants: async () => (await db.directory.tenants()).filter(({ schema }) => schema === tenant.schema),
  };
});
afterAll(() => db.close());

const indexes = () =>
  tenant.db.owner.query(
    `select i.indexname as name, x.indisvalid as valid from pg_indexes i join pg_index x on x.indexrelid = format('%I.%I', i.schemaname, i.indexname)::regclass
  where i.schemaname = $1 and i.indexname like '%search' order by 1`,
    [tenant.schema],
  );

test('creates the search index of a grown table once', async () => {
  expect(await maintenance().run()).toEqual([]);
  expect(await indexes()).toEqual([]);
  const made = await maintenance(300).run();
  expect(made).toEqual([expect.stringMatching(/\.lift.*search$/)]);
  expect(await indexes()).toEqual([{ name: made[0]?.split('.')[1], valid: true }]);
  expect(await maintenance(300).run()).toEqual([]);
  // And the tables' plan leaves it alone.
  expect(await ensureTables(tenant, screenMap(screen('lift', codeAndName())), ['lift'])).toEqual([]);
  expect(await indexes()).toHaveLength(1);
});

test('is done by one process only, and not by a closing one', async () => {
  await tenant.db.owner.query(`drop index ${tenant.schema}.${String((await indexes())[0]?.['name'])}`);
  const other = await db.directory.main.connect();
  await other.query(`select pg_advisory_lock(hashtextextended('mainstay:maintenance', 0))`);
  expect(await maintenance(300).run()).toEqual([]);
  await other.query(`select pg_advisory_unlock(hashtextextended('mainstay:maintenance', 0))`);
  other.release();
  const closed = maintenance(300);
  closed.start();
  await closed.close();
  expect(await closed.run()).toEqual([]);
  expect(await indexes()).toEqual([]);
});

test('closing gives up an index that waits for somebody', async () => {
  const writer = await tenant.db.owner.connect();
  await writer.query(`begin; update ${tenant.schema}.lift set name = 'x' where id = 1`);
  const one = maintenance(300);
  const run = one.run();
  await new Promise((resolve) => setTimeout(resolve, 500));
  // The writer goes on until this has ended.
  await one.close();
  expect(await run).toEqual([]);
  await writer.query('rollback');
  writer.release();
  expect(await maintenance(300).run()).toHaveLength(1);
  expect(await indexes()).toMatchObject([{ valid: true }]);
});
