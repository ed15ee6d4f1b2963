import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Screen } from '../../../src/descriptor/types.ts';
import { clientSettings } from '../../../src/server/services/settings/client_settings.ts';
import type { HttpAnswer, ServerProcess } from '../server_process.ts';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

type Row = Record<string, unknown>;
/** One of the two server processes. */
type Process = (token: string, method: string, path: string, body?: unknown) => Promise<HttpAnswer>;

let world: World;
let acme: TestTenant;
let second: ServerProcess;
let admin: Caller;
let schemasDir: string;
let here: Process;
let there: Process;

const COUNTED = {
  $schema: '../meta/screen.schema.json',
  kind: 'master',
  title: 'Counted',
  access: { screen: 'SCN_COUNTED', module: 'MASTERS' },
  schema: {
    required: ['name'],
    properties: {
      code: { $ref: 'types#text', maxLength: 20, readOnly: true },
      name: { $ref: 'types#text', maxLength: 40 },
    },
  },
  unique: [['code']],
  number: { field: 'code', pattern: 'C/{0000}' },
  grid: ['code', 'name'],
};

beforeAll(async () => {
  schemasDir = join(mkdtempSync(join(tmpdir(), 'mainstay-two-')), 'schemas');
  copySchemas(schemasDir);
  writeDescriptor(COUNTED);
  world = await startWorld({ schemasDir, alone: true });
  world.app.live.watch();
  second = await startServerProcess(world.database, { SCHEMAS_DIR: schemasDir });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
  here = async (token, method, path, body) => {
    const answer = await world.inject({
      method: method as 'GET',
      url: path,
      headers: { host: acme.host, authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body as object }),
    });
    return { status: answer.statusCode, body: answer.body };
  };
  there = (token, method, path, body) =>
    second.call(acme.host, method, path, body, { authorization: `Bearer ${token}` });
}, 180_000);
afterAll(async () => {
  await second.kill();
  await world.close();
  rmSync(join(schemasDir, '..'), { recursive: true, force: true });
});

function writeDescriptor(descriptor: object): void {
  writeFileSync(join(schemasDir, 'organisation', 'counted.json'), JSON.stringify(descriptor, null, 2));
}

const dataOf = <T = Row>({ body }: HttpAnswer): T => (JSON.parse(body) as { data: T }).data;
async function done(answer: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const given = await answer;
  expect(given.status, given.body).toBeLessThan(300);
  return given;
}
/**
 * What was remembered stands for 30 s while nothing is announced: what is seen before that was announced. No bound in
 * time is measured here, since a busy machine would decide it.
 */
const soon = <T>(look: () => Promise<T>, expected: T, timeout = 20_000) =>
  vi.waitFor(async () => expect(await look()).toEqual(expected), { timeout, interval: 20 });

/** Each way round: where it is changed, and where it was remembered. */
const ways: [string, () => [Process, Process]][] = [
  ['of the first seen by the second', () => [here, there]],
  ['of the second seen by the first', () => [there, here]],
];
const LIST = '/tapi/branch';
const statusOf = async (at: Process, token: string, path = LIST) => (await at(token, 'GET', path)).status;

let people = 0;
/** Somebody whose one role opens branches, known to both processes. */
async function clerk(): Promise<Caller & { role: number; name: string }> {
  const name = `clerk${++people}`;
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
  await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  const caller = await world.signIn(acme, name);
  for (const at of [here, there]) expect(await statusOf(at, caller.token)).toBe(200);
  return { ...caller, role, name };
}

