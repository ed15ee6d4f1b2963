import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { platformPerson } from '../clients/platform_people.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let bare: TestTenant;
let root: Caller & { username: string };
let partner: Caller;
let content: Caller;
const ids: Record<string, number> = {};
const main = () => world.database.directory.main;
const one = async (text: string, values: unknown[] = []) =>
  (await main().query<{ id: number }>(`${text} returning id`, values))[0]!.id;
/** Days from today, in India. */
const at = (days: number) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);

const raw = (caller: Caller, report: string, parameters: Record<string, string | number> = {}) =>
  caller.call(
    'GET',
    `/api/report/${report}/rows?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()}`,
  );
async function ask(
  caller: Caller,
  report: string,
  parameters: Record<string, string | number> = {},
): Promise<ReportAnswer> {
  const answer = await raw(caller, report, parameters);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: ReportAnswer }>().data;
}

beforeAll(async () => {
  world = await startWorld({ alone: true });
  await writeUserTypes(main());
  [acme, bare] = [
    await world.tenant({ suffix: 'placed', products: ['ANALYTICS'] }),
    await world.tenant({ suffix: 'bare' }),
  ];
  [root, partner, content] = await Promise.all([
    platformPerson(world, 'SUPER'),
    platformPerson(world, 'PARTNER'),
    platformPerson(world, 'CONTENT'),
  ]);
  await ensureTables({ db: main(), schema: 'public' }, world.app.store.screens(), [
    'client_account',
    'bench_marking',
    'industry',
    'admin_lead',
    'admin_lead_source',
    'admin_campaign',
    'partner',
  ]);
  const machines = await one(`insert into public.industry (code, name) values ('MAC', 'Machines')`);
  ids.lifts = await one(`insert into public.industry (code, name, parent_id) values ('ELV', 'Lifts', $1)`, [machines]);
  ids.partner = await one(`insert into public.partner (code, name) values ('NIL', 'Nilgiri')`);
  await platformSql(main(), 'update public.common_user set partner_id = $1 where id = $2', [
    ids.partner,
    partner.userId,
  ]);
  world.app.services.store.forget('public');
  const client = (code: string, sub: string, days: number, more: (string | number | null)[]) =>
    one(
      `insert into public.client_account (code, name, sub_domain, state, legal_name, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username, industry_id, plan, partner_id, used_users)
     values ($1, $1, $2, 'active', $1, 50, current_date - 300, $3, 'R', 'r@acme.in', 'A', 'a@acme.in', 'admin', $4, $5, $6, $7)`,
      [code, sub, at(days), ids.lifts, ...more],
    );
  ids.acme = await client('ACME', acme.subDomain, 30, ['standard', null, 40]);
  ids.bare = await client('BARE', bare.subDomain, 200, ['trial', ids.partner, 5]);
  const benchmark = (industry: number, kpi: string, direction: string, year: number, [p25, median, p75]: string[]) =>
    main().query(
      `insert into public.bench_marking (industry_id, kpi, unit, direction, year, p25, median, p75, sample_size, source) values ($1, $2, '%', $3, $4, $5, $6, $7, 38, 'Survey')`,
      [industry, kpi, direction, year, p25, median, p75],
    );
  await benchmark(machines, 'Attrition', 'lower', 2024, ['5', '10', '20']);
  await benchmark(ids.lifts, 'attrition', 'lower', 2025, ['4', '10', '20']);
  await benchmark(machines, 'Attrition', 'lower', 2025, ['50', '60', '70']);
  await benchmark(ids.lifts, 'Joined', 'higher', 2025, ['1', '3', '6']);
  // The months of the year before are not all there.
  await benchmark(ids.lifts, 'Joined', 'higher', 2024, ['1', '3', '6']);
  await ensureTables(acme, world.app.store.screens(), ['analytics_collection', 'support_access']);
  const fill = async (code: string, rows: object[]) => {
    const [collection] = await acme.sql<{ id: number }>(
      `insert into {s}.analytics_collection (code, title, kind, state, mode, key_fields) values ($1, $1, 'product', 'idle', 'full', '{}') returning id`,
      [code],
    );
    for (const [index, row] of rows.entries())
      await acme.sql('insert into {s}.collection_row (collection_id, key, data) values ($1, $2, $3)', [
        collection!.id,
        `K${index}`,
        row,
      ]);
  };
  // Of two companies: 1 of 50 and 5 of 100 are 4 of a hundred, just at the border; the year before 15 of 100.
  await fill('attrition', [
    { month: '2026-03', left_us: 1, average_members: 50 },
    { month: '2026-03', left_us: 5, average_members: 100 },
    { month: '2025-03', left_us: 15, average_members: 100 },
    { month: '2024-03', left_us: 0, average_members: 0 },
  ]);
  await fill('joiners_leavers', [
    { month: '2024-12', joined: 9 },
    { month: '2025-04', joined: 2 },
    { month: '2026-03', joined: 1 },
    { month: `${at(0).slice(0, 7)}`, joined: 99 },
  ]);
});
afterAll(() => world.close());

