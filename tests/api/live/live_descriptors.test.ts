import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Screen } from '../../../src/descriptor/types.ts';
import { PAGE_TYPES } from '../../../src/server/access/rights/rights.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let schemasDir: string;
let base: string;
const open: AbortController[] = [];

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-live-')), 'schemas');
  copySchemas(schemasDir);
  world = await startWorld({ schemasDir, alone: true });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
  await world.app.server.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(world.app.server.server.address() as AddressInfo).port}`;
  world.app.live.watch();
});
afterEach(() => {
  for (const stop of open.splice(0)) stop.abort();
});
afterAll(async () => {
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

const file = (name: string) => join(schemasDir, 'organisation', `${name}.json`);

function descriptor(properties: object, required: string[] = ['code']): string {
  return JSON.stringify(
    {
      $schema: '../meta/screen.schema.json',
      kind: 'master',
      title: 'Lift make',
      access: { screen: 'SCN_LIFT_MAKE', module: 'MASTERS' },
      schema: { required, properties },
      unique: [['code']],
      grid: ['code'],
    },
    null,
    2,
  );
}

/** Opens the stream and gathers what it says. */
async function listen(caller: Caller, entityId?: number): Promise<{ text: () => string; closed: Promise<void> }> {
  const stop = new AbortController();
  open.push(stop);
  const response = await fetch(`${base}/tapi/live`, {
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${caller.token}`,
      ...(entityId !== undefined && { 'x-entity-id': String(entityId) }),
    },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let text = '';
  const closed = (async () => {
    for await (const chunk of response.body!.pipeThrough(
      new TextDecoderStream() as never,
    ) as unknown as AsyncIterable<string>)
      text += chunk;
  })().catch(() => undefined);
  return { text: () => text, closed };
}

const menuNames = async () => JSON.stringify((await admin.call('GET', '/tapi/menu')).json());

test('a new descriptor is a screen at once; an invalid one leaves the old version; a valid one alters the table', async () => {
  const stream = await listen(admin);
  writeFileSync(file('lift_make'), descriptor({ code: { $ref: 'types#code' } }));
  await expect.poll(stream.text, { timeout: 60_000 }).toContain('event: screens\ndata: {"names":["lift_make"]}');
  expect(await menuNames()).toContain('"/lift_make"');
  const first = (await admin.call('GET', '/tapi/screens/lift_make')).json<{
    data: { screen: Screen; validator: string };
  }>().data;
  expect((await world.inject({ url: first.validator, headers: { host: acme.host } })).headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
  });

  // The table is there, so that the next change has something to alter.
  const { ensureTables } = await import('../../../src/server/db/tenants.ts');
  await ensureTables(acme, world.app.store.screens(), ['lift_make']);
  await acme.sql(`insert into {s}.lift_make (code) values ('KONE')`);

  writeFileSync(file('lift_make'), '{ "kind": "master", ');
  await expect.poll(stream.text, { timeout: 60_000 }).toMatch(/event: problems\ndata: \{"count":[1-9]/);
  const { data: problems } = (await admin.call('GET', '/tapi/screens/problems')).json<{
    data: { file: string; message: string }[];
  }>();
  expect(problems.some((problem) => problem.file.endsWith('lift_make.json'))).toBe(true);
  expect((await admin.call('GET', '/tapi/screens/lift_make')).json()).toMatchObject({
    data: { screen: { hash: first.screen.hash } },
  });

  writeFileSync(
    file('lift_make'),
    descriptor({ code: { $ref: 'types#code' }, country_name: { type: 'string', title: 'Country', maxLength: 40 } }),
  );
  await expect
    .poll(
      async () =>
        (await admin.call('GET', '/tapi/screens/lift_make')).json<{ data: { screen: Screen } }>().data.screen.hash,
      { timeout: 60_000 },
    )
    .not.toBe(first.screen.hash);
  expect(await acme.sql('select code, country_name from {s}.lift_make')).toEqual([
    { code: 'KONE', country_name: null },
  ]);
  expect(await menuNames()).toContain('"problems":0');
  expect((await world.inject({ url: first.validator, headers: { host: acme.host } })).statusCode).toBe(404);

  rmSync(file('lift_make'));
  await expect
    .poll(async () => (await admin.call('GET', '/tapi/screens/lift_make')).statusCode, { timeout: 60_000 })
    .toBe(404);
  expect(await acme.sql('select code from {s}.lift_make')).toEqual([{ code: 'KONE' }]);
});

