import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backupTenant } from '../../../src/server/db/backup.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import type { RestoreOptions } from '../../../src/server/db/restore.ts';
import { restoreTenant } from '../../../src/server/db/restore.ts';
import { isCleanHtml } from '../../../src/server/engine/records/rich_text.ts';
import { killedProcess } from '../killed_process.ts';
import type { TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Line = Record<string, unknown>;
interface Table extends Line {
  table: string;
  columns: { name: string; type: string; default?: string }[];
}

vi.setConfig({ testTimeout: 300_000 });

let world: World;
let acme: TestTenant;
let lines: Line[];
let count = 0;
const picture = Buffer.from('a picture');
const name = createHash('sha256').update(picture).digest('hex');

beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  await world.signIn(acme, 'admin');
  await acme.sql(
    `insert into {s}.outbox (channel, recipient, subject, body, dedupe_key) values ('mail', 'asha@acme.in', 'Hello', 'Text', 'one')`,
  );
  const folder = join(world.database.dataDir, 'files', acme.schema, name.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), picture);
  lines = (await buffer(backupTenant(world.database.directory, acme.subDomain, world.database.dataDir)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
});
afterAll(() => world.close());

const restore = (archive: Line[] | Readable, more: Partial<RestoreOptions> = {}) =>
  restoreTenant(
    world.database.directory,
    archive instanceof Readable ? archive : Readable.from([archive.map((line) => JSON.stringify(line)).join('\n')]),
    {
      dataDir: world.database.dataDir,
      subDomain: world.database.subDomain(`c${++count}`),
      screens: world.app.store.screens(),
      isClean: isCleanHtml,
      ...more,
    },
  );
const table = (of: Line[], wanted: string) => of.find((line) => line.table === wanted) as Table;
/** The archive as somebody without the key would change it: its check sum is right again, its signature is not. */
function doctored(change: (lines: Line[]) => void): Line[] {
  const changed = structuredClone(lines);
  change(changed);
  const hash = createHash('sha256');
  for (const line of changed.slice(0, -1)) hash.update(`${JSON.stringify(line)}\n`);
  changed.at(-1)!.sha256 = hash.digest('hex');
  return changed;
}
/** What restores into a client's folder have left beside it. */
const drafts = (schema: string) =>
  readdirSync(join(world.database.dataDir, 'files')).filter((one) => one.startsWith(`${schema}.restore-`));
const isThere = async (relation: string) =>
  (
    await world.database.directory.main.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      relation,
    ])
  )[0]!.there;

describe('a backup is data', () => {
  test('a modified file is rejected, even with a valid checksum', async () => {
    const changed = doctored((all) => {
      (all[0]!.tenant as Line).name = 'Another';
    });
    await expect(restore(changed)).rejects.toThrow('This backup is foreign');
    expect(await isThere(`cmp_${world.database.subDomain(`c${count}`)}.users`)).toBe(false);
  });

  test('defaults, indexes and constraints in the file are never executed', async () => {
    const changed = doctored((all) => {
      const users = table(all, 'users');
      for (const column of users.columns) column.default = `(select public.pwned())`;
      users.indexes = ['index x|using btree (id); create table public.pwned_by_index ()'];
      users.constraints = [
        { name: 'x', definition: 'check (true); create table public.pwned_by_check ()', foreign: false },
      ];
    });
    const { tenant, foreign, held } = await restore(changed, { foreign: true });
    expect([foreign, held]).toEqual([true, true]);
    expect([await isThere('public.pwned_by_index'), await isThere('public.pwned_by_check')]).toEqual([false, false]);
    expect(
      await tenant.db.owner.query(
        `select pg_get_expr(adbin, adrelid) as text from pg_attrdef where adrelid = '${tenant.schema}.users'::regclass and pg_get_expr(adbin, adrelid) like '%pwned%'`,
      ),
    ).toEqual([]);
  });

  test.each([
    [
      'a type',
      (all: Line[]) => (table(all, 'users').columns[1]!.type = 'text default (select 1)'),
      'is not a type of values',
    ],
    [
      'a column',
      (all: Line[]) => (table(all, 'users').columns[1]!.name = 'x" text); drop schema public; --'),
      'cannot be a column',
    ],
    ['a table', (all: Line[]) => (table(all, 'users').table = 'x"; select 1; --'), 'cannot be a table'],
    ['a table twice', (all: Line[]) => (table(all, 'users').table = 'history'), 'comes twice'],
    ['a counter', (all: Line[]) => (table(all, 'users').next = '1; drop table x'), 'is not a number'],
    ['a file name', (all: Line[]) => (all.find(({ file }) => file)!.file = '../../evil'), 'file name'],
    [
      'a file of another content',
      (all: Line[]) => (all.find(({ bytes }) => bytes)!.bytes = 'eA=='),
      'has another content',
    ],
    ['whose it is', (all: Line[]) => ((all[0]!.tenant as Line).products = ["FMS'; drop"]), 'whose it is'],
  ])('%s that is none is refused, and nothing is left of it', async (_what, change, words) => {
    const folder = join(world.database.dataDir, 'files', `cmp_${world.database.subDomain(`c${count + 1}`)}`);
    await expect(
      restore(
        doctored((all) => void change(all)),
        { foreign: true },
      ),
    ).rejects.toThrow(words);
    expect(await isThere(`cmp_${world.database.subDomain(`c${count}`)}.system_version`)).toBe(false);
    expect(existsSync(folder)).toBe(false);
  });

  test('a value that nobody could enter is refused with a message', async () => {
    const changed = doctored((all) => {
      const users = table(all, 'users');
      const at = users.columns.findIndex((column) => column.name === 'email');
      const rows = all[all.indexOf(users) + 1]!.rows as string[][];
      rows[0]![at] = 'not an address';
    });
    await expect(restore(changed, { foreign: true })).rejects.toThrow(
      /holds what nobody could enter[\s\S]*not an address/,
    );
  });
});