describe.each(ways)('a change in one process: %s', (_way, processes) => {
  it('signing out ends the token in both, for every call', async () => {
    const [at, other] = processes();
    const { token } = await clerk();
    await done(at(token, 'POST', '/api/sessions/logout'));
    // Where it was ended, from the next call on.
    expect(await statusOf(at, token)).toBe(401);
    await soon(() => statusOf(other, token), 401);
    for (const one of [at, other])
      for (const [method, path, body] of [
        ['GET', '/tapi/menu'],
        ['GET', '/tapi/live'],
        ['GET', '/tapi/sessions'],
        ['POST', '/api/sessions/logout'],
        ['GET', `/api/update_refresh_token/${token}`],
        ['PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0] }],
        ['POST', '/api/password/change', { current: PASSWORD, password: 'Another-2025 monsoon kettle' }],
      ] as const)
        expect([path, (await one(token, method, path, body)).status]).toEqual([path, 401]);
  });

  it('a session that its person ends elsewhere', async () => {
    const [at, other] = processes();
    const first = await clerk();
    const { token } = await world.signIn(acme, first.name);
    await done(at(token, 'DELETE', '/tapi/sessions?others=true'));
    await soon(() => statusOf(other, first.token), 401);
    expect(await statusOf(other, token)).toBe(200);
  });

  it('a right taken from a role', async () => {
    const [at, other] = processes();
    const { token, role } = await clerk();
    const address = `/tapi/screen_rights/${role}`;
    const { version } = dataOf<{ role: { version: number } }>(await at(admin.token, 'GET', address)).role;
    const none = Object.fromEntries(
      ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'].map((page) => [
        page,
        false,
      ]),
    );
    await done(
      at(admin.token, 'PUT', address, {
        version,
        screens: [{ screen_code: 'SCN_BRANCH', ...none, data_scope: 'company' }],
      }),
    );
    expect(await statusOf(at, token)).toBe(403);
    await soon(() => statusOf(other, token), 403);
  });

  it('another role of a user', async () => {
    const [at, other] = processes();
    const { token, userId, role } = await clerk();
    const less = await acme.role({ modules: ['MASTERS'], screens: { SCN_ZONE: ['landing'] } });
    const address = `/tapi/users/${userId}`;
    const give = async (id: number) => {
      const user = dataOf<Row & { companies: Row[] }>(await at(admin.token, 'GET', address));
      await done(
        at(admin.token, 'PUT', address, {
          version: user.version,
          companies: user.companies.map((company) => ({ ...company, role_ids: [id] })),
        }),
      );
    };
    await give(less);
    expect(await statusOf(at, token)).toBe(403);
    await soon(() => statusOf(other, token), 403);
    await give(role);
    await soon(() => statusOf(other, token), 200);
  });

  it('a disabled user', async () => {
    const [at, other] = processes();
    const { token, userId } = await clerk();
    await done(at(admin.token, 'POST', `/tapi/users/${userId}/disable`, { version: 1 }));
    expect(await statusOf(at, token)).toBe(401);
    await soon(() => statusOf(other, token), 401);
  });

  it('a revoked key of a program', async () => {
    const [at, other] = processes();
    const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
    const service = await acme.user(`erp${++people}`, { companies: [{ company: 1, roles: [role] }] });
    await acme.sql('update {s}.users set is_service = true where id = $1', [service]);
    const made = await done(
      at(admin.token, 'POST', '/tapi/api_config', {
        name: `Key ${people}`,
        direction: 'inbound',
        service_user_id: service,
        expires_on: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
      }),
    );
    const { key, data } = JSON.parse(made.body) as { key: string; data: { id: number; version: number } };
    for (const one of [at, other]) await soon(() => statusOf(one, key), 200);
    await done(at(admin.token, 'POST', `/tapi/api_config/${data.id}/deactivate`, { version: data.version }));
    // Keys are looked up at each call: nothing has to be announced.
    for (const one of [at, other]) expect(await statusOf(one, key)).toBe(401);
  });

  it('a field hidden by a client', async () => {
    const [at, other] = processes();
    const fields = async () =>
      dataOf<{ screen: Screen }>(await other(admin.token, 'GET', '/tapi/screens/employee')).screen.fields.map(
        ({ name }) => name,
      );
    const field = at === here ? 'cost_centre' : 'nationality';
    expect(await fields()).toContain(field);
    await done(at(admin.token, 'POST', '/tapi/employee_field_setting', { field, shown: false }));
    await soon(async () => (await fields()).includes(field), false);
  });
});

