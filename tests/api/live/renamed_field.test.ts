import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../../src/server/access/context.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { renameEverywhere } from '../../../src/server/db/named_fields.ts';
import { createTenant, ensureTables } from '../../../src/server/db/tenants.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';
import { putInForce, readInForce } from '../../../src/server/engine/descriptors/in_force.ts';
import { rememberedColumns } from '../../../src/server/engine/excel/remembered_columns.ts';
import { savedViews } from '../../../src/server/engine/records/views.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

const schemas = join(import.meta.dirname, '../../../schemas');
let db: TestDatabase;
let schemasDir: string;
let acme: Tenant;
let count = 0;

beforeAll(async () => {
  db = await testDatabase(true);
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-renamed-')), 'schemas');
  mkdirSync(join(schemasDir, 'test'), { recursive: true });
  cpSync(join(schemas, 'types.json'), join(schemasDir, 'types.json'));
  cpSync(join(schemas, 'meta'), join(schemasDir, 'meta'), { recursive: true });
});
afterAll(async () => {
  await db.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

const write = (name: string, descriptor: object) =>
  writeFileSync(
    join(schemasDir, 'test', `${name}.json`),
    JSON.stringify({ $schema: '../meta/screen.schema.json', access: { screen: 'SCN_LIFT_MARK' }, ...descriptor }),
  );
const TEXT = { type: 'string', maxLength: 40 };
/** A list whose second field has this name, and the settings that clients make of its fields. */
function describeLifts(mark: string, settable: string[], was?: string): void {
  write('lift_mark', {
    title: 'Lift mark',
    schema: {
      required: ['name'],
      properties: {
        name: { $ref: 'types#name' },
        [mark]: { ...TEXT, ...(was !== undefined && { was }) },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { [`${mark}_no`]: { ...TEXT, ...(was !== undefined && { was: `${was}_no` }) } },
          },
        },
      },
    },
  });
  write('lift_mark_setting', {
    title: 'Lift mark setting',
    schema: {
      required: ['field', 'shown'],
      properties: {
        of: { enum: ['lift_mark', 'lift_mark.parts'] },
        field: { enum: [...settable, ...(settable.includes(mark) ? [`${mark}_no`] : [])] },
        shown: { $ref: 'types#boolean', default: true },
      },
    },
    label: ['field'],
    unique: [['of', 'field']],
    overlay: ['lift_mark', 'lift_mark.parts'],
  });
}
/** As a starting server does it. */
async function start() {
  const { screens, problems } = await putInForce({
    directory: db.directory,
    schemasDir,
    loaded: await loadScreens(schemasDir),
    before: await readInForce(db.directory.main),
    log: () => undefined,
  });
  return { screens, problems, fields: screens.get('lift_mark')!.fields.map(({ name }) => name) };
}
const sql = (text: string, values: unknown[] = []) =>
  acme.db.owner.query<Record<string, unknown>>(text.replaceAll('{s}', acme.schema), values);
