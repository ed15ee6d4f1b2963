import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRecord } from '../../../src/descriptor/types.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

/** Records of the platform's own lists, as its administrators see them on the administration host. */
describe('record types of the platform', () => {
  let world: World;
  let root: Caller;
  let writer: Caller;
  /** The test database is shared, and so are the platform's tables. */
  const mark = randomBytes(4).toString('hex').toUpperCase();
  const admin = { host: 'admin.localhost:3000' } as TestTenant;
  const main = () => world.database.directory.main;

  async function person(username: string, type: string): Promise<Caller> {
    const [made] = await platformSql<{ id: number }>(
      main(),
      'insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = $3 returning id',
      [username, `${username}@mainstay.example`, type],
    );
    await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
    return world.signIn(admin, username);
  }
  const ok = async (caller: Caller, method: string, url: string, body?: unknown): Promise<WireRecord> => {
    const answer = await caller.call(method, url, body);
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
    return answer.body === '' ? ({} as WireRecord) : answer.json<{ data: WireRecord }>().data;
  };

  beforeAll(async () => {
    world = await startWorld({ types: [] });
    await writeUserTypes(main());
    root = await person(`root-${mark.toLowerCase()}`, 'SUPER');
    writer = await person(`writer-${mark.toLowerCase()}`, 'CONTENT');
  });
  afterAll(() => world.close());

  it('are listed, added, changed, looked up and searched, with the common user in the history', async () => {
    const code = `P${mark}`;
    const product = await ok(root, 'POST', '/tapi/product', { code, name: `Product ${mark}` });
    await ok(root, 'PUT', `/tapi/product/${product.id}`, { version: 1, name: `Products of ${mark}` });
    const module = await ok(root, 'POST', '/tapi/module', {
      module_code: `M${mark}`,
      module_name: `Module ${mark}`,
      product_ids: [product.id],
    });
    expect(module.product_ids__label).toEqual([`Products of ${mark}`]);
    expect(module.created_by__label).toBe(`root-${mark.toLowerCase()}`);
    const screen = await ok(root, 'POST', '/api/screen', {
      screen_code: `SCN_${mark}`,
      name: 'One',
      module_id: module.id,
      route: '/one',
    });
    expect(screen.module_id__label).toBe(`Module ${mark}`);

    expect(await ok(root, 'GET', `/tapi/module?q=${mark}`)).toMatchObject([{ id: module.id }]);
    expect(await ok(root, 'GET', `/tapi/product/options?q=${mark}&for=module.product_ids`)).toMatchObject([
      { id: product.id, label: `Products of ${mark}` },
    ]);
    expect(await ok(root, 'GET', `/tapi/search?q=${mark}`)).toContainEqual(
      expect.objectContaining({ type: 'product', id: product.id }),
    );
    expect(await ok(root, 'GET', `/tapi/product/${product.id}/history`)).toMatchObject([
      { op: 'U', by__label: `root-${mark.toLowerCase()}` },
      { op: 'I' },
    ]);
    await ok(root, 'POST', `/tapi/product/${product.id}/comments`, { text: 'Price to be agreed' });
    expect(await ok(root, 'GET', `/tapi/product/${product.id}/comments`)).toMatchObject([
      { text: 'Price to be agreed', by__label: `root-${mark.toLowerCase()}` },
    ]);
  });

  it('are checked as any others: references, uniqueness, rules, usage', async () => {
    const product = await ok(root, 'POST', '/tapi/product', { code: `Q${mark}`, name: `Second ${mark}` });
    await ok(root, 'POST', '/tapi/module', {
      module_code: `N${mark}`,
      module_name: `Second ${mark}`,
      product_ids: [product.id],
    });
    expect(
      (await root.call('POST', '/tapi/product', { code: `q${mark}`, name: `Third ${mark}` })).json(),
    ).toMatchObject({ error: { field: 'code' } });
    expect(
      (
        await root.call('POST', '/tapi/screen', { screen_code: 'SCN_X', name: 'X', module_id: 999_999, route: '/x' })
      ).json(),
    ).toMatchObject({ error: { field: 'module_id', message: expect.stringContaining('from the list') } });
    expect((await root.call('DELETE', `/tapi/product/${product.id}`)).json()).toMatchObject({
      error: { code: 'in_use', used_by: [{ type: 'module', count: 1 }] },
    });
    const weights = (...list: string[]) =>
      root.call('POST', '/tapi/kpiroles', {
        code: `R${mark}`,
        role_name: `Role ${mark}`,
        kpis: list.map((weight, at) => ({ kpi: `KPI ${at}`, unit: '%', direction: 'higher', weight })),
      });
    expect((await weights('60', '35')).json()).toMatchObject({
      error: { field: 'kpis', message: 'Weights total 95.00 %, must be 100.00 %.' },
    });
    expect((await weights('60', '40')).statusCode).toBe(201);
  });

  it('get their numbers', async () => {
    const source = await ok(root, 'POST', '/tapi/admin_lead_source', {
      code: `S${mark}`,
      name: `Fair ${mark}`,
      channel: 'event',
    });
    const lead = await ok(root, 'POST', '/tapi/admin_lead', {
      company: 'Sundaram Elevators',
      contact_name: 'R. Iyer',
      phone: '+919840012345',
      lead_source_id: source.id,
      owner_id: root.userId,
      value: '250000',
      probability: '40',
    });
    expect(lead).toMatchObject({
      number: expect.stringMatching(/^LEAD\/\d{4}-\d{2,4}\/\d{4}$/),
      weighted: '100000.00',
      owner_id__label: `root-${mark.toLowerCase()}`,
    });
  });

  it('need only the pages of the user type', async () => {
    const section = await ok(writer, 'POST', '/tapi/blog_sect_categ', { name: `Section ${mark}` });
    await ok(writer, 'PUT', `/tapi/blog_sect_categ/${section.id}`, { version: 1, name: `Sections ${mark}` });
    await ok(writer, 'DELETE', `/tapi/blog_sect_categ/${section.id}`);
    expect((await writer.call('GET', '/tapi/product')).statusCode).toBe(403);
    expect((await writer.call('GET', '/tapi/common_user')).statusCode).toBe(403);
  });

  it('of a partner are visible to its people only', async () => {
    const [mine, other] = [
      await ok(root, 'POST', '/tapi/partner', { code: `A${mark}`, name: `Nilgiri ${mark}`, kind: 'reseller' }),
      await ok(root, 'POST', '/tapi/partner', { code: `B${mark}`, name: `Deccan ${mark}`, kind: 'reseller' }),
    ];
    const product = await ok(root, 'POST', '/tapi/product', { code: `Z${mark}`, name: `Sold by ${mark}` });
    const client = (code: string, partner: unknown) => ({
      code: `${code}${mark}`,
      name: `${code} ${mark}`,
      sub_domain: `${code}-${mark}`.toLowerCase(),
      legal_name: code,
      plan: 'trial',
      licensed_users: 5,
      valid_from: '2026-04-01',
      valid_to: '2027-03-31',
      partner_id: partner,
      contact_name: 'R. Iyer',
      contact_email: 'it@acme.in',
      admin_name: 'Asha Rao',
      admin_email: 'asha@acme.in',
      admin_username: 'asha',
      products: [{ product_id: product.id }],
      companies: [{ code: 'ONE', name: 'One', legal_name: 'One Pvt Ltd', state: 'TN' }],
    });
    const visible = await ok(root, 'POST', '/tapi/client_account', client('p', mine.id));
    const hidden = await ok(root, 'POST', '/tapi/client_account', client('q', other.id));
    const source = await ok(root, 'POST', '/tapi/admin_lead_source', {
      code: `T${mark}`,
      name: `Partner ${mark}`,
      channel: 'partner',
    });
    const lead = (owner: number) => ({
      company: `Kaveri ${mark}`,
      contact_name: 'Deepa',
      phone: '+919840012346',
      lead_source_id: source.id,
      owner_id: owner,
    });
    await ok(root, 'POST', '/tapi/admin_lead', lead(root.userId));
    await platformSql(
      main(),
      `update public.common_right r set add_screen = true from public.user_type t where t.id = r.user_type_id and t.code = 'PARTNER' and r.screen_code = 'COMMON_SCN_CLIENT'`,
    );
    const seller = await person(`seller-${mark.toLowerCase()}`, 'PARTNER');
    await platformSql(main(), 'update public.common_user set partner_id = $2 where id = $1', [seller.userId, mine.id]);
    const caller = await world.signIn(admin, `seller-${mark.toLowerCase()}`);

    expect(await ok(caller, 'GET', `/tapi/client_account?q=${mark}`)).toMatchObject([{ id: visible.id }]);
    expect((await caller.call('GET', `/tapi/client_account/${hidden.id}`)).statusCode).toBe(404);
    expect(await ok(caller, 'GET', `/tapi/admin_lead?q=${mark}`)).toEqual([]);
    const own = await ok(caller, 'POST', '/tapi/admin_lead', lead(seller.userId));
    expect(await ok(caller, 'GET', `/tapi/admin_lead?q=${mark}`)).toMatchObject([{ id: own.id }]);
    expect((await caller.call('POST', '/tapi/client_account', client('r', other.id))).json()).toMatchObject({
      error: { field: 'partner_id', message: 'Choose your own partner.' },
    });
  });

  it('are separate from those of a client, in both directions', async () => {
    const tenant = await world.tenant();
    await tenant.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    const chief = await world.signIn(tenant, 'chief');
    expect((await chief.call('GET', '/tapi/product')).statusCode).toBe(404);
    expect((await root.call('GET', '/tapi/branch')).statusCode).toBe(404);
  });

  it('common users: only one with full access creates another; a new one signs in after choosing a password', async () => {
    const { data } = (await root.call('GET', '/tapi/user_type?size=100')).json<{
      data: { id: number; code: string }[];
    }>();
    const type = (code: string) => data.find((one) => one.code === code)!.id;
    const made = await ok(root, 'POST', '/tapi/common_user', {
      username: `sales-${mark.toLowerCase()}`,
      name: 'Sales',
      email: `sales-${mark}@mainstay.example`,
      user_type_id: type('SALES'),
    });
    await platformSql(
      main(),
      `update public.common_right set add_screen = true, edit_screen = true, landing = true where screen_code = 'COMMON_SCN_COMMON_USER' and user_type_id = $1`,
      [type('SUPPORT')],
    );
    const support = await person(`support-${mark.toLowerCase()}`, 'SUPPORT');
    expect(
      (await support.call('PUT', `/tapi/common_user/${made.id}`, { version: 1, user_type_id: type('SUPER') })).json(),
    ).toMatchObject({ error: { field: 'user_type_id' } });
    await expect(world.signIn(admin, String(made.username))).rejects.toThrow(/Invalid credentails/);
    await storePassword(main(), 'public', made.id, await hashPassword(PASSWORD));
    await expect(world.signIn(admin, String(made.username))).resolves.toMatchObject({ userId: made.id });
    expect(
      (await root.call('POST', `/tapi/common_user/${root.userId}/deactivate`, { version: 1 })).json(),
    ).toMatchObject({ error: { message: 'You cannot deactivate yourself.' } });
  });
});