test('a stream starts with the menu’s state, and with another one after screens, rights or problems changed', async () => {
  const told = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/menu')).json<{ data: { state: string } }>().data.state;
  const heard = async (caller: Caller) => {
    const stream = await listen(caller);
    await expect.poll(stream.text).toContain('\n\n');
    await expect.poll(stream.text).toMatch(/^retry: 2000\n\nevent: state\ndata: \{"state":"[^"]+"\}/);
    return /"state":"([^"]+)"/.exec(stream.text())?.[1];
  };
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } });
  await acme.user('watcher', { companies: [{ company: 1, roles: [role] }] });
  const watcher = await world.signIn(acme, 'watcher');
  const before = [await told(admin), await told(watcher)] as const;
  expect([await heard(admin), await heard(watcher)]).toEqual(before);

  writeFileSync(file('state_of'), '{ "kind": ');
  await expect.poll(() => told(admin), { timeout: 60_000 }).not.toBe(before[0]);
  expect(await heard(admin)).toBe(await told(admin));
  // Problems are the administrator's: for others nothing is different.
  expect(await told(watcher)).toBe(before[1]);

  writeFileSync(file('state_of'), descriptor({ code: { $ref: 'types#code' } }));
  await expect.poll(() => told(watcher), { timeout: 60_000 }).not.toBe(before[1]);
  const screens = await told(watcher);
  const { version } = (await admin.call('GET', `/tapi/screen_rights/${role}`)).json<{
    data: { role: { version: number } };
  }>().data.role;
  const saved = await admin.call('PUT', `/tapi/screen_rights/${role}`, {
    version,
    screens: [
      {
        screen_code: 'SCN_BRANCH',
        data_scope: 'company',
        ...Object.fromEntries(PAGE_TYPES.map((page) => [page, page === 'landing' || page === 'view_screen'])),
      },
    ],
  });
  expect([saved.statusCode, saved.body]).toEqual([200, expect.any(String)]);
  await expect.poll(() => told(watcher)).not.toBe(screens);
  rmSync(file('state_of'));
  // The same files again, but rights of a later day.
  await expect.poll(() => told(admin), { timeout: 60_000 }).toContain(before[0].split('.')[0]);
  expect(await told(watcher)).not.toBe(before[1]);
});

test('only administrators see problems with files', async () => {
  await acme.user('someone');
  const someone = await world.signIn(acme, 'someone');
  expect((await someone.call('GET', '/tapi/screens/problems')).statusCode).toBe(403);
  expect((await someone.call('GET', '/tapi/screens/branch')).json()).toMatchObject({
    error: { code: 'forbidden', reason: 'module' },
  });
});

test('changes to records reach those who may list them, and nobody else', async () => {
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } });
  await acme.user('reader', { companies: [{ company: 1, roles: [role] }] });
  await acme.user('blind', { companies: [{ company: 1 }] });
  const zenith = await world.tenant();
  await zenith.user('stranger', { isAdmin: true });
  const [reader, blind, stranger] = [
    await world.signIn(acme, 'reader'),
    await world.signIn(acme, 'blind'),
    await world.signIn(zenith, 'stranger'),
  ];
  const streams = [await listen(reader), await listen(blind), await listen(stranger)] as const;
  world.app.hub.changed(acme, 'branch', 7, 'U', acme.entityIds[0]!);
  world.app.hub.changed(acme, 'branch', 8, 'U', acme.entityIds[1]!);
  world.app.hub.changed(acme, 'branch', 7, 'U', acme.entityIds[0]!);
  await expect.poll(streams[0].text).toContain('event: record\ndata: {"type":"branch","id":7,"op":"U"}');
  expect(streams[0].text().match(/event: record/g)).toHaveLength(1);
  expect(streams[1].text()).not.toContain('record');
  expect(streams[2].text()).not.toContain('record');
});

test('a revoked right applies at once, in the stream too', async () => {
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  const clerk = await world.signIn(acme, 'clerk');
  const stream = await listen(clerk);
  const before = await clerk.call('GET', '/tapi/screens/branch');
  expect(before.statusCode).toBe(200);
  await acme.sql('delete from {s}.screen_rights where role_id = $1', [role]);
  await expect.poll(stream.text, { timeout: 60_000 }).toContain('event: rights');
  const after = await clerk.call('GET', '/tapi/screens/branch');
  expect(after.json()).toMatchObject({
    error: {
      reason: 'screen',
      message: expect.stringContaining('on Branch (role). Ask your administrator.') as string,
    },
  });
  expect(Number(after.headers['x-rights-version'] ?? 0)).not.toBe(Number(before.headers['x-rights-version']));
});

test('the stream ends with the session', async () => {
  await acme.user('visitor');
  const visitor = await world.signIn(acme, 'visitor');
  const stream = await listen(visitor);
  await visitor.call('POST', '/api/sessions/logout');
  await stream.closed;
});
