import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import type { ClientAccess } from '../../../src/domain/client_figures.ts';
import type { DashboardAnswer } from '../../../src/domain/dashboard.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { platformPerson } from './platform_people.ts';

describe('dashboards of a client', () => {
  let world: World;
  let acme: TestTenant;
  let support: Caller;
  let chief: Caller;
  const main = () => world.database.directory.main;

  const person = (type: string) => platformPerson(world, type);
  /** What the dashboard shows: who may look, and the rows of each figure by its tile. */
  const look = async (caller: Caller, client?: string) => {
    const answer = await caller.call('POST', '/api/dashboard/dashboard_oro', {
      filters: client === undefined ? {} : { client },
    });
    const { tiles } = answer.json<{ data: DashboardAnswer }>().data;
    const [first, ...figures] = tiles;
    expect(first!.name).toBe('client_access');
    return {
      ...(first!.widget as ClientAccess),
      problem: first!.problem,
      figures: Object.fromEntries(figures.map(({ name, figures: of }) => [name, of!])),
    };
  };
  /** Says what was written beside the product, as the product itself does. */
  const tell = () => world.app.hub.changed({ schema: 'public', db: main() } as Tenant, 'support_access', 0, 'U', null);
  const access = (caller = support) => expect.poll(async () => (await look(caller)).access);
  const ask = (reason = 'Ticket 1182') =>
    support.call('POST', '/api/client_dashboard/dashboard_oro/ask', { client: acme.subDomain, reason });
  const answer = async (word: string, caller = chief) => {
    const [row] = await acme.sql<{ id: number; version: number }>(
      'select id, version from {s}.support_access order by id desc limit 1',
    );
    return caller.call('POST', `/tapi/support_access/${row!.id}/${word}`, { version: row!.version });
  };

  beforeAll(async () => {
    world = await startWorld({ alone: true });
    await writeUserTypes(main());
    acme = await world.tenant({ suffix: 'shown', products: ['ANALYTICS'] });
    await world.tenant({ suffix: 'bare', products: ['FMS'] });
    await acme.user('chief', { isAdmin: true });
    await acme.user('clerk');
    await ensureTables(acme, world.app.store.screens(), ['analytics_collection']);
    const [sales] = await acme.sql<{ id: number }>(
      `insert into {s}.analytics_collection (code, title, kind, state, mode, key_fields) values ('ORO_SALES', 'Invoices', 'imported', 'idle', 'full', '{}') returning id`,
    );
    const rows = [
      ['2026-09-03', 'C1', '100.50'],
      ['2026-09-30', 'C2', '50'],
      ['2026-10-01', 'C1', '200'],
      ['2026-10-02', 'C3', 'n/a'],
      ['bad', 'C1', '7'],
    ];
    for (const [at, [date, customer, amount]] of rows.entries())
      await acme.sql('insert into {s}.collection_row (collection_id, key, data) values ($1, $2, $3)', [
        sales!.id,
        `K${at}`,
        { date, customer_code: customer, amount, item: 'Soap', qty: '2' },
      ]);
    [support, chief] = await Promise.all([person('SUPPORT'), world.signIn(acme, 'chief')]);
  });
  afterAll(() => world.close());

  it('list clients with such figures, and show nothing before the client agrees', async () => {
    expect(await look(support)).toMatchObject({
      access: 'ask',
      client: acme.subDomain,
      clients: [{ sub_domain: acme.subDomain }],
      figures: {},
    });
    expect((await look(support, 'elsewhere')).problem).toBe('There is no client "elsewhere" for this dashboard.');
    expect((await (await person('CONTENT')).call('POST', '/api/dashboard/dashboard_oro', {})).statusCode).toBe(403);
    expect((await chief.call('POST', '/tapi/dashboard/dashboard_oro', {})).statusCode).toBe(403);
    expect(
      (await chief.call('POST', '/tapi/client_dashboard/dashboard_oro/ask', { client: 'x', reason: 'x' })).statusCode,
    ).toBe(404);
  });

  it('are requested once with a reason, and the client’s administrators are notified', async () => {
    expect((await ask('  ')).json()).toMatchObject({ error: { field: 'reason' } });
    expect((await ask()).statusCode).toBe(202);
    expect((await ask()).statusCode).toBe(409);
    await access().toBe('asked');
    const told = (await chief.call('GET', '/tapi/notifications')).body;
    expect(told).toContain('asks to see figures: Sales and receipts');
    const made = await chief.call('POST', '/tapi/support_access', {
      asked_by: 'X',
      purpose: 'Sales and receipts',
      reason: 'x',
      minutes: 60,
      state: 'agreed',
    });
    expect(made.statusCode, made.body).toBe(422);
  });

  it('open for the requested time when an administrator agrees, with an entry in the client’s log', async () => {
    expect((await answer('agree', await world.signIn(acme, 'clerk'))).statusCode).toBe(403);
    expect((await answer('agree')).json()).toMatchObject({ data: { state: 'agreed', minutes: 60 } });
    expect((await answer('agree')).statusCode).toBe(409);
    await access().toBe('open');
    const seen = await look(support, acme.subDomain);
    expect(Math.round((Date.parse(seen.until!) - Date.now()) / 60_000)).toBe(60);
    const { sales, sales_by_month: months, receipts, sales_by_customer: customers } = seen.figures;
    expect(sales).toMatchObject({ rows: [{ value: '200.00' }], note: 'In Oct 2026, 150.5 the month before' });
    expect(months!.rows).toEqual([
      { month: '2026-09', value: '150.50' },
      { month: '2026-10', value: '200.00' },
    ]);
    expect(receipts).toMatchObject({ rows: [{ value: null }], note: 'No data yet' });
    expect(customers!.rows).toEqual([
      { name: 'C1', value: '307.50' },
      { name: 'C2', value: '50.00' },
    ]);
    expect(seen.collections).toMatchObject([{ code: 'oro_sales', rows: 5 }]);
    // Consent is of one person, for one page.
    expect((await look(await person('SUPER'))).access).toBe('ask');
    await expect
      .poll(async () => (await acme.sql(`select 1 from {s}.audit_log where action = 'support.read'`)).length)
      .toBeGreaterThan(0);
  });

  it('close when the client ends the access, the time is over, or the configuration forbids it', async () => {
    await acme.sql(`update {s}.support_access set ends_at = now() - interval '1 minute' where state = 'agreed'`);
    tell();
    await access().toBe('ask');
    expect((await look(support)).figures).toEqual({});
    expect((await ask()).statusCode).toBe(202);
    await answer('agree');
    await access().toBe('open');
    expect((await answer('end')).json()).toMatchObject({ data: { state: 'ended' } });
    await access().toBe('ask');
    expect((await look(support)).figures).toEqual({});
    const settle = async (record: object) =>
      expect((await chief.call('PUT', '/tapi/configuration/single', record)).statusCode).toBe(200);
    await settle({ support_access: 'always' });
    tell();
    await access().toBe('open');
    await settle({ support_access: 'off', version: 1 });
    tell();
    await access().toBe('off');
    expect((await ask()).statusCode).toBe(409);
  });
});
