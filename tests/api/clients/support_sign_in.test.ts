import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

interface Opened {
  data: { username: string; until: string };
  once: { value: string };
}

describe('support at a client', () => {
  let world: World;
  let acme: TestTenant;
  let support: Caller;
  let chief: Caller;
  let id: number;
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
  const act = (caller: Caller, name: string, body: object = {}) =>
    caller.call('POST', `/api/client_account/${id}/${name}`, body);
  async function answer(word: string, caller = chief) {
    const [row] = await acme.sql<{ id: number; version: number }>(
      'select id, version from {s}.support_access order by id desc limit 1',
    );
    return caller.call('POST', `/tapi/support_access/${row!.id}/${word}`, { version: row!.version });
  }
  const open = async () => (await act(support, 'open_access')).json<Opened>();
  const settle = async (rule: string) => {
    const { version } = (await chief.call('GET', '/tapi/configuration/single')).json<{ data: { version: number } }>()
      .data;
    expect((await chief.call('PUT', '/tapi/configuration/single', { version, support_access: rule })).statusCode).toBe(
      200,
    );
  };

  beforeAll(async () => {
    world = await startWorld({ alone: true, types: [] });
    await writeUserTypes(main());
    acme = await world.tenant({ suffix: 'sup', products: ['TKT'] });
    const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
    await acme.sql(`update {s}.role set template_code = 'AUDITOR' where id = $1`, [role]);
    await acme.user('chief', { isAdmin: true });
    await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
    chief = await world.signIn(acme, 'chief');
    support = await person('SUPPORT');
    await support.call('GET', '/api/client_account');
    const [row] = await main().query<{ id: number }>(
      `insert into public.client_account (code, name, sub_domain, state, legal_name, plan, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username)
       values ('SUP', 'Acme', $1, 'active', 'Acme', 'standard', 2, current_date, current_date + 100, 'R', 'it@acme.in', 'A', 'a@acme.in', 'chief') returning id`,
      [acme.subDomain],
    );
    id = row!.id;
  });
  afterAll(() => world.close());

  it('is admitted by the client’s administrator for a time, as a separate user visible to both sides, with a single-use password', async () => {
    expect((await act(await person('SALES'), 'ask_access', { reason: 'x' })).statusCode).toBe(403);
    expect((await act(support, 'open_access')).json()).toMatchObject({ error: { code: 'bad_state' } });
    const wrong = await act(support, 'ask_access', { reason: { a: 1 } });
    expect([wrong.statusCode, wrong.json<{ error: { field: string } }>().error.field]).toEqual([400, 'reason']);
    expect((await act(support, 'ask_access', { reason: ' ' })).json()).toMatchObject({ error: { field: 'reason' } });
    expect((await act(support, 'ask_access', { reason: 'Ticket 1182', minutes: 120 })).json()).toMatchObject({
      data: { state: 'asked' },
    });
    expect((await act(support, 'ask_access', { reason: 'Again' })).statusCode).toBe(409);
    expect((await chief.call('GET', '/tapi/notifications')).body).toContain('of support asks to sign in');
    expect((await answer('agree', await world.signIn(acme, 'clerk'))).statusCode).toBe(403);
    expect((await answer('agree')).statusCode).toBe(200);

    const { data, once } = await open();
    expect(data.username).toBe(`support.support-${mark}`);
    const there = await world.signIn(acme, data.username, once.value);
    await expect(world.signIn(acme, data.username, once.value)).rejects.toThrow('Invalid credentails');
    expect((await there.call('GET', '/tapi/branch')).statusCode).toBe(200);
    expect((await there.call('POST', '/tapi/branch', {})).statusCode).toBe(403);
    const [session] = await acme.sql<{ left: number; by: number }>(
      `select round(extract(epoch from expires_at - now()) / 60)::int as left, impersonator_id as by from {s}.session where user_id = $1`,
      [there.userId],
    );
    expect(session).toEqual({ left: 120, by: support.userId });
    expect((await there.call('POST', '/update_refresh_token/~')).json()).toMatchObject({
      error: { code: 'session_max_age' },
    });
    const users = (await chief.call('GET', '/tapi/users?q=support')).json<{ data: { name: string }[] }>().data;
    expect(users.map(({ name }) => name)).toEqual([`support-${mark} (support)`]);
    const { support: seen } = (await support.call('GET', `/api/client_account/${id}/life`)).json<{
      data: { support: object[] };
    }>().data;
    expect(seen).toMatchObject([
      { asked_by: `support-${mark}`, reason: 'Ticket 1182', state: 'agreed', answered_by: 'Person chief', open: true },
    ]);
    await expect
      .poll(async () =>
        (
          await acme.sql<{ action: string }>(
            `select action from {s}.audit_log where action like 'support.%' order by seq`,
          )
        ).map(({ action }) => action),
      )
      .toEqual(['support.ask_access', 'support.agree', 'support.open_access']);
    await expect
      .poll(async () =>
        (
          await main().query<{ action: string }>(
            `select action from public.audit_log where action like 'client.%access' order by seq`,
          )
        ).map(({ action }) => action),
      )
      .toEqual(['client.ask_access', 'client.open_access']);
  });

  it('is ended at once by the client or by the supporter', async () => {
    const inside = await world.signIn(acme, `support.support-${mark}`, (await open()).once.value);
    expect((await answer('end')).json()).toMatchObject({ data: { state: 'ended' } });
    await expect.poll(async () => (await inside.call('GET', '/tapi/menu')).statusCode).toBe(401);
    expect((await act(support, 'open_access')).statusCode).toBe(409);
    await act(support, 'ask_access', { reason: 'Once more' });
    await answer('agree');
    const again = await world.signIn(acme, `support.support-${mark}`, (await open()).once.value);
    expect((await act(support, 'end_access')).statusCode).toBe(200);
    await expect.poll(async () => (await again.call('GET', '/tapi/menu')).statusCode).toBe(401);
    expect((await act(support, 'end_access')).statusCode).toBe(409);
  });

  it('ends with its time, including the account; a password unused for ten minutes expires', async () => {
    await act(support, 'ask_access', { reason: 'Third' });
    await answer('agree');
    const { once, data } = await open();
    await acme.sql(
      `update {s}.credential set changed_at = now() - interval '11 minutes' where user_id = (select id from {s}.users where username = $1)`,
      [data.username],
    );
    await expect(world.signIn(acme, data.username, once.value)).rejects.toThrow('Invalid credentails');
    await acme.sql(`update {s}.support_access set ends_at = now() - interval '1 minute' where state = 'agreed'`);
    expect((await act(support, 'open_access')).statusCode).toBe(409);
    await world.app.jobs.enqueue(acme.schema, 'client_validity');
    await world.app.jobs.drain();
    expect(await acme.sql('select status from {s}.users where username = $1', [data.username])).toEqual([
      { status: 'disabled' },
    ]);
  });

  it('follows the client’s configuration: always without asking, or never', async () => {
    await settle('always');
    expect((await act(support, 'ask_access', { reason: 'Month end' })).json()).toMatchObject({
      data: { state: 'agreed' },
    });
    const inside = await world.signIn(acme, `support.support-${mark}`, (await open()).once.value);
    expect((await inside.call('GET', '/tapi/menu')).statusCode).toBe(200);
    const { once, data } = await open();
    await settle('off');
    await expect(world.signIn(acme, data.username, once.value)).rejects.toThrow('Invalid credentails');
    // Whoever is inside at that moment is not any more.
    await expect.poll(async () => (await inside.call('GET', '/tapi/menu')).statusCode).toBe(401);
    expect((await act(support, 'ask_access', { reason: 'Month end' })).json()).toMatchObject({
      error: { code: 'bad_state', message: expect.stringContaining('does not allow platform staff to sign in') },
    });
  });
});
