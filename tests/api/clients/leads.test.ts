import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Caller, World } from '../world.ts';
import { startWorld } from '../world.ts';
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
  const move = (one: Row, state: string, more: object = {}) =>
    sales.call('PUT', `/tapi/admin_lead/${one.id}`, { version: one.version, state, ...more });
  const moved = async (one: Row, state: string, more: object = {}) =>
    ok(sales, 'PUT', `/tapi/admin_lead/${one.id}`, { version: one.version, state, ...more });
  const read = (type: string, id: unknown) => ok(sales, 'GET', `/tapi/${type}/${String(id)}`);

  beforeAll(async () => {
    world = await startWorld({ alone: true });
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

  it('stand on a board by stage, counted and added up by the same rows as the list', async () => {
    await lead('Sundaram Elevators', { value: '240000.50' });
    await lead('Kaveri Lifts', { value: '100000' });
    await moved(await lead('Malabar Hoists'), 'contacted');
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

  it('go step by step: what does not follow is refused with what does, a lost one says why, a proposal has a value', async () => {
    const one = await lead('Nilgiri Lifts');
    expect((await move(one, 'won')).json()).toMatchObject({
      error: {
        code: 'invalid',
        details: expect.arrayContaining([
          { field: 'state', message: '"Won" does not follow "New". Choose "Contacted" or "Lost" or "Parked".' },
        ]) as unknown,
      },
    });
    expect((await move(one, 'lost')).json()).toMatchObject({ error: { field: 'lost_reason' } });
    expect((await move(one, 'parked')).json()).toMatchObject({ error: { field: 'next_follow_up' } });
    const demo = await moved(await moved(one, 'contacted'), 'demo');
    expect((await move(demo, 'proposal')).json()).toMatchObject({ error: { field: 'value' } });
    expect((await move({ ...demo, version: demo.version - 1 }, 'lost', { lost_reason: 'Price' })).json()).toMatchObject(
      { error: { code: 'stale_version' } },
    );
    const lost = await moved(demo, 'lost', { lost_reason: 'Bought elsewhere' });
    expect((await move(lost, 'contacted')).json()).toMatchObject({
      error: { field: 'state', message: '"Contacted" does not follow "Lost". Nothing does.' },
    });
    const bulk = await ok<{ errors: { message: string }[] }>(sales, 'PUT', '/tapi/admin_lead/bulk', {
      ids: [lost.id],
      set: { state: 'new' },
    });
    expect(bulk.errors).toHaveLength(1);
  });

  async function proposal(company: string, more: object = {}): Promise<Row> {
    return moved(
      await moved(await moved(await lead(company, { value: '50000', ...more }), 'contacted'), 'demo'),
      'proposal',
    );
  }

  it('that are won become the draft of a client, filled in and linked both ways, once', async () => {
    const bare = await proposal('Tungabhadra Lifts Pvt Ltd');
    const answer = (await move(bare, 'won')).json<{ error: { details: { field: string }[] } }>();
    expect(answer.error.details.map(({ field }) => field).toSorted()).toEqual(['city', 'email', 'products']);
    const won = await moved(bare, 'won', { email: 'ramesh@tungabhadra.in', city: 'Madurai', products: [product] });
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
    const again = await ok(sales, 'PUT', `/tapi/admin_lead/${won.id}`, { version: won.version, probability: '100' });
    expect(again.client_id).toBe(won.client_id);
    const { statusCode } = await sales.call('POST', `/tapi/admin_lead/${won.id}/make_client`, {
      version: again.version,
    });
    // Sales may not edit clients, but may add them: the action asks for the lead's own rights and for adding.
    expect(statusCode).toBe(409);
    expect(await main().query('select 1 from public.client_account where lead_id = $1', [won.id])).toHaveLength(1);
  });

  it('won by somebody who adds no clients wait for somebody who does', async () => {
    const root = await person('SUPER');
    const one = await proposal('Sharavathi Lifts', { email: 'a@sharavathi.in', city: 'Chennai', products: [product] });
    await main().query(`update public.common_right set add_screen = false where screen_code = 'COMMON_SCN_CLIENT'`);
    const plain = await world.signIn(ADMIN, sales.username);
    const won = await ok(plain, 'PUT', `/tapi/admin_lead/${one.id}`, { version: one.version, state: 'won' });
    expect(won.client_id).toBeNull();
    expect((await plain.call('POST', `/tapi/admin_lead/${won.id}/make_client`)).statusCode).toBe(403);
    const client = await ok(root, 'POST', `/tapi/admin_lead/${won.id}/make_client`);
    expect((await ok(root, 'GET', `/tapi/admin_lead/${won.id}`)).client_id).toBe(client.id);
    await main().query(`update public.common_right set add_screen = true where screen_code = 'COMMON_SCN_CLIENT'`);
  });

  it('come of enquiries, once, with what was written', async () => {
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
