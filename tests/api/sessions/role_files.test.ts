import * as XLSX from 'xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let keeper: Caller;
let clerk: Caller;
let clerkRole: number;
let otherRole: number;

interface Imported {
  committed: boolean;
  roles: {
    code: string;
    is_new: boolean;
    added: string[];
    removed: string[];
    unknown: string[];
    warnings: string[];
    users_affected: number;
  }[];
}
interface Role {
  code: string;
  role_name: string;
  modules: { module_code: string; active: boolean; hide_all: boolean }[];
  screens: Record<string, { pages: string[]; records: string }>;
  actions: string[];
}

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  const rolePages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const keeperRole = await acme.role({
    modules: ['SETTINGS', 'MASTERS'],
    screens: {
      SCN_ROLE: { module: 'SETTINGS', pages: [...rolePages] },
      SCN_BRANCH: { module: 'MASTERS', pages: ['landing', 'view_screen'], scope: 'branch' },
    },
    actions: ['MANAGE_RIGHTS', 'IMPORT_DATA', 'EXPORT_DATA'],
  });
  clerkRole = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
  otherRole = await acme.role({ modules: ['MASTERS'], screens: { SCN_ZONE: ['landing'] }, actions: ['EXPORT_DATA'] });
  await acme.user('admin', { isAdmin: true });
  await acme.user('keeper', { companies: [{ company: 1, roles: [keeperRole] }] });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerkRole, otherRole] }] });
  [admin, keeper, clerk] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'keeper'),
    world.signIn(acme, 'clerk'),
  ]);
});
afterAll(() => world.close());

async function send(file: Buffer | string, query = '', caller = admin, name = 'roles.json') {
  const { payload, headers } = upload(name, file);
  return world.inject({
    method: 'POST',
    url: `/tapi/role_rights/import${query}`,
    headers: { host: acme.host, authorization: `Bearer ${caller.token}`, ...headers },
    payload,
  });
}
const done = async (file: Buffer | string, query = '', caller = admin) => {
  const answer = await send(file, query, caller);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Imported }>().data;
};
const exported = async (ids: string, format = 'json') =>
  admin.call('GET', `/tapi/role_rights/export?ids=${ids}&format=${format}`);
const roleOf = async (id: number) => (await exported(String(id))).json<{ roles: Role[] }>().roles[0]!;
const file = (...roles: Partial<Role>[]) => JSON.stringify({ format: 'mainstay-roles', version: 1, roles });
const codeOf = async (id: number) =>
  (await acme.sql<{ code: string }>('select code from {s}.role where id = $1', [id]))[0]!.code;

