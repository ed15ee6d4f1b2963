import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Caller, World } from '../world.ts';
import { platformSql, startWorld } from '../world.ts';
import { ADMIN, platformPerson } from './platform_people.ts';

type Row = Record<string, unknown> & { id: number; version: number };

describe('leads', () => {
  let world: World;
  let sales: Caller & { username: string };
  let product: number;
  let source: number;
  const main = () => world.database.directory.main;

  const person = (type: string) => platformPerson(world, type);
  async function ok<T = Row>(caller: Caller, method: string, url: string, body?: unknown): Promise<T> {
    const answer = await caller.call(method, url, body);
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.json<{ data: T }>().data;
  }
  const lead = (company: string, more: object = {}) =>
    ok(sales, 'POST', '/tapi/admin_lead', {
      company,
      contact_name: 'Ramesh Iyer',
      phone: '+919840055100',
      lead_source_id: source,
      owner_id: sales.userId,
      ...more,
    });
  const step = (one: Row, name: string, more: object = {}) =>
    sales.call('POST', `/tapi/admin_lead/${one.id}/${name}`, { version: one.version, ...more });
  const taken = async (one: Row, name: string, more: object = {}) =>
    ok(sales, 'POST', `/tapi/admin_lead/${one.id}/${name}`, { version: one.version, ...more });
  const read = (type: string, id: unknown) => ok(sales, 'GET', `/tapi/${type}/${String(id)}`);

  beforeAll(async () => {
    world = await startWorld({ alone: true, types: [] });
    await writeUserTypes(main());
    await ensureTables({ db: main(), schema: 'public' }, world.app.store.screens(), [
      'client_account',
      'admin_lead',
      'contact',
      'admin_lead_source',
      'product',
      'admin_campaign',
      'industry',
    ]);
    [product] = (
      await main().query<{ id: number }>(
        `insert into public.product (code, name) values ('FMS', 'Field service') returning id`,
      )
    ).map(({ id }) => id) as [number];
    [source] = (
      await main().query<{ id: number }>(
        `insert into public.admin_lead_source (code, name, channel) values ('WEB', 'Web', 'web') returning id`,
      )
    ).map(({ id }) => id) as [number];
    sales = await person('SALES');
  });
  afterAll(() => world.close());

  it('are on a board by stage, with the same counts and sums as the list', async () => {
    await lead('Sundaram Elevators', { value: '240000.50' });
    await lead('Kaveri Lifts', { value: '100000' });
    await taken(await lead('Malabar Hoists'), 'contact');
    const board = await ok<{ value: string; count: number; sum: string | null }[]>(
      sales,
      'GET',
      '/tapi/admin_lead/board',
    );
    expect(board.toSorted((a, b) => a.value.localeCompare(b.value))).toEqual([
      { value: 'contacted', count: 1, sum: '0' },
      { value: 'new', count: 2, sum: '340000.50' },
    ]);
    expect(await ok(sales, 'GET', '/tapi/admin_lead/board?q=kaveri')).toEqual([
      { value: 'new', count: 1, sum: '100000.00' },
    ]);
    expect((await sales.call('GET', '/tapi/contact/board')).statusCode).toBe(404);
    expect((await (await person('CONTENT')).call('GET', '/tapi/admin_lead/board')).statusCode).toBe(403);
  });

  it('move step by step: a step out of order says where it is allowed, a lost lead needs a reason, a proposal a value', async () => {
    const one = await lead('Nilgiri Lifts');
    expect((await step(one, 'win', { value: '1' })).json()).toMatchObject({
      error: {
        code: 'bad_state',
        field: 'state',
        message: '"Win" can be done while the lead is "Proposal". It is "New" now.',
      },
    });
    expect((await step(one, 'lose')).json()).toMatchObject({ error: { field: 'lost_reason' } });
    expect((await step(one, 'park')).json()).toMatchObject({ error: { field: 'next_follow_up' } });
    const demo = await taken(await taken(one, 'contact'), 'demo');
    expect((await step(demo, 'propose')).json()).toMatchObject({ error: { field: 'value' } });
    expect((await step({ ...demo, version: demo.version - 1 }, 'lose', { lost_reason: 'Price' })).json()).toMatchObject(
      { error: { code: 'stale_version' } },
    );
    const lost = await taken(demo, 'lose', { lost_reason: 'Bought elsewhere' });
    expect((await step(lost, 'contact')).statusCode).toBe(409);
    expect((await step(demo, 'won')).statusCode).toBe(404);
    const bulk = await ok<object>(sales, 'PUT', '/tapi/admin_lead/bulk', { ids: [lost.id], set: { state: 'new' } });
    expect(bulk).toMatchObject({ changed: [], not_taken: [{ field: 'state' }] });
  });

  it('can be edited while they are open, and keep their value once won', async () => {
    const one = await proposal('Cauvery Hoists', { value: '50000' });
    const changed = await ok(sales, 'PUT', `/tapi/admin_lead/${one.id}`, { version: one.version, value: '60000' });
    const won = await taken(changed, 'win', CLIENT());
    const value = await sales.call('PUT', `/tapi/admin_lead/${one.id}`, { version: won.version, value: '1' });
    expect(value.json()).toMatchObject({ error: { code: 'bad_state', field: 'value' } });
    expect((await sales.call('DELETE', `/tapi/admin_lead/${one.id}`)).statusCode).toBeGreaterThanOrEqual(403);
  });

  const CLIENT = () => ({ value: '60000', email: 'a@cauvery.in', city: 'Chennai', products: [product] });
  async function proposal(company: string, more: { value?: string } = {}): Promise<Row> {
    const demo = await taken(await taken(await lead(company), 'contact'), 'demo');
    return taken(demo, 'propose', { value: '50000', ...more });
  }

  it('become a client draft when won, filled in and linked both ways, once', async () => {
    const bare = await proposal('Tungabhadra Lifts Pvt Ltd');
    const answer = (await step(bare, 'win', { value: '50000', email: 'r@t.in', city: 'Nowhere', products: [] })).json<{
      error: { details: { field: string }[] };
    }>();
    expect(answer.error.details.map(({ field }) => field).toSorted()).toEqual(['city', 'products']);
    const won = await taken(bare, 'win', {
      value: '50000',
      email: 'ramesh@tungabhadra.in',
      city: 'Madurai',
      products: [product],
    });
    expect(won.client_id).toBeTypeOf('number');
    const client = await read('client_account', won.client_id);
    expect(client).toMatchObject({
      name: 'Tungabhadra Lifts Pvt Ltd',
      sub_domain: 'tungabhadra',
      state: 'draft',
      lead_id: won.id,
      contact_name: 'Ramesh Iyer',
      admin_email: 'ramesh@tungabhadra.in',
      products: [{ product_id: product }],
      companies: [{ name: 'Tungabhadra Lifts Pvt Ltd', state: 'TN' }],
    });
    // What the answer says of the lead holds: it can be changed at once.
    const again = await ok(sales, 'PUT', `/tapi/admin_lead/${won.id}`, {
      version: won.version,
      phone: '+919840055101',
    });
    expect(again.client_id).toBe(won.client_id);
    expect((await step(again, 'make_client')).statusCode).toBe(409);
    expect(await main().query('select 1 from public.client_account where lead_id = $1', [won.id])).toHaveLength(1);
  });

  it('won by somebody who may not add clients wait for somebody who may', async () => {
    const root = await person('SUPER');
    const one = await proposal('Sharavathi Lifts');
    await platformSql(
      main(),
      `update public.common_right set add_screen = false where screen_code = 'COMMON_SCN_CLIENT'`,
    );
    const plain = await world.signIn(ADMIN, sales.username);
    // The server hears of the right a moment later.
    await expect.poll(async () => (await plain.call('POST', '/tapi/client_account', {})).statusCode).toBe(403);
    const values = { value: '50000', email: 'a@sharavathi.in', city: 'Chennai', products: [product] };
    const won = await ok(plain, 'POST', `/tapi/admin_lead/${one.id}/win`, { version: one.version, ...values });
    expect(won.client_id).toBeNull();
    const { version } = won;
    expect((await plain.call('POST', `/tapi/admin_lead/${won.id}/make_client`, { version })).statusCode).toBe(403);
    const { client_id: client } = await ok(root, 'POST', `/tapi/admin_lead/${won.id}/make_client`, { version });
    expect(await ok(root, 'GET', `/tapi/client_account/${String(client)}`)).toMatchObject({ lead_id: won.id });
    await platformSql(
      main(),
      `update public.common_right set add_screen = true where screen_code = 'COMMON_SCN_CLIENT'`,
    );
  });

  it('are created from enquiries, once, with their text', async () => {
    const enquiry = await ok(sales, 'POST', '/tapi/contact', {
      name: 'Nitin Khanna',
      company: 'Orient Escalators',
      email: 'nitin@orient.in',
      message: 'How are board papers kept?',
    });
    const made = await ok(sales, 'POST', `/tapi/contact/${enquiry.id}/make_lead`, { version: enquiry.version });
    expect(made).toMatchObject({
      company: 'Orient Escalators',
      contact_name: 'Nitin Khanna',
      email: 'nitin@orient.in',
      state: 'new',
      owner_id: sales.userId,
      lead_source_id: source,
      contact_id: enquiry.id,
      activities: [{ note: 'How are board papers kept?' }],
    });
    expect(await read('contact', enquiry.id)).toMatchObject({ state: 'lead', lead_id: made.id });
    expect((await sales.call('POST', `/tapi/contact/${enquiry.id}/make_lead`)).statusCode).toBe(409);
    expect((await (await person('SUPPORT')).call('POST', `/tapi/contact/${enquiry.id}/make_lead`)).statusCode).toBe(
      403,
    );
  });
});
