import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let small: number;
let large: number;

const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 2 });
  const keeper = await acme.role({ modules: ['USERS'], screens: { SCN_USERS: [...pages] }, actions: ['CREATE_USERS'] });
  small = await acme.role({ modules: ['USERS'], screens: { SCN_USERS: ['landing'] } });
  large = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: [...pages] }, actions: ['CREATE_MASTERS'] });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await acme.user('clerk', { companies: [{ company: 1, roles: [keeper] }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
});
afterAll(() => world.close());

const company = (more: object = {}) => ({ entity_id: acme.entityIds[0], role_ids: [small], is_default: true, ...more });
const person = (username: string, more: object = {}) => ({
  username,
  name: `Person ${username}`,
  email: `${username}@acme.in`,
  companies: [company()],
  ...more,
});
const details = (answer: { json<T>(): T }) =>
  answer.json<{ error: { details: { field: string; message: string }[] } }>().error.details.map(({ field }) => field);
const read = async (id: number) =>
  (await admin.call('GET', `/tapi/users/${id}`)).json<{ data: { version: number; status: string } }>().data;

describe('granting rights', () => {
  it('a user is created with companies, branches and roles, and works with them at once', async () => {
    const made = await clerk.call('POST', '/tapi/users', person('ravi'));
    expect(made.statusCode, made.body).toBe(201);
    const { id } = made.json<{ data: { id: number } }>().data;
    // Invited by being added, and again when asked; the older link works no longer.
    const sent = () =>
      acme.sql<{ recipient: string; event_code: string; body: string }>(
        `select recipient, event_code, body from {s}.outbox where user_id = $1 order by id`,
        [id],
      );
    await expect
      .poll(
        async () => {
          await world.app.jobs.drain();
          return (await sent()).length;
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await admin.call('POST', `/tapi/users/${id}/invite`);
    const mails = await sent();
    expect(mails).toMatchObject([
      { recipient: 'ravi@acme.in', event_code: 'user.invited' },
      { recipient: 'ravi@acme.in', event_code: 'user.invited' },
    ]);
    const choose = async (body: string) =>
      (
        await world.inject({
          method: 'POST',
          url: '/api/password/reset',
          headers: { host: acme.host },
          payload: { token: /#token=([\w-]+)/.exec(body)![1], password: 'umbrella river 42' },
        })
      ).json<{ result: string }>().result;
    expect([await choose(mails[0]!.body), await choose(mails[1]!.body)]).toEqual(['expired', 'success']);
    // What is stored again invites nobody a second time.
    await admin.call('PUT', `/tapi/users/${id}`, { version: (await read(id)).version, mobile: '+919840012345' });
    await world.app.jobs.drain();
    expect((await sent()).filter(({ event_code }) => event_code === 'user.invited')).toHaveLength(2);
  });

  it('nobody grants a flag, or a role with a right that they lack', async () => {
    expect(details(await clerk.call('POST', '/tapi/users', person('boss', { is_admin: true })))).toEqual(['is_admin']);
    expect(
      details(await clerk.call('POST', '/tapi/users', person('boss', { companies: [company({ role_ids: [large] })] }))),
    ).toEqual(['companies']);
    expect(
      (await admin.call('POST', '/tapi/users', person('boss', { companies: [company({ role_ids: [large] })] })))
        .statusCode,
    ).toBe(201);
  });

  it('nobody grants a role that shows more records than they see', async () => {
    const near = await acme.role({
      modules: ['USERS'],
      screens: { SCN_USERS: { pages: [...pages], scope: 'own' } },
      actions: ['CREATE_USERS'],
    });
    await acme.user('near', { companies: [{ company: 1, roles: [near] }] });
    const answer = await (
      await world.signIn(acme, 'near')
    ).call('POST', '/tapi/users', person('wide', { companies: [company()] }));
    expect(answer.json()).toMatchObject({
      error: {
        field: 'companies',
        message: expect.stringContaining('shows more records of SCN_USERS than you see yourself') as string,
      },
    });
  });

  it('a shipped role cannot be deleted, and one with holders cannot be removed', async () => {
    const [shipped] = await acme.sql<{ id: number }>(
      `insert into {s}.role (code, role_name, is_system) values ('SHIP', 'Shipped', true) returning id`,
    );
    expect((await admin.call('DELETE', `/tapi/role/${shipped!.id}`)).json()).toMatchObject({
      error: { message: 'This role is shipped with the product. Deactivate it instead.' },
    });
    const held = (await admin.call('POST', `/tapi/role/${small}/deactivate`, { version: 1 })).json<{
      error: { message: string };
    }>().error.message;
    expect(held).toMatch(/ holds? this role\. Give them another one under Users first\.$/);
    expect((await admin.call('POST', `/tapi/role/${shipped!.id}/deactivate`, { version: 1 })).statusCode).toBe(200);
  });

  it('nobody changes somebody with more rights', async () => {
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'boss'`);
    const { version } = await read(id);
    expect(details(await clerk.call('PUT', `/tapi/users/${id}`, { version, name: 'Somebody else' }))).toEqual(['']);
    expect(
      (await clerk.call('POST', `/tapi/users/${id}/reset_link`)).json<{ error: { code: string } }>().error.code,
    ).toBe('elevation');
    expect((await clerk.call('POST', `/tapi/users/${admin.userId}/sign_out`)).statusCode).toBe(403);
  });

  it('an account limited to networks works only from these, from the next call on', async () => {
    const id = await acme.user('office', { companies: [{ company: 1, roles: [small] }] });
    const office = await world.signIn(acme, 'office');
    const set = async (ip_allow: string | null, of = id) =>
      admin.call('PUT', `/tapi/users/${of}`, { version: (await read(of)).version, ip_allow });
    expect((await set('10.0.0.300')).json()).toMatchObject({
      error: {
        field: 'ip_allow',
        message: '"10.0.0.300" is neither an address nor a network. Write 203.0.113.7 or 203.0.113.0/24, one per line.',
      },
    });
    expect((await set('203.0.113.0/24')).statusCode).toBe(200);
    await expect
      .poll(async () => (await office.call('GET', '/tapi/users')).json(), { timeout: 60_000 })
      .toMatchObject({
        error: {
          code: 'forbidden',
          reason: 'network',
          message: 'Your account may not be used from 127.0.0.1. Ask your administrator to allow that address.',
        },
      });
    await expect(world.signIn(acme, 'office')).rejects.toThrow('Invalid credentails');
    expect((await set('203.0.113.0/24\n127.0.0.0/8')).statusCode).toBe(200);
    await expect.poll(async () => (await office.call('GET', '/tapi/users')).statusCode, { timeout: 60_000 }).toBe(200);
    await world.signIn(acme, 'office');
    // Somebody must be able to put it right.
    expect(details(await set('203.0.113.0/24', admin.userId))).toEqual(['ip_allow']);
  });

  it('a branch must belong to the company of its line', async () => {
    const [city] = await acme.sql<{ id: number; state_id: number }>(
      'select c.id, c.state_id from {s}.city_mstr c limit 1',
    );
    const [branch] = await acme.sql<{ id: number }>(
      `insert into {s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode) select $1, 'X1', 'Other', 'branch', 'a', $2, $3, country_id, '600001' from {s}.state_mstr where id = $3 returning id`,
      [acme.entityIds[1], city!.id, city!.state_id],
    );
    expect(
      details(
        await admin.call('POST', '/tapi/users', person('far', { companies: [company({ branch_id: branch!.id })] })),
      ),
    ).toEqual(['companies.0.branch_id']);
  });

  it('the last administrator can neither be disabled, nor demoted, nor deactivated', async () => {
    const { version } = await read(admin.userId);
    expect(details(await admin.call('PUT', `/tapi/users/${admin.userId}`, { version, is_admin: false }))).toEqual([
      'is_admin',
    ]);
    expect(details(await admin.call('POST', `/tapi/users/${admin.userId}/disable`, { version }))).toEqual(['status']);
    expect((await admin.call('POST', `/tapi/users/${admin.userId}/deactivate`, { version })).statusCode).toBe(422);
    // Whoever has signed in is taken out of use, never deleted.
    expect((await admin.call('DELETE', `/tapi/users/${admin.userId}`)).statusCode).toBe(409);
  });

  it('licences are enforced', async () => {
    await platformSql(
      world.database.directory.main,
      'update public.client set licensed_users = 4 where sub_domain = $1',
      [acme.subDomain],
    );
    await expect
      .poll(
        async () =>
          (await admin.call('POST', '/tapi/users', person(`more${Math.random().toString(36).slice(2, 8)}`))).json<{
            error?: { message: string };
          }>().error?.message,
        { timeout: 60_000 },
      )
      .toBe('All 4 licences are in use. Disable a user or ask for more.');
    await platformSql(
      world.database.directory.main,
      'update public.client set licensed_users = 50 where sub_domain = $1',
      [acme.subDomain],
    );
  });
});

describe('actions on an account', () => {
  it('disabling signs out at once; enabling requires a new password', async () => {
    const id = await acme.user('temp');
    const temp = await world.signIn(acme, 'temp');
    const step = async (name: string) =>
      (await admin.call('POST', `/tapi/users/${id}/${name}`, { version: (await read(id)).version })).json<object>();
    expect(await step('disable')).toMatchObject({ data: { status: 'disabled' } });
    expect((await temp.call('GET', '/tapi/menu')).statusCode).toBe(401);
    await expect(world.signIn(acme, 'temp')).rejects.toThrow('could not sign in');
    expect(await step('enable')).toMatchObject({ data: { status: 'active' } });
    const again = await world.signIn(acme, 'temp');
    expect((await again.call('GET', '/tapi/menu')).json<{ error: { code: string } }>().error.code).toBe(
      'password_change',
    );
  });

  it('the form does not set the state; its transitions end the account’s sessions', async () => {
    const id = await acme.user('formal');
    const formal = await world.signIn(acme, 'formal');
    await acme.sql(
      `insert into {s}.users_device (user_id, name, email, device_token, device_flag, active) values ($1, 'F', 'f@acme.in', 'formal', true, true)`,
      [id],
    );
    const { version } = await read(id);
    expect(details(await admin.call('PUT', `/tapi/users/${id}`, { version, status: 'disabled' }))).toEqual(['status']);
    const step = async (name: string) =>
      admin.call('POST', `/tapi/users/${id}/${name}`, { version: (await read(id)).version });
    expect((await admin.call('POST', `/tapi/users/${id}/disable?preview=1`)).json()).toMatchObject({
      data: { status: 'disabled' },
    });
    expect((await read(id)).version).toBe(version);
    expect((await step('disable')).statusCode).toBe(200);
    expect(await acme.sql('select active from {s}.users_device where user_id = $1', [id])).toEqual([{ active: false }]);
    expect((await step('disable')).json()).toMatchObject({ error: { code: 'bad_state' } });
    expect((await step('enable')).json()).toMatchObject({ data: { status: 'active' } });
    expect(
      await acme.sql(
        `select transition, from_state, to_state from {s}.transition_log where record_type = 'users' and record_id = $1 order by id`,
        [id],
      ),
    ).toEqual([
      { transition: 'disable', from_state: 'active', to_state: 'disabled' },
      { transition: 'enable', from_state: 'disabled', to_state: 'invited' },
      { transition: 'accept', from_state: 'invited', to_state: 'active' },
    ]);
    // The sign-in from before stays ended, and the next one needs a new password.
    await expect.poll(async () => (await formal.call('GET', '/tapi/menu')).statusCode, { timeout: 60_000 }).toBe(401);
    expect(
      (await (await world.signIn(acme, 'formal')).call('GET', '/tapi/menu')).json<{ error: { code: string } }>().error
        .code,
    ).toBe('password_change');
  });

  it('unlocking lets a locked account in again', async () => {
    const id = await acme.user('clumsy');
    const login = (password: string) =>
      world.inject({
        method: 'POST',
        url: '/api/sessions/login',
        headers: { host: acme.host },
        payload: { email: 'clumsy', password },
      });
    for (let n = 0; n < 6; n++) await login('wrong-password');
    expect((await login(PASSWORD)).json<{ result: string }>().result).toBe('locked');
    const portal = (await admin.call('GET', '/tapi/password_portal'))
      .json<{ data: { id: number; failures: number; locked_until: string | null }[] }>()
      .data.find((row) => row.id === id);
    expect(portal?.failures).toBeGreaterThanOrEqual(5);
    expect(portal?.locked_until).not.toBeNull();
    expect((await admin.call('POST', `/tapi/users/${id}/unlock`)).statusCode).toBe(200);
    expect((await login(PASSWORD)).json<{ result: string }>().result).toBe('success');
  });

  it('the portal and the actions require the right to users', async () => {
    const nobody = await acme.user('nobody', { companies: [{ company: 1 }] });
    const caller = await world.signIn(acme, 'nobody');
    expect((await caller.call('GET', '/tapi/password_portal')).statusCode).toBe(403);
    expect((await caller.call('POST', `/tapi/users/${nobody}/unlock`)).statusCode).toBe(403);
  });
});
