import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import modules, { between } from './tally_module.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

interface Run {
  id: number;
  name: string;
  state: string;
  message: string | null;
  steps: number | null;
  total: number | null;
  company: number | null;
  attempts: number;
}

const FIFTY = { title: 'Tally', run: 'test_jobs.tally', args: { upto: 50 } };
const JOBS = {
  tally: { ...FIFTY, types: ['tally'], retry: [60, 60] },
  tally_daily: { ...FIFTY, key: '{day}', types: ['tally'] },
  tally_company: { ...FIFTY, args: { upto: 3 }, at: '0 18 * * *', per: 'company', key: '{company}/{due}' },
  tally_beside: { title: 'Tally twice', run: 'test_jobs.tally_beside', types: ['tally'], retry: [60] },
  tally_unused: { ...FIFTY, types: ['never_used'] },
};
const type = (title: string) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'master',
  title,
  scope: 'tenant',
  access: { screen: `SCN_${title.toUpperCase()}`, module: 'MASTERS' },
  label: ['name'],
  unique: [['name']],
  schema: {
    required: ['name'],
    properties: { name: { $ref: 'types#text', maxLength: 80 }, due: { $ref: 'types#text', maxLength: 40 } },
  },
  grid: ['name'],
});

let world: World;
let acme: TestTenant;
let admin: Caller;
let schemasDir: string;

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-jobs-')), 'schemas');
  copySchemas(schemasDir);
  writeFileSync(join(schemasDir, 'organisation/tally.json'), JSON.stringify(type('Tally')));
  writeFileSync(join(schemasDir, 'organisation/never_used.json'), JSON.stringify(type('Unused')));
  writeFileSync(join(schemasDir, 'organisation/jobs.json'), JSON.stringify(JOBS));
  world = await startWorld({ schemasDir, alone: true, modules });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  admin = await world.signIn(acme, 'admin');
  await admin.call('GET', '/tapi/tally');
});
afterAll(async () => {
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});
beforeEach(async () => {
  between.batch = () => Promise.resolve();
  await acme.sql('delete from {s}.tally');
  await acme.sql('delete from {s}.job_run');
  await world.database.directory.main.query('delete from public.job');
});

const runs = async (name: string) => (await world.app.jobs.log(acme.schema, { name })) as Run[];
const written = async () => (await acme.sql<{ n: number }>('select count(*)::int as n from {s}.tally'))[0]!.n;

