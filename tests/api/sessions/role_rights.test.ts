import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { CatalogueView } from '../../../src/server/db/tenant.ts';
import { compileRights } from '../../../src/server/access/rights/rights.ts';
import { readRoles, readUnitedRoles } from '../../../src/server/access/sessions/session_rows.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let keeper: Caller;
let clerk: Caller;
let clerkRole: number;
let keeperRole: number;

interface Matrix {
  role: { version: number };
  modules: { module_code: string; active: boolean; bought: boolean; screens: number; ticked: number }[];
  screens: ({ screen_code: string; has: string[]; data_scope: string; available: boolean } & Record<string, unknown>)[];
  actions: string[];
  warnings: string[];
}

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 1 });
  keeperRole = await acme.role({
    modules: ['SETTINGS', 'MASTERS'],
    screens: {
      SCN_ROLE: { module: 'SETTINGS', pages: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
      SCN_BRANCH: { module: 'MASTERS', pages: ['landing', 'view_screen'] },
    },
    actions: ['MANAGE_RIGHTS'],
  });
  clerkRole = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
  await acme.user('admin', { isAdmin: true });
  await acme.user('keeper', { companies: [{ company: 1, roles: [keeperRole] }] });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerkRole] }] });
  [admin, keeper, clerk] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'keeper'),
    world.signIn(acme, 'clerk'),
  ]);
});
afterAll(() => world.close());

const matrix = async (id = clerkRole, caller = admin) =>
  (await caller.call('GET', `/tapi/screen_rights/${id}`)).json<{ data: Matrix }>().data;
const off = {
  landing: false,
  add_screen: false,
  edit_screen: false,
  view_screen: false,
  approval_screen: false,
  transfer_screen: false,
  data_scope: 'company',
};
const put = async (change: object, caller = admin, id = clerkRole) =>
  caller.call('PUT', `/tapi/screen_rights/${id}`, { version: (await matrix(id)).role.version, ...change });