test('a replaced client stays complete when the restore stops half way', async () => {
  const folder = join(world.database.dataDir, 'files', acme.schema, name.slice(0, 2));
  const state = async () => [
    await acme.sql('select id, username, version from {s}.users order by id'),
    (await acme.sql('select relname from pg_class where relnamespace = $1::regnamespace order by 1', [acme.schema]))
      .length,
    readFileSync(join(folder, name), 'utf8'),
    (
      await world.database.directory.main.query('select name, state, held from public.client where sub_domain = $1', [
        acme.subDomain,
      ])
    )[0],
  ];
  const before = await state();
  for (const part of [0.1, 0.6, 0.99]) {
    const half = Readable.from(
      (function* () {
        for (const line of lines.slice(0, Math.floor(lines.length * part))) yield `${JSON.stringify(line)}\n`;
        throw new Error('The disk went away.');
      })(),
    );
    await expect(restore(half, { subDomain: acme.subDomain, replace: true })).rejects.toThrow('The disk went away.');
    expect(await state()).toEqual(before);
  }
  // Whole, it is the client itself, not a copy.
  const { tenant, held } = await restore(lines, { subDomain: acme.subDomain, replace: true });
  expect([tenant.id, held, (await state())[2]]).toEqual([acme.id, false, 'a picture']);
});

