import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { platformPerson } from './platform_people.ts';

interface Answer {
  access: string;
  client: string | null;
  clients: { sub_domain: string }[];
  until: string | null;
  figures: {
    kpis: {
      name: string;
      value: string | null;
      month: string | null;
      before: string | null;
      months: { month: string; value: string }[];
    }[];
    top: { title: string; rows: { name: string; value: string }[] }[];
    collections: { code: string; rows: number }[];
  } | null;
}

describe('dashboards of a client', () => {
  let world: World;
  let acme: TestTenant;
  let support: Caller;
  let chief: Caller;
  const main = () => world.database.directory.main;

  const person = (type: string) => platformPerson(world, type);
  const look = async (caller: Caller, client?: string) =>
    (
      await caller.call('GET', `/api/client_dashboard/dashboard_oro${client === undefined ? '' : `?client=${client}`}`)
    ).json<{ data: Answer }>().data;
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

  it('offer the clients that gather such figures, and show nothing before the client agreed', async () => {
    expect(await look(support)).toMatchObject({
      access: 'ask',
      client: acme.subDomain,
      clients: [{ sub_domain: acme.subDomain }],
      figures: null,
    });
    expect((await support.call('GET', '/api/client_dashboard/dashboard_oro?client=elsewhere')).statusCode).toBe(404);
    expect((await (await person('CONTENT')).call('GET', '/api/client_dashboard/dashboard_oro')).statusCode).toBe(403);
    expect((await chief.call('GET', '/tapi/client_dashboard/dashboard_oro')).statusCode).toBe(404);
  });

  it('are asked for with a reason, once; the client’s administrators are told', async () => {
    expect((await ask('  ')).json()).toMatchObject({ error: { field: 'reason' } });
    expect((await ask()).statusCode).toBe(202);
    expect((await ask()).statusCode).toBe(409);
    expect((await look(support)).access).toBe('asked');
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

  it('open when an administrator agreed, for the time asked for, and are noted in the client’s log', async () => {
    expect((await answer('agree', await world.signIn(acme, 'clerk'))).statusCode).toBe(403);
    expect((await answer('agree')).json()).toMatchObject({ data: { state: 'agreed', minutes: 60 } });
    expect((await answer('agree')).statusCode).toBe(409);
    const seen = await look(support, acme.subDomain);
    expect(seen.access).toBe('open');
    expect(Math.round((Date.parse(seen.until!) - Date.now()) / 60_000)).toBe(60);
    const [sales, receipts] = seen.figures!.kpis;
    expect(sales).toMatchObject({
      name: 'Sales',
      value: '200.00',
      month: '2026-10',
      before: '150.50',
      months: [
        { month: '2026-09', value: '150.50' },
        { month: '2026-10', value: '200.00' },
      ],
    });
    expect(receipts).toMatchObject({ name: 'Receipts', value: null, months: [] });
    expect(seen.figures!.top[0]).toMatchObject({
      title: 'Sales by customer',
      rows: [
        { name: 'C1', value: '307.50' },
        { name: 'C2', value: '50.00' },
      ],
    });
    expect(seen.figures!.collections).toMatchObject([{ code: 'oro_sales', rows: 5 }]);
    // Consent is of one person, for one page.
    expect((await look(await person('SUPER'))).access).toBe('ask');
    await expect
      .poll(async () => (await acme.sql(`select 1 from {s}.audit_log where action = 'support.read'`)).length)
      .toBeGreaterThan(0);
  });

  it('close when the client ends it, its time is over, or its configuration says never', async () => {
    await acme.sql(`update {s}.support_access set ends_at = now() - interval '1 minute' where state = 'agreed'`);
    expect(await look(support)).toMatchObject({ access: 'ask', figures: null });
    expect((await ask()).statusCode).toBe(202);
    await answer('agree');
    expect((await look(support)).access).toBe('open');
    expect((await answer('end')).json()).toMatchObject({ data: { state: 'ended' } });
    expect((await look(support)).figures).toBeNull();
    const settle = async (record: object) =>
      expect((await chief.call('PUT', '/tapi/configuration/single', record)).statusCode).toBe(200);
    await settle({ support_access: 'always' });
    expect((await look(support)).access).toBe('open');
    await settle({ support_access: 'off', version: 1 });
    expect((await look(support)).access).toBe('off');
    expect((await ask()).statusCode).toBe(409);
  });
});