describe('the matrix of a role', () => {
  it('lists every screen of the product with its pages, once', async () => {
    const { screens, modules } = await matrix();
    const codes = screens.map(({ screen_code: code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(screens.find(({ screen_code: code }) => code === 'SCN_BRANCH')).toMatchObject({
      landing: true,
      view_screen: true,
      edit_screen: false,
      data_scope: 'company',
      has: ['landing', 'add_screen', 'edit_screen', 'view_screen'],
    });
    expect(codes.some((code) => code.startsWith('COMMON_'))).toBe(false);
    expect(modules.find(({ module_code: code }) => code === 'MASTERS')).toMatchObject({
      active: true,
      bought: true,
      ticked: 1,
    });
    expect(modules.find(({ module_code: code }) => code === 'PERFORMANCE')).toMatchObject({
      active: false,
      bought: false,
    });
  });

  it('groups the screen codes of masters, and lists codes without a page; a role may have them', async () => {
    type Listed = { screen_code: string; group?: string; released?: false; available: boolean; landing: boolean };
    const rows = async () => (await matrix()).screens as unknown as Listed[];
    const row = async (code: string) => (await rows()).find(({ screen_code: one }) => one === code);
    for (const [code, group] of [
      ['SCN_BRANCH', 'Global'],
      ['SCN_UOM', 'Performance'],
      ['SCN_SERVICE', 'Ticket'],
      ['SCN_OCCASION', 'Walk-in'],
      ['SCN_VISIT_CUSTOMER', 'Visits'],
      ['SCN_OBJECTIVE', 'Business plan'],
    ] as const)
      expect([code, (await row(code))?.group]).toEqual([code, group]);
    expect(await row('SCN_ROLE')).not.toHaveProperty('group');
    const [later] = (await rows()).filter(({ released }) => released === false);
    expect(later).toMatchObject({ available: false, landing: false });
    const saved = await put({ screens: [{ screen_code: later!.screen_code, ...off, landing: true }] });
    expect(saved.statusCode, saved.body).toBe(200);
    expect(await row(later!.screen_code)).toMatchObject({ landing: true });
    await put({ screens: [{ screen_code: later!.screen_code, ...off }] });
  });

  it('a change applies to all holders from the next call, and they are notified', async () => {
    expect((await clerk.call('GET', '/tapi/zone')).statusCode).toBe(403);
    const saved = await put({ screens: [{ screen_code: 'SCN_ZONE', ...off, landing: true, view_screen: true }] });
    expect(saved.json()).toMatchObject({ users_affected: 1, warnings: [] });
    expect((await clerk.call('GET', '/tapi/zone')).statusCode).toBe(200);
    expect((await clerk.call('GET', '/tapi/notifications')).json<{ data: object[] }>().data[0]).toMatchObject({
      event_code: 'rights.changed',
    });
    await put({ screens: [{ screen_code: 'SCN_ZONE', ...off }] });
    expect((await clerk.call('GET', '/tapi/zone')).statusCode).toBe(403);
    expect(
      await acme.sql(`select 1 from {s}.screen_rights where role_id = $1 and screen_code = 'SCN_ZONE'`, [clerkRole]),
    ).toEqual([]);
  });

  it('closing a module closes its screens, and keeps their ticks', async () => {
    await put({ modules: [{ module_code: 'MASTERS', active: false, hide_all: false }] });
    expect((await clerk.call('GET', '/tapi/branch')).statusCode).toBe(403);
    const { warnings } = await matrix();
    expect(warnings[0]).toContain('is not open in this role');
    await put({ modules: [{ module_code: 'MASTERS', active: true, hide_all: false }] });
    expect((await clerk.call('GET', '/tapi/branch')).statusCode).toBe(200);
  });

  it('warns of a screen that the menu cannot reach', async () => {
    const saved = await put({ screens: [{ screen_code: 'SCN_REGION', ...off, view_screen: true }] });
    expect(saved.json<{ warnings: string[] }>().warnings).toEqual([
      'Regions: without "List" it cannot be reached by the menu.',
    ]);
    await put({ screens: [{ screen_code: 'SCN_REGION', ...off }] });
  });

  it('the second of two people saving is told who was first', async () => {
    const { role } = await matrix();
    await put({ actions: ['CREATE_MASTERS'] });
    const late = await admin.call('PUT', `/tapi/screen_rights/${clerkRole}`, { version: role.version, actions: [] });
    expect(late.statusCode).toBe(409);
    expect(late.json<{ error: object }>().error).toMatchObject({
      code: 'stale_version',
      changed_by: 'Person admin',
      theirs: { actions: ['CREATE_MASTERS'] },
    });
  });

  it('unknown screens and actions are refused by name', async () => {
    expect(
      (await put({ screens: [{ screen_code: 'SCN_NOTHING', ...off, landing: true }] })).json<{
        error: { message: string };
      }>().error.message,
    ).toBe('There is no screen SCN_NOTHING.');
    expect((await put({ actions: ['FLY'] })).statusCode).toBe(422);
  });
});

it('several roles together give the union: a tick counts if its own role opens the module', async () => {
  const other = await world.tenant();
  const roles = await other.sql<{ id: number }>(
    `insert into {s}.role (code, role_name, active) select 'U' || i, 'United ' || i, i % 7 <> 0 from generate_series(1, 40) i returning id`,
  );
  await other.sql(
    `insert into {s}.module_rights (role_id, module_code, active, hide_all) select r.id, m, (r.id * ascii(m)) % 3 <> 0, (r.id + ascii(m)) % 4 = 0 from {s}.role r cross join unnest(array['MASTERS', 'FMS', 'TICKETS']) m where (r.id + length(m)) % 5 <> 0`,
  );
  await other.sql(`insert into {s}.screen_rights (role_id, screen_code, modules_rights_id, landing, add_screen, edit_screen, view_screen, approval_screen, transfer_screen, data_scope)
    select r.id, 'SCN_' || n, (select m.id from {s}.module_rights m where m.role_id = r.id + (n % 4 / 3) and m.module_code = (array['MASTERS', 'FMS', 'TICKETS', 'NONE'])[1 + n % 4] limit 1),
      (r.id + n) % 3 = 0, (r.id * n) % 5 = 0, (r.id + n) % 7 = 0, false, (r.id * n) % 11 = 0, false, (array['own', 'team', 'branch', 'company', 'all_companies'])[1 + (r.id * n) % 5]
    from {s}.role r cross join generate_series(1, 30) n where (r.id * n) % 3 <> 0`);
  await other.sql(
    `insert into {s}.role_action (role_id, action_code) select id, (array['CREATE_MASTERS', 'EXPORT_DATA', 'VIEW_AUDIT'])[1 + id % 3] from {s}.role`,
  );
  for (const ids of [roles.map(({ id }) => id), roles.slice(0, 2).map(({ id }) => id), []])
    for (const off of [[], ['FMS'], ['MASTERS', 'FMS', 'TICKETS']]) {
      const catalogue = {
        modulesOff: new Set(off),
        screensOff: new Map(),
        everyone: new Map(),
        moduleNames: new Map(),
        names: new Map(),
        stamp: 0,
      } as unknown as CatalogueView;
      const given = { isAdmin: false, version: 1, clientProducts: [], userProducts: [], catalogue };
      const one = compileRights({ ...given, roles: await readRoles(other, ids) });
      const united = compileRights({ ...given, roles: [await readUnitedRoles(other, ids, off)] });
      const told = (rights: typeof one) => [
        [...rights.screens()].map(([code, { pages, scope }]) => `${code} ${[...pages].sort().join()} ${scope}`).sort(),
        [...rights.modules].sort(),
        [...rights.actions].sort(),
      ];
      expect(told(united)).toEqual(told(one));
      if (ids.length === 40 && off.length === 0) expect(one.screens().size).toBeGreaterThan(15);
    }
});

it('the start page of a role is returned with it', async () => {
  const roles = async () =>
    (await clerk.call('GET', `/get_features_by_role/${clerk.userId}`)).json<{ data: { roles_list: object[] }[] }>()
      .data[0]!.roles_list;
  expect((await roles())[0]).not.toHaveProperty('landing_route');
  await acme.sql(`update {s}.role set landing_route = '/branch' where id = $1`, [clerkRole]);
  expect(await roles()).toMatchObject([{ id: clerkRole, landing_route: '/branch' }]);
});

describe('nobody raises their own rights', () => {
  it('by their own role, or by granting what they lack', async () => {
    expect((await put({ actions: [] }, keeper, keeperRole)).json<{ error: { code: string } }>().error.code).toBe(
      'elevation',
    );
    expect(
      (await put({ screens: [{ screen_code: 'SCN_BRANCH', ...off, landing: true, edit_screen: true }] }, keeper)).json<{
        error: { code: string };
      }>().error.code,
    ).toBe('elevation');
    expect((await put({ actions: ['DELETE_RECORDS'] }, keeper)).json<{ error: { code: string } }>().error.code).toBe(
      'elevation',
    );
    expect((await put({ screens: [{ screen_code: 'SCN_BRANCH', ...off, landing: true }] }, keeper)).statusCode).toBe(
      200,
    );
    expect((await clerk.call('GET', `/tapi/screen_rights/${clerkRole}`)).statusCode).toBe(403);
    expect((await put({ actions: [] }, clerk)).statusCode).toBe(403);
  });
});

describe('versions and copies', () => {
  it('an older version is restored as a new one', async () => {
    await put({
      screens: [{ screen_code: 'SCN_BRANCH', ...off, landing: true, view_screen: true }],
      actions: ['EXPORT_DATA'],
    });
    const { role } = await matrix();
    await put({
      screens: [
        { screen_code: 'SCN_BRANCH', ...off },
        { screen_code: 'SCN_ZONE', ...off, landing: true },
      ],
      actions: [],
    });
    const versions = (await admin.call('GET', `/tapi/role/${clerkRole}/versions`)).json<{
      data: { version_no: number; by: string }[];
    }>().data;
    expect(versions[1]).toMatchObject({ version_no: role.version, by: 'Person admin' });
    const now = await matrix();
    expect(
      (
        await admin.call('POST', `/tapi/role/${clerkRole}/restore`, {
          version_no: role.version,
          version: now.role.version,
        })
      ).statusCode,
    ).toBe(200);
    const back = await matrix();
    expect(back.actions).toEqual(['EXPORT_DATA']);
    expect(back.screens.find(({ screen_code: code }) => code === 'SCN_BRANCH')).toMatchObject({
      landing: true,
      view_screen: true,
    });
    expect(back.screens.find(({ screen_code: code }) => code === 'SCN_ZONE')).toMatchObject({ landing: false });
  });

  it('a copy grants the same and has no holders yet', async () => {
    const made = await admin.call('POST', `/tapi/role/${clerkRole}/copy`, { role_name: 'Second clerk' });
    expect(made.statusCode, made.body).toBe(201);
    const copy = await matrix(made.json<{ data: { id: number } }>().data.id);
    const model = await matrix();
    const ticked = (one: Matrix) =>
      one.screens.filter((row) => row.landing || row.view_screen).map(({ screen_code: code }) => code);
    expect(ticked(copy)).toEqual(ticked(model));
    expect(copy.actions).toEqual(model.actions);
    expect((await admin.call('POST', `/tapi/role/${clerkRole}/copy`, { role_name: 'second clerk' })).statusCode).toBe(
      409,
    );
  });
});

describe('explanations', () => {
  const explain = async (query: string, caller = admin) =>
    (await caller.call('GET', `/tapi/rights/explain?${query}`)).json<{
      allowed: boolean;
      reason: string | null;
      layers: { layer: string; passed: boolean; text: string }[];
      granting_roles: string[];
    }>();

  it('name the refusing layer and the granting role', async () => {
    expect(await explain(`user_id=${clerk.userId}&screen=SCN_BRANCH&page=view_screen`)).toMatchObject({
      allowed: true,
      reason: null,
      granting_roles: ['Role 2'],
    });
    const edit = await explain(`user_id=${clerk.userId}&screen=branch&page=edit_screen`);
    expect(edit).toMatchObject({ allowed: false, reason: 'page' });
    expect(edit.layers.find(({ passed }) => !passed)?.text).toBe('No role of the user ticks "Edit".');
    expect(await explain(`user_id=${clerk.userId}&screen=SCN_USERS`)).toMatchObject({
      allowed: false,
      reason: 'module',
    });
    expect((await explain(`user_id=${admin.userId}&screen=SCN_BRANCH&page=edit_screen`)).allowed).toBe(true);
  });

  it('about others require the right to the audit', async () => {
    expect((await clerk.call('GET', `/tapi/rights/explain?user_id=${admin.userId}&screen=SCN_BRANCH`)).statusCode).toBe(
      403,
    );
    expect((await explain('screen=SCN_BRANCH', clerk)).allowed).toBe(true);
  });
});
