import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HomeAnswer } from '../../../src/domain/home.ts';
import type { DashboardAnswer } from '../../../src/domain/dashboard.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { createPlatformUse } from '../../../src/server/platform/clients/platform_use.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

interface Tile {
  route: string;
  text: string;
}

describe('dashboards', () => {
  let world: World;
  let acme: TestTenant;
  const mark = randomBytes(4).toString('hex');
  const admin = { host: 'admin.localhost:3000' } as TestTenant;
  const main = () => world.database.directory.main;

  async function person(type: string): Promise<Caller> {
    const username = `${type.toLowerCase()}-${mark}`;
    const [made] = await platformSql<{ id: number }>(
      main(),
      'insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = $3 returning id',
      [username, `${username}@mainstay.example`, type],
    );
    await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
    return world.signIn(admin, username);
  }
  /** The rows of each tile of the platform's home, by its name. */
  const home = async (caller: Caller, only?: string[]) => {
    const { data } = (
      await caller.call('POST', '/api/dashboard/platform_home', only === undefined ? {} : { tiles: only })
    ).json<{ data: DashboardAnswer }>();
    return Object.fromEntries(
      data.tiles.map(({ name, problem, figures, list }) => {
        expect(problem, name).toBeUndefined();
        return [name, figures?.rows ?? list!.rows];
      }),
    );
  };
  /** Says what was written beside the product, as the product itself does after each write. */
  const tell = (...types: string[]) => {
    for (const type of types)
      world.app.hub.changed({ schema: 'public', db: main() } as unknown as Tenant, type, 0, 'U', null);
  };
  const tiles = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/dashboards')).json<{ data: Tile[] }>().data.map(({ route }) => route);

  beforeAll(async () => {
    world = await startWorld({ alone: true });
    await writeUserTypes(main());
    acme = await world.tenant({ suffix: 'home', products: ['FMS', 'TKT'], everyTable: true });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
  });
  afterAll(() => world.close());

  it('of the platform count clients by state, expiring subscriptions, sign-ins, failed jobs and leads', async () => {
    const root = await person('SUPER');
    const before = await home(root, [
      'active_clients',
      'clients_by_state',
      'ending_list',
      'leads_by_stage',
      'week_leads',
      'enquiries',
    ]);
    expect(before).toMatchObject({
      active_clients: [{ n: 0 }],
      clients_by_state: [],
      ending_list: [],
      leads_by_stage: [],
      week_leads: [{ n: 0 }],
      enquiries: [{ n: 0 }],
    });
    await main().query(
      `insert into public.client_account (code, name, sub_domain, state, legal_name, plan, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username)
       select code, code, lower(code), state, code, 'trial', 5, current_date - 300, current_date + days, 'R', 'r@acme.in', 'A', 'a@acme.in', 'admin'
       from (values ('SOON', 'active', 30), ('LATER', 'active', 200), ('OVER', 'deactivated', -3), ('PLAN', 'draft', 10)) as c(code, state, days)`,
    );
    await main().query(
      `insert into public.job (schema_name, name, state, finished_at, error) values ('cmp_x', 'mail', 'failed', now(), 'refused'), ('cmp_x', 'mail', 'failed', now() - interval '2 days', 'old')`,
    );
    tell('client_account');
    await expect.poll(async () => (await home(root)).active_clients).toEqual([{ n: 2 }]);
    const now = await home(root);
    expect(Object.fromEntries(now.clients_by_state!.map(({ state, n }) => [state, n]))).toEqual({
      active: 2,
      deactivated: 1,
      draft: 1,
    });
    expect(now.ending_list!.map(({ name }) => name)).toEqual(['OVER', 'SOON']);
    expect(now.ending).toEqual([{ n: 2 }]);
    expect([now.failed_jobs, now.last_failed]).toMatchObject([[{ failed: 1 }], [{ job: 'mail', error: 'refused' }]]);
    expect(now.storage_by_client!.map(({ client }) => client)).toContain(acme.name);
    expect(Number(now.storage![0]!.storage_gb)).toBeGreaterThan(0);
  });

  it('of the platform show campaign results and the conversion of decided leads', async () => {
    const [root, sales] = await Promise.all([world.signIn(admin, `super-${mark}`), person('SALES')]);
    expect((await home(root, ['won'])).won).toEqual([{ won: 0, decided: 0 }]);
    const one = async (text: string, values: unknown[] = []) =>
      (await main().query<{ id: number }>(`${text} returning id`, values))[0]!.id;
    const source = await one(`insert into public.admin_lead_source (code, name, channel) values ('WEB', 'Web', 'web')`);
    const fair = await one(
      `insert into public.admin_campaign (code, name, channel, from_date, spent) values ('FAIR', 'Lift fair', 'event', current_date, 100000.10)`,
    );
    await one(
      `insert into public.admin_campaign (code, name, channel, from_date) values ('NONE', 'To come', 'web', current_date - 1)`,
    );
    const owner = await one(`update public.common_user set active = true where id = $1`, [sales.userId]);
    for (const [number, state, value] of [
      ['L1', 'won', '240000.50'],
      ['L2', 'lost', '90000'],
      ['L3', 'new', null],
    ])
      await one(
        'insert into public.admin_lead (number, company, contact_name, lead_source_id, campaign_id, owner_id, state, value) values ($1, $1, $1, $2, $3, $4, $5, $6)',
        [number, source, fair, owner, state, value],
      );
    tell('admin_lead', 'admin_campaign');
    await expect.poll(async () => (await home(sales)).won).toEqual([{ won: 1, decided: 2 }]);
    const now = await home(sales);
    expect([now.won, now.open_value]).toEqual([[{ won: 1, decided: 2 }], [{ value: '0' }]]);
    expect(now.campaigns).toMatchObject([
      {
        campaign: fair,
        campaign__label: 'Lift fair',
        spent: '100000.10',
        leads: 3,
        won: 1,
        per_lead: '33333.37',
        per_win: '100000.10',
      },
      { campaign: fair + 1, campaign__label: 'To come', leads: 0, won: 0, per_lead: null, per_win: null },
    ]);
    await main().query('delete from public.admin_lead');
  });

  it('count today’s sign-ins once each, and people once', async () => {
    await world.signIn(acme, 'chief');
    await world.signIn(acme, 'chief');
    // Measured anew by a server that has just started.
    const use = await createPlatformUse(world.database.directory)();
    expect(use.find(({ sub_domain: name }) => name === acme.subDomain)).toMatchObject({ sign_ins: 2, people: 1 });
  });

  it('show each user type only what its lists would show', async () => {
    expect(await home(await person('CONTENT'))).toEqual({});
    const partner = await person('PARTNER');
    const [company] = await main().query<{ id: number }>(
      `insert into public.partner (code, name, kind) values ($1, $1, 'reseller') returning id`,
      [mark.toUpperCase()],
    );
    await platformSql(main(), 'update public.common_user set partner_id = $2 where id = $1', [
      partner.userId,
      company!.id,
    ]);
    await main().query(`update public.client_account set partner_id = $1 where code = 'SOON'`, [company!.id]);
    const seen = await home(await world.signIn(admin, `partner-${mark}`));
    expect(seen).toMatchObject({
      clients_by_state: [{ state: 'active', n: 1 }],
      ending_list: [{ name: 'SOON' }],
      sign_ins: [{ sign_ins: 0 }],
      storage_by_client: [],
    });
    for (const name of ['failed_jobs', 'last_failed', 'enquiries', 'campaigns']) expect(seen).not.toHaveProperty(name);
  });

  it('stand on Home as a role names them, where the person may open them', async () => {
    const other = await world.tenant({ suffix: 'named', products: ['FMS', 'BOARD'] });
    await other.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    const chief = await world.signIn(other, 'chief');
    const shownBy = async (names: string | null) => {
      const role = await other.role({ modules: ['FMS'] });
      const { data } = (await chief.call('GET', `/tapi/role/${role}`)).json<{ data: { version: number } }>();
      const named = await chief.call('PUT', `/tapi/role/${role}`, { ...data, home_dashboard: names });
      expect(named.statusCode, named.body).toBe(200);
      await other.user(`role-${role}`, { isAdmin: true, companies: [{ company: 1, roles: [role] }] });
      const caller = await world.signIn(other, `role-${role}`);
      return (await caller.call('GET', '/tapi/home')).json<{ data: HomeAnswer }>().data.figures?.dashboard;
    };
    expect(await shownBy(null)).toBe('fms_dashboard');
    expect(await shownBy('committee_board')).toBe('committee_board');
    expect(await shownBy('secretary_board')).toBe('fms_dashboard');
  });

  it('are tiles for people who may open them, on both kinds of hosts', async () => {
    expect(await tiles(await world.signIn(acme, 'chief'))).toEqual(['/fms_dashboard']);
    // Whichever module a role has it by, field service or settings; its figures stand on the person's page.
    for (const module of ['FMS', 'SETTINGS']) {
      const has = await acme.role({
        modules: [module],
        screens: { SCN_FMS_DASHBOARD: ['landing'], SCN_FMS_TIS: ['landing'] },
      });
      await acme.user(`has-${module}`, { companies: [{ company: 1, roles: [has] }] });
      const reader = await world.signIn(acme, `has-${module}`);
      expect(await tiles(reader)).toEqual(['/fms_dashboard']);
      const { figures } = (await reader.call('GET', '/tapi/home')).json<{ data: HomeAnswer }>().data;
      expect([module, figures?.route]).toEqual([module, module === 'FMS' ? '/fms_dashboard' : undefined]);
    }
    // A role has the tiles that its record names, in that order, over rows no wider and days as it says.
    const leads = await acme.role({
      modules: ['FMS'],
      screens: { SCN_FMS_DASHBOARD: ['landing'], SCN_FMS_TIS: ['landing'], SCN_FMS_LIFT: ['landing'] },
    });
    await acme.user('leads', { companies: [{ company: 1, roles: [leads] }] });
    const chief = await world.signIn(acme, 'chief');
    const arranged = await chief.call('POST', '/tapi/fms_dashboard_roles', {
      role_id: leads,
      scope: 'branch',
      period: 'fy',
      widgets: [
        { widget: 'overdue', seq: 2 },
        { widget: 'lifts_under_contract', seq: 1, width: 4 },
        { widget: 'outstanding', seq: 3 },
      ],
    });
    expect(arranged.statusCode, arranged.body).toBe(201);
    const leader = await world.signIn(acme, 'leads');
    const described = (await leader.call('GET', '/tapi/dashboard/fms_dashboard')).json<{ data: { tiles: object[] } }>();
    expect(described.data.tiles).toMatchObject([
      { name: 'lifts_under_contract', wide: true },
      { name: 'overdue', wide: false },
    ]);
    const role = await acme.role({ modules: ['TICKETS'] });
    await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
    const clerk = await world.signIn(acme, 'clerk');
    expect(await tiles(clerk)).toEqual([]);
    expect((await clerk.call('POST', '/tapi/dashboard/platform_home', {})).statusCode).toBe(403);
    expect(await tiles(await person('SUPPORT'))).toEqual(['/admin_landing', '/dashboard_oro', '/oasisdashboard']);
  });
});
