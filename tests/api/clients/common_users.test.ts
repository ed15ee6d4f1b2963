import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { DashboardAnswer } from '../../../src/domain/dashboard.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRecord } from '../../../src/descriptor/types.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

let world: World;
let root: Caller;
const mark = randomBytes(4).toString('hex');
const admin = { host: 'admin.localhost:3000' } as TestTenant;
const main = () => world.database.directory.main;
const types = new Map<string, number>();

async function person(username: string, type: string): Promise<Caller> {
  const [made] = await platformSql<{ id: number }>(
    main(),
    'insert into public.common_user (username, name, email, user_type_id) values ($1, $1, $2, $3) returning id',
    [username, `${username}@mainstay.example`, types.get(type)],
  );
  await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
  return world.signIn(admin, username);
}
const ok = async <T = WireRecord>(caller: Caller, method: string, url: string, body?: unknown): Promise<T> => {
  const answer = await caller.call(method, url, body);
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
  return answer.json<{ data: T }>().data;
};

beforeAll(async () => {
  world = await startWorld({ alone: true, types: [] });
  await writeUserTypes(main());
  for (const { id, code } of await main().query<{ id: number; code: string }>('select id, code from public.user_type'))
    types.set(code, id);
  root = await person(`root-${mark}`, 'SUPER');
});
afterAll(() => world.close());