test('each step is done once, however often its process is killed and the run restarts', async () => {
  const { main } = world.database.directory;
  // The batch of 31 to 40 waits for somebody who is about to write 35.
  const writer = await acme.db.owner.connect();
  const due = '2026-11-23T18:00+05:30';
  await writer.query('begin');
  await writer.query(`insert into "${acme.schema}".tally (name) values ('client 2026-11-23 35')`);
  await world.app.jobs.enqueue(acme.schema, 'tally');
  await main.query(`update public.job set due = $1 where name = 'tally'`, [due]);
  const killed = await startServerProcess(world.database, {
    SCHEMAS_DIR: schemasDir,
    TEST_MODULES: join(import.meta.dirname, 'tally_module.ts'),
    TEST_DRAINS: '1',
  });
  await expect.poll(written).toBe(30);
  await expect
    .poll(
      async () =>
        (await main.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%tally%'`))
          .length,
    )
    .toBe(1);
  await killed.kill();
  await writer.query('rollback');
  writer.release();
  const cursor = () => acme.sql(`select cursors, steps from {s}.job_run where job = 'tally'`);
  expect(await cursor()).toEqual([{ cursors: { 0: 30 }, steps: 30 }]);
  // A process that fails half way, then one that does the rest.
  between.batch = (last) => (last === 40 ? Promise.reject(new Error('No luck')) : Promise.resolve());
  await expect.poll(() => world.app.jobs.drain()).toBe(1);
  expect(await runs('tally')).toMatchObject([{ state: 'queued', attempts: 2, steps: 30, total: 50 }]);
  between.batch = () => Promise.resolve();
  await main.query(`update public.job set run_at = now() where name = 'tally'`);
  await world.app.jobs.drain();
  expect(await runs('tally')).toMatchObject([
    { state: 'done', attempts: 3, steps: 50, total: 50, message: '20 written.' },
  ]);
  expect(await written()).toBe(50);
  expect(await cursor()).toEqual([]);
});

test('two loops of a run go on side by side, and each continues at its own step after a failure', async () => {
  let begun = 0;
  const both = Promise.withResolvers<void>();
  between.batch = async (last) => {
    if (++begun === 2) both.resolve();
    // Each is within its first batch until the other is too.
    await both.promise;
    if (last === -3) throw new Error('No luck');
  };
  await world.app.jobs.enqueue(acme.schema, 'tally_beside');
  await world.app.jobs.drain();
  expect(await acme.sql(`select cursors, steps from {s}.job_run where job = 'tally_beside'`)).toEqual([
    { cursors: { 0: 3, 1: 2 }, steps: 5 },
  ]);
  between.batch = () => Promise.resolve();
  await world.database.directory.main.query(`update public.job set run_at = now() where name = 'tally_beside'`);
  await world.app.jobs.drain();
  expect(await runs('tally_beside')).toMatchObject([{ state: 'done', attempts: 2, steps: 8, message: '0 and 3' }]);
  expect(
    (await acme.sql<{ name: string }>('select name from {s}.tally order by name')).map(({ name }) => name),
  ).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3', 'b 4', 'b 5']);
});

test('a run with a key runs once for it, and continues where it was stopped', async () => {
  between.batch = async (last, signal) => {
    if (last !== 20) return;
    const [run] = await runs('tally_daily');
    expect((await admin.call('POST', `/tapi/jobs/log/${run!.id}/stop`)).statusCode).toBe(202);
    await expect.poll(() => signal.aborted).toBe(true);
  };
  const now = () => admin.call('POST', '/tapi/jobs/tally_daily/run');
  await world.app.jobs.runNow(acme, 'tally_daily', { userId: admin.userId, companies: [] });
  await world.app.jobs.drain();
  expect(await runs('tally_daily')).toMatchObject([
    { state: 'cancelled', message: 'Stopped after 20 steps.', steps: 20, total: 50 },
  ]);
  expect(await written()).toBe(20);
  const [stopped] = await runs('tally_daily');
  expect((await admin.call('POST', `/tapi/jobs/log/${stopped!.id}/stop`)).statusCode).toBe(409);
  between.batch = () => Promise.resolve();
  await world.app.jobs.runNow(acme, 'tally_daily', { userId: admin.userId, companies: [] });
  await world.app.jobs.drain();
  expect((await runs('tally_daily'))[0]).toMatchObject({ state: 'done', message: '30 written.', steps: 50 });
  await world.app.jobs.runNow(acme, 'tally_daily', { userId: admin.userId, companies: [] });
  await world.app.jobs.drain();
  expect((await runs('tally_daily'))[0]!.message).toMatch(/^It has run for \d{4}-\d\d-\d\d, and does so once\.$/);
  expect(await written()).toBe(50);
  // Without a schedule there is nothing to start on the page.
  expect((await now()).statusCode).toBe(404);
});

test('per company it runs at the company’s own hour, and follows changes of the hour', async () => {
  const at = (text: string) => new Date(text);
  const [first, second] = acme.entityIds as [number, number];
  const zone = (id: number, timezone: string) =>
    acme.sql('update {s}.entity set timezone = $2 where id = $1', [id, timezone]);
  await zone(second, 'Europe/London');
  const due = async () =>
    (
      await world.database.directory.main.query<{ company: number; due: string }>(
        `select entity_id as company, due from public.job where name = 'tally_company' and schema_name = $1 order by id`,
        [acme.schema],
      )
    ).map(({ company, due: moment }) => [company, moment]);
  await world.app.jobs.tick(at('2027-03-27T00:00Z'));
  expect(await due()).toEqual([]);
  await world.app.jobs.tick(at('2027-03-27T12:31Z'));
  expect(await due()).toEqual([[first, '2027-03-27T18:00+05:30']]);
  await world.app.jobs.tick(at('2027-03-27T18:01Z'));
  await world.app.jobs.drain();
  // British clocks go forward in the night.
  await world.app.jobs.tick(at('2027-03-28T17:01Z'));
  await world.app.jobs.drain();
  expect(await due()).toEqual([
    [first, '2027-03-27T18:00+05:30'],
    [second, '2027-03-27T18:00+00:00'],
    [first, '2027-03-28T18:00+05:30'],
    [second, '2027-03-28T18:00+01:00'],
  ]);
  expect(await written()).toBe(12);
  await zone(second, 'Asia/Kolkata');
  world.app.jobs.stored(acme.schema, 'entity');
  const next = async () =>
    (
      await world.database.directory.main.query<{ at: string | null }>(
        `select next_at as at from public.job_schedule where name = 'tally_company' and schema_name = $1`,
        [acme.schema],
      )
    )[0]!.at;
  await expect.poll(next).toBeNull();
  await zone(second, '');
});

test('a client without the type is skipped without an error', async () => {
  await world.app.jobs.enqueue(acme.schema, 'tally_unused');
  await world.app.jobs.drain();
  expect(await runs('tally_unused')).toMatchObject([{ state: 'done', message: 'There is nothing to process yet.' }]);
});

test('the page is for people with the right, who see the runs of their companies', async () => {
  const role = await acme.role({ modules: ['SETTINGS'], screens: { SCN_JOBS: ['landing'] }, actions: ['RUN_JOBS'] });
  await acme.user('keeper', { companies: [{ company: 2, roles: [role] }] });
  await acme.user('other', {
    companies: [
      { company: 2, roles: [await acme.role({ modules: ['SETTINGS'], screens: { SCN_JOBS: ['landing'] } })] },
    ],
  });
  const [keeper, other] = [await world.signIn(acme, 'keeper'), await world.signIn(acme, 'other')];
  await world.app.jobs.tick();
  const listed = await keeper.call('GET', '/tapi/jobs');
  expect(listed.json()).toMatchObject({ mails: false });
  expect(listed.json<{ data: object[] }>().data).toContainEqual(
    expect.objectContaining({ name: 'tally_company', cron: '0 18 * * *', per: 'company' }),
  );
  expect((await keeper.call('POST', '/tapi/jobs/tally_company/run')).statusCode).toBe(202);
  const waiting = await runs('tally_company');
  expect(waiting).toMatchObject([{ state: 'queued', company: acme.entityIds[1] }]);
  await admin.call('POST', '/tapi/jobs/tally_company/run');
  const seen = (await keeper.call('GET', '/tapi/jobs/log?name=tally_company')).json<{ data: Run[] }>().data;
  expect(seen.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
  const elsewhere = (await runs('tally_company')).find(({ company }) => company === acme.entityIds[0])!;
  expect((await keeper.call('POST', `/tapi/jobs/log/${elsewhere.id}/stop`)).statusCode).toBe(404);
  expect((await keeper.call('POST', `/tapi/jobs/log/${waiting[0]!.id}/stop`)).statusCode).toBe(202);
  expect(await runs('tally_company')).toContainEqual(
    expect.objectContaining({ id: waiting[0]!.id, state: 'cancelled', message: 'Stopped before it began.' }),
  );
  for (const path of ['/tapi/outbox', '/tapi/event_delivery'])
    expect((await keeper.call('GET', path)).statusCode).toBe(403);
  for (const [method, path] of [
    ['GET', '/tapi/jobs'],
    ['GET', '/tapi/jobs/log'],
    ['POST', '/tapi/jobs/tally_company/run'],
    ['PUT', '/tapi/jobs/tally_company'],
    ['POST', `/tapi/jobs/log/${elsewhere.id}/stop`],
  ] as const)
    expect((await other.call(method, path, { active: false })).statusCode, path).toBe(403);
});

test('a changed jobs.json applies at once, and an invalid one leaves the jobs unchanged', async () => {
  const file = join(schemasDir, 'organisation/jobs.json');
  const title = async () => {
    await world.app.live.reload();
    await world.app.jobs.tick();
    return (await world.app.jobs.schedules(acme.schema)).find(({ name }) => name === 'tally_company')?.title;
  };
  writeFileSync(file, JSON.stringify({ ...JOBS, tally_company: { ...JOBS.tally_company, title: 'Renamed' } }));
  expect(await title()).toBe('Renamed');
  writeFileSync(file, JSON.stringify({ ...JOBS, tally_company: { ...JOBS.tally_company, at: 'at night' } }));
  expect(await title()).toBe('Renamed');
  expect(world.app.store.problems()).toMatchObject([{ path: '$.tally_company.at' }]);
  writeFileSync(file, JSON.stringify(JOBS));
  expect(await title()).toBe('Tally');
});
