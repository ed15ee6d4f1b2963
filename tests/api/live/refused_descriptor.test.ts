import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../../src/server/access/context.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { applyPlan } from '../../../src/server/db/apply.ts';
import { readCatalogue } from '../../../src/server/db/catalogue.ts';
import { planSchema } from '../../../src/server/db/plan.ts';
import { allTenants, createTenant, ensureTables } from '../../../src/server/db/tenants.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';
import { problemsFor, putInForce, readInForce } from '../../../src/server/engine/descriptors/in_force.ts';
import { recordHistory } from '../../../src/server/engine/records/history.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

const root = join(import.meta.dirname, '../../..');
let db: TestDatabase;
let schemasDir: string;
let acme: Tenant;
let zenith: Tenant;

beforeAll(async () => {
  db = await testDatabase(true);
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-refused-')), 'schemas');
  mkdirSync(join(schemasDir, 'test'), { recursive: true });
  cpSync(join(root, 'schemas/types.json'), join(schemasDir, 'types.json'));
  cpSync(join(root, 'schemas/meta'), join(schemasDir, 'meta'), { recursive: true });
});
afterAll(async () => {
  await db.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

const made = { type: 'string', title: 'Mark', maxLength: 40 };
function write(mark: object, name = 'mark'): void {
  writeFileSync(
    join(schemasDir, 'test/lift_mark.json'),
    JSON.stringify({
      $schema: '../meta/screen.schema.json',
      title: 'Lift mark',
      access: { screen: 'SCN_LIFT_MARK' },
      schema: { required: ['name'], properties: { name: { $ref: 'types#name' }, [name]: mark } },
      unique: [['name']],
    }),
  );
}
/** As a starting server does it. */
async function start() {
  const said: string[] = [];
  const { screens, problems } = await putInForce({
    directory: db.directory,
    schemasDir,
    loaded: await loadScreens(schemasDir),
    before: await readInForce(db.directory.main),
    log: (text) => said.push(text),
  });
  const type = screens.get('lift_mark')!;
  return { problems, said, type, field: type.fields[1]! };
}
const sql = (tenant: Tenant, text: string) =>
  tenant.db.owner.query<Record<string, unknown>>(text.replaceAll('{s}', tenant.schema));

beforeEach(async () => {
  write(made);
  await db.directory.main.query('delete from public.screen_in_force');
  await start();
  const { screens } = await loadScreens(schemasDir);
  const client = () =>
    createTenant(db.directory, screens, {
      subDomain: `r${randomBytes(4).toString('hex')}`,
      name: 'Refused',
      products: [],
    });
  [acme, zenith] = [await client(), await client()];
  await sql(acme, `insert into {s}.lift_mark (name, mark) values ('Kone', 'written long ago')`);
  await sql(zenith, `insert into {s}.lift_mark (name, mark) values ('Otis', 'abc')`);
});

test('a change that one client’s rows do not allow stays unapplied for all, at every start', async () => {
  write({ ...made, maxLength: 5 });
  for (const _start of [1, 2]) {
    const { field, problems } = await start();
    expect(field.schema.maxLength).toBe(40);
    expect(problems).toMatchObject([
      {
        file: join(schemasDir, 'test/lift_mark.json'),
        path: '$.schema.properties.mark',
        client: acme.subDomain,
        message:
          'Change the limits of Mark: not done, rows hold values that the field no longer takes (1 row, such as Kone: written long ago).',
        hint: 'On purpose: npm run schema:plan -- --apply-destructive lift_mark.mark',
      },
    ]);
    // Another client learns nothing of these rows.
    expect(JSON.stringify(problemsFor(problems, zenith.subDomain))).not.toMatch(/Kone|written/);
    expect(JSON.stringify(problemsFor(problems, zenith.subDomain))).not.toContain(acme.subDomain);
  }
  await sql(acme, `update {s}.lift_mark set mark = 'short'`);
  const settled = await start();
  expect([settled.field.schema.maxLength, settled.problems]).toEqual([5, []]);
});

test('a rename that one client cannot follow is applied to none, and values are never hidden', async () => {
  write({ ...made, maxLength: 5, was: 'mark' }, 'label');
  const { field, problems } = await start();
  expect([field.name, problems.length]).toEqual(['mark', 1]);
  expect(await sql(acme, 'select mark from {s}.lift_mark')).toEqual([{ mark: 'written long ago' }]);
  expect(await sql(zenith, 'select mark from {s}.lift_mark')).toEqual([{ mark: 'abc' }]);
  write({ ...made, was: 'mark' }, 'label');
  const renamed = await start();
  expect([renamed.field.name, renamed.problems]).toEqual(['label', []]);
  expect(renamed.said).toContain(`${acme.subDomain}: rename lift_mark.mark to label`);
  expect(await sql(acme, 'select label from {s}.lift_mark')).toEqual([{ label: 'written long ago' }]);
  // History of the old name is read under the new one.
  await sql(
    acme,
    `insert into {s}.history (record_type, record_id, version, op, change) values ('lift_mark', 1, 1, 'U', '{"mark": ["old", "new"]}')`,
  );
  await ensureTables(acme, new Map((await loadScreens(join(root, 'schemas'))).screens), ['users']);
  const history = await recordHistory({ tenant: acme } as Session, renamed.type, 1, 1);
  expect(history.data).toMatchObject([{ change: { label: ['old', 'new'] } }]);
});

test('a file with an error keeps the last accepted version after a restart', async () => {
  writeFileSync(join(schemasDir, 'test/lift_mark.json'), '{ "title": ');
  const { field, problems } = await start();
  expect([field.name, problems.length]).toEqual(['mark', 1]);
});

test('schema:plan names its database, shows renames and refusals, and accepts explicitly', async () => {
  const command = (...words: string[]) => {
    const env = { ...process.env, DATABASE_URL: db.databaseUrl, DATA_DIR: db.dataDir, SCHEMAS_DIR: schemasDir };
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/schema_plan.ts'), ...words], {
      cwd: root,
      encoding: 'utf8',
      env,
      timeout: 60_000,
    });
    return stdout + stderr;
  };
  write({ ...made, maxLength: 5, was: 'mark' }, 'label');
  const planned = command('--tenant', acme.subDomain);
  expect(planned).toContain(`the database ${new URL(db.databaseUrl).pathname.slice(1)} at `);
  expect(planned).toContain('rename lift_mark.mark to label');
  expect(planned).toContain(
    'change the limits of Mark: not done, rows hold values that the field no longer takes (1 row, such as Kone: written long ago). On purpose: npm run schema:plan -- --apply-destructive lift_mark.label',
  );
  expect(command('--apply-destructive', 'lift_mark.label')).toContain('applied 2, not done 0');
  const accepted = await start();
  expect([accepted.field.name, accepted.field.schema.maxLength, accepted.problems]).toEqual(['label', 5, []]);
  expect(command('--apply-destructive', 'lift_mark.nothing')).toContain(
    '--apply-destructive lift_mark.nothing did nothing',
  );
});

