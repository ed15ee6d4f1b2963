import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };
interface Message {
  type: string;
  entity_id: number | null;
  data: { id: number; type: string; record?: Record<string, unknown> };
}

const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let clerkRole: number;
let receiver: Server;
let base: string;
let heard: Message[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(body) as Message);
      response.end('thanks');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  world = await startWorld({ alone: true, env: { INSIDE_HOSTS: '127.0.0.1' }, types: ['quick_link'] });
  acme = await world.tenant({ companies: 2 });
  clerkRole = await acme.role({
    modules: ['MASTERS', 'SETTINGS', 'COMMON'],
    screens: {
      SCN_DEPARTMENT: { module: 'MASTERS', pages: [...PAGES] },
      SCN_SEGMENT: { module: 'MASTERS', pages: [...PAGES], scope: 'own' },
      SCN_QUICK_LINKS: { module: 'COMMON', pages: [...PAGES] },
      SCN_API_CONFIG: { module: 'SETTINGS', pages: [...PAGES] },
    },
    actions: ['MANAGE_INTEGRATIONS', 'CREATE_MASTERS'],
  });
  await acme.user('admin', {
    isAdmin: true,
    companies: [
      { company: 1, roles: [] },
      { company: 2, roles: [] },
    ],
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerkRole] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
});
afterEach(async () => {
  await acme.sql('update {s}.api_config set active = false');
  await acme.sql('delete from {s}.field_right');
  heard = [];
});

let made = 0;
async function webhook(caller: Caller, events: string[], more: object = {}): Promise<Row> {
  const given = await caller.call('POST', '/tapi/api_config', {
    name: `Webhook ${++made}`,
    direction: 'outgoing',
    url: `${base}/hook`,
    events,
    payload: 'full',
    timeout_s: 5,
    ...more,
  });
  expect(given.statusCode, given.body).toBe(201);
  return given.json<{ data: Row }>().data;
}
const inCompany = (number: number) => ({ 'x-entity-id': String(acme.entityIds[number - 1]) });
async function add(caller: Caller, type: string, record: object, company = 1): Promise<Row> {
  const given = await caller.call('POST', `/tapi/${type}`, record, inCompany(company));
  expect(given.statusCode, given.body).toBe(201);
  return given.json<{ data: Row }>().data;
}
const department = (caller: Caller, company = 1, more: object = {}) =>
  add(caller, 'department', { code: `D${++made}`, name: `Department ${made}`, ...more }, company);
const segment = (caller: Caller) =>
  add(caller, 'segment', { code: `S${++made}`, name: `Segment ${made}`, segment_type: 'market' });
async function send(): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(
        await world.database.directory.main.query(
          `select 1 from public.job where schema_name = $1 and name = 'webhook_deliver' and state = 'queued' and run_at <= now()`,
          [acme.schema],
        ),
      ).not.toEqual([]),
    { timeout: 60_000 },
  );
  await world.app.jobs.drain();
}
const stateOf = async (id: number) =>
  (
    await acme.sql<{ state: string; disabled_reason: string | null }>(
      'select state, disabled_reason from {s}.api_config where id = $1',
      [id],
    )
  )[0]!;

it('sends its owner’s own rows and companies, and leaves no trace of others', async () => {
  const { id } = await webhook(clerk, ['segment.*', 'department.*']);
  const mine = await segment(clerk);
  await segment(admin);
  const here = await department(admin, 1);
  await department(admin, 2);
  await send();
  expect(heard.map(({ data }) => [data.type, data.id]).sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['department', here.id],
    ['segment', mine.id],
  ]);
  expect(await acme.sql('select body from {s}.api_delivery where api_config_id = $1', [id])).toHaveLength(2);
});

it('sends no numbers of other records either, and a deletion only to owners who could see the record', async () => {
  await webhook(clerk, ['segment.*'], { payload: 'thin' });
  const [mine, others] = [await segment(clerk), await segment(admin)];
  await send();
  for (const { id } of [mine, others]) await admin.call('DELETE', `/tapi/segment/${id}`);
  await send();
  expect(heard.map(({ type, data }) => [type, data.id])).toEqual([
    ['segment.created', mine.id],
    ['segment.deleted', mine.id],
  ]);
});

