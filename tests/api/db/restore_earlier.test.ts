import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { applyPlan } from '../../../src/server/db/apply.ts';
import { backupTenant } from '../../../src/server/db/backup.ts';
import { readCatalogue } from '../../../src/server/db/catalogue.ts';
import { planSchema } from '../../../src/server/db/plan.ts';
import { restoreTenant } from '../../../src/server/db/restore.ts';
import { createTenant, ensureTables, migrateTenants } from '../../../src/server/db/tenants.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';
import { isCleanHtml } from '../../../src/server/engine/records/rich_text.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

const schemas = join(import.meta.dirname, '../../../schemas');
let db: TestDatabase;
let schemasDir: string;
let acme: Tenant;
let count = 0;

beforeAll(async () => {
  db = await testDatabase(true);
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-earlier-')), 'schemas');
  mkdirSync(join(schemasDir, 'test'), { recursive: true });
  cpSync(join(schemas, 'types.json'), join(schemasDir, 'types.json'));
  cpSync(join(schemas, 'meta'), join(schemasDir, 'meta'), { recursive: true });
});
afterAll(async () => {
  await db.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

const TEXT = { type: 'string', maxLength: 40 };
const rows = (column: string, more: object = {}) => ({
  type: 'array',
  items: { type: 'object', required: [column], properties: { [column]: { ...TEXT, ...more } } },
});
const THEN = { mark: TEXT, gone: TEXT, parts: rows('no') };
async function screensWith(properties: object, required: string[], more: object = {}) {
  writeFileSync(
    join(schemasDir, 'test/lift_mark.json'),
    JSON.stringify({
      $schema: '../meta/screen.schema.json',
      title: 'Lift mark',
      access: { screen: 'SCN_LIFT_MARK' },
      schema: { required: ['name', ...required], properties: { name: { $ref: 'types#name' }, ...properties } },
      ...more,
    }),
  );
  const { screens, problems } = await loadScreens(schemasDir);
  expect(problems).toEqual([]);
  return screens;
}
const sql = (text: string) => acme.db.owner.query<Record<string, unknown>>(text.replaceAll('{s}', acme.schema));
const archive = () => buffer(backupTenant(db.directory, acme.subDomain, db.dataDir));
const restore = async (from: Buffer, screens: Awaited<ReturnType<typeof screensWith>>) =>
  restoreTenant(db.directory, Readable.from([from]), {
    dataDir: db.dataDir,
    subDomain: acme.subDomain,
    replace: true,
    screens,
    isClean: isCleanHtml,
  });

beforeEach(async () => {
  const screens = await screensWith(THEN, ['mark']);
  await migrateTenants(db.directory, screens);
  acme = await createTenant(db.directory, screens, {
    subDomain: db.subDomain(`e${++count}`),
    name: 'Earlier',
    products: [],
  });
  await ensureTables(acme, screens, ['lift_mark']);
  await sql(
    `insert into {s}.lift_mark (name, mark, gone) values ('Kone', 'a mark', 'was kept'); insert into {s}.lift_mark__parts (parent_id, position, no) values (1, 0, '7')`,
  );
});

describe('an archive of an earlier release', () => {
  test('is restored with current field names and later additions', async () => {
    await sql(
      `insert into {s}.saved_view (record_type, user_id, name, state) values ('lift_mark', 1, 'Mine', '{"sort": ["mark"]}')`,
    );
    // A system table that this release has and that one had not, with what a new schema has in it.
    await sql('drop table {s}.activity_counted; drop table {s}.import_columns');
    const from = await archive();
    const screens = await screensWith(
      {
        label: { ...TEXT, was: 'mark' },
        speed: { $ref: 'types#integer', default: 3 },
        pieces: { ...rows('number', { was: 'no' }), was: 'parts' },
      },
      ['label', 'speed'],
    );
    const restored = await restore(from, screens);
    expect([restored.foreign, restored.rows.lift_mark, restored.rows.lift_mark__parts]).toEqual([false, 1, 1]);
    expect(
      await sql(
        'select l.label, l.speed, p.number from {s}.lift_mark l join {s}.lift_mark__pieces p on p.parent_id = l.id',
      ),
    ).toEqual([{ label: 'a mark', speed: 3, number: '7' }]);
    expect(await sql('select state from {s}.saved_view')).toEqual([{ state: { sort: ['label'] } }]);
    expect(await sql('select until from {s}.activity_counted')).toEqual([{ until: null }]);
    // What is no field any more is kept until somebody drops it on purpose.
    expect(await sql('select gone from {s}.lift_mark')).toEqual([{ gone: 'was kept' }]);
    expect(restored.kept).toEqual([
      'drop column lift_mark.gone: not done, the field is no longer in the descriptor, its values would be lost (1 row, such as Kone). On purpose: npm run schema:plan -- --apply-destructive lift_mark.gone',
    ]);
    await expect(sql(`insert into {s}.lift_mark (name) values ('No label')`)).rejects.toMatchObject({ code: '23502' });
    const { refused } = (await migrateTenants(db.directory, screens, { only: new Set([acme.subDomain]) }))[0]!;
    expect(refused.map(({ change }) => change.what)).toEqual(['drop column lift_mark.gone']);
  });

  test('drops a column without a field from an empty table', async () => {
    await sql('delete from {s}.lift_mark__parts; delete from {s}.lift_mark');
    const restored = await restore(await archive(), await screensWith({ mark: TEXT }, ['mark']));
    expect(restored.rows.lift_mark).toBe(0);
    expect(
      await sql(
        `select attname from pg_attribute where attrelid = '{s}.lift_mark'::regclass and attname in ('mark', 'gone')`,
      ),
    ).toEqual([{ attname: 'mark' }]);
    // The next record has the number that it would have had.
    expect(await sql(`insert into {s}.lift_mark (name, mark) values ('Otis', 'x') returning id`)).toEqual([{ id: 2 }]);
  });

  test.each([
    [
      'shorter texts',
      { ...THEN, mark: { ...TEXT, maxLength: 3 } },
      {},
      'change the limits of Mark: not done, rows hold values that the field no longer takes (1 row, such as Kone: a mark).',
    ],
    [
      'another kind of value',
      { ...THEN, mark: { $ref: 'types#integer' } },
      {},
      'change the type of Mark: not done, not every value of Mark fits its new type (1 row, such as Kone: a mark).',
    ],
    [
      'one of a list',
      { ...THEN, mark: { enum: ['new', 'old'] } },
      {},
      'rows hold values of Mark that are no longer allowed (1 row, such as Kone: a mark).',
    ],
    ['each only once', THEN, { unique: [['mark']] }, 'allow each Mark only once: not done'],
  ])(
    'whose rows do not fit %s is refused with a message, and nothing of it is restored',
    async (_what, fields, more, words) => {
      if ('unique' in more) await sql(`insert into {s}.lift_mark (name, mark) values ('Otis', 'a mark')`);
      const from = await archive();
      const screens = await screensWith(fields, ['mark'], more);
      await sql(`update {s}.lift_mark set mark = 'now' where name = 'Kone'`);
      const error = await restore(from, screens).then(
        () => null,
        (caught: Error) => caught.message,
      );
      expect(error).toMatch(words);
      expect(error).toContain(
        'Fields have changed since this backup was made, and its rows do not fit them. Nothing was restored.',
      );
      // The client to be replaced is as it was.
      expect(await sql(`select mark from {s}.lift_mark where name = 'Kone'`)).toEqual([{ mark: 'now' }]);
    },
  );

  test.each([
    ['shorter texts', { ...TEXT, maxLength: 3 }],
    ['one of a list', { enum: ['new', 'old'] }],
  ])('is restored with explicitly accepted rows unchanged: %s', async (_what, mark) => {
    const screens = await screensWith({ ...THEN, mark }, ['mark']);
    const plan = planSchema(screens, acme.schema, await readCatalogue(acme.db.owner, acme.schema));
    const options = { allowDestructive: new Set(['lift_mark.mark']) };
    expect((await applyPlan(acme.db.owner, acme.schema, plan, options)).refused).toEqual([]);
    await migrateTenants(db.directory, screens);
    await restore(await archive(), screens);
    expect(await sql('select mark from {s}.lift_mark')).toEqual([{ mark: 'a mark' }]);
    // Nothing of it is told again when the type changes next.
    const next = await screensWith({ ...THEN, mark, more: TEXT }, ['mark']);
    const migrated = await migrateTenants(db.directory, next, { only: new Set([acme.subDomain]) });
    expect(migrated.flatMap(({ refused }) => refused)).toEqual([]);
  });
});

test('of a newer release is refused', async () => {
  const [head = '', ...lines] = (await archive()).toString().split('\n');
  const newer = [JSON.stringify({ ...(JSON.parse(head) as object), step: 1_000 }), ...lines].join('\n');
  const { screens } = await loadScreens(schemasDir);
  await expect(restore(Buffer.from(newer), screens)).rejects.toThrow('This backup was made by a newer release');
});