it('the place of a branch, which decides the day of its people', async () => {
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const branch = dataOf<{ id: number; version: number }>(
    await done(
      there(admin.token, 'POST', LIST, {
        code: 'FAR',
        name: 'Far',
        branch_type: 'branch',
        address1: 'Road',
        city: place!.id,
        state_id: place!.state_id,
        country: place!.country_id,
        pincode: '600001',
        timezone: 'Asia/Kolkata',
      }),
    ),
  );
  const { userId } = await clerk();
  await acme.sql('update {s}.users__companies set branch_id = $1 where parent_id = $2', [branch.id, userId]);
  const { tenants, store } = world.app.services;
  const zone = async () =>
    (await store.ofPerson((await tenants.bySubDomain(acme.subDomain))!, userId, 'person/far', null))?.place?.timezone;
  expect(await zone()).toBe('Asia/Kolkata');
  await done(there(admin.token, 'PUT', `${LIST}/${branch.id}`, { version: branch.version, timezone: 'Asia/Dubai' }));
  await soon(zone, 'Asia/Dubai');
});

let settingsVersion = 0;
const settle = (at: Process, settings: Row) =>
  at(admin.token, 'PUT', '/tapi/configuration/single', {
    ...settings,
    ...(settingsVersion > 0 && { version: settingsVersion }),
  });

describe('settings of a client', () => {
  it('saved in one process apply in the other', async () => {
    expect((await clientSettings(acme)).export_max_rows).toBe(100_000);
    settingsVersion = dataOf<{ version: number }>(await done(settle(there, { export_max_rows: 7_000 }))).version;
    await soon(async () => (await clientSettings(acme)).export_max_rows, 7_000);
  });

  it('apply in the other also if the saving process is killed right after storing them', async () => {
    const third = await startServerProcess(world.database, { SCHEMAS_DIR: schemasDir });
    const at: Process = (token, method, path, body) =>
      third.call(acme.host, method, path, body, { authorization: `Bearer ${token}` });
    await done(at(admin.token, 'GET', '/tapi/configuration/single'));
    expect((await clientSettings(acme)).export_max_rows).toBe(7_000);
    // Nobody hears the answer.
    const saving = settle(at, { export_max_rows: 8_000 }).catch(() => undefined);
    for (;;) {
      const [row] = await acme.sql<{ rows: number }>('select export_max_rows as rows from {s}.configuration');
      if (row?.rows === 8_000) break;
    }
    await third.kill();
    await saving;
    await soon(async () => (await clientSettings(acme)).export_max_rows, 8_000);
  });
});

it('a counter used by both at once has no gap and no duplicate', async () => {
  const each = 25;
  const create = async (at: Process) =>
    String(dataOf(await done(at(admin.token, 'POST', '/tapi/counted', { name: randomUUID() }))).code);
  const numbers = await Promise.all(
    Array.from({ length: each }, () => [here, there]).flatMap((both) => both.map((at) => create(at))),
  );
  expect(numbers.toSorted()).toEqual(
    Array.from({ length: 2 * each }, (_, at) => `C/${String(at + 1).padStart(4, '0')}`),
  );
});

it('a changed descriptor goes live in both, and both accept a record with the new field', async () => {
  const changed = structuredClone(COUNTED) as typeof COUNTED & { schema: { properties: Row } };
  changed.schema.properties.remark = { $ref: 'types#text', maxLength: 60 };
  writeDescriptor(changed);
  for (const at of [here, there])
    await soon(
      async () =>
        dataOf<{ screen: Screen }>(await at(admin.token, 'GET', '/tapi/screens/counted')).screen.fields.some(
          ({ name }) => name === 'remark',
        ),
      true,
      60_000,
    );
  for (const at of [here, there]) {
    const stored = dataOf(await done(at(admin.token, 'POST', '/tapi/counted', { name: 'Late', remark: 'new' })));
    expect(stored.remark).toBe('new');
  }
}, 130_000);

it('while announcements are lost nothing cached is used, and everything is read again afterwards', async () => {
  const { token } = await clerk();
  await world.database.directory.main.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mainstay listener' and datname = current_database()`,
  );
  await done(here(token, 'POST', '/api/sessions/logout'));
  await soon(() => statusOf(there, token), 401);
  // And they come again.
  const next = await clerk();
  await done(there(next.token, 'POST', '/api/sessions/logout'));
  await soon(() => statusOf(here, next.token), 401);
});