describe('roles as files', () => {
  it.each(['json', 'xlsx'])('are exported as %s and imported without a change', async (format) => {
    const out = await exported(`${clerkRole},${otherRole}`, format);
    expect(out.headers['content-disposition']).toContain(`Roles.${format}`);
    if (format === 'xlsx')
      expect(XLSX.read(out.rawPayload).SheetNames).toEqual([await codeOf(clerkRole), await codeOf(otherRole)]);
    for (const mode of ['merge', 'replace']) {
      const { roles } = await done(out.rawPayload, `?mode=${mode}`);
      expect(roles.map(({ added, removed, unknown, is_new: made }) => [added, removed, unknown, made])).toEqual([
        [[], [], [], false],
        [[], [], [], false],
      ]);
    }
  });

  it('are previewed first: additions, removals, unknown entries, and nothing is written', async () => {
    const change = file({
      code: await codeOf(clerkRole),
      role_name: 'Clerk',
      modules: [
        { module_code: 'MASTERS', active: true, hide_all: false },
        { module_code: 'COOKING', active: true, hide_all: false },
      ],
      screens: {
        SCN_ZONE: { pages: ['landing', 'view_screen'], records: 'branch' },
        SCN_GONE: { pages: ['landing'], records: 'own' },
      },
      actions: ['EXPORT_DATA', 'FLY'],
    });
    const merge = await done(change, '?mode=merge');
    expect(merge).toMatchObject({
      committed: false,
      roles: [
        {
          is_new: false,
          added: ['SCN_ZONE records branch', 'SCN_ZONE landing', 'SCN_ZONE view_screen', 'action EXPORT_DATA'],
          removed: [],
          unknown: ['module COOKING', 'SCN_GONE', 'action FLY'],
          users_affected: 1,
        },
      ],
    });
    const replace = await done(change, '?mode=replace');
    expect(replace.roles[0]!.removed).toEqual([
      'SCN_BRANCH records company',
      'SCN_BRANCH landing',
      'SCN_BRANCH view_screen',
    ]);
    expect(Object.keys((await roleOf(clerkRole)).screens)).toEqual(['SCN_BRANCH']);
  });

  it('change only the roles in the file, at once for their holders, with a version to go back to', async () => {
    const before = await roleOf(otherRole);
    expect((await clerk.call('GET', '/tapi/region')).statusCode).toBe(403);
    await done(
      file({
        code: await codeOf(clerkRole),
        role_name: 'Clerk',
        modules: [{ module_code: 'MASTERS', active: true, hide_all: false }],
        screens: { SCN_REGION: { pages: ['landing'], records: 'company' } },
        actions: [],
      }),
      '?mode=replace&commit=true',
    );
    expect((await clerk.call('GET', '/tapi/region')).statusCode).toBe(200);
    expect((await clerk.call('GET', '/tapi/branch')).statusCode).toBe(403);
    expect(await roleOf(otherRole)).toEqual(before);
    const versions = (await admin.call('GET', `/tapi/role/${clerkRole}/versions`)).json<{ data: { note: string }[] }>()
      .data;
    expect(versions[0]?.note).toBe('From a file (replace)');
    await done(
      file({
        code: await codeOf(clerkRole),
        role_name: 'Clerk',
        screens: { SCN_BRANCH: { pages: ['landing', 'view_screen'], records: 'company' } },
      }),
      '?mode=merge&commit=true',
    );
    expect(Object.keys((await roleOf(clerkRole)).screens)).toEqual(['SCN_BRANCH', 'SCN_REGION']);
  });

  it('create missing roles', async () => {
    const { roles } = await done(
      file({
        code: 'FRONT',
        role_name: 'Front desk',
        modules: [{ module_code: 'MASTERS', active: true, hide_all: false }],
        screens: { SCN_BRANCH: { pages: ['view_screen'], records: 'own' } },
      }),
      '?commit=true',
    );
    expect(roles[0]).toMatchObject({
      code: 'FRONT',
      is_new: true,
      warnings: ['Branches: without "List" it cannot be reached by the menu.'],
    });
    const [made] = await acme.sql<{ id: number; is_system: boolean }>(
      `select id, is_system from {s}.role where code = 'FRONT'`,
    );
    expect(made?.is_system).toBe(false);
    expect((await roleOf(made!.id)).screens).toEqual({ SCN_BRANCH: { pages: ['view_screen'], records: 'own' } });
  });

  it('are imported completely or not at all, and never beyond the sender’s rights', async () => {
    const more = file(
      {
        code: 'FINE',
        role_name: 'Fine',
        modules: [{ module_code: 'MASTERS', active: true, hide_all: false }],
        screens: { SCN_BRANCH: { pages: ['landing'], records: 'branch' } },
      },
      {
        code: 'MORE',
        role_name: 'More',
        modules: [{ module_code: 'USERS', active: true, hide_all: false }],
        screens: { SCN_USERS: { pages: ['landing'], records: 'own' } },
      },
    );
    for (const query of ['', '?commit=true'])
      expect((await send(more, query, keeper)).json()).toMatchObject({
        error: { code: 'elevation', field: 'SCN_USERS' },
      });
    expect(await acme.sql(`select 1 from {s}.role where code in ('FINE', 'MORE')`)).toEqual([]);
    const wide = file({
      code: 'WIDE',
      role_name: 'Wide',
      modules: [{ module_code: 'MASTERS', active: true, hide_all: false }],
      screens: { SCN_BRANCH: { pages: ['landing'], records: 'all_companies' } },
    });
    expect((await send(wide, '?commit=true', keeper)).json()).toMatchObject({
      error: { code: 'elevation', field: 'SCN_BRANCH' },
    });
    expect((await send(more, '', clerk)).statusCode).toBe(403);
  });

  it.each([
    ['no file of roles', '{"a":1}', /not an export of roles/],
    ['neither JSON nor a workbook', 'hello', /neither a workbook nor JSON/],
    ['no role', file(), /no role in this file/],
    ['a role twice', file({ code: 'A', role_name: 'A' }, { code: 'a', role_name: 'B' }), /twice/],
    ['a role without a name', file({ code: 'A' }), /needs a name/],
    [
      'records that there are not',
      file({ code: 'A', role_name: 'A', screens: { SCN_BRANCH: { pages: [], records: 'world' } } }),
      /must be one of own, team/,
    ],
    [
      'a workbook of something else',
      XLSX.write(
        ((book) => (XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['a']]), 'S'), book))(
          XLSX.utils.book_new(),
        ),
        { type: 'buffer' },
      ) as Buffer,
      /is not a role/,
    ],
  ])('%s is refused with instructions', async (_, content, words) => {
    const answer = await send(content);
    expect([answer.statusCode, answer.json<{ error: { message: string } }>().error.message]).toEqual([
      422,
      expect.stringMatching(words) as string,
    ]);
  });
});

