import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstAdminLink } from '../../../src/server/platform/clients/first_admin.ts';
import type { NewClient } from '../../../src/server/platform/clients/provision.ts';
import { provision, stepsOf, subDomainState } from '../../../src/server/platform/clients/provision.ts';
import { setClientActive } from '../../../src/server/platform/clients/acts.ts';
import { invite } from '../../../src/server/access/people/invitations.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let fail = false;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const deps = () => ({
  directory: world.database.directory,
  screens: world.app.store.screens,
  pages: world.app.store.pages,
  firstLists: () => Promise.resolve('All was there.'),
  invite: async (...[tenant, user]: Parameters<typeof invite> extends [unknown, ...infer Rest] ? Rest : never) => {
    if (fail) throw new Error('The mail could not be written.');
    await invite(
      { notifications: world.app.notifications, addressOf: () => `http://${tenant.subDomain}.localhost:3000` },
      tenant,
      user,
    );
  },
});
const client = (suffix: string, more: Partial<NewClient> = {}): NewClient => ({
  subDomain: world.database.subDomain(suffix),
  name: `Client ${suffix}`,
  products: ['TKT'],
  licensedUsers: 5,
  companies: [
    {
      code: 'NLP',
      name: 'Nila Lifts',
      legal_name: 'Nila Lifts Pvt Ltd',
      state: 'TN',
      city: 'Chennai',
    },
  ],
  admin: { username: 'asha.rao', name: 'Asha Rao', email: 'asha@nila.in' },
  ...more,
});

describe('a new client', () => {
  it('is complete: tables, companies, roles, an administrator with an invitation', async () => {
    const tenant = await provision(deps(), client('new'));
    expect(
      (await stepsOf(world.database.directory, tenant.subDomain)).map(({ step, state }) => `${step} ${state}`),
    ).toEqual([
      'reserve done',
      'schema done',
      'reference done',
      'companies done',
      'rights done',
      'lists done',
      'admin done',
      'invite done',
    ]);
    await world.database.directory.main.query(
      `delete from public.client_step where step = 'lists' and client_id = $1`,
      [tenant.id],
    );
    expect((await stepsOf(world.database.directory, tenant.subDomain)).map(({ step }) => step)).not.toContain('lists');
    const rows = <T>(text: string) => tenant.db.query<T>(text.replaceAll('{s}', `"${tenant.schema}"`));
    expect(
      await rows(
        'select e.code, b.code as branch, s.code as state from {s}.entity e join {s}.branch b on b.entity_id = e.id join {s}.state_mstr s on s.id = e.state_id',
      ),
    ).toEqual([{ code: 'NLP', branch: 'HO', state: 'TN' }]);
    expect((await rows('select 1 from {s}.role')).length).toBe(11);
    const [mail] = await rows<{ body: string }>('select body from {s}.outbox');
    const token = /#token=([\w-]+)/.exec(mail!.body)?.[1];
    const host = `${tenant.subDomain}.localhost:3000`;
    const reset = await world.inject({
      method: 'POST',
      url: '/api/password/reset',
      headers: { host },
      payload: { token, password: 'Monsoon kettle 2026' },
    });
    expect(reset.json()).toMatchObject({ result: 'success', username: 'asha.rao' });
    const login = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host },
      payload: { email: 'asha@nila.in', password: 'Monsoon kettle 2026' },
    });
    expect(login.json()).toMatchObject({ result: 'success' });
    const branches = await world.inject({
      method: 'GET',
      url: '/tapi/branch',
      headers: { host, authorization: `Bearer ${login.json<{ token: string }>().token}` },
    });
    expect(branches.json<{ data: { code: string }[] }>().data.map(({ code }) => code)).toEqual(['HO']);
  });

  it('whose creation was interrupted continues there without duplicates', async () => {
    fail = true;
    const half = client('half');
    await expect(provision(deps(), half)).rejects.toThrow('could not be written');
    expect((await stepsOf(world.database.directory, half.subDomain)).at(-1)).toMatchObject({
      state: 'failed',
      message: 'The mail could not be written.',
    });
    fail = false;
    const tenant = await provision(deps(), half);
    expect((await tenant.db.query(`select 1 from "${tenant.schema}".users`)).length).toBe(1);
    expect((await tenant.db.query(`select 1 from "${tenant.schema}".entity`)).length).toBe(1);
  });

  it('is created once, however many requests arrive at the same time', async () => {
    const asked = client('race');
    const answers = await Promise.allSettled([
      provision(deps(), asked),
      provision(deps(), asked),
      provision(deps(), asked),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    const tenant = (await findTenant(world.database.directory, asked.subDomain))!;
    expect((await tenant.db.query(`select 1 from "${tenant.schema}".role`)).length).toBe(11);
    expect((await tenant.db.query(`select 1 from "${tenant.schema}".users`)).length).toBe(1);
  });

  it('is refused with all reasons at once', async () => {
    await expect(
      provision(
        deps(),
        client('x', {
          subDomain: 'Admin',
          products: [],
          companies: [],
          admin: { username: 'A', name: '', email: 'x' },
        }),
      ),
    ).rejects.toMatchObject({
      details: [
        { field: 'sub_domain' },
        { field: 'products' },
        { field: 'companies' },
        { field: 'admin_username' },
        { field: 'admin_email' },
      ],
    });
  });
});

describe('sub-domains', () => {
  it('that are taken or reserved come with three free suggestions', async () => {
    const taken = world.database.subDomain('new');
    const { free, suggestions } = await subDomainState(world.database.directory, taken);
    expect(free).toBe(false);
    expect(suggestions).toHaveLength(3);
    for (const one of suggestions) expect((await subDomainState(world.database.directory, one)).free).toBe(true);
    expect((await subDomainState(world.database.directory, 'admin')).free).toBe(false);
  });
});

const clients = () => ({ directory: world.database.directory, screens: world.app.store.screens });

describe('switching off', () => {
  it('ends every session at once; switching on lets people in again', async () => {
    const tenant = await world.tenant({ companies: 1 });
    await tenant.user('asha');
    const asha = await world.signIn(tenant, 'asha');
    expect((await asha.call('GET', '/tapi/menu')).statusCode).toBe(200);
    await setClientActive(clients(), tenant.subDomain, false, null, 'Unpaid');
    await expect.poll(async () => (await asha.call('GET', '/tapi/menu')).statusCode, { timeout: 60_000 }).toBe(401);
    await setClientActive(clients(), tenant.subDomain, true, null, null);
    await expect
      .poll(async () => (await (await world.signIn(tenant, 'asha')).call('GET', '/tapi/menu')).statusCode, {
        timeout: 60_000,
      })
      .toBe(200);
    await expect(setClientActive(clients(), tenant.subDomain, true, null, null)).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe('an installation without an administrator', () => {
  it('offers a link for becoming its administrator until there is one', async () => {
    const link = await firstAdminLink(world.database.directory, 'http://admin.localhost:3000');
    if (link === null) {
      expect((await world.database.directory.main.query('select 1 from public.credential')).length).toBeGreaterThan(0);
      return;
    }
    expect(link).toMatch(/^http:\/\/admin\.localhost:3000\/forgotpassword_admin#token=[\w-]{43}$/);
  });
});