test('a replaced client stays complete when the restoring process is killed', async () => {
  const { databaseUrl, dataDir, directory } = world.database;
  const place = join(world.database.dataDir, 'files', acme.schema);
  const state = async () => [
    await acme.sql('select id, username, version from {s}.users order by id'),
    await acme.sql('select relname from pg_class where relnamespace = $1::regnamespace order by 1', [acme.schema]),
    readFileSync(join(place, name.slice(0, 2), name), 'utf8'),
    await directory.main.query('select name, state, held from public.client where sub_domain = $1', [acme.subDomain]),
  ];
  const before = await state();

  // Its archive ends half way in a file, and does not go on.
  const pipe = join(dataDir, 'backup.gz');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../../scripts/restore.ts'), pipe, '--as', acme.subDomain, '--replace'],
    { env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const out = createWriteStream(pipe);
  out.on('error', () => undefined);
  const until = lines.findIndex(({ bytes }) => bytes !== undefined) + 1;
  const zip = createGzip();
  zip.pipe(out);
  zip.write(
    lines
      .slice(0, until)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  zip.flush(constants.Z_SYNC_FLUSH);
  await expect
    .poll(() => drafts(acme.schema).some((one) => readdirSync(join(dataDir, 'files', one)).length > 0), {
      timeout: 120_000,
    })
    .toBe(true);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  zip.destroy();
  out.destroy();

  expect(await state()).toEqual(before);
  expect(drafts(acme.schema)).toHaveLength(1);
  // The next one clears up after it.
  await restore(lines, { subDomain: acme.subDomain, replace: true });
  expect(drafts(acme.schema)).toEqual([]);
  expect((await state())[2]).toBe('a picture');
});

test('a replaced client is entirely the old or the new one, whichever step the restore is killed at', async () => {
  const archive = join(world.database.dataDir, 'whole.gz');
  writeFileSync(archive, gzipSync(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`));
  const present = Buffer.from('a file of today');
  const today = createHash('sha256').update(present).digest('hex');
  // As many clients as there are steps, and more: the last is not killed.
  const steps = Array.from({ length: 8 }, (_, step) => step);
  const clients: { tenant: Tenant; folder: string }[] = [];
  for (const _ of steps) {
    const { tenant } = await restore(lines);
    const folder = join(world.database.dataDir, 'files', tenant.schema);
    clients.push({ tenant, folder });
    await tenant.db.owner.query(
      `insert into ${tenant.schema}.file (name, size, type, sha256, path) values ('today.txt', 15, 'text/plain', $1, $2)`,
      [today, `${today.slice(0, 2)}/${today}`],
    );
    mkdirSync(join(folder, today.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, today.slice(0, 2), today), present);
  }
  const kept = (folder: string) =>
    readdirSync(join(world.database.dataDir, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && (entry.parentPath + sep).startsWith(folder + sep))
      .map((entry) => entry.name)
      .sort();
  const rows = async ({ db, schema }: Tenant) =>
    (await db.owner.query<{ sha256: string }>(`select sha256 from ${schema}.file order by sha256`)).map(
      ({ sha256 }) => sha256,
    );
  const killed = await killedProcess(join(import.meta.dirname, 'restore_child.ts'), world.database, steps, {
    SCHEMAS_DIR: world.schemasDir,
    ARCHIVE: archive,
    AS: clients.map(({ tenant }) => tenant.subDomain).join(','),
  });
  expect(killed.at(-1)).toBe(false);
  let [before, after] = [0, 0];
  for (const [n, { tenant, folder }] of clients.entries()) {
    const found = await rows(tenant);
    if (!killed[n]) expect(found).not.toContain(today);
    else if (found.includes(today)) before++;
    else after++;
    expect(readFileSync(join(folder, name.slice(0, 2), name), 'utf8')).toBe('a picture');
    if (found.includes(today)) expect(kept(folder)).toContain(today);
    expect(await tenant.db.owner.query(`select username from ${tenant.schema}.users`)).toEqual([{ username: 'admin' }]);
    // Done again, nothing is left of before.
    if (killed[n]) await restore(lines, { subDomain: tenant.subDomain, replace: true });
    expect([await rows(tenant), kept(folder), drafts(tenant.schema)]).toEqual([[], [name], []]);
  }
  expect(Math.min(before, after)).toBeGreaterThan(1);
});

test('a copy beside the original sends and runs nothing until its administrator allows it', async () => {
  const { tenant, held } = await restore(lines);
  expect(held).toBe(true);
  const sql = (text: string) => tenant.db.owner.query<Record<string, unknown>>(text.replaceAll('{s}', tenant.schema));
  expect(await sql('select state from {s}.outbox')).toEqual([{ state: 'suppressed' }]);
  expect(await sql('select 1 from {s}.session')).toEqual([]);
  const copy = { ...acme, ...tenant, host: `${tenant.subDomain}.localhost:3000` };
  const admin = await world.signIn(copy, 'admin');
  expect((await admin.call('GET', '/tapi/menu')).json()).toMatchObject({ data: { held: true } });

  await sql(
    `insert into {s}.outbox (channel, recipient, subject, body, dedupe_key) values ('mail', 'asha@acme.in', 'Hello', 'Text', 'two')`,
  );
  const ran: string[] = [];
  world.app.jobs.define({
    name: 'copy_test',
    title: 'Test',
    run: async (job) => void ran.push(job.tenant!.schema) as undefined,
  });
  const run = async () => {
    await world.app.jobs.enqueue(tenant.schema, 'copy_test');
    await world.app.jobs.drain();
    await world.app.outbox.sweep();
    return [ran.length, (await sql(`select attempts from {s}.outbox where dedupe_key = 'two'`))[0]!.attempts];
  };
  expect(await run()).toEqual([0, 0]);

  const answer = await admin.call('POST', '/tapi/restored_copy/switch_on', {});
  expect([answer.statusCode, answer.json()]).toEqual([200, { data: { held: false } }]);
  expect((await admin.call('POST', '/tapi/restored_copy/switch_on', {})).statusCode).toBe(409);
  await expect
    .poll(async () => (await admin.call('GET', '/tapi/menu')).json<{ data: Line }>().data.held)
    .toBeUndefined();
  expect(await run()).toEqual([1, 1]);
});