describe('no bypass', () => {
  it('opening a module with ticked rights grants them, and requires them', async () => {
    const closed = await acme.role({ modules: ['USERS'], screens: { SCN_USERS: ['landing', 'view_screen'] } });
    await acme.sql('update {s}.module_rights set active = false where role_id = $1', [closed]);
    const { version } = (await admin.call('GET', `/tapi/screen_rights/${closed}`)).json<{
      data: { role: { version: number } };
    }>().data.role;
    const change = { version, modules: [{ module_code: 'USERS', active: true, hide_all: false }] };
    expect((await keeper.call('PUT', `/tapi/screen_rights/${closed}`, change)).json()).toMatchObject({
      error: { code: 'elevation', field: 'SCN_USERS' },
    });
    expect((await admin.call('PUT', `/tapi/screen_rights/${closed}`, change)).statusCode).toBe(200);
  });
});

describe('comparing two roles', () => {
  it('shows only the differences; so does comparing two versions of one', async () => {
    const answer = (await admin.call('GET', `/tapi/role_rights/compare?left=${clerkRole}&right=${otherRole}`)).json<{
      data: {
        screens: { screen_code: string; left: object | null; right: object | null }[];
        actions: object[];
        modules: object[];
      };
    }>().data;
    expect(answer.screens.map(({ screen_code: code, left, right }) => [code, left !== null, right !== null])).toEqual([
      ['SCN_BRANCH', true, false],
      ['SCN_REGION', true, false],
      ['SCN_ZONE', false, true],
    ]);
    expect(answer).toMatchObject({ modules: [], actions: [{ code: 'EXPORT_DATA', left: false, right: true }] });
    const versions = (await admin.call('GET', `/tapi/role/${clerkRole}/versions`)).json<{
      data: { version_no: number }[];
    }>().data;
    const older = (
      await admin.call(
        'GET',
        `/tapi/role_rights/compare?left=${clerkRole}&left_version=${versions[1]!.version_no}&right=${clerkRole}`,
      )
    ).json<{ data: { screens: { screen_code: string }[] } }>().data;
    expect(older.screens.map(({ screen_code: code }) => code)).toEqual(['SCN_BRANCH']);
    expect((await admin.call('GET', '/tapi/role_rights/compare?left=1&right=x')).statusCode).toBe(400);
  });
});

describe('a user’s rights, with the role that gives each', () => {
  it('lists each page of each screen', async () => {
    const { data } = (await admin.call('GET', `/tapi/rights/effective?user_id=${clerk.userId}`)).json<{
      data: { screens: { screen_code: string; pages: object }[]; roles: { name: string }[]; actions: object[] };
    }>();
    expect(data.roles.map(({ name }) => name).sort()).toEqual(['Role 2', 'Role 3']);
    expect(data.screens.map(({ screen_code: code, pages }) => [code, pages])).toEqual([
      ['SCN_BRANCH', { landing: ['Role 2'], view_screen: ['Role 2'] }],
      ['SCN_REGION', { landing: ['Role 2'] }],
      ['SCN_ZONE', { landing: ['Role 3'] }],
    ]);
    expect(data.actions).toEqual([{ code: 'EXPORT_DATA', roles: ['Role 3'] }]);
  });

  it('are shown to the user, or with the right to the audit', async () => {
    expect((await clerk.call('GET', '/tapi/rights/effective')).statusCode).toBe(200);
    expect((await clerk.call('GET', `/tapi/rights/effective?user_id=${admin.userId}`)).statusCode).toBe(403);
  });
});
