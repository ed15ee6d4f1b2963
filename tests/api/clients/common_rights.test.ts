import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

interface Row {
  screen_code: string;
  has: string[];
  landing: boolean;
  edit_screen: boolean;
  data_scope: string;
}
interface Matrix {
  role: { id: number; version: number; is_system: boolean };
  users: number;
  may_edit: boolean;
  screens: Row[];
}

describe('common rights', () => {
  let world: World;
  let root: Caller;
  let typeId: number;
  const mark = randomBytes(4).toString('hex');
  const admin = { host: 'admin.localhost:3000' } as TestTenant;
  const main = () => world.database.directory.main;

  async function person(username: string, type: number): Promise<Caller> {
    const [made] = await platformSql<{ id: number }>(
      main(),
      'insert into public.common_user (username, name, email, user_type_id) values ($1, $1, $2, $3) returning id',
      [username, `${username}@mainstay.example`, type],
    );
    await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
    return world.signIn(admin, username);
  }
  const matrix = async (caller: Caller, id = typeId) =>
    (await caller.call('GET', `/api/common_rights/${id}`)).json<{ data: Matrix }>().data;
  const row = async (code: string) => (await matrix(root)).screens.find((one) => one.screen_code === code)!;

  beforeAll(async () => {
    world = await startWorld({ types: [] });
    await writeUserTypes(main());
    const [superType] = await main().query<{ id: number }>(`select id from public.user_type where code = 'SUPER'`);
    root = await person(`root-${mark}`, superType!.id);
    [{ id: typeId }] = (await platformSql<{ id: number }>(
      main(),
      'insert into public.user_type (code, name) values ($1, $1) returning id',
      [`T${mark}`],
    )) as [{ id: number }];
  });
  afterAll(() => world.close());

  it('list every screen of the administration host and none of clients', async () => {
    const { screens } = await matrix(root);
    const codes = screens.map(({ screen_code: code }) => code);
    for (const code of ['CLIENT', 'BLOG', 'COMMON_RIGHTS', 'LEAD']) expect(codes).toContain(`COMMON_SCN_${code}`);
    expect(codes.filter((code) => !code.startsWith('COMMON_SCN_'))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('apply to signed-in people from the next request', async () => {
    const clerk = await person(`clerk-${mark}`, typeId);
    expect((await clerk.call('GET', '/tapi/partner')).statusCode).toBe(403);
    const { role, users } = await matrix(root);
    expect(users).toBe(1);
    const saved = await root.call('PUT', `/api/common_rights/${typeId}`, {
      version: role.version,
      screens: [{ ...(await row('COMMON_SCN_PARTNER')), landing: true, view_screen: true }],
    });
    expect(saved.json()).toMatchObject({ version: role.version + 1, users_affected: 1, warnings: [] });
    await expect.poll(async () => (await clerk.call('GET', '/tapi/partner')).statusCode).toBe(200);
    expect((await clerk.call('POST', '/tapi/partner', { code: 'X', name: 'X' })).statusCode).toBe(403);
    expect(
      (await root.call('GET', `/tapi/user_type/${typeId}/history`)).json<{ data: object[] }>().data[0],
    ).toMatchObject({ op: 'U', by__label: `root-${mark}` });
  });

  it('are refused after another save, for unknown screens, and for a type with full access', async () => {
    const { role } = await matrix(root);
    const partner = await row('COMMON_SCN_PARTNER');
    expect(
      (
        await root.call('PUT', `/api/common_rights/${typeId}`, {
          version: role.version - 1,
          screens: [{ ...partner, edit_screen: true }],
        })
      ).json(),
    ).toMatchObject({ error: { code: 'stale_version', changed_by: `root-${mark}` } });
    expect(
      (
        await root.call('PUT', `/api/common_rights/${typeId}`, {
          version: role.version,
          screens: [{ ...partner, screen_code: 'SCN_BRANCH' }],
        })
      ).statusCode,
    ).toBe(422);
    const [superType] = await main().query<{ id: number; version: number }>(
      `select id, version from public.user_type where code = 'SUPER'`,
    );
    expect((await matrix(root, superType!.id)).may_edit).toBe(false);
    expect(
      (await root.call('PUT', `/api/common_rights/${superType!.id}`, { version: superType!.version, screens: [] }))
        .statusCode,
    ).toBe(422);
  });

  it('cannot be raised for one’s own type, beyond one’s own rights, or without the screen', async () => {
    const [other] = await platformSql<{ id: number }>(
      main(),
      'insert into public.user_type (code, name) values ($1, $1) returning id',
      [`U${mark}`],
    );
    const keeper = await person(`keeper-${mark}`, other!.id);
    expect((await keeper.call('GET', `/api/common_rights/${typeId}`)).statusCode).toBe(403);
    await platformSql(
      main(),
      `insert into public.common_right (user_type_id, screen_code, landing, edit_screen) values ($1, 'COMMON_SCN_COMMON_RIGHTS', true, true)`,
      [other!.id],
    );
    await expect.poll(async () => (await keeper.call('GET', '/api/common_rights')).statusCode).toBe(200);
    const give = async (id: number, code: string) =>
      keeper.call('PUT', `/api/common_rights/${id}`, {
        version: (await matrix(keeper, id)).role.version,
        screens: [{ ...(await row(code)), landing: true }],
      });
    expect((await give(other!.id, 'COMMON_SCN_BLOG')).json()).toMatchObject({ error: { code: 'elevation' } });
    expect((await give(typeId, 'COMMON_SCN_BLOG')).json()).toMatchObject({
      error: { code: 'elevation', field: 'COMMON_SCN_BLOG' },
    });
    expect((await give(typeId, 'COMMON_SCN_COMMON_RIGHTS')).statusCode).toBe(200);
  });

  it('do not exist for clients', async () => {
    const tenant = await world.tenant();
    await tenant.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    expect((await (await world.signIn(tenant, 'chief')).call('GET', '/tapi/common_rights')).statusCode).toBe(404);
  });
});
