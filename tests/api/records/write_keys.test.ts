import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Two servers start one after the other, beside the browser tests, which go first.
vi.setConfig({ testTimeout: 360_000 });

interface Zone {
  id: number;
  version: number;
  name: string;
}

let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let writer: PoolClient;
let clerks: number;

beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  const { access } = world.screens.get('zone')!;
  clerks = await acme.role({
    modules: [access.modules[0]!],
    actions: [access.action!],
    screens: { [access.screens[0]!]: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerks] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  await admin.call('GET', '/tapi/zone');
  writer = await acme.db.owner.connect();
});
afterAll(async () => {
  writer.release();
  await world.close();
});

const keyed = (key: string) => ({ 'idempotency-key': key });
const record = (answer: { json: () => unknown; body: string }) => {
  const { data } = answer.json() as { data?: Zone };
  if (!data) throw new Error(answer.body);
  return data;
};
const error = (answer: { json: () => unknown }) => (answer.json() as { error: Record<string, unknown> }).error;
const zones = (code: string) => acme.sql<Zone>('select id, version, name from {s}.zone where code = $1', [code]);
const as = (text: string) => writer.query(text.replaceAll('{s}', `"${acme.schema}"`));
const waiting = (count: number) =>
  expect
    .poll(
      async () =>
        (
          await world.database.directory.main.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
      { timeout: 60_000 },
    )
    .toBe(count);

test('a repeated write with the same key gets an answer and is not done again', async () => {
  const key = keyed(randomUUID());
  const first = await admin.call('POST', '/tapi/zone', { code: 'A1', name: 'North' }, key);
  const again = await admin.call('POST', '/tapi/zone', { name: 'North', code: 'A1' }, key);
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(record(again)).toEqual(record(first));
  expect(await zones('A1')).toHaveLength(1);

  const { id, version } = record(first);
  const change = keyed(randomUUID());
  const changed = { name: 'North 2', version };
  for (let time = 0; time < 2; time++) {
    const answer = await admin.call('PUT', `/tapi/zone/${id}`, changed, change);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(record(answer)).toMatchObject({ name: 'North 2', version: version + 1 });
  }
  const off = keyed(randomUUID());
  for (let time = 0; time < 2; time++)
    expect((await admin.call('POST', `/tapi/zone/${id}/deactivate`, { version: version + 1 }, off)).statusCode).toBe(
      200,
    );
  const removal = keyed(randomUUID());
  for (let time = 0; time < 2; time++)
    expect((await admin.call('DELETE', `/tapi/zone/${id}`, undefined, removal)).statusCode).toBe(204);
});

test('the record is read again: in its current state, with the current rights', async () => {
  const key = keyed(randomUUID());
  const { id, version } = record(await clerk.call('POST', '/tapi/zone', { code: 'A2', name: 'South' }, key));
  await admin.call('PUT', `/tapi/zone/${id}`, { name: 'South now', version });
  expect(record(await clerk.call('POST', '/tapi/zone', { code: 'A2', name: 'South' }, key))).toMatchObject({
    id,
    name: 'South now',
  });
  await acme.sql('update {s}.screen_rights set add_screen = false where role_id = $1', [clerks]);
  await expect
    .poll(async () => (await clerk.call('POST', '/tapi/zone', { code: 'A2', name: 'South' }, key)).statusCode)
    .toBe(403);
  const kept = await acme.sql<{ answer: object }>('select answer from {s}.write_key where user_id = $1', [
    clerk.userId,
  ]);
  expect(kept).toEqual([{ answer: { id } }]);
});

test('a key is for one content, and applies only to its person, company and address', async () => {
  const key = keyed(randomUUID());
  expect((await admin.call('POST', '/tapi/zone', { code: 'A3', name: 'East' }, key)).statusCode).toBe(201);
  const other = await admin.call('POST', '/tapi/zone', { code: 'A4', name: 'East' }, key);
  expect(other.statusCode).toBe(422);
  expect(error(other)).toMatchObject({ code: 'key_reused', field: 'Idempotency-Key' });
  expect(await zones('A4')).toEqual([]);
  const [made] = await zones('A3');
  // Another address: another write.
  expect(
    (await admin.call('PUT', `/tapi/zone/${made!.id}`, { name: 'East 2', version: made!.version }, key)).statusCode,
  ).toBe(200);
  const wrong = await admin.call('POST', '/tapi/zone', { code: 'A5', name: 'East' }, keyed('two words'));
  expect(wrong.statusCode).toBe(400);
  expect(error(wrong)).toMatchObject({ field: 'Idempotency-Key' });
});

test('a refused write keeps no key', async () => {
  const key = keyed(randomUUID());
  expect((await admin.call('POST', '/tapi/zone', { code: 'A6' }, key)).statusCode).toBe(422);
  const answer = await admin.call('POST', '/tapi/zone', { code: 'A6', name: 'West' }, key);
  expect(answer.statusCode, answer.body).toBe(201);
});

test('a call for several records does each once, and retries the refused ones', async () => {
  const ids: number[] = [];
  for (const code of ['B1', 'B2']) ids.push(record(await admin.call('POST', '/tapi/zone', { code, name: code })).id);
  await admin.call('POST', '/tapi/zone', { code: 'B9', name: 'In the way' });
  const missing = ids[1]! + 1_000_000;
  const key = keyed(randomUUID());
  const set = (values: object, which = [ids[0], missing]) =>
    admin.call('PUT', '/tapi/zone/bulk', { ids: which, set: values }, key);
  const first = (await set({ name: 'Both' })).json<{ data: { changed: number[]; errors: { id: number }[] } }>().data;
  expect(first).toMatchObject({ changed: [ids[0]], errors: [{ id: missing }] });
  await acme.sql(`update {s}.zone set name = 'Later' where id = $1`, [ids[0]]);
  const again = (await set({ name: 'Both' }, ids)).json<{ data: object }>().data;
  expect(again).toMatchObject({ changed: ids, errors: [] });
  expect((await zones('B1'))[0]!.name).toBe('Later');
  expect((await zones('B2'))[0]!.name).toBe('Both');
  const other = await set({ name: 'Others' }, ids);
  expect(other.statusCode).toBe(422);
  expect(error(other)).toMatchObject({ code: 'key_reused' });
});

test('the second of two simultaneous calls waits and gets the answer of the first', async () => {
  const key = keyed(randomUUID());
  await as('begin; lock table {s}.zone in share mode');
  const both = [1, 2].map(() => admin.call('POST', '/tapi/zone', { code: 'C1', name: 'Once' }, key));
  await waiting(2);
  await as('commit');
  const [one, two] = await Promise.all(both);
  expect([one!.statusCode, two!.statusCode], two!.body).toEqual([201, 201]);
  expect(record(one!)).toEqual(record(two!));
  expect(await zones('C1')).toHaveLength(1);
});

test('if the server is killed before or after the commit, a repeated call leaves one record', async () => {
  const authorization = `Bearer ${admin.token}`;
  const body = { code: 'D1', name: 'Killed' };
  const key = keyed(randomUUID());
  const before = await startServerProcess(world.database, { SCHEMAS_DIR: world.schemasDir });
  await as('begin; lock table {s}.zone in share mode');
  const lost = before.call(acme.host, 'POST', '/tapi/zone', body, { ...key, authorization }).catch(() => null);
  await waiting(1);
  await before.kill();
  await as('commit');
  expect(await lost).toBeNull();
  await waiting(0);
  expect(await zones('D1')).toEqual([]);

  const after = await startServerProcess(world.database, { SCHEMAS_DIR: world.schemasDir });
  const done = await after.call(acme.host, 'POST', '/tapi/zone', body, { ...key, authorization });
  expect(done.status, done.body).toBe(201);
  await after.kill();
  const again = await admin.call('POST', '/tapi/zone', body, key);
  expect(again.statusCode, again.body).toBe(201);
  expect(record(again).id).toBe((JSON.parse(done.body) as { data: Zone }).data.id);
  expect(await zones('D1')).toHaveLength(1);
});

test('keys are deleted after 30 days', async () => {
  await acme.sql(`update {s}.write_key set at = now() - interval '31 days' where address = 'POST /tapi/zone'`);
  await world.app.jobs.enqueue(acme.schema, 'retention');
  await world.app.jobs.drain();
  expect(await acme.sql(`select 1 from {s}.write_key where address = 'POST /tapi/zone'`)).toEqual([]);
  expect((await acme.sql(`select 1 from {s}.write_key`)).length).toBeGreaterThan(0);
});

test('the description of the interface lists the key only at writes', async () => {
  type Calls = Record<string, { parameters?: { $ref?: string }[] }>;
  const document = (await admin.call('GET', '/tapi/openapi.json')).json<{ paths: Record<string, Calls> }>();
  const takes = (path: string, method: string) =>
    (document.paths[path]![method]!.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/idempotency_key'));
  for (const [path, method] of [
    ['/zone', 'post'],
    ['/zone/{id}', 'put'],
    ['/zone/{id}', 'delete'],
  ] as const)
    expect(takes(path, method), `${method} ${path}`).toBe(true);
  expect(takes('/zone', 'get')).toBe(false);
  expect(takes('/zone/import', 'post')).toBe(false);
});
