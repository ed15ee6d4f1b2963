import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let tenant: TestTenant;
let admin: Caller;
let viewer: Caller;
let adder: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  tenant = await world.tenant({ companies: 2 });
  const { access } = world.screens.get('region')!;
  const [module, screen] = [access.modules[0]!, access.screens[0]!];
  const view = await tenant.role({ modules: [module], screens: { [screen]: ['landing', 'view_screen'] } });
  const add = await tenant.role({
    modules: [module],
    screens: { [screen]: ['add_screen', 'edit_screen'] },
    actions: access.action === null ? [] : [access.action],
  });
  await tenant.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await tenant.user('viewer', { companies: [{ company: 1, roles: [view] }] });
  await tenant.user('adder', { companies: [{ company: 1, roles: [add] }] });
  [admin, viewer, adder] = await Promise.all([
    world.signIn(tenant, 'admin'),
    world.signIn(tenant, 'viewer'),
    world.signIn(tenant, 'adder'),
  ]);
});
afterAll(() => world.close());

const post = async (code: string) => {
  const answer = await admin.call('POST', '/tapi/region', { code, name: `Region ${code}` });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number; version: number } }>().data;
};
const error = (body: string) => (JSON.parse(body) as { error: Record<string, unknown> }).error;

test('covers a record’s whole life, under both prefixes', async () => {
  const { id } = await post('R1');
  expect((await admin.call('GET', '/api/region?q=r1')).json()).toMatchObject({
    data: [{ id, code: 'R1' }],
    pagination: { count: 1, page: 1 },
  });
  expect((await admin.call('GET', '/api/region/count')).json()).toEqual({ count: 1, capped: false });
  expect((await admin.call('PUT', `/tapi/region/${id}`, { name: 'Renamed', version: 1 })).json()).toMatchObject({
    data: { name: 'Renamed', version: 2 },
  });
  const stale = await admin.call('PUT', `/tapi/region/${id}`, { name: 'Again', version: 1 });
  expect(stale.statusCode).toBe(409);
  expect(error(stale.body)).toMatchObject({
    code: 'stale_version',
    theirs: { name: 'Renamed' },
    base: { name: 'Region R1' },
  });
  expect((await admin.call('GET', `/tapi/region/${id}/history`)).json()).toMatchObject({
    data: [{ op: 'U', change: { name: ['Region R1', 'Renamed'] } }, { op: 'I' }],
  });
  expect((await admin.call('POST', `/tapi/region/${id}/deactivate`, { version: 2 })).json()).toMatchObject({
    data: { active: false },
  });
  expect((await admin.call('POST', `/tapi/region/${id}/activate`, { version: 3 })).statusCode).toBe(200);
  expect((await admin.call('GET', `/tapi/region/${id}/copy`)).json<{ data: object }>().data).not.toHaveProperty('code');
  expect((await admin.call('DELETE', `/tapi/region/${id}`)).statusCode).toBe(204);
  expect((await admin.call('GET', `/tapi/region/${id}`)).statusCode).toBe(404);
});

test('each call needs its own page and action', async () => {
  const { id } = await post('R2');
  const asks = (caller: Caller) => async (method: string, url: string, body?: unknown) =>
    (await caller.call(method, url, body)).statusCode;
  const [see, write] = [asks(viewer), asks(adder)];
  expect(await see('GET', '/tapi/region')).toBe(200);
  expect(await see('GET', `/tapi/region/${id}`)).toBe(200);
  expect(await see('GET', `/tapi/region/${id}/history`)).toBe(200);
  expect(await see('POST', '/tapi/region', { code: 'NO', name: 'No' })).toBe(403);
  expect(await see('PUT', `/tapi/region/${id}`, { version: 1, name: 'No' })).toBe(403);
  expect(await see('PUT', '/tapi/region/bulk', { ids: [id], set: { name: 'No' } })).toBe(403);
  expect(await see('POST', '/tapi/region/bulk_delete', { ids: [id] })).toBe(403);
  expect(await see('GET', `/tapi/region/${id}/copy`)).toBe(403);
  expect(await write('GET', '/tapi/region')).toBe(403);
  expect(await write('GET', '/tapi/region/count')).toBe(403);
  expect(await write('GET', `/tapi/region/${id}`)).toBe(200);
  expect(await write('POST', '/tapi/region', { code: 'YES', name: 'Yes' })).toBe(201);
  expect(await write('PUT', `/tapi/region/${id}`, { version: 1, name: 'Yes 2' })).toBe(200);
  // Deleting and taking out of use need their own action.
  expect(await write('DELETE', `/tapi/region/${id}`)).toBe(403);
  expect(await write('POST', `/tapi/region/${id}/deactivate`, { version: 2 })).toBe(403);
  expect(await write('POST', '/tapi/region/bulk_delete', { ids: [id] })).toBe(403);
});

