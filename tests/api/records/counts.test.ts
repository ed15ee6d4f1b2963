import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld();
  const other = await world.tenant();
  const theirs = await other.role({ modules: ['MASTERS'] });
  await other.user('stranger', { companies: [{ company: 1, roles: [theirs] }] });
  acme = await world.tenant({ companies: 2 });
  const [none, many, one] = [
    await acme.role({ modules: ['MASTERS'] }),
    await acme.role({ modules: ['MASTERS'] }),
    await acme.role({ modules: ['MASTERS'] }),
  ];
  expect(theirs).toBe(none);
  await acme.user('admin', { isAdmin: true });
  // In both companies: still one person.
  await acme.user('asha', {
    companies: [
      { company: 1, roles: [many, one] },
      { company: 2, roles: [many] },
    ],
  });
  await acme.user('ravi', { status: 'invited', companies: [{ company: 2, roles: [many] }] });
  await acme.user('gone', { status: 'disabled', companies: [{ company: 1, roles: [many, none] }] });
  await acme.sql('update {s}.users set active = false where id = $1', [
    await acme.user('old', { companies: [{ company: 1, roles: [one] }] }),
  ]);
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

interface Row {
  id: number;
  code: string;
  users: number;
  version: number;
}
const list = async (query = '') =>
  (await admin.call('GET', `/tapi/role?${query}`)).json<{ data: Row[]; cursor: string | null }>();
const told = (rows: Row[]) => rows.map(({ code, users }) => `${code} ${users}`);

describe('the list of roles', () => {
  it('shows how many users of this client hold each role, without disabled ones', async () => {
    expect(told((await list('sort=code')).data)).toEqual(['R1 0', 'R2 2', 'R3 1']);
    expect((await list('sort=code&columns=code')).data[0]).not.toHaveProperty('users');
    expect((await list('sort=code&columns=*')).data[1]).toHaveProperty('users', 2);
  });

  it('is sorted by the count, page by page, and cannot be filtered by it', async () => {
    expect(told((await list('sort=-users')).data)).toEqual(['R2 2', 'R3 1', 'R1 0']);
    const first = await list('sort=users&size=2');
    expect(told(first.data)).toEqual(['R1 0', 'R3 1']);
    expect(told((await list(`sort=users&size=2&after=${first.cursor}`)).data)).toEqual(['R2 2']);
    expect((await admin.call('GET', `/tapi/role?filter=${encodeURIComponent('["users","eq",1]')}`)).statusCode).toBe(
      400,
    );
  });

  it('exports it to Excel, and nobody can set it', async () => {
    const answer = await world.inject({
      method: 'GET',
      url: '/tapi/role/export.xlsx?sort=code&columns=code,users',
      headers: { host: acme.host, authorization: `Bearer ${admin.token}` },
    });
    expect(XLSX.utils.sheet_to_json(XLSX.read(answer.rawPayload).Sheets.Sheet1!, { header: 1 })).toEqual([
      ['Code', 'Users'],
      ['R1', 0],
      ['R2', 2],
      ['R3', 1],
    ]);
    const [role] = (await list('sort=code')).data;
    expect((await admin.call('PUT', `/tapi/role/${role!.id}`, { version: role!.version, users: 50 })).statusCode).toBe(
      422,
    );
    expect(told((await list('sort=code')).data)[0]).toBe('R1 0');
  });
});