describe('benchmark position', () => {
  const agree = (purpose: string, user: number) =>
    acme.sql(
      `insert into {s}.support_access (asked_by, purpose, reason, minutes, state, platform_user_id, ends_at) values ('R', $1, 'x', 60, 'agreed', $2, now() + interval '1 hour')`,
      [purpose, user],
    );

  it('shows no figure before the client agreed, but where to ask', async () => {
    expect(await ask(root, 'benchmark_position')).toMatchObject({ rows: [], note: 'Choose a client.' });
    const closed = await ask(root, 'benchmark_position', { client: ids.acme! });
    expect(closed.rows).toEqual([]);
    expect(closed.note).toContain('People and use: the client was not asked for its figures.');
    await agree('Sales and receipts', root.userId);
    expect((await ask(root, 'benchmark_position', { client: ids.acme! })).rows).toEqual([]);
    await agree('People and use', root.userId + 1000);
    expect((await ask(root, 'benchmark_position', { client: ids.acme! })).rows).toEqual([]);
  });

  it('shows the quarter within its industry, or the one above, for each completed year', async () => {
    await agree('People and use', root.userId);
    const told = await ask(root, 'benchmark_position', { client: ids.acme! });
    expect(
      told.rows.map(({ kpi, year, value, quarter, gap, industry__label: industry, companies }) => [
        kpi,
        year,
        value,
        quarter,
        gap,
        industry,
        companies,
      ]),
    ).toEqual([
      ['Attrition', '2025-2026', '4.00', '1', '6.00', 'Lifts', 38],
      ['Attrition', '2024-2025', '15.00', '3', '-5.00', 'Machines', 38],
      ['Joined', '2025-2026', '3.00', '2', '0.00', 'Lifts', 38],
    ]);
    expect(told.note).toBeUndefined();
    await expect
      .poll(async () =>
        (await acme.sql<{ summary: string }>(`select summary from {s}.audit_log where action = 'support.read'`)).map(
          ({ summary }) => summary,
        ),
      )
      .toContainEqual(expect.stringContaining('Benchmark position'));
  });

  it('is filtered by figure and year', async () => {
    expect((await ask(root, 'benchmark_position', { client: ids.acme!, kpi: 'join' })).rows).toHaveLength(1);
    expect((await ask(root, 'benchmark_position', { client: ids.acme!, year: '2024-2025' })).rows).toMatchObject([
      { year: '2024-2025' },
    ]);
    expect((await raw(root, 'benchmark_position', { client: 'acme' })).statusCode).toBe(422);
    expect((await raw(root, 'benchmark_position', { client: 999_999 })).statusCode).toBe(404);
  });

  it('needs the right to benchmarks, and shows only figures of permitted dashboards', async () => {
    expect((await raw(partner, 'benchmark_position')).statusCode).toBe(403);
    await agree('People and use', content.userId);
    expect(await ask(content, 'benchmark_position', { client: ids.acme! })).toMatchObject({
      rows: [],
      note: expect.stringContaining('no dashboard'),
    });
    await acme.user('chief', { isAdmin: true });
    expect((await raw(await world.signIn(acme, 'chief'), 'benchmark_position')).statusCode).toBe(403);
  });

  it('ends with the consent', async () => {
    await acme.sql(`update {s}.support_access set ends_at = now() - interval '1 minute'`);
    expect((await ask(root, 'benchmark_position', { client: ids.acme! })).rows).toEqual([]);
    await acme.sql(`update {s}.support_access set state = 'refused' where platform_user_id = $1`, [root.userId]);
    expect((await ask(root, 'benchmark_position', { client: ids.acme! })).note).toContain('the client has refused');
  });
});