describe('a common user', () => {
  const add = (name: string, type = 'SALES') =>
    ok(root, 'POST', '/api/common_user', {
      username: `${name}-${mark}`,
      name,
      email: `${name}-${mark}@mainstay.example`,
      user_type_id: types.get(type),
    });
  const state = async (id: number) =>
    (
      await main().query<{ status: string; open: boolean | null }>(
        'select status, invited_until > now() as open from public.common_user where id = $1',
        [id],
      )
    )[0];
  const links = async (name: string) =>
    (
      await main().query<{ body: string }>(
        `select body from public.outbox where recipient = $1 and event_code = 'user.invited' order by id`,
        [`${name}-${mark}@mainstay.example`],
      )
    ).map(({ body }) => /#token=([\w-]+)/.exec(body)![1]!);
  const choose = async (token: string) =>
    (
      await world.inject({
        method: 'POST',
        url: '/api/password/reset',
        headers: { host: admin.host },
        payload: { token, password: 'Monsoon kettle 2026' },
      })
    ).json<{ result: string }>().result;

  it('is invited when added, again on request; each new link replaces the one before, and links expire', async () => {
    const rohan = await add('rohan');
    await world.app.jobs.drain();
    expect(await state(rohan.id)).toEqual({ status: 'invited', open: true });
    expect((await root.call('POST', `/api/common_user/${rohan.id}/reset_link`)).json()).toMatchObject({
      error: { code: 'bad_state' },
    });
    expect((await root.call('POST', `/api/common_user/${rohan.id}/invite`)).statusCode).toBe(200);
    const [first, second] = await links('rohan');
    expect(await choose(first!)).toBe('expired');
    await main().query(`update public.password_token set expires_at = now() - interval '1 minute' where user_id = $1`, [
      rohan.id,
    ]);
    expect(await choose(second!)).toBe('expired');
    await root.call('POST', `/api/common_user/${rohan.id}/invite`);
    expect(await choose((await links('rohan')).at(-1)!)).toBe('success');
    expect(await state(rohan.id)).toEqual({ status: 'active', open: null });
    const signedIn = await world.signIn(admin, `rohan-${mark}`, 'Monsoon kettle 2026');
    expect((await root.call('POST', `/api/common_user/${rohan.id}/invite`)).json()).toMatchObject({
      error: { code: 'bad_state' },
    });
    await ok(root, 'PUT', `/api/common_user/${rohan.id}`, { version: 1, mobile: '+919840055014' });
    await world.app.jobs.drain();
    expect(await links('rohan')).toHaveLength(3);
    expect((await root.call('POST', `/api/common_user/${rohan.id}/sign_out`)).statusCode).toBe(200);
    expect((await signedIn.call('GET', '/api/menu')).statusCode).toBe(401);
  });

  it('shows whether a second factor is set, which is removed if the phone is lost', async () => {
    const caller = await person(`meera-${mark}`, 'SALES');
    const record = async () => (await ok<WireRecord[]>(root, 'GET', `/api/common_user?q=meera-${mark}`))[0]!;
    expect((await record()).second_factor).toBe(false);
    const { secret } = await ok<{ secret: string }>(caller, 'POST', '/tapi/mfa/enrol', { password: PASSWORD });
    await ok(caller, 'POST', '/tapi/mfa/confirm', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
    const { id, second_factor: on } = await record();
    expect(on).toBe(true);
    expect((await caller.call('POST', `/api/common_user/${id}/remove_factor`)).statusCode).toBe(403);
    await ok(root, 'POST', `/api/common_user/${id}/remove_factor`);
    expect((await record()).second_factor).toBe(false);
    expect((await root.call('POST', `/api/common_user/${id}/remove_factor`)).statusCode).toBe(409);
    await expect.poll(async () => (await caller.call('GET', '/tapi/menu')).statusCode, { timeout: 60_000 }).toBe(401);
    await world.signIn(admin, `meera-${mark}`);
  });

  it('with full access is invited only by another one', async () => {
    const chief = await add('chief', 'SUPER');
    await platformSql(
      main(),
      `update public.common_right set edit_screen = true where screen_code = 'COMMON_SCN_COMMON_USER' and user_type_id = $1`,
      [types.get('SUPPORT')],
    );
    const support = await person(`support-${mark}`, 'SUPPORT');
    expect((await support.call('POST', `/api/common_user/${chief.id}/invite`)).json()).toMatchObject({
      error: { code: 'elevation' },
    });
  });
});

describe('people of a partner', () => {
  it('see and change only records of their partner in lists, look-ups, search, history, exports, dashboards and actions', async () => {
    const partner = (code: string) =>
      ok(root, 'POST', '/api/partner', { code, name: `Partner ${code}`, kind: 'reseller' });
    const [mine, other] = [await partner('MINE'), await partner('OTHER')];
    const product = await ok(root, 'POST', '/api/product', { code: 'FMS', name: 'Field service' });
    const client = (code: string, partnerId: number) =>
      ok(root, 'POST', '/api/client_account', {
        code,
        name: `Lifts ${code}`,
        sub_domain: `${code.toLowerCase()}-${mark}`,
        legal_name: code,
        licensed_users: 5,
        valid_from: '2026-04-01',
        valid_to: '2027-03-31',
        partner_id: partnerId,
        contact_name: 'R',
        contact_email: 'it@acme.in',
        admin_name: 'Asha Rao',
        admin_email: 'asha@acme.in',
        admin_username: 'asha',
        products: [{ product_id: product.id }],
        companies: [{ code: 'ONE', name: 'One', legal_name: 'One', state: 'TN' }],
      });
    const [visible, hidden] = [await client('P', mine.id), await client('Q', other.id)];
    const source = await ok(root, 'POST', '/api/admin_lead_source', { code: 'S', name: 'Fair', channel: 'event' });
    const lead = (owner: number) => ({
      company: 'Kaveri Lifts',
      contact_name: 'Deepa',
      phone: '+919840012346',
      lead_source_id: source.id,
      owner_id: owner,
    });
    const foreign = await ok(root, 'POST', '/api/admin_lead', lead(root.userId));
    for (const [screen, pages] of [
      ['CLIENT', 'add_screen = true, edit_screen = true'],
      ['PARTNER', 'landing = true, view_screen = true, edit_screen = true'],
      ['COMMON_USER', 'landing = true, view_screen = true'],
    ] as const)
      await main()
        .query(
          `insert into public.common_right as r (user_type_id, screen_code) values ($1, $2) on conflict do nothing`,
          [types.get('PARTNER'), `COMMON_SCN_${screen}`],
        )
        .then(() =>
          platformSql(main(), `update public.common_right set ${pages} where user_type_id = $1 and screen_code = $2`, [
            types.get('PARTNER'),
            `COMMON_SCN_${screen}`,
          ]),
        );
    await person(`seller-${mark}`, 'PARTNER');
    await platformSql(main(), 'update public.common_user set partner_id = $2 where username = $1', [
      `seller-${mark}`,
      mine.id,
    ]);
    const seller = await world.signIn(admin, `seller-${mark}`);
    const ids = async (url: string) => (await ok<{ id: number }[]>(seller, 'GET', url)).map(({ id }) => id);

    expect(await ids('/api/client_account')).toEqual([visible.id]);
    expect((await seller.call('GET', '/api/client_account/count')).json()).toMatchObject({ count: 1 });
    expect(await ids(`/api/client_account?ids=${hidden.id}`)).toEqual([]);
    expect(await ids('/api/client_account/options?q=Lifts&for=admin_lead.client_id')).toEqual([visible.id]);
    expect(
      (await ok<{ type: string; id: number }[]>(seller, 'GET', '/api/search?q=Lifts'))
        .filter(({ type }) => type === 'client_account')
        .map(({ id }) => id),
    ).toEqual([visible.id]);
    expect(await ids('/api/partner')).toEqual([mine.id]);
    expect(await ids('/api/common_user')).toEqual([seller.userId]);
    expect(await ids('/api/admin_lead')).toEqual([]);
    const own = await ok(seller, 'POST', '/api/admin_lead', lead(seller.userId));
    expect(await ids('/api/admin_lead')).toEqual([own.id]);

    const { id } = hidden;
    for (const [method, url, body] of [
      ['GET', `/api/client_account/${id}`],
      ['GET', `/api/client_account/${id}/history`],
      ['GET', `/api/client_account/${id}/comments`],
      ['GET', `/api/client_account/${id}/copy`],
      ['GET', `/api/client_account/${id}/life`],
      ['GET', `/api/client_account/${id}/steps`],
      ['PUT', `/api/client_account/${id}`, { version: 1, name: 'Taken' }],
      ['DELETE', `/api/client_account/${id}`],
      ['POST', `/api/client_account/${id}/comments`, { text: 'Hello' }],
      ['POST', `/api/client_account/${id}/switch_off`, {}],
      ['POST', `/api/client_account/${id}/export_data`, {}],
      ['POST', `/api/client_account/${id}/provision`, { version: 1 }],
      ['GET', `/api/admin_lead/${foreign.id}`],
      ['PUT', `/api/admin_lead/${foreign.id}`, { version: 1, city: 'Pune' }],
    ] as const)
      expect((await seller.call(method, url, body)).statusCode, `${method} ${url}`).toBe(404);
    // Nor may what is theirs be handed to another partner, or another's client be taken.
    expect(
      (await seller.call('PUT', `/api/client_account/${visible.id}`, { version: 1, partner_id: other.id })).json(),
    ).toMatchObject({ error: { details: [{ field: 'partner_id' }] } });
    expect(
      (
        await seller.call('PUT', '/api/client_account/bulk', { ids: [visible.id, id], set: { contact_name: 'Deepa' } })
      ).json<{ data: { changed: number[] } }>().data.changed,
    ).toEqual([visible.id]);
    const { tiles } = await ok<DashboardAnswer>(seller, 'POST', '/api/dashboard/platform_home', {});
    const rows = (name: string) => tiles.find((tile) => tile.name === name)?.figures?.rows;
    expect(rows('clients_by_state')!.reduce((sum, { n }) => sum + Number(n), 0)).toBe(1);
    expect([rows('storage_by_client'), rows('failed_jobs'), rows('enquiries')]).toEqual([[], undefined, undefined]);
  });
});