test('a list of values that rows do not fit is explicitly accepted once, and applies to rows from then on', async () => {
  write({ enum: ['abc', 'x'], title: 'Mark' });
  expect((await start()).field.type).toBe('text');
  const { screens } = await loadScreens(schemasDir);
  for (const { db: database, schema } of await allTenants(db.directory))
    await applyPlan(database.owner, schema, planSchema(screens, schema, await readCatalogue(database.owner, schema)), {
      allowDestructive: new Set(['lift_mark.mark']),
    });
  for (const _start of [1, 2]) {
    const { field, problems } = await start();
    expect([field.type, problems]).toEqual(['enum', []]);
  }
  expect(await sql(acme, 'select mark from {s}.lift_mark')).toEqual([{ mark: 'written long ago' }]);
  await expect(sql(acme, `insert into {s}.lift_mark (name, mark) values ('Zen', 'other')`)).rejects.toMatchObject({
    code: '23514',
  });
});

test('schema:plan does not create a database', () => {
  const dataDir = join(db.dataDir, 'nowhere');
  const { stderr, status } = spawnSync(process.execPath, [join(root, 'scripts/schema_plan.ts')], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, SCHEMAS_DIR: schemasDir },
    timeout: 60_000,
  });
  expect([status, stderr.trim()]).toEqual([
    1,
    `There is no database in ${dataDir}. Give the DATA_DIR or the DATABASE_URL that the server was started with.`,
  ]);
});