test('look-ups copy values only for a field of that type on a permitted screen', async () => {
  const url = (field: string) => `/tapi/employee_grade/options?for=${field}`;
  expect((await admin.call('GET', url('employee.grade_id'))).statusCode).toBe(200);
  for (const field of ['employee.designation_id', 'employee.nope', 'nope.grade_id', 'employee', 'employee.name']) {
    const answer = await admin.call('GET', url(field));
    expect(answer.statusCode).toBe(400);
    expect(error(answer.body)).toMatchObject({ field: 'for' });
  }
  expect((await viewer.call('GET', url('employee.grade_id'))).statusCode).toBe(403);
});

describe('invalid input is reported, and never causes a server error', () => {
  test.each([
    ['GET', '/tapi/nothing', undefined, 404],
    ['GET', '/tapi/__proto__', undefined, 404],
    ['GET', '/tapi/constructor/1', undefined, 404],
    ['GET', '/tapi/region/abc', undefined, 404],
    ['GET', '/tapi/region/0', undefined, 404],
    ['GET', '/tapi/region/9999999999999999999', undefined, 404],
    ['GET', '/tapi/region/1%27%3B--', undefined, 404],
    ['GET', '/tapi/region?page=x', undefined, 400],
    ['GET', '/tapi/region?sort=name&sort=code', undefined, 400],
    ['GET', '/tapi/region?sort=name%3Bdrop', undefined, 400],
    ['GET', '/tapi/region?q=a%00', undefined, 400],
    ['GET', '/tapi/region?filter=%5B%22name%22%2C%22eq%22%2C%22a%5Cu0000%22%5D', undefined, 400],
    ['GET', '/tapi/region?after=AAAA', undefined, 400],
    ['GET', '/tapi/region/options?where=x', undefined, 400],
    ['GET', '/tapi/region/options?ids=x', undefined, 400],
    ['GET', '/tapi/region/options?q=a&q=b', undefined, 400],
    ['GET', '/tapi/region/options?ids=1&ids=2', undefined, 400],
    ['GET', '/tapi/region/options?for=a&for=b', undefined, 400],
    ['GET', '/tapi/region/options?limit=-1', undefined, 400],
    ['GET', '/tapi/region/options?where=%7B%22a%22%3A%22%5Cu0000%22%7D', undefined, 400],
    ['GET', '/tapi/region/tree', undefined, 404],
    ['GET', '/tapi/region/single', undefined, 404],
    ['GET', '/tapi/region/1/subordinates', undefined, 404],
    ['GET', '/tapi/employee/tree?root=x', undefined, 400],
    ['GET', '/tapi/region/1/history?page=0', undefined, 400],
    ['POST', '/tapi/region', [], 400],
    ['POST', '/tapi/region', { code: 1, name: { a: 1 } }, 422],
    ['POST', '/tapi/region', { code: 'a\u0000', name: 'x' }, 400],
    ['PUT', '/tapi/region/bulk', { ids: 'x', set: {} }, 400],
    ['PUT', '/tapi/region/bulk', { ids: [1], set: 5 }, 400],
    ['POST', '/tapi/region/bulk_delete', { ids: [1], mode: 'erase' }, 400],
    ['POST', '/tapi/region/views', { name: '' }, 422],
    ['POST', '/tapi/region/views', { name: 'a\u0000' }, 400],
    ['POST', '/tapi/region/views', { name: 'x', state: { a: '\u0000' } }, 400],
    ['GET', '/tapi/search?q=a%00b', undefined, 400],
    ['GET', '/tapi/search?q=a&q=b', undefined, 400],
  ] as const)('%s %s → %#', async (method, url, body, status) => {
    const answer = await admin.call(method, url, body);
    expect(answer.statusCode, answer.body).toBe(status);
  });
});

test('each of the two companies has its own records', async () => {
  const of = (company: number) => ({ 'x-entity-id': String(tenant.entityIds[company - 1]) });
  const byCompany = [...world.screens.values()].find(
    (screen) => screen.scope === 'entity' && screen.kind === 'master' && screen.access.products.length === 0,
  )!;
  const ask = async (company: number) =>
    (await admin.call('GET', `/tapi/${byCompany.name}/count?active=all`, undefined, of(company))).statusCode;
  expect([await ask(1), await ask(2)]).toEqual([200, 200]);
});
