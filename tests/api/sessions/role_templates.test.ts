import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let keeper: Caller;
let staff: number;
let plain: number;

interface Right {
  landing: boolean;
  edit_screen: boolean;
  data_scope: string;
}
interface Preview {
  left: { version_no: number };
  right: { role_name: string };
  screens: { screen_code: string; left: Right | null; right: Right | null }[];
  modules: { module_code: string; left: { active: boolean } | null; right: { active: boolean } | null }[];
  actions: { code: string; left: boolean; right: boolean }[];
  users_affected: number;
}

beforeAll(async () => {
  // The modules of the platform, which other tests change, are part of what is compared.
  world = await startWorld({ alone: true });
  acme = await world.tenant();
  // Made from the template Staff long ago: it has less of it, and something of its own.
  staff = await acme.role({
    modules: ['MASTERS', 'TICKETS'],
    screens: { SCN_BRANCH: ['landing', 'view_screen'] },
    actions: ['EXPORT_DATA'],
  });
  await acme.sql(`update {s}.role set template_code = 'STAFF' where id = $1`, [staff]);
  plain = await acme.role({
    modules: ['SETTINGS'],
    screens: { SCN_ROLE: ['landing', 'edit_screen', 'view_screen'] },
    actions: ['MANAGE_RIGHTS'],
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('clerk', { companies: [{ company: 1, roles: [staff] }] });
  await acme.user('keeper', { companies: [{ company: 1, roles: [plain] }] });
  [admin, keeper] = [await world.signIn(acme, 'admin'), await world.signIn(acme, 'keeper')];
});
afterAll(() => world.close());

const look = async (mode: string) =>
  (await admin.call('GET', `/tapi/role/${staff}/template?mode=${mode}`)).json<{ data: Preview }>().data;
const versions = async () =>
  (await admin.call('GET', `/tapi/role/${staff}/versions`)).json<{ data: { version_no: number; note: string }[] }>()
    .data;
const rights = async () =>
  (await admin.call('GET', `/tapi/screen_rights/${staff}`)).json<{
    data: {
      role: { version: number; template: string | null };
      actions: string[];
      screens: ({ screen_code: string } & Right)[];
    };
  }>().data;

describe('a role and the template it was made from', () => {
  it('has a preview of additions and removals, without writing', async () => {
    const before = await rights();
    expect(before.role.template).toBe('Staff');
    const [merge, replace] = [await look('merge'), await look('replace')];
    expect(merge).toMatchObject({ right: { role_name: 'Staff' }, users_affected: 1 });
    expect(merge.actions).toEqual([{ code: 'CREATE_CHK', left: false, right: true }]);
    expect(merge.screens.every(({ right }) => right !== null)).toBe(true);
    expect(merge.screens.length).toBeGreaterThan(5);
    expect(merge.screens[0]!.right).toMatchObject({ landing: true, data_scope: 'own' });
    expect(replace.actions).toContainEqual({ code: 'EXPORT_DATA', left: true, right: false });
    expect(replace.screens.find(({ screen_code: code }) => code === 'SCN_BRANCH')).toMatchObject({ right: null });
    expect(replace.modules.find(({ module_code: code }) => code === 'MASTERS')).toMatchObject({
      left: { active: true },
      right: { active: false },
    });
    expect(await rights()).toEqual(before);
    expect(await versions()).toEqual([]);
  });

  it('is applied as one version: first added, then made identical; its holders are notified', async () => {
    const { left } = await look('merge');
    const apply = (version: number, mode: string) =>
      admin.call('POST', `/tapi/role/${staff}/template`, { version, mode });
    expect((await apply(left.version_no, 'merge')).statusCode).toBe(200);
    expect((await rights()).actions).toEqual(['CREATE_CHK', 'EXPORT_DATA']);
    // Looked at before the other saved.
    expect((await apply(left.version_no, 'replace')).json()).toMatchObject({ error: { code: 'stale_version' } });
    expect((await apply(left.version_no + 1, 'replace')).statusCode).toBe(200);
    const now = await rights();
    expect(now.actions).toEqual(['CREATE_CHK']);
    expect(now.screens.find(({ screen_code: code }) => code === 'SCN_BRANCH')).toMatchObject({ landing: false });
    expect((await versions()).map(({ note }) => note)).toEqual([
      'From the template Staff (replace)',
      'From the template Staff (merge)',
    ]);
    expect(await look('replace')).toMatchObject({ screens: [], modules: [], actions: [] });
    const clerk = await world.signIn(acme, 'clerk');
    expect((await clerk.call('GET', '/tapi/notifications')).json<{ data: { event_code: string }[] }>().data).toEqual(
      expect.arrayContaining([expect.objectContaining({ event_code: 'rights.changed' })]),
    );
  });

  it('is refused without a template, and to people who would grant more than they have', async () => {
    expect((await admin.call('GET', `/tapi/role/${plain}/template`)).json()).toMatchObject({
      error: { code: 'bad_state' },
    });
    expect((await admin.call('GET', `/tapi/role/${staff}/template?mode=all`)).statusCode).toBe(400);
    await acme.sql('delete from {s}.screen_rights where role_id = $1', [staff]);
    expect((await keeper.call('GET', `/tapi/role/${staff}/template`)).json()).toMatchObject({
      error: { code: 'elevation' },
    });
    const clerk = await world.signIn(acme, 'clerk');
    expect((await clerk.call('POST', `/tapi/role/${staff}/template`, { version: 1, mode: 'merge' })).statusCode).toBe(
      403,
    );
  });
});
