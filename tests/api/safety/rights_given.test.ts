import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };
interface Company {
  entity_id: number;
  role_ids: number[];
  branch_ids?: number[];
}

let world: World;
let acme: TestTenant;
let admin: Caller;
/** Keeps users, roles and keys in the first company, and holds a small role in the second. */
let keeper: Caller;
let small: number;
let large: number;
let keeping: number;
let one: number;
let two: number;
let three: number;

const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
const inAYear = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 3, products: ['FMS', 'TKT'] });
  [one, two, three] = acme.entityIds as [number, number, number];
  keeping = await acme.role({
    modules: ['USERS', 'SETTINGS', 'MASTERS'],
    screens: {
      SCN_USERS: { module: 'USERS', pages: [...pages] },
      SCN_ROLE: { module: 'SETTINGS', pages: [...pages] },
      SCN_API_CONFIG: { module: 'SETTINGS', pages: [...pages] },
      SCN_SEGMENT: { module: 'MASTERS', pages: [...pages] },
    },
    actions: ['CREATE_USERS', 'MANAGE_RIGHTS', 'MANAGE_INTEGRATIONS', 'CREATE_MASTERS', 'DELETE_RECORDS'],
  });
  small = await acme.role({ modules: ['MASTERS'], screens: { SCN_SEGMENT: ['landing', 'view_screen'] } });
  large = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: [...pages] } });
  await acme.user('admin', { isAdmin: true });
  await acme.user('keeper', {
    products: ['FMS'],
    companies: [
      { company: 1, roles: [keeping] },
      { company: 2, roles: [small] },
    ],
  });
  [admin, keeper] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'keeper')]);
});
afterAll(() => world.close());

let made = 0;
const person = (companies: Company[], more: object = {}) => ({
  username: `person${++made}`,
  name: `Person ${made}`,
  email: `p${made}@example.in`,
  status: 'invited',
  products: ['FMS'],
  companies,
  ...more,
});
const at = { 'x-entity-id': '' };
const asKeeper = (method: string, url: string, body?: unknown) =>
  keeper.call(method, url, body, { ...at, 'x-entity-id': String(one) });
const read = async (url: string) => (await admin.call('GET', url)).json<{ data: Row }>().data;
const fields = (answer: { json<T>(): T }) =>
  answer.json<{ error: { details?: { field: string }[] } }>().error.details?.map(({ field }) => field);
async function added(companies: Company[], more: object = {}): Promise<Row> {
  const answer = await admin.call('POST', '/tapi/users', person(companies, more));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
}

describe('a user', () => {
  it('gets roles that the other person holds in that company', async () => {
    const fine = await asKeeper(
      'POST',
      '/tapi/users',
      person([
        { entity_id: one, role_ids: [small] },
        { entity_id: two, role_ids: [small] },
      ]),
    );
    expect(fine.statusCode, fine.body).toBe(201);
    for (const companies of [
      [{ entity_id: one, role_ids: [large] }],
      // Held in the first company, not in the second.
      [{ entity_id: two, role_ids: [keeping] }],
      [{ entity_id: three, role_ids: [] }],
      [{ entity_id: three, role_ids: [small] }],
    ]) {
      const refused = await asKeeper('POST', '/tapi/users', person(companies));
      expect(refused.statusCode, JSON.stringify(companies)).toBe(422);
      expect(fields(refused)).toContain('companies');
    }
  });

  it('gets no company, role or product by a change either', async () => {
    const { id, version } = await added([{ entity_id: one, role_ids: [small] }]);
    for (const change of [
      {
        companies: [
          { entity_id: one, role_ids: [small] },
          { entity_id: three, role_ids: [] },
        ],
      },
      { companies: [{ entity_id: one, role_ids: [small, large] }] },
      {
        companies: [
          { entity_id: one, role_ids: [small] },
          { entity_id: two, role_ids: [keeping] },
        ],
      },
      { products: ['TKT'] },
      { products: [] },
      { is_admin: true },
    ]) {
      const put = await asKeeper('PUT', `/tapi/users/${id}`, { version, ...change });
      expect(put.statusCode, JSON.stringify(change)).toBe(422);
      const bulk = await asKeeper('PUT', '/tapi/users/bulk', { ids: [id], set: change });
      expect(bulk.json(), JSON.stringify(change)).toMatchObject({ data: { changed: [], errors: [{ id }] } });
    }
    expect((await read(`/tapi/users/${id}`)).version).toBe(version);
    expect((await asKeeper('PUT', `/tapi/users/${id}`, { version, name: 'Another name' })).statusCode).toBe(200);
  });

  it('who works in another company is left to somebody who works there', async () => {
    const { id, version } = await added([
      { entity_id: one, role_ids: [small] },
      { entity_id: three, role_ids: [small] },
    ]);
    expect((await asKeeper('PUT', `/tapi/users/${id}`, { version, email: 'mine@example.in' })).statusCode).toBe(422);
    for (const action of ['reset_link', 'invite', 'sign_out', 'temporary_password'])
      expect((await asKeeper('POST', `/tapi/users/${id}/${action}`)).statusCode, action).toBe(403);
    for (const step of ['disable', 'deactivate'])
      expect((await asKeeper('POST', `/tapi/users/${id}/${step}`, { version })).statusCode, step).toBe(422);
    expect((await admin.call('POST', `/tapi/users/${id}/deactivate`, { version })).statusCode).toBe(200);
    expect((await asKeeper('POST', `/tapi/users/${id}/activate`, { version: version + 1 })).statusCode).toBe(422);
  });

  it('cannot change companies, roles, branches, products or employee of their own account', async () => {
    const own = (await asKeeper('GET', `/tapi/users/${keeper.userId}`)).json<{ data: Row }>().data;
    const companies = own.companies as Company[];
    for (const change of [
      { companies: [...companies, { entity_id: three, role_ids: [small] }] },
      { companies: companies.map((row) => ({ ...row, role_ids: [...row.role_ids, large] })) },
      { companies: companies.map((row) => ({ ...row, role_ids: [keeping] })) },
      { products: [] },
      { status: 'disabled' },
    ]) {
      const put = await asKeeper('PUT', `/tapi/users/${own.id}`, { version: own.version, ...change });
      expect(put.statusCode, JSON.stringify(change)).toBe(422);
    }
    expect((await read(`/tapi/users/${own.id}`)).version).toBe(own.version);
  });
});