const VIEW = {
  filter: ['and', ['mark', 'in', ['mark', 'x']], ['or', ['name', 'eq', 'mark'], ['mark', 'empty']]],
  sort: ['-mark', 'name'],
  columns: [{ field: 'mark', width: 90 }, { field: 'name' }],
  q: 'mark',
};
/** Rows of these tables need only what a test is about, and may be of its types. */
async function withoutRequired(tables: string[]): Promise<void> {
  for (const table of tables) {
    for (const { column } of await sql(
      `select column_name as column from information_schema.columns where table_schema = $1 and table_name = $2 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
      [acme.schema, table],
    ))
      await sql(`alter table {s}.${table} alter column "${String(column)}" drop not null`);
    for (const { name } of await sql(
      `select conname as name from pg_constraint where conrelid = '{s}.${table}'::regclass and contype = 'c'`,
    ))
      await sql(`alter table {s}.${table} drop constraint "${String(name)}"`);
  }
}
const settings = () => sql('select field, shown from {s}.lift_mark_setting where "of" is null');
const settingsOfParts = () => sql(`select field from {s}.lift_mark_setting where "of" = 'lift_mark.parts'`);

beforeEach(async () => {
  describeLifts('mark', ['mark']);
  await db.directory.main.query('delete from public.screen_in_force');
  const { screens } = await start();
  acme = await createTenant(db.directory, screens, {
    subDomain: db.subDomain(`n${++count}`),
    name: 'Renamed',
    products: [],
  });
  await ensureTables(acme, screens, ['lift_mark', 'lift_mark_setting']);
  await sql(`insert into {s}.lift_mark (name, mark) values ('Kone', 'a mark')`);
  await sql(`insert into {s}.lift_mark_setting (field, shown) values ('mark', false)`);
  await sql(`insert into {s}.lift_mark_setting ("of", field, shown) values ('lift_mark.parts', 'mark_no', false)`);
  await sql(
    `insert into {s}.saved_view (record_type, user_id, name, state) values ('lift_mark', 1, 'Mine', $1), ('other', 1, 'Other', $1)`,
    [JSON.stringify(VIEW)],
  );
  await sql(`insert into {s}.import_columns (record_type, user_id, columns) values ('lift_mark', 1, $1)`, [
    JSON.stringify([
      { heading: 'mark', field: 'mark' },
      { heading: 'Part', field: 'parts.mark_no' },
      { heading: 'Left out', field: null },
    ]),
  ]);
  await sql(
    `insert into {s}.setting_override (record_type, entity_id, values) values ('lift_mark', 1, '{"mark": "own", "name": "x"}')`,
  );
  await sql(
    `insert into {s}.field_right (role_id, record_type, field, access) values (1, 'lift_mark', 'mark', 'hidden')`,
  );
  await sql(
    `insert into {s}.file (name, size, type, sha256, path, for_field) values ('a', 1, 'image/png', 'a', 'a', 'lift_mark.mark'), ('b', 1, 'image/png', 'b', 'b', 'lift_mark.parts.mark_no')`,
  );
});

test('a renamed field keeps the client’s settings and people’s saved choices', async () => {
  describeLifts('label', ['label'], 'mark');
  const { fields, problems } = await start();
  expect([fields, problems]).toEqual([['name', 'label', 'parts'], []]);
  expect(await sql('select label from {s}.lift_mark')).toEqual([{ label: 'a mark' }]);
  expect(await settings()).toEqual([{ field: 'label', shown: false }]);
  expect(await settingsOfParts()).toEqual([{ field: 'label_no' }]);
  // What may be set is checked by the database as before.
  await expect(sql(`insert into {s}.lift_mark_setting (field, shown) values ('mark', true)`)).rejects.toMatchObject({
    code: '23514',
  });
  const session = { tenant: acme, userId: 1 } as Session;
  const state = async (type: string) => (await savedViews(session, { name: type } as never))[0]!.state;
  expect(await state('lift_mark')).toEqual({
    filter: ['and', ['label', 'in', ['mark', 'x']], ['or', ['name', 'eq', 'mark'], ['label', 'empty']]],
    sort: ['-label', 'name'],
    columns: [{ field: 'label', width: 90 }, { field: 'name' }],
    q: 'mark',
  });
  expect(await state('other')).toEqual(VIEW);
  expect(await rememberedColumns(acme.db, session, 'lift_mark')).toEqual([
    { heading: 'mark', field: 'label' },
    { heading: 'Part', field: 'parts.label_no' },
    { heading: 'Left out', field: null },
  ]);
  expect(await sql('select values from {s}.setting_override')).toEqual([{ values: { label: 'own', name: 'x' } }]);
  expect(await sql('select field from {s}.field_right')).toEqual([{ field: 'label' }]);
  expect(await sql('select for_field from {s}.file order by id')).toEqual([
    { for_field: 'lift_mark.label' },
    { for_field: 'lift_mark.parts.label_no' },
  ]);
  expect((await start()).problems).toEqual([]);

  // Taken back, all of it is under the old name again.
  describeLifts('mark', ['mark']);
  expect((await start()).problems).toEqual([]);
  expect(await settings()).toEqual([{ field: 'mark', shown: false }]);
  expect(await settingsOfParts()).toEqual([{ field: 'mark_no' }]);
  expect(await state('lift_mark')).toEqual(VIEW);
});

test('settings that do not offer the new name block it, with a message, until they do', async () => {
  describeLifts('label', ['name'], 'mark');
  for (const _start of [1, 2]) {
    const { fields, problems } = await start();
    expect(fields).toEqual(['name', 'mark', 'parts']);
    expect(problems.map(({ message }) => message).join('\n')).toContain(
      'Rename lift_mark.mark to label: not done, Lift mark settings of a client name it, and schemas/test/lift_mark_setting.json offers no "label" (1 row).',
    );
    expect(await sql('select mark from {s}.lift_mark')).toEqual([{ mark: 'a mark' }]);
    expect(await settings()).toEqual([{ field: 'mark', shown: false }]);
  }
  describeLifts('label', ['label', 'name'], 'mark');
  expect((await start()).problems).toEqual([]);
  expect(await settings()).toEqual([{ field: 'label', shown: false }]);
});

test('messages of rules, quick links, approvals and numbers that name the field follow it', async () => {
  const { screens } = await loadScreens(schemas);
  const kept = ['esclation', 'quick_link', 'approval_process', 'approval_request', 'number_series'];
  await ensureTables(acme, screens, kept);
  await withoutRequired([...kept, 'approval_process__levels']);
  const due = { event: 'due', title: 'Due', people: {} };
  const marks = {
    ...screens.get('branch')!,
    name: 'lift_mark',
    due: [
      { ...due, module: 'lift', date: 'due_on' },
      { ...due, event: 'ending', module: 'lift', date: 'parts.ends_on' },
    ],
    routes: { landing: '/lift_mark', add: null, edit: null, view: null },
  };
  const visits = {
    ...marks,
    name: 'visit',
    fields: [{ ...marks.fields[0]!, name: 'lift_id', ref: { type: 'lift_mark' } }],
  };
  const filter = encodeURIComponent('["and",["mark","eq","mark"],["name","in",["mark"]]]');
  await sql(
    `insert into {s}.esclation (code, module, event, subject, body) values
     ('1', 'lift', 'due', '{{mark}} is due', 'mark {{ mark }} of {{name}}'), ('2', 'lift', 'ending', '{{mark}}', '{{mark_no}}'), ('3', 'case', 'due', '{{mark}}', '')`,
  );
  await sql(`insert into {s}.quick_link (title, url) values ('1', $1), ('2', $2), ('3', '/lift_mark/add?mark=1')`, [
    `/lift_mark?filter=${filter}&sort=-mark,name`,
    `/visit?sort=mark`,
  ]);
  await sql(
    `with p as (insert into {s}.approval_process (name, transaction_type, condition) values ('1', 'lift_mark', $1), ('2', 'visit', $2) returning id, name)
     insert into {s}.approval_process__levels (parent_id, position, may_change) select id, 0, '{name,mark}' from p`,
    [`mark == 'mark' and sum(parts.mark_no) > mark(1)`, `lift_id.mark == "mark" and mark > 1`],
  );
  await sql(`insert into {s}.approval_request (transaction_type, may_change) values ('lift_mark', '{mark}')`);
  await sql(
    `insert into {s}.number_series (record_type, pattern) values ('lift_mark', 'L{mark}/{fy}/{0000}'), ('visit', 'V{lift_id.mark}{mark}/{0000}')`,
  );
  const all = new Map([marks, visits].map((screen) => [screen.name, screen]));
  await renameEverywhere(acme.db.owner, acme.schema, marks, all, 'mark', 'label');
  await renameEverywhere(acme.db.owner, acme.schema, marks, all, 'parts.mark_no', 'parts.label_no');
  expect(await sql('select subject, body from {s}.esclation order by code')).toEqual([
    { subject: '{{label}} is due', body: 'mark {{ label }} of {{name}}' },
    { subject: '{{label}}', body: '{{label_no}}' },
    { subject: '{{mark}}', body: '' },
  ]);
  const [list, ...others] = (await sql('select url from {s}.quick_link order by title')).map(({ url }) => String(url));
  const query = new URL(list!, 'https://acme.in').searchParams;
  expect([query.get('filter'), query.get('sort')]).toEqual([
    '["and",["label","eq","mark"],["name","in",["mark"]]]',
    '-label,name',
  ]);
  expect(others).toEqual(['/visit?sort=mark', '/lift_mark/add?mark=1']);
  expect(await sql('select condition from {s}.approval_process order by name')).toEqual([
    { condition: `label == 'mark' and sum(parts.label_no) > mark(1)` },
    { condition: `lift_id.label == "mark" and mark > 1` },
  ]);
  expect(
    await sql(
      'select may_change from {s}.approval_process__levels union all select may_change from {s}.approval_request order by 1',
    ),
  ).toEqual([{ may_change: ['label'] }, { may_change: ['name', 'label'] }, { may_change: ['name', 'mark'] }]);
  expect(await sql('select pattern from {s}.number_series order by record_type')).toEqual([
    { pattern: 'L{label}/{fy}/{0000}' },
    { pattern: 'V{lift_id.label}{mark}/{0000}' },
  ]);
});

test('outside import jobs and webhooks continue under the new name', async () => {
  const { screens } = await loadScreens(schemas);
  await ensureTables(acme, screens, ['sync_job', 'api_config']);
  const marks = { ...screens.get('branch')!, name: 'lift_mark' };
  await withoutRequired(['sync_job', 'sync_job__mapping', 'api_config']);
  for (const type of ['lift_mark', 'other']) {
    await sql(
      `with j as (insert into {s}.sync_job (code, target, target_type, natural_key) values ($1, 'list', $1, '{name,mark}') returning id)
       insert into {s}.sync_job__mapping (parent_id, position, source_column, target_field) select id, 0, 'MARK', 'mark' from j`,
      [type],
    );
    await sql(`insert into {s}.api_config (name, fields, events) values ($1, '{mark}', array[$1 || '.created'])`, [
      type,
    ]);
  }
  await renameEverywhere(acme.db.owner, acme.schema, marks, new Map(), 'mark', 'label');
  expect(
    await sql(
      'select j.code, j.natural_key as key, m.target_field as field, c.fields from {s}.sync_job j join {s}.sync_job__mapping m on m.parent_id = j.id join {s}.api_config c on c.name = j.code order by 1',
    ),
  ).toEqual([
    { code: 'lift_mark', key: ['name', 'label'], field: 'label', fields: ['mark', 'label'] },
    { code: 'other', key: ['name', 'mark'], field: 'mark', fields: ['mark'] },
  ]);
});
