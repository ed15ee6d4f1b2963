import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { backupTenant } from '../../../src/server/db/backup.ts';
import { createDatabase, openDatabases } from '../../../src/server/db/open.ts';
import { isCleanHtml } from '../../../src/server/engine/records/rich_text.ts';
import { restoreTenant } from '../../../src/server/db/restore.ts';
import { createTenant, dropTenant, ensureTables } from '../../../src/server/db/tenants.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, screen, screenMap } from './screens.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const screens = screenMap(
  screen('entity', codeAndName()),
  screen('lift', codeAndName(), {
    access: { screens: ['X'], products: ['FMS'], modules: [], action: null, everyone: false, common: false },
  }),
);
const client = (suffix: string) =>
  createTenant(db.directory, screens, { subDomain: db.subDomain(suffix), name: suffix, products: [] });
const whoIs = async ({ db: own }: Tenant) => (await own.query<{ who: string }>('select current_user as who'))[0]!.who;
const add = ({ schema }: Tenant, code: string) =>
  `insert into ${schema}.entity (code, name) values ('${code}', '${code}')`;
const denied = { code: '42501' };

describe('the statements of a client', () => {
  test('reach its own tables, including later ones, and no others', async () => {
    const [one, other] = [await client('a'), await client('b')];
    expect(await whoIs(one)).toBe(`${new URL(db.databaseUrl).pathname.slice(1)}.${one.schema}`);
    await Promise.all([one.db.query(add(one, 'A')), other.db.query(add(other, 'B'))]);
    for (const wrong of [
      `select * from ${other.schema}.entity`,
      add(other, 'C'),
      `update ${other.schema}.entity set name = 'x'`,
      'select * from public.client',
      `create table ${one.schema}.mislaid (id int)`,
      `drop table ${one.schema}.entity`,
    ]) {
      await expect(one.db.query(wrong), wrong).rejects.toMatchObject(denied);
      await expect(
        one.db.transaction((tx) => tx.query(wrong)),
        wrong,
      ).rejects.toMatchObject(denied);
    }
    expect(await other.db.query(`select name from ${other.schema}.entity`)).toEqual([{ name: 'B' }]);
    expect(await ensureTables(one, screens, ['lift'])).toEqual([]);
    await one.db.query(`insert into ${one.schema}.lift (code, name) values ('L', 'L')`);
    // By turns on the same connections, many at once, and the platform's own between them.
    const turns = Array.from({ length: 60 }, (_, at) => [one, other][at % 2]!);
    const seen = await Promise.all(
      turns.map((tenant) => tenant.db.query<{ code: string }>(`select code from ${tenant.schema}.entity`)),
    );
    expect(seen.map(([row]) => row!.code)).toEqual(turns.map((tenant) => (tenant === one ? 'A' : 'B')));
    expect(
      await db.directory.main.query('select count(*)::int as n from public.client where sub_domain = any($1)', [
        [one.subDomain, other.subDomain],
      ]),
    ).toEqual([{ n: 2 }]);
    await dropTenant(db.directory, other.subDomain);
  });

  test('work after the client was restored, and its role is removed with it', async () => {
    const tenant = await client('r');
    await tenant.db.query(add(tenant, 'A'));
    const roles = () => db.directory.main.query('select 1 from pg_roles where rolname like $1', [`%.${tenant.schema}`]);
    expect(await roles()).toHaveLength(1);
    const archive = await buffer(backupTenant(db.directory, tenant.subDomain, db.dataDir));
    await restoreTenant(db.directory, Readable.from([archive]), {
      replace: true,
      dataDir: db.dataDir,
      screens,
      isClean: isCleanHtml,
    });
    await tenant.db.transaction((tx) => tx.query(add(tenant, 'B')));
    // Put back by a process that knows nothing of roles: the first statement brings the rights back.
    await db.directory.main.query(
      `alter schema ${tenant.schema} rename to aside; create schema ${tenant.schema}; create table ${tenant.schema}.entity (like aside.entity including all); drop schema aside cascade`,
    );
    await tenant.db.query(add(tenant, 'C'));
    expect(await tenant.db.query(`select code from ${tenant.schema}.entity`)).toEqual([{ code: 'C' }]);
    // The role itself was taken off the server by hand.
    await db.directory.main.query(`drop owned by "${await whoIs(tenant)}"; drop role "${await whoIs(tenant)}"`);
    expect(await Promise.all([1, 2, 3].map(() => tenant.db.query(`select code from ${tenant.schema}.entity`)))).toEqual(
      [1, 2, 3].map(() => [{ code: 'C' }]),
    );
    await dropTenant(db.directory, tenant.subDomain);
    expect(await roles()).toEqual([]);
  });
});

describe('a database without superuser rights', () => {
  for (const [may, words] of [
    [true, 'createrole'],
    [false, 'nocreaterole'],
  ] as const)
    test(`${words}: the client works, ${may ? 'with rights on its own schema alone' : 'with the rights of that user'}`, async () => {
      const name = `u${randomBytes(4).toString('hex')}`;
      const url = new URL(db.databaseUrl);
      await createDatabase(url.href, name);
      await db.directory.main.query(
        `create role ${name} login password 'secret' ${words}; alter database ${name} owner to ${name}`,
      );
      Object.assign(url, { username: name, password: 'secret', pathname: `/${name}` });
      const directory = await openDatabases({ dataDir: db.dataDir, databaseUrl: url.href, poolSize: 3 });
      try {
        const [one, other] = [
          await createTenant(directory, screens, { subDomain: `${name}a`, name: 'A', products: ['FMS'] }),
          await createTenant(directory, screens, { subDomain: `${name}b`, name: 'B', products: [] }),
        ];
        await one.db.query(add(one, 'A'));
        expect(await whoIs(one)).toBe(may ? `${name}.${one.schema}` : name);
        const look = one.db.query(`select 1 from ${other.schema}.entity`);
        if (may) await expect(look).rejects.toMatchObject(denied);
        else expect(await look).toEqual([]);
        await dropTenant(directory, one.subDomain);
        await dropTenant(directory, other.subDomain);
      } finally {
        await directory.close();
        await db.directory.main.query(`drop database ${name} with (force)`);
        await db.directory.main.query(`drop role ${name}`);
      }
    });
});