describe('a key', () => {
  const key = (account: number) => ({
    name: `Key ${++made}`,
    direction: 'inbound',
    service_user_id: account,
    expires_on: inAYear,
  });
  async function account(companies: Company[], more: object = {}): Promise<number> {
    const { id } = await added(companies, more);
    await acme.sql(`update {s}.users set is_service = true, status = 'active' where id = $1`, [id]);
    return id;
  }

  it('of an account with more rights cannot be created, changed, renewed or reactivated', async () => {
    for (const service of [
      await account([{ entity_id: one, role_ids: [large] }]),
      await account([{ entity_id: two, role_ids: [keeping] }]),
      await account([{ entity_id: three, role_ids: [small] }]),
      await account([], { is_admin: true }),
    ]) {
      expect((await asKeeper('POST', '/tapi/api_config', key(service))).statusCode).toBe(422);
      const theirs = await admin.call('POST', '/tapi/api_config', key(service));
      expect(theirs.statusCode, theirs.body).toBe(201);
      const { id, version } = theirs.json<{ data: Row }>().data;
      const rotated = await asKeeper('POST', `/tapi/api_config/${id}/rotate`);
      expect(rotated.statusCode, rotated.body).toBe(422);
      expect(fields(rotated)).toEqual(['service_user_id']);
      const stored = await acme.sql<{ old: string | null }>(
        'select old_key_hash as old from {s}.api_config where id = $1',
        [id],
      );
      expect(stored).toEqual([{ old: null }]);
      expect((await asKeeper('PUT', `/tapi/api_config/${id}`, { version, scopes: [] })).statusCode).toBe(200);
      expect((await asKeeper('PUT', `/tapi/api_config/${id}`, { version, name: 'Mine' })).statusCode).toBe(422);
      expect((await admin.call('POST', `/tapi/api_config/${id}/deactivate`, { version })).statusCode).toBe(200);
      const back = await asKeeper('POST', `/tapi/api_config/${id}/activate`, { version: version + 1 });
      expect(back.statusCode, back.body).toBe(422);
    }
    const fine = await asKeeper(
      'POST',
      '/tapi/api_config',
      key(await account([{ entity_id: one, role_ids: [small] }])),
    );
    expect(fine.statusCode, fine.body).toBe(201);
    const { id } = fine.json<{ data: Row }>().data;
    expect((await asKeeper('POST', `/tapi/api_config/${id}/rotate`)).statusCode).toBe(200);
  });
});

describe('a role', () => {
  it('with more rights cannot be copied or reactivated', async () => {
    const copy = (id: number, name: string) => asKeeper('POST', `/tapi/role/${id}/copy`, { role_name: name });
    expect((await copy(large, 'Mine')).statusCode).toBe(403);
    expect((await copy(small, 'Small too')).statusCode).toBe(201);
    const { version } = await read(`/tapi/role/${large}`);
    await acme.sql('update {s}.role set active = false where id = $1', [large]);
    expect((await asKeeper('POST', `/tapi/role/${large}/activate`, { version })).statusCode).toBe(422);
    expect((await admin.call('POST', `/tapi/role/${large}/activate`, { version })).statusCode).toBe(200);
  });

  it('cannot be changed by somebody who holds it in another company', async () => {
    const { version } = await read(`/tapi/role/${small}`);
    const change = await asKeeper('PUT', `/tapi/screen_rights/${small}`, {
      version,
      screens: [
        {
          screen_code: 'SCN_SEGMENT',
          data_scope: 'company',
          landing: true,
          add_screen: true,
          edit_screen: true,
          view_screen: true,
          approval_screen: false,
          transfer_screen: false,
        },
      ],
    });
    expect(change.statusCode, change.body).toBe(403);
    expect(change.body).toContain('hold this role yourself');
  });
});
