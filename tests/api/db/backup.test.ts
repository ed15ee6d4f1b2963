import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { backupTenant } from '../../../src/server/db/backup.ts';
import { createDatabase } from '../../../src/server/db/open.ts';
import { readCatalogue } from '../../../src/server/db/catalogue.ts';
import { planSchema } from '../../../src/server/db/plan.ts';
import { restoreTenant } from '../../../src/server/db/restore.ts';
import { createTenant, dropTenant, ensureTables, findTenant } from '../../../src/server/db/tenants.ts';
import { isCleanHtml } from '../../../src/server/engine/records/rich_text.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';
import { codeAndName, field, screen, screenMap } from './screens.ts';

let db: TestDatabase;
let second: string;
beforeAll(async () => {
  db = await testDatabase(true);
  second = `${db.subDomain()}_db`;
  await createDatabase(db.databaseUrl, second);
  const url = new URL(db.databaseUrl);
  url.pathname = `/${second}`;
  await db.directory.main.query('insert into public.tenant_database values ($1, $2)', [second, url.href]);
});
afterAll(async () => {
  // The other pool is the directory's to close; its database goes first, by force.
  await db.directory.main.query(`drop database ${second} with (force)`);
  await db.close();
});

const screens = screenMap(
  screen(
    'make',
    [
      ...codeAndName(),
      field('amount', 'money'),
      field('tags', 'tags'),
      field('place', 'geo'),
      field('at', 'datetime'),
      field('others', 'refs', { ref: { type: 'make' } }),
      field('kind', 'enum', { options: [{ value: 'a', label: 'A' }] }),
      field('lines', 'rows', { rows: [field('text', 'text')] }),
    ],
    { scope: 'entity' },
  ),
  screen(
    'lift',
    [...codeAndName(), field('make_id', 'ref', { ref: { type: 'make' } }), field('from', 'date'), field('to', 'date')],
    { scope: 'entity', ranges: [{ word: 'valid', from: 'from', to: 'to', key: ['code'], step: '1' }] },
  ),
);

const data = { screens, isClean: isCleanHtml };

async function contents(tenant: Tenant): Promise<Record<string, string>> {
  const catalogue = await readCatalogue(tenant.db, tenant.schema);
  const result: Record<string, string> = {};
  for (const table of [...catalogue.tables.keys()].sort()) {
    // What the tables were accepted as is the restore's own to say.
    if (table === 'schema_state') continue;
    const rows = await tenant.db.query<{ row: string }>(
      `select t::text as row from "${tenant.schema}"."${table}" t order by 1`,
    );
    result[table] = `${rows.length} ${createHash('sha256')
      .update(rows.map(({ row }) => row).join('\n'))
      .digest('hex')}`;
  }
  return result;
}

describe('several databases', () => {
  test('a tenant lives in the database that the directory names', async () => {
    const sub = db.subDomain('o');
    const tenant = await createTenant(db.directory, screens, {
      subDomain: sub,
      name: 'Other',
      products: [],
      database: second,
    });
    expect(tenant.db.name).toBe(second);
    expect(await tenant.db.query('select current_database() as name')).toEqual([{ name: second }]);
    await tenant.db.query(`insert into ${tenant.schema}.make (entity_id, code, name) values (1, 'M', 'M')`);
    expect(await db.directory.main.query(`select 1 from pg_namespace where nspname = $1`, [tenant.schema])).toEqual([]);
    expect((await findTenant(db.directory, sub))?.db).toBe(tenant.db);
    await expect(
      createTenant(db.directory, screens, { subDomain: sub, name: 'Again', products: [], database: second }),
    ).rejects.toMatchObject({ status: 409 });
    await dropTenant(db.directory, sub);
    await expect(db.directory.get('nowhere')).rejects.toThrow('no database "nowhere"');
  });
});