describe('of the platform', () => {
  beforeAll(async () => {
    const [web, fairs] = [
      await one(`insert into public.admin_lead_source (code, name, channel) values ('WEB', 'Web', 'web')`),
      await one(`insert into public.admin_lead_source (code, name, channel) values ('FAIR', 'Fairs', 'event')`),
    ];
    ids.web = web;
    ids.meet = await one(
      `insert into public.admin_campaign (code, name, channel, from_date, budget, spent) values ('MEET', 'Lift meet', 'event', '2026-03-01', 90000, 100000.10)`,
    );
    await one(
      `insert into public.admin_campaign (code, name, channel, from_date, spent) values ('NEXT', 'To come', 'web', '2026-09-01', 500)`,
    );
    for (const [number, state, value, source, campaign, owner] of [
      ['L1', 'won', '240000.50', fairs, ids.meet, root.userId],
      ['L2', 'lost', '90000', web, ids.meet, root.userId],
      ['L3', 'new', null, web, ids.meet, partner.userId],
      ['L4', 'won', '10000', web, null, root.userId],
    ])
      await one(
        'insert into public.admin_lead (number, company, contact_name, lead_source_id, campaign_id, owner_id, state, value, created_by) values ($1, $1, $1, $2, $3, $4, $5, $6, $4)',
        [number, source, campaign, owner, state, value],
      );
  });

  it('shows leads by stage with their value, and the conversion of decided ones', async () => {
    const told = await ask(root, 'leads_funnel');
    expect(told.rows.map(({ stage, leads, share, value }) => [stage, leads, share, value])).toEqual([
      ['new', 1, '25.00', '0.00'],
      ['contacted', 0, '0.00', '0.00'],
      ['demo', 0, '0.00', '0.00'],
      ['proposal', 0, '0.00', '0.00'],
      ['won', 2, '50.00', '250000.50'],
      ['lost', 1, '25.00', '90000.00'],
      ['parked', 0, '0.00', '0.00'],
    ]);
    expect(told.totals).toMatchObject({ leads: 4, value: '340000.50' });
    expect(told.figures).toMatchObject([{ title: 'Conversion', value: '66.67 %' }]);
    expect((await ask(root, 'leads_funnel', { source: ids.web! })).figures).toMatchObject([{ value: '50.00 %' }]);
    expect((await ask(root, 'leads_funnel', { campaign: ids.meet! })).totals).toMatchObject({ leads: 3 });
    expect((await ask(root, 'leads_funnel', { from: at(1) })).totals).toMatchObject({ leads: 0 });
    expect((await ask(partner, 'leads_funnel')).totals).toMatchObject({ leads: 1 });
    expect((await raw(content, 'leads_funnel')).statusCode).toBe(403);
  });

  it('shows campaigns with cost and results', async () => {
    const told = await ask(root, 'campaign_result');
    expect(
      told.rows.map((row) => [
        row.campaign__label,
        row.spent,
        row.leads,
        row.won,
        row.value,
        row.per_lead,
        row.per_win,
      ]),
    ).toEqual([
      ['To come', '500.00', 0, 0, '0.00', null, null],
      ['Lift meet', '100000.10', 3, 1, '240000.50', '33333.37', '100000.10'],
    ]);
    expect(told.totals).toMatchObject({ spent: '100500.10', leads: 3, per_lead: '33500.03' });
    expect((await ask(root, 'campaign_result', { channel: 'web' })).rows).toHaveLength(1);
    expect((await ask(root, 'campaign_result', { to: '2026-03-01' })).rows).toMatchObject([{ campaign: ids.meet }]);
    expect((await raw(content, 'campaign_result')).statusCode).toBe(403);
  });

  it('shows subscriptions by end date, for a partner those of its own clients', async () => {
    expect(
      (await ask(root, 'subscription_renewals')).rows.map((row) => [
        row.valid_to_day,
        row.name,
        row.plan,
        row.licensed,
        row.used,
      ]),
    ).toEqual([
      [at(30), 'ACME', 'standard', 50, 40],
      [at(200), 'BARE', 'trial', 50, 5],
    ]);
    expect((await ask(root, 'subscription_renewals', { valid_to_to: at(90) })).rows).toHaveLength(1);
    expect((await ask(partner, 'subscription_renewals')).rows).toMatchObject([{ name: 'BARE' }]);
    expect((await raw(content, 'subscription_renewals')).statusCode).toBe(403);
  });
});