it('omits fields hidden from its owner, also in every log', async () => {
  await acme.sql(
    `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'department', 'cost_centre', 'hidden'), ($1, 'department', 'email', 'masked')`,
    [clerkRole],
  );
  await acme.sql('update {s}.rights_version set version = version + 1');
  const { id } = await webhook(clerk, ['department.*']);
  await department(admin, 1, { email: 'lifts77@acme.in', cost_centre: 'kettle' });
  await send();
  expect(heard).toHaveLength(1);
  expect(heard[0]!.data.record).toHaveProperty('name');
  expect(JSON.stringify(heard)).not.toMatch(/kettle|lifts77/);
  expect(heard[0]!.data.record!.email).toMatch(/e\.in$/);
  // The log of deliveries is read by others than the owner.
  expect(
    JSON.stringify(await acme.sql('select body from {s}.api_delivery where api_config_id = $1', [id])),
  ).not.toMatch(/record/);
});

it('never sends somebody else’s private records, including webhooks of administrators', async () => {
  await webhook(admin, ['quick_link.*']);
  const link = await add(clerk, 'quick_link', { title: 'Pay slips', url: '/department', audience: 'me' });
  expect(link.id).toBeGreaterThan(0);
  await send();
  expect(heard).toEqual([]);
});

it('stops with a message when its owner loses the right, and works again with another owner who has it', async () => {
  const hook = await webhook(clerk, ['department.*']);
  await acme.sql(
    `update {s}.screen_rights set landing = false, view_screen = false where role_id = $1 and screen_code = 'SCN_DEPARTMENT'`,
    [clerkRole],
  );
  await department(admin);
  await send();
  expect(heard).toEqual([]);
  expect(await stateOf(hook.id)).toEqual({
    state: 'disabled',
    disabled_reason: 'The account whose rights it uses may no longer see Departments.',
  });
  expect(
    await acme.sql(`select user_id from {s}.notification where event_code = 'api.disabled' and record_id = $1`, [
      hook.id,
    ]),
  ).toEqual([{ user_id: admin.userId }]);
  // The administrator saves it: from now on it sees what the administrator sees.
  const { version } = (await admin.call('GET', `/tapi/api_config/${hook.id}`)).json<{ data: Row }>().data;
  const saved = await admin.call('PUT', `/tapi/api_config/${hook.id}`, { version, timeout_s: 6 });
  expect(saved.statusCode, saved.body).toBe(200);
  expect((await admin.call('POST', `/tapi/api_config/${hook.id}/test`)).statusCode).toBe(200);
  await send();
  expect(heard.map(({ type }) => type)).toEqual(['mainstay.test', 'department.created']);
  await acme.sql(
    `update {s}.screen_rights set landing = true, view_screen = true where role_id = $1 and screen_code = 'SCN_DEPARTMENT'`,
    [clerkRole],
  );
});

it('with an address changed by another person sends only what that person may see', async () => {
  const hook = await webhook(admin, ['segment.*']);
  const { version } = (await clerk.call('GET', `/tapi/api_config/${hook.id}`)).json<{ data: Row }>().data;
  const saved = await clerk.call('PUT', `/tapi/api_config/${hook.id}`, { version, url: `${base}/stolen` });
  expect(saved.statusCode, saved.body).toBe(200);
  const mine = await segment(clerk);
  await segment(admin);
  await send();
  expect(heard.map(({ data }) => data.id)).toEqual([mine.id]);
});

it('sends what its service account may see; nobody chooses an account that holds more than they do', async () => {
  const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } });
  const robot = await acme.user('robot', { companies: [{ company: 2, roles: [clerkRole] }] });
  const mighty = await acme.user('mighty', { companies: [{ company: 1, roles: [role] }] });
  await acme.sql('update {s}.users set is_service = true where id = any($1)', [[robot, mighty]]);
  const refused = await clerk.call('POST', '/tapi/api_config', {
    name: 'Mighty',
    direction: 'outgoing',
    url: `${base}/hook`,
    events: ['segment.*'],
    service_user_id: mighty,
  });
  expect(refused.json<{ error: { details: { field: string }[] } }>().error.details[0]?.field).toBe('service_user_id');
  const hook = await webhook(admin, ['department.*'], { service_user_id: robot });
  await department(admin, 1);
  const there = await department(admin, 2);
  await send();
  expect(heard.map(({ data }) => data.id)).toEqual([there.id]);
  // The account is disabled: nothing goes out any more.
  await acme.sql(`update {s}.users set status = 'disabled' where id = $1`, [robot]);
  await department(admin, 2);
  await send();
  expect(heard).toHaveLength(1);
  expect(await stateOf(hook.id)).toMatchObject({
    state: 'disabled',
    disabled_reason: expect.stringContaining('can no longer be used') as string,
  });
  expect((await admin.call('POST', `/tapi/api_config/${hook.id}/test`)).statusCode).toBe(409);
});
