import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillCatalogue } from '../../../src/server/platform/clients/catalogue.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { readPages } from '../../../src/server/access/rights/pages.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

interface Entry {
  code: string;
  name: string;
  route?: string;
  children?: Entry[];
}
interface Row {
  id: number;
  version: number;
}

describe('changes of a platform administrator to modules and screens', () => {
  let world: World;
  let root: Caller;
  let clerk: Caller;
  let chief: Caller;
  let acme: TestTenant;
  const admin = { host: 'admin.localhost:3000' } as TestTenant;
  const main = () => world.database.directory.main;
  const mark = randomBytes(4).toString('hex');

  async function change(type: 'screen' | 'module', code: string, set: object): Promise<void> {
    const [row] = await main().query<Row>(`select id, version from public.${type} where ${type}_code = $1`, [code]);
    const answer = await root.call('PUT', `/api/${type}/${row!.id}`, { version: row!.version, ...set });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  async function use(type: 'screen' | 'module', code: string, how: 'activate' | 'deactivate'): Promise<number> {
    const [row] = await main().query<Row>(`select id, version from public.${type} where ${type}_code = $1`, [code]);
    return (await root.call('POST', `/api/${type}/${row!.id}/${how}`, { version: row!.version })).statusCode;
  }
  const menuOf = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/menu')).json<{
      data: { tree: Entry[]; screens: { name: string; plural: string }[] };
    }>().data;
  /** Names from the top to the entry; null = it is not in the menu. */
  function wayTo(entries: Entry[], route: string): string[] | null {
    for (const entry of entries) {
      if (entry.route === route) return [entry.name];
      const below = wayTo(entry.children ?? [], route);
      if (below) return [entry.name, ...below];
    }
    return null;
  }
  const way = async (caller: Caller, route: string) => wayTo((await menuOf(caller)).tree, route);
  const features = async (caller: Caller) =>
    (await caller.call('GET', `/get_features_by_role/${caller.userId}`)).json<{
      data: { roles_list: { features: string[] }[] }[];
      modules_by_users: { module_code: string; module_name: string; active: boolean }[];
      screen_by_users: { screen_code: string }[];
      rights_version: number;
    }>();
  const soon = { timeout: 60_000, interval: 20 };

  beforeAll(async () => {
    world = await startWorld({ alone: true });
    await writeUserTypes(main());
    await fillCatalogue(
      world.database.directory,
      world.screens,
      readPages(join(import.meta.dirname, '../../../schemas')),
    );
    const [made] = await platformSql<{ id: number }>(
      main(),
      `insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = 'SUPER' returning id`,
      [`root-${mark}`, `root-${mark}@mainstay.example`],
    );
    await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
    root = await world.signIn(admin, `root-${mark}`);
    acme = await world.tenant({ suffix: 'cat', products: ['TKT'] });
    const role = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_BRANCH: ['landing', 'view_screen'], SCN_SEGMENT: ['landing', 'view_screen'] },
    });
    await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    clerk = await world.signIn(acme, 'clerk');
    chief = await world.signIn(acme, 'chief');
  });
  afterAll(() => world.close());

  it('a screen: its new name and menu place apply to the next page; a restart keeps them', async () => {
    const before = await way(clerk, '/branch');
    expect(before?.at(-1)).toBe('Branches');
    const { rights_version: version } = await features(clerk);
    await change('screen', 'SCN_BRANCH', {
      name: 'Offices and plants',
      menu_under: 'Masters > Other',
      menu_position: 1,
    });
    await expect.poll(() => way(clerk, '/branch'), soon).toEqual(['Masters', 'Other', 'Offices and plants']);
    expect((await menuOf(clerk)).screens.find(({ name }) => name === 'branch')?.plural).toBe('Offices and plants');
    expect((await features(clerk)).rights_version).toBeGreaterThan(version);
    await fillCatalogue(world.database.directory, world.screens, []);
    expect(await main().query(`select name, shipped_name from public.screen where screen_code = 'SCN_BRANCH'`)).toEqual(
      [{ name: 'Offices and plants', shipped_name: 'Branches' }],
    );
    const [row] = await main().query<Row>(`select id, version from public.screen where screen_code = 'SCN_BRANCH'`);
    expect(
      (await root.call('PUT', `/api/screen/${row!.id}`, { version: row!.version, menu_under: 'Nowhere' })).json(),
    ).toMatchObject({ error: { field: 'menu_under' } });
    await change('screen', 'SCN_BRANCH', { name: 'Branches', menu_under: null, menu_position: null });
    await expect.poll(() => way(clerk, '/branch'), soon).toEqual(before);
  });

  it('a screen added by hand is a menu entry for an existing page; a shipped one keeps its code', async () => {
    const [masters] = await main().query<Row>(`select id from public.module where module_code = 'MASTERS'`);
    const add = (more: object) =>
      root.call('POST', '/api/screen', {
        screen_code: 'SCN_OWN_OFFICES',
        name: 'Our offices',
        route: '/branch?filter=["code","starts","M"]',
        menu_under: 'Act',
        module_id: masters!.id,
        ...more,
      });
    expect((await add({ route: '/nowhere' })).json()).toMatchObject({ error: { field: 'route' } });
    expect((await add({})).statusCode).toBe(201);
    const clerks = () => way(clerk, '/branch?filter=["code","starts","M"]');
    await expect.poll(() => way(chief, '/branch?filter=["code","starts","M"]'), soon).toEqual(['Act', 'Our offices']);
    // A role ticks it like any screen; until then it stands in nobody's menu.
    expect(await clerks()).toBeNull();
    const [role] = await acme.sql<{ id: number }>(`select id from {s}.role where code = 'R1'`);
    const matrix = (await chief.call('GET', `/tapi/screen_rights/${role!.id}`)).json<{
      data: { role: Row; screens: { screen_code: string }[] };
    }>().data;
    expect(matrix.screens.find(({ screen_code: code }) => code === 'SCN_OWN_OFFICES')).toMatchObject({
      name: 'Our offices',
      modules: ['MASTERS'],
      has: ['landing'],
      landing: false,
    });
    const off = {
      add_screen: false,
      edit_screen: false,
      view_screen: false,
      approval_screen: false,
      transfer_screen: false,
      data_scope: 'company',
    };
    const saved = await chief.call('PUT', `/tapi/screen_rights/${role!.id}`, {
      version: matrix.role.version,
      screens: [{ screen_code: 'SCN_OWN_OFFICES', landing: true, ...off }],
    });
    expect(saved.statusCode, saved.body).toBe(200);
    await expect.poll(clerks, soon).toEqual(['Act', 'Our offices']);
    expect(await use('screen', 'SCN_OWN_OFFICES', 'deactivate')).toBe(200);
    await expect.poll(() => way(clerk, '/branch?filter=["code","starts","M"]'), soon).toBeNull();
    const [row] = await main().query<Row>(`select id, version from public.screen where screen_code = 'SCN_SEGMENT'`);
    expect(
      (await root.call('PUT', `/api/screen/${row!.id}`, { version: row!.version, screen_code: 'SCN_OTHER' })).json(),
    ).toMatchObject({ error: { field: 'screen_code' } });
    expect((await root.call('DELETE', `/api/screen/${row!.id}`)).statusCode).toBeGreaterThanOrEqual(400);
  });

  it('a screen added by an upgrade is marked as new in the roles, unticked, for a month', async () => {
    const [role] = await acme.sql<{ id: number }>(`select id from {s}.role where code = 'R1'`);
    const fresh = async () =>
      (await chief.call('GET', `/tapi/screen_rights/${role!.id}`))
        .json<{ data: { screens: { screen_code: string; is_new: boolean; landing: boolean }[] } }>()
        .data.screens.filter((row) => row.is_new);
    expect(await fresh()).toEqual([]);
    await main().query(
      `update public.screen set created_at = now() - case when screen_code = 'SCN_ZONE' then interval '20 days' else interval '400 days' end`,
    );
    await change('screen', 'SCN_REGION', { sequence_no: 77 });
    await expect.poll(fresh, soon).toMatchObject([{ screen_code: 'SCN_ZONE', landing: false }]);
    await main().query(`update public.screen set created_at = now() - interval '400 days'`);
    await change('screen', 'SCN_REGION', { sequence_no: 78 });
    await expect.poll(fresh, soon).toEqual([]);
  });

  it('a disabled screen leaves menu and features, and its calls are refused, for administrators too; enabling restores it', async () => {
    expect((await features(clerk)).data[0]!.roles_list[0]!.features).toContain('/branch');
    expect(await use('screen', 'SCN_BRANCH', 'deactivate')).toBe(200);
    await expect
      .poll(async () => (await clerk.call('GET', '/tapi/branch')).json(), soon)
      .toMatchObject({
        error: {
          code: 'forbidden',
          reason: 'screen',
          message: 'Branches is switched off on this platform. Ask the platform administrator.',
        },
      });
    for (const [method, url] of [
      ['GET', '/tapi/branch/1'],
      ['POST', '/tapi/branch'],
      ['GET', '/tapi/branch/export.xlsx'],
      ['GET', '/tapi/screens/branch'],
    ] as const)
      expect((await chief.call(method, url, method === 'POST' ? {} : undefined)).statusCode, url).toBe(403);
    expect(await way(chief, '/branch')).toBeNull();
    const now = await features(clerk);
    expect(now.data[0]!.roles_list[0]!.features).not.toContain('/branch');
    expect(now.screen_by_users.map(({ screen_code: code }) => code)).toEqual(['SCN_SEGMENT']);
    expect((await clerk.call('GET', '/tapi/segment')).statusCode).toBe(200);
    expect(await use('screen', 'SCN_BRANCH', 'activate')).toBe(200);
    await expect.poll(async () => (await clerk.call('GET', '/tapi/branch')).statusCode, soon).toBe(200);
  });

  it('a screen released to some clients is hidden from others; one open to everybody shows their own records without a right', async () => {
    await change('screen', 'SCN_SEGMENT', { released_to: ['somebody-else'] });
    await expect
      .poll(async () => (await clerk.call('GET', '/tapi/segment')).json(), soon)
      .toMatchObject({ error: { reason: 'screen', message: 'Segments has not been released to your company.' } });
    await change('screen', 'SCN_SEGMENT', { released_to: ['somebody-else', acme.subDomain] });
    await expect.poll(async () => (await clerk.call('GET', '/tapi/segment')).statusCode, soon).toBe(200);
    await chief.call('POST', '/tapi/zone', { code: 'S', name: 'South' });
    expect((await clerk.call('GET', '/tapi/zone')).statusCode).toBe(403);
    await change('screen', 'SCN_ZONE', { isnonadmintoshow: true });
    await expect.poll(async () => (await clerk.call('GET', '/tapi/zone')).json(), soon).toMatchObject({ data: [] });
    await expect.poll(() => way(clerk, '/zone/landing'), soon).not.toBeNull();
    await change('screen', 'SCN_ZONE', { isnonadmintoshow: false });
    await expect.poll(async () => (await clerk.call('GET', '/tapi/zone')).statusCode, soon).toBe(403);
  });

  it('a module: its new name is in the features; disabling it closes all its screens', async () => {
    await change('module', 'MASTERS', { module_name: 'Lists' });
    await expect
      .poll(async () => (await features(clerk)).modules_by_users, soon)
      .toEqual([expect.objectContaining({ module_code: 'MASTERS', module_name: 'Lists', active: true })]);
    expect(await use('module', 'MASTERS', 'deactivate')).toBe(200);
    await expect
      .poll(async () => (await clerk.call('GET', '/tapi/branch')).json(), soon)
      .toMatchObject({
        error: { reason: 'module', message: 'Lists is switched off on this platform. Ask the platform administrator.' },
      });
    expect((await chief.call('GET', '/tapi/branch')).statusCode).toBe(403);
    expect(await features(clerk)).toMatchObject({
      modules_by_users: [{ active: false }],
      screen_by_users: [],
      data: [{ roles_list: [{ features: [] }] }],
    });
    expect(await use('module', 'MASTERS', 'activate')).toBe(200);
    await expect.poll(async () => (await clerk.call('GET', '/tapi/branch')).statusCode, soon).toBe(200);
    expect(await use('module', 'SETTINGS', 'deactivate')).toBe(422);
  });
});
