import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, dropTenant, findTenant } from '../../../src/server/db/tenants.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, field, screen, screenMap } from './screens.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const screens = screenMap(
  screen('entity', codeAndName()),
  screen('department', codeAndName(), { scope: 'entity' }),
  screen(
    'employee',
    [
      ...codeAndName(),
      field('department_id', 'ref', { ref: { type: 'department' } }),
      field('manager_id', 'ref', { ref: { type: 'employee', acrossCompanies: true } }),
      field('children', 'rows', { rows: [field('name', 'name', { required: true })] }),
      field('salary', 'money'),
    ],
    { scope: 'entity', tree: { parent: 'manager_id', closure: true } },
  ),
  screen('lift', codeAndName(), {
    access: { screens: ['X'], products: ['FMS'], modules: [], action: null, everyone: false, common: false },
  }),
);

describe('a new tenant', () => {
  test('has its tables and refuses rows of another company', async () => {
    const tenant = await createTenant(db.directory, screens, { subDomain: db.subDomain(), name: 'Test', products: [] });
    const s = tenant.schema;
    await tenant.db.query(`insert into ${s}.entity (code, name) values ('A', 'A'), ('B', 'B')`);
    await tenant.db.query(`insert into ${s}.department (entity_id, code, name) values (1, 'D', 'D')`);
    await tenant.db.query(
      `insert into ${s}.employee (entity_id, code, name, department_id, salary) values (1, 'E', 'E', 1, 12345678901234.56)`,
    );
    await expect(
      tenant.db.query(`insert into ${s}.employee (entity_id, code, name, department_id) values (2, 'E', 'E', 1)`),
    ).rejects.toMatchObject({ code: '23503' });
    await expect(
      tenant.db.query(`insert into ${s}.department (entity_id, code, name) values (1, 'd', 'E')`),
    ).rejects.toMatchObject({ code: '23505', constraint: 'department_code_key' });
    expect(await tenant.db.query(`select id, salary, to_regclass('${s}.lift') as lift from ${s}.employee`)).toEqual([
      { id: 1, salary: '12345678901234.56', lift: null },
    ]);
    await expect(
      createTenant(db.directory, screens, { subDomain: db.subDomain(), name: 'Again', products: [] }),
    ).rejects.toMatchObject({ status: 409 });
    await dropTenant(db.directory, db.subDomain());
    expect(await findTenant(db.directory, db.subDomain())).toBeNull();
  });

  test('a statement without a schema name fails instead of reading another client’s table', async () => {
    expect(await db.directory.main.query('select count(*)::int as n from public.client')).toEqual([
      { n: expect.any(Number) as unknown },
    ]);
    for (const forgetful of [
      'select 1 from client',
      'select 1 from session',
      'insert into client_step default values',
      'update users set name = null',
      'create table mislaid (id int)',
    ]) {
      await expect(db.directory.main.query(forgetful), forgetful).rejects.toMatchObject({
        code: expect.stringMatching(/^(42P01|42501)$/) as unknown,
      });
      await expect(
        db.directory.main.transaction((tx) => tx.query(forgetful)),
        forgetful,
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(42P01|42501)$/) as unknown });
    }
  });
});