describe('backup and restore', () => {
  test('bring a tenant back as it was, under its own and another name, in this and another database', async () => {
    const sub = db.subDomain('b');
    const tenant = await createTenant(db.directory, screens, {
      subDomain: sub,
      name: 'Acme “Lifts”',
      products: ['FMS'],
    });
    const s = tenant.schema;
    await tenant.db.query(`insert into ${s}.make (entity_id, code, name, amount, tags, place, at, others, kind, custom)
      select 1 + i % 3, 'M' || i, E'Ünï\\n"quoted"\\\\ ' || i, i * 0.07, array['a,b', 'c"d', null], '{"lat": 13.08}', now(), array[i, i + 1], 'a', '{"x": [1, null]}' from generate_series(1, 5000) i`);
    await tenant.db.query(
      `insert into ${s}.make__lines (parent_id, position, text) select id, 1, repeat('x', 50) from ${s}.make where id < 100`,
    );
    await tenant.db.query(
      `insert into ${s}.lift (entity_id, code, name, make_id, "from") select entity_id, code, name, id, '2025-01-01' from ${s}.make where id < 300`,
    );
    const picture = join(db.dataDir, 'files', s, 'ab', 'abcdef');
    mkdirSync(join(picture, '..'), { recursive: true });
    writeFileSync(picture, Buffer.alloc(1_300_000, 'picture'));
    const before = await contents(tenant);
    const archive = await buffer(backupTenant(db.directory, sub, db.dataDir).pipe(createGzip()));
    const unpacked = (): Readable => Readable.from([archive]).pipe(createGunzip());

    await expect(restoreTenant(db.directory, unpacked(), { dataDir: db.dataDir, ...data })).rejects.toThrow('is taken');
    const copy = await restoreTenant(db.directory, unpacked(), {
      subDomain: db.subDomain('c'),
      database: second,
      dataDir: db.dataDir,
      ...data,
    });
    expect(await contents(copy.tenant)).toEqual(before);
    expect(copy.rows.make).toBe(5000);
    expect(
      readFileSync(join(db.dataDir, 'files', copy.tenant.schema, 'ab', 'abcdef')).equals(readFileSync(picture)),
    ).toBe(true);
    // The copy is a whole tenant: nothing to alter, identities go on, keys hold.
    expect(planSchema(screens, copy.tenant.schema, await readCatalogue(copy.tenant.db, copy.tenant.schema))).toEqual(
      [],
    );
    expect(await ensureTables(copy.tenant, screens, ['lift'])).toEqual([]);
    expect(
      await copy.tenant.db.query(
        `insert into ${copy.tenant.schema}.make (entity_id, code, name) values (1, 'new', 'new') returning id`,
      ),
    ).toEqual([{ id: 5001 }]);
    await expect(
      copy.tenant.db.query(
        `insert into ${copy.tenant.schema}.lift (entity_id, code, name, make_id) values (9, 'x', 'x', 1)`,
      ),
    ).rejects.toMatchObject({ code: '23503' });
    expect(copy.tenant).toMatchObject({ name: 'Acme “Lifts”', products: ['FMS'] });

    await tenant.db.query(`delete from ${s}.lift`);
    const again = await restoreTenant(db.directory, unpacked(), { replace: true, dataDir: db.dataDir, ...data });
    expect(await contents(again.tenant)).toEqual(before);
    expect(again.tenant.id).toBe(tenant.id);
  });

  test('a torn or changed archive changes nothing', async () => {
    const sub = db.subDomain('d');
    await createTenant(db.directory, screens, { subDomain: sub, name: 'Torn', products: [] });
    const lines = (await buffer(backupTenant(db.directory, sub, db.dataDir))).toString().trimEnd().split('\n');
    const restore = (text: string) =>
      restoreTenant(db.directory, Readable.from([text]), {
        subDomain: db.subDomain('e'),
        dataDir: db.dataDir,
        ...data,
      });
    await expect(restore(lines.slice(0, -1).join('\n'))).rejects.toThrow('incomplete');
    await expect(
      restore(lines.map((line, at) => (at === 0 ? line.replace('Torn', 'Born') : line)).join('\n')),
    ).rejects.toThrow('damaged');
    await expect(restore('{"some":"thing"}')).rejects.toThrow('not a backup');
    expect(await findTenant(db.directory, db.subDomain('e'))).toBeNull();
    expect(
      await db.directory.main.query('select 1 from pg_namespace where nspname = $1', [`cmp_${db.subDomain('e')}`]),
    ).toEqual([]);
    expect(existsSync(join(db.dataDir, 'files', `cmp_${db.subDomain('e')}`))).toBe(false);
  });
});
