import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { tableName } from '../../../src/server/db/tables.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import { demoDate, readDemoFiles, writeDemoFiles } from '../../../src/server/platform/demo/demo_rows.ts';
import type { TestDatabase } from '../postgres.ts';
import { demoDatabase } from '../postgres.ts';
import { productScreens } from '../world.ts';

const TODAY = '2026-11-21';
const FILES = join(import.meta.dirname, '../../../demo');

describe('day expressions', () => {
  it.each([
    ['today', '2026-11-21'],
    ['today-30d', '2026-10-22'],
    ['today+2m', '2027-01-21'],
    ['today-1y', '2025-11-21'],
    ['fy-start', '2026-04-01'],
    ['today-25d@month-1m', '2026-09-01'],
    ['today@month-1d', '2026-10-31'],
    ['fy-end-1y', '2026-03-31'],
    ['today-3d 10:30', '2026-11-18T10:30:00+05:30'],
    ['2025-01-02', '2025-01-02'],
    ['month', '2026-11'],
    ['month-2', '2026-09'],
    ['month-11', '2025-12'],
  ])('%s is %s', (text, day) => expect(demoDate(text, TODAY, 4)).toBe(day));

  it.each([
    ['fy-start', '2026-01-01'],
    ['fy-end', '2026-12-31'],
  ])('%s of a company whose year starts in January is %s', (text, day) => expect(demoDate(text, TODAY, 1)).toBe(day));
});

describe('rows of the demo company', () => {
  let database: TestDatabase;
  let screens: ReadonlyMap<string, Screen>;
  let tenant: Tenant;
  let dir: string;

  const put = (path: string, rows: unknown) => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), JSON.stringify(rows));
  };
  const write = () => tenant.db.transaction((tx) => writeDemoFiles(tx, tenant, screens, readDemoFiles(dir), TODAY));

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mainstay-demo-'));
    const loaded = await productScreens();
    ({ screens } = loaded);
    database = await demoDatabase(loaded);
    tenant = (await findTenant(database.directory, 'demo'))!;
  });
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true });
    await database.close();
  });

  it('each file has its list, and all its rows are present', async () => {
    for (const { type, file, rows, companies } of readDemoFiles(FILES)) {
      const screen = screens.get(type);
      expect(screen, file).toBeDefined();
      if (screen?.scope === 'platform') continue;
      const [found] = await tenant.db.query<{ n: number }>(
        `select count(*)::int as n from ${tableName(tenant.schema, type)}`,
      );
      expect(found?.n, file).toBeGreaterThanOrEqual(
        rows.length * (screen?.scope === 'entity' ? (companies?.length ?? 3) : 1),
      );
    }
  });

  it('finds references by code or name in their company, in any order of files', async () => {
    put('a/department.json', {
      companies: ['ALP'],
      rows: [{ code: 'DEMO1', name: 'Demo workshop', parent_department_id: 'MGT', head_id: null }],
    });
    put('b/subdepartment.json', {
      companies: ['ALP'],
      rows: [{ code: 'DEMO2', name: 'Demo bench', department_id: 'Demo workshop' }],
    });
    expect(await write()).toBe(2);
    const rows = await tenant.db.query(
      `select s.code, d.code as department, d.entity_id from ${tableName(tenant.schema, 'subdepartment')} s join ${tableName(tenant.schema, 'department')} d on d.id = s.department_id where s.code = 'DEMO2'`,
    );
    expect(rows).toEqual([{ code: 'DEMO2', department: 'DEMO1', entity_id: 1 }]);
    expect(
      await tenant.db.query(
        `select op, what from ${tenant.schema}.history where record_type = 'subdepartment' and record_id = (select id from ${tableName(tenant.schema, 'subdepartment')} where code = 'DEMO2')`,
      ),
    ).toEqual([{ op: 'I', what: 'demo' }]);
    rmSync(dir, { recursive: true });
  });

  it('writes fields that people cannot change: states, times and results', async () => {
    put('a/mail_config_setting.json', [
      {
        name: 'Demo account',
        purpose: 'default',
        host: 'smtp.acme.test',
        port: 587,
        security: 'tls',
        from_name: 'Demo',
        from_email: 'demo@acme.test',
        last_test_at: 'today-1d 10:30',
        last_test_result: 'ok',
      },
    ]);
    await write();
    expect(
      await tenant.db.query(
        `select last_test_at, last_test_result from ${tableName(tenant.schema, 'mail_config_setting')} where name = 'Demo account'`,
      ),
    ).toEqual([{ last_test_at: '2026-11-20T05:00:00Z', last_test_result: 'ok' }]);
    rmSync(dir, { recursive: true });
  });

  it('reports an invalid row, and then writes nothing', async () => {
    put('a/zone.json', [
      { code: 'DZ1', name: 'Demo zone', country: 'IN' },
      { code: 'DZ2', name: 'Demo zone 2', country: 'Atlantis' },
    ]);
    await expect(write()).rejects.toThrow('demo/a/zone.json, row 2: there is no country "Atlantis" for country.');
    put('a/zone.json', [{ code: 'DZ1', country: 'IN' }]);
    await expect(write()).rejects.toThrow(/demo\/a\/zone\.json, row 1: name: /);
    expect(await tenant.db.query(`select 1 from ${tableName(tenant.schema, 'zone')} where code = 'DZ1'`)).toEqual([]);
  });
});
