import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFilter } from '../../../src/descriptor/filter.ts';
import { recordsFilter } from '../../../src/server/modules/performance/figure_records.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import { companyDay } from '../../company_day.ts';
import { pdfText } from '../../pdf_text.ts';
import { upload } from '../multipart.ts';
import type { FigureOwner } from '../../../src/server/engine/record_figure.ts';
import { figureOf, recordFigures } from '../record_figure.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Incentive runs and awards to the rupee, with what was paid before (performance.md §4, 5.13); driver trees (§5.14).

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[] };

let world: World;
let acme: TestTenant;
const people: Record<string, Caller> = {};
const ids: Record<string, number> = {};

async function ok<Answer = Doc>(answer: ReturnType<Caller['call']>, status = 200): Promise<Answer> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Answer }>().data;
}
const create = (type: string, record: object, by = 'admin') =>
  ok(people[by]!.call('POST', `/tapi/${type}`, record), 201);
const add = async (type: string, record: object) => (await create(type, record)).id;
const read = (type: string, id: number, by = 'admin') => ok(people[by]!.call('GET', `/tapi/${type}/${id}`));
const list = (type: string, by: string) => ok<Doc[]>(people[by]!.call('GET', `/tapi/${type}?size=100`));
const step = async (type: string, id: number, name: string, by: string, more: object = {}) =>
  people[by]!.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
const change = async (type: string, id: number, set: object, by: string) =>
  people[by]!.call('PUT', `/tapi/${type}/${id}`, { version: (await read(type, id)).version, ...set });

/** What a member reached in the first quarter, in percent of the target, as approved updates say. */
const reach = (name: string, percent: string) =>
  acme.sql(
    `update {s}.kpi_actual set value = $2::numeric, achievement = $2::numeric, counts = true, status = 'approved'
     where employee_id = $1 and month <= '2025-06'`,
    [ids[name], percent],
  );

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['PMS', 'ANALYTICS', 'WLK'] });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const pages = ['landing', 'view_screen', 'add_screen', 'edit_screen', 'approval_screen'] as const;
  const hr = await acme.role({
    modules: ['PERFORMANCE'],
    screens: Object.fromEntries(
      ['SCN_EMPLOYEE_KPI', 'SCN_INCENTIVES', 'SCN_NON_APPRAISAL_INCENTIVE', 'SCN_INCENTIVE_REPORT'].map((code) => [
        code,
        { pages: [...pages], scope: 'company' },
      ]),
    ),
    actions: ['RUN_INCENTIVE', 'APPROVE_INCENTIVE', 'RUN_REPORTS'],
  });
  const member = await acme.role({
    modules: ['PERFORMANCE'],
    screens: { SCN_INCENTIVE_REPORT: { pages: ['landing', 'view_screen'], scope: 'own' } },
    actions: ['RUN_REPORTS'],
  });
  for (const [name, role] of [
    ['mina', hr],
    ['head', hr],
    ['asha', member],
    ['ravi', member],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  people.admin = await world.signIn(acme, 'admin');
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s`,
  );
  const { member: employee } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Sales' },
      designation: { code: 'S1', name: 'Officer' },
    },
  );
  for (const [at, name] of ['head', 'mina', 'asha', 'ravi'].entries()) {
    const caller = await world.signIn(acme, name);
    ids[name] = await employee(`E1000${at}`, {
      user_id: caller.userId,
      date_of_joining: name === 'ravi' ? '2025-05-01' : '2020-04-01',
    });
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller.userId, ids[name]]);
    people[name] = await world.signIn(acme, name);
  }
  const kpiType = await add('kpi_type', { code: 'FIN', name: 'Financial', perspective: 'financial' });
  const uom = await add('uom', { code: 'NOS', name: 'Numbers', decimals: 0, dimension: 'count', uqc: 'NOS' });
  ids.SALES = await add('kpi', {
    code: 'SALES',
    name: 'Sales',
    kpi_type_id: kpiType,
    uom_id: uom,
    valid_from: '2024-04-01',
  });
  const targets = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, 100]),
  );
  for (const name of ['asha', 'ravi']) {
    const sheet = await add('kpi_sheet', {
      employee_id: ids[name],
      financial_year: '2025-2026',
      valid_from: '2025-04-01',
      valid_to: '2026-03-31',
      lines: [{ kpi_id: ids.SALES, weight: '100', year_target: '1200', phasing: 'manual', ...targets }],
    });
    await ok(step('kpi_sheet', sheet, 'submit', 'admin'));
    await ok(step('kpi_sheet', sheet, 'approve', 'head'));
    await reach(name, '97.45');
  }
  ids.scheme = await add('incentive', {
    code: 'TARGET',
    name: 'Target bonus',
    basis: 'sheet_score',
    payout_kind: 'percent_of_target_amount',
    slab_mode: 'whole',
    payroll_component: 'INC_TARGET',
    valid_from: '2025-04-01',
    slabs: [
      { from: '0', to: '89.99', rate: '50' },
      { from: '90', to: '99.99', rate: '80' },
      { from: '100', rate: '100' },
    ],
  });
  ids.quarterly = await add('incentive_frequency', {
    name: 'Quarterly',
    incentive_id: ids.scheme,
    frequency: 'quarterly',
    cut_off_days: 10,
    pay_month_lag: 1,
    first_period: '2025-04',
    valid_from: '2025-04-01',
  });
  for (const name of ['asha', 'ravi'])
    await add('incentive_assignment', {
      employee_id: ids[name],
      incentive_id: ids.scheme,
      target_amount: '60000',
      valid_from: '2025-04-01',
    });
});
afterAll(() => world.close());

const payouts = async (by: string) =>
  (await list('incentive_payout', by)).map(({ month, amount, state }) => [month, amount, state]);

test('a run pays by score, days and slab; another person approves it, payroll gets a file without lines on hold', async () => {
  const run = await create(
    'incentive_run',
    { run_kind: 'scheme', frequency_id: ids.quarterly, month: '2025-05' },
    'mina',
  );
  expect(await step('incentive_run', run.id, 'calculate', 'mina')).toMatchObject({ statusCode: 422 });
  await ok(change('incentive_run', run.id, { month: '2025-06' }, 'mina'));
  const calculated = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  expect(calculated).toMatchObject({ from_month: '2025-04', pay_month: '2025-07', total_pay: '80176.00', members: 2 });
  expect(calculated.lines.map(({ basis_value: value, days, net }) => [value, days, net])).toEqual([
    ['97.4500', 91, '48000.00'],
    ['97.4500', 61, '32176.00'],
  ]);
  const held = calculated.lines.map((line) =>
    line.employee_id === ids.ravi ? { ...line, hold: true, hold_reason: 'His sales are looked into.' } : line,
  );
  await ok(change('incentive_run', run.id, { lines: held }, 'mina'));
  // What was entered by hand stays when it is calculated again, and nobody writes what is computed.
  const again = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  expect(again).toMatchObject({ total_pay: '48000.00', members: 1 });
  const own = again.lines.map((line) => ({ ...line, net: '99999.00' }));
  await change('incentive_run', run.id, { lines: own }, 'mina');
  expect(await read('incentive_run', run.id)).toMatchObject({ total_pay: '48000.00' });
  await ok(step('incentive_run', run.id, 'review', 'mina'));
  expect((await step('incentive_run', run.id, 'approve', 'mina')).statusCode).toBe(403);
  await ok(step('incentive_run', run.id, 'approve', 'head'));
  const exported = await ok(step('incentive_run', run.id, 'export', 'mina'));
  const { url } = (await people.mina!.call('GET', `/tapi/files/${String(exported.payroll_file)}/link`)).json<{
    url: string;
  }>();
  const file = await people.mina!.call('GET', url);
  expect(file.body).toContain('E10002');
  expect(file.body).toContain('INC_TARGET,2025-07,48000.00');
  expect(file.body).not.toContain('E10003');
  expect((await step('incentive_run', run.id, 'cancel', 'head', { reason: 'Wrong period' })).statusCode).toBe(409);
  await ok(step('incentive_run', run.id, 'pay', 'mina', { paid_on: '2025-07-31' }));
  // The months that it paid for stay frozen: what comes later is a correction.
  const month = await create('kpi_period_lock', { month: '2025-05' }, 'admin');
  await ok(step('kpi_period_lock', month.id, 'freeze', 'admin'));
  const reopened = await step('kpi_period_lock', month.id, 'reopen', 'admin', {
    reopen_until: '2099-01-01',
    reason: 'A late bill',
  });
  expect([reopened.statusCode, reopened.body]).toEqual([
    422,
    expect.stringContaining(`Used by ${String((await read('incentive_run', run.id)).run_no)}. Cancel those first`),
  ]);
  expect(await payouts('asha')).toEqual([['2025-06', '48000.00', 'paid']]);
  expect(await payouts('ravi')).toEqual([['2025-06', '0.00', 'on_hold']]);
});

test('members are told of an approved incentive, and print their own statement', async () => {
  const told = await acme.sql<{ user_id: number; title: string }>(
    `select user_id, title from {s}.notification where event_code = 'incentive.approved'`,
  );
  expect(told.map(({ user_id: user, title }) => [Number(user), title])).toEqual([
    [people.asha!.userId, 'Your incentive of June 2025 is approved'],
  ]);
  const [payout] = await list('incentive_payout', 'asha');
  const statement = (by: string) => people[by]!.call('GET', `/tapi/incentive_payout/${payout!.id}/print/statement.pdf`);
  const text = pdfText((await statement('asha')).rawPayload);
  expect(text).toContain('48,000.00');
  expect(text).toContain('Forty Eight Thousand');
  expect((await statement('ravi')).statusCode).toBe(404);
  // Handed to payroll, the statement goes to the member by mail, and the other people who run incentives are notified.
  while ((await world.app.deliveries.deliver(acme)) > 0);
  await world.app.jobs.drain();
  const mails = await acme.sql<{ user_id: number; event_code: string; prints: number[] | null; subject: string }>(
    `select user_id, event_code, prints, subject from {s}.outbox
     where channel = 'mail' and event_code in ('incentive.statement', 'incentive.exported') order by event_code`,
  );
  expect(mails.map((mail) => [Number(mail.user_id), mail.event_code, mail.prints?.length ?? 0])).toEqual([
    [people.head!.userId, 'incentive.exported', 0],
    [people.asha!.userId, 'incentive.statement', 1],
  ]);
  expect(mails[0]!.subject).toBe('Incentives of June 2025 for the pay of July 2025');
});

test('a second run of the period pays the difference, and all runs add up to the amount due', async () => {
  const taken = await people.mina!.call('POST', '/tapi/incentive_run', {
    run_kind: 'scheme',
    frequency_id: ids.quarterly,
    month: '2025-06',
  });
  expect(taken.statusCode, taken.body).toBe(409);
  await reach('asha', '102');
  const correct = async () => {
    const run = await create(
      'incentive_run',
      { run_kind: 'correction', frequency_id: ids.quarterly, month: '2025-06' },
      'mina',
    );
    const { lines } = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
    await ok(step('incentive_run', run.id, 'review', 'mina'));
    await ok(step('incentive_run', run.id, 'approve', 'head'));
    return { id: run.id, lines: lines.map(({ earlier, net, carried_out: left }) => [earlier, net, left]) };
  };
  expect((await correct()).lines).toEqual([
    ['48000.00', '12000.00', '0.00'],
    ['0.00', '32176.00', '0.00'],
  ]);
  // It was too much: nobody pays back, and the next run takes it off.
  await reach('asha', '95');
  const less = await correct();
  expect(less.lines[0]).toEqual(['60000.00', '0.00', '-12000.00']);
  const [{ paid } = { paid: '' }] = await acme.sql<{ paid: string }>(
    'select sum(amount)::text as paid from {s}.incentive_payout where employee_id = $1',
    [ids.asha],
  );
  expect(paid).toBe('60000.00');
  // An approved run that payroll has not seen is taken back, the last first.
  await ok(step('incentive_run', less.id, 'cancel', 'head', { reason: 'The figure was right' }));
  expect((await list('incentive_payout', 'asha')).map(({ carried_out: left }) => left)).not.toContain('-12000.00');
  // A scheme that recovers overpayments takes it back at once.
  await ok(change('incentive', ids.scheme!, { recover_negative: true }, 'admin'));
  const recovering = await create(
    'incentive_run',
    { run_kind: 'correction', frequency_id: ids.quarterly, month: '2025-06' },
    'mina',
  );
  const [takenBack] = (await ok(step('incentive_run', recovering.id, 'calculate', 'mina'))).lines;
  expect(takenBack).toMatchObject({ earlier: '60000.00', net: '-12000.00', carried_out: '0.00' });
  await acme.sql('update {s}.incentive_run set active = false where id = $1', [recovering.id]);
  await ok(change('incentive', ids.scheme!, { recover_negative: false }, 'admin'));
  const report = await ok<{ rows: Row[]; totals: Row }>(people.asha!.call('GET', '/tapi/report/incentive_report/rows'));
  expect(report.totals).toMatchObject({ earned: '60000.00', paid: '48000.00', pending: '12000.00' });
  expect(report.rows).toMatchObject([
    { state: 'approved', gross: '60000.00', days: 91, gate: '1.000', earlier: '48000.00', net: '12000.00' },
    { state: 'paid', gross: '48000.00', earlier: '0.00', net: '48000.00' },
  ]);
});

test('a scheme by score pays on the score that the scorecard shows', async () => {
  // The last state of a milestone counts, not the mean of its months.
  await acme.sql(
    `update {s}.kpi_actual set method = 'milestone', achievement = case month when '2025-04' then 40 when '2025-05' then 60 else 98 end
     where employee_id = $1 and month <= '2025-06'`,
    [ids.asha],
  );
  const { tiles } = await ok<{ tiles: { widget?: { score: Row } }[] }>(
    people.admin!.call('POST', '/tapi/dashboard/scorecard_new', {
      filters: { employee_id: String(ids.asha), month: '2025-06', period: 'quarter' },
    }),
  );
  expect(tiles.find(({ widget }) => widget)!.widget!.score.score).toBe('98.00');
  const run = await create(
    'incentive_run',
    { run_kind: 'correction', frequency_id: ids.quarterly, month: '2025-06' },
    'mina',
  );
  const { lines } = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  expect(lines[0]).toMatchObject({ employee_id: ids.asha, basis_value: '98.0000' });
  await acme.sql('update {s}.incentive_run set active = false where id = $1', [run.id]);
  await acme.sql(`update {s}.kpi_actual set method = 'linear' where employee_id = $1 and month <= '2025-06'`, [
    ids.asha,
  ]);
  await reach('asha', '95');
});

test('payout for someone with no days: 0 with the reason', async () => {
  await acme.sql(`update {s}.employee set date_of_joining = '2025-07-15' where id = $1`, [ids.mina]);
  const assignment = await add('incentive_assignment', {
    employee_id: ids.mina,
    incentive_id: ids.scheme,
    target_amount: '60000',
    valid_from: '2025-06-01',
  });
  const run = await create(
    'incentive_run',
    { run_kind: 'correction', frequency_id: ids.quarterly, month: '2025-06' },
    'head',
  );
  const { lines } = await ok(step('incentive_run', run.id, 'calculate', 'head'));
  expect(lines.find(({ employee_id: id }) => id === ids.mina)).toMatchObject({
    days: 0,
    net: '0.00',
    note: 'No day of the period counts: joined on 15-07-2025.',
  });
  await acme.sql('update {s}.incentive_run set active = false where id = $1', [run.id]);
  await acme.sql('update {s}.incentive_assignment set active = false where id = $1', [assignment]);
});

test('a scheme may pay by the points of the released rating, and by its factor', async () => {
  const rating = await add('performance_rating', {
    code: 'APR',
    name: 'Appraisal',
    applies_to: 'appraisal',
    valid_from: '2024-04-01',
    is_default: true,
    bands: [
      { code: '1', label: 'Low', from_score: '0', to_score: '79.99', grade_points: '1' },
      { code: '2', label: 'High', from_score: '80', to_score: '120', grade_points: '4', incentive_multiplier: '1.5' },
    ],
  });
  const period = await add('appraisal_period', {
    code: 'A',
    name: 'Year',
    financial_year: '2025-2026',
    kind: 'annual',
    starts_on: '2024-07-01',
    ends_on: '2025-06-30',
  });
  const template_id = await add('appraisal_template', {
    code: 'T',
    name: 'T',
    kpi_weight: '100',
    competency_weight: '0',
  });
  const appraisal = await add('appraisal', { employee_id: ids.asha, period_id: period, template_id });
  await acme.sql(`update {s}.appraisal set status = 'released', band_code = '2', rating_scheme_id = $2 where id = $1`, [
    appraisal,
    rating,
  ]);
  const incentive_id = await add('incentive', {
    code: 'RATING',
    name: 'Rating bonus',
    basis: 'appraisal_band',
    payout_kind: 'percent_of_target_amount',
    slab_mode: 'whole',
    payroll_component: 'INC_RATING',
    valid_from: '2025-04-01',
    slabs: [
      { from: '0', to: '2.99', rate: '0' },
      { from: '3', rate: '50' },
    ],
  });
  const frequency_id = await add('incentive_frequency', {
    name: 'Rating, quarterly',
    incentive_id,
    frequency: 'quarterly',
    pay_month_lag: 1,
    first_period: '2025-04',
  });
  for (const name of ['asha', 'ravi'])
    await add('incentive_assignment', {
      employee_id: ids[name],
      incentive_id,
      target_amount: '10000',
      valid_from: '2025-04-01',
    });
  const run = await create('incentive_run', { run_kind: 'scheme', frequency_id, month: '2025-06' }, 'mina');
  const { lines } = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  expect(lines.map(({ basis_value: points, gate, net, note }) => [points, gate, net, note])).toEqual([
    ['4.0000', '1.500', '7500.00', null],
    [null, '1.000', '0.00', 'No rating is released.'],
  ]);
  // A band in use keeps its code, and its scheme is not deleted; it may be made inactive.
  const { bands, version } = (await read('performance_rating', rating)) as Doc & { bands: Row[] };
  const isUsed = 'Band 2 (High) is used by 1 appraisal. Keep it with its code, or make this scheme inactive';
  const other = bands.map((band) => (band.code === '2' ? { ...band, code: '9' } : band));
  const put = (set: object) => change('performance_rating', rating, set, 'admin');
  const renamed = await put({ bands: other });
  expect([renamed.statusCode, renamed.body]).toEqual([422, expect.stringContaining(isUsed)]);
  const names = (scheme: number | null) =>
    acme.sql('update {s}.appraisal set rating_scheme_id = $2 where id = $1', [appraisal, scheme]);
  // An appraisal without a scheme of its own follows the default one.
  for (const [scheme, status] of [
    [rating, 409],
    [null, 422],
  ] as const) {
    await names(scheme);
    const deleted = await people.admin!.call('DELETE', `/tapi/performance_rating/${rating}?version=${version}`);
    expect([deleted.statusCode, deleted.body]).toEqual([
      status,
      expect.stringContaining('Used by 1 appraisal. Deactivate it instead.'),
    ]);
  }
  await names(rating);
  const off = await ok(people.admin!.call('POST', `/tapi/performance_rating/${rating}/deactivate`, { version }));
  await ok(people.admin!.call('POST', `/tapi/performance_rating/${rating}/activate`, { version: off.version }));
  await ok(put({ bands: bands.map((band) => (band.code === '1' ? { ...band, code: '0' } : band)) }));
  await acme.sql('update {s}.incentive_run set active = false where id = $1', [run.id]);
});

test('an award is approved by somebody else and paid once by a run of other incentives', async () => {
  const award = await create(
    'incentive_award',
    {
      employee_id: ids.ravi,
      award_kind: 'per_unit',
      quantity: '12',
      rate: '150',
      reason: 'Sold twelve old models in May.',
      event_date: '2025-05-31',
    },
    'mina',
  );
  expect(award).toMatchObject({ amount: '1800.00' });
  await ok(step('incentive_award', award.id, 'submit', 'mina'));
  const because = { reason: 'Which models?' };
  for (const name of ['approve', 'give_back', 'reject'])
    expect((await step('incentive_award', award.id, name, 'mina', because)).statusCode).toBe(403);
  expect((await step('incentive_award', award.id, 'give_back', 'head')).statusCode).toBe(422);
  expect(await ok(step('incentive_award', award.id, 'give_back', 'head', because))).toMatchObject({ status: 'draft' });
  await ok(step('incentive_award', award.id, 'submit', 'mina'));
  await ok(step('incentive_award', award.id, 'approve', 'head'));
  const calculated = async () => {
    const run = await create('incentive_run', { run_kind: 'awards', month: '2025-06' }, 'mina');
    return ok(step('incentive_run', run.id, 'calculate', 'mina'));
  };
  const run = await calculated();
  expect(run).toMatchObject({ total_pay: '1800.00', lines: [{ award_id: award.id }] });
  expect((await calculated()).lines).toEqual([]);
  await ok(step('incentive_run', run.id, 'review', 'mina'));
  expect((await step('incentive_run', run.id, 'give_back', 'mina', because)).statusCode).toBe(403);
  expect(await ok(step('incentive_run', run.id, 'give_back', 'head', because))).toMatchObject({ status: 'draft' });
  await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  for (const [name, by] of [
    ['review', 'mina'],
    ['approve', 'head'],
    ['export', 'mina'],
  ] as const)
    await ok(step('incentive_run', run.id, name, by));
  await ok(step('incentive_run', run.id, 'pay', 'mina', { paid_on: '2025-07-31' }));
  expect(await read('incentive_award', award.id)).toMatchObject({ status: 'paid', paid_in_id: run.id });
});

test('a driver tree goes live when it is valid, and its chart and report have the reader’s figures', async () => {
  const nodes = [
    { node_no: 1, code: 'VALUE', label: 'Value of sales' },
    { node_no: 2, parent_no: 1, code: 'SALES', label: 'Sales', relation: 'times', kpi_id: ids.SALES },
    { node_no: 3, parent_no: 1, code: 'PRICE', label: 'Price', relation: 'plus', constant: '50', actual: '60' },
  ];
  const tree = await create('kpi_impact_tree', { code: 'VALUE', name: 'Value', nodes });
  const refused = await step('kpi_impact_tree', tree.id, 'go_live', 'admin');
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('Children of VALUE must all multiply, all add, or all be estimated.');
  const right = nodes.map((node) => (node.relation === 'plus' ? { ...node, relation: 'times' } : node));
  await ok(change('kpi_impact_tree', tree.id, { nodes: right }, 'admin'));
  await ok(step('kpi_impact_tree', tree.id, 'go_live', 'admin'));
  await reach('asha', '90');
  await reach('ravi', '110');
  const { rows } = await ok<{ rows: Row[] }>(
    people.admin!.call('GET', '/tapi/report/kpi_impact_detailed_view/rows?month=2025-04'),
  );
  // 200 at 50 each was the target, 200 at 60 is what there is: the price alone has moved it.
  expect(rows).toMatchObject([
    { node: 'Value of sales', from: '10000.0000', to: '12000.0000', achievement: '120.0000' },
    { node: 'Sales', contribution: '0.00', impact: '50.00', elasticity: '1.0000' },
    { node: 'Price', contribution: '2000.00', lever: '-2000.00', needed: '55.0000' },
  ]);
  // What if: 210 at 55. Nothing of it is stored.
  const whatIf = (text: string) =>
    people.admin!.call(
      'GET',
      `/tapi/report/kpi_impact_detailed_view/rows?month=2025-04&what_if=${encodeURIComponent(text)}`,
    );
  const assumed = await ok<{ rows: Row[] }>(whatIf('SALES = +5 %; PRICE=55'));
  expect(assumed.rows).toMatchObject([{ to: '11550.0000' }, { to: '210.0000' }, { to: '55.0000' }]);
  expect((await ok<{ rows: Row[] }>(whatIf(''))).rows).toMatchObject([{ to: '12000.0000' }, {}, {}]);
  for (const [wrong, message] of [
    ['VALUE = 5', 'VALUE is no driver of this tree.'],
    ['5 more', 'is not understood'],
  ] as const) {
    const answer = await whatIf(wrong);
    expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining(message)]);
  }

  // A manager of one team: the tree is pinned for them, so they see its part with figures of their people.
  const pages = ['landing' as const, 'view_screen' as const];
  const role = await acme.role({
    modules: ['PERFORMANCE'],
    screens: Object.fromEntries(
      ['SCN_KPI_IMPACT', 'SCN_ACTUAL_VIEW', 'SCN_MY_SCORECARD', 'SCN_KPI_BULLSEYE'].map((code) => [
        code,
        { pages, scope: 'team' as const },
      ]),
    ),
    actions: ['RUN_REPORTS'],
  });
  await acme.user('lead', { companies: [{ company: 1, roles: [role] }] });
  /** Whose account the member has. */
  const account = async (from: string, to: string) => {
    await acme.sql('update {s}.users set employee_id = null where username = $1', [from]);
    await acme.sql('update {s}.users set employee_id = $2 where username = $1', [to, ids.mina]);
  };
  await account('mina', 'lead');
  people.lead = await world.signIn(acme, 'lead');
  await ok(
    people.admin!.call('POST', `/tapi/employee/${ids.asha}/move`, {
      effective_from: '2025-05-01',
      reporting_to_id: ids.mina,
      reason: 'New team',
    }),
  );
  const own = async () =>
    ok<{ rows: Row[] }>(people.lead!.call('GET', '/tapi/report/kpi_impact_detailed_view/rows?month=2025-04'));
  expect((await own()).rows).toEqual([]);
  await create('kpi_impact_pin', { name: 'Leads', tree_id: tree.id, place: 'board', role_ids: [role] });
  // Asha alone: neither the sales of others, nor the price that was entered for the company, nor what follows from it.
  expect((await own()).rows).toMatchObject([{ level: 0, node: 'Sales', from: '100.0000', to: '90.0000' }]);
  // A page has the trees that are pinned to it.
  const pinned = async () => {
    const { tiles } = await ok<{ tiles: { name: string; widget?: { tree: Row; depth: number } }[] }>(
      people.lead!.call('POST', '/tapi/dashboard/my_scorecard', { filters: { month: '2025-04' }, tiles: ['bullseye'] }),
    );
    return tiles.map(({ widget }) => [widget!.tree.name, widget!.depth]);
  };
  expect(await pinned()).toEqual([]);
  await create('kpi_impact_pin', {
    name: 'Scorecards',
    tree_id: tree.id,
    place: 'scorecard',
    role_ids: [role],
    depth: 2,
  });
  expect(await pinned()).toEqual([[tree.name, 2]]);
  // Home names its tile, which is not on the dashboard that has it, and is left out until a tree is pinned there.
  const home = await ok<{ tiles: { dashboard: string; tile: { name: string } }[] }>(
    people.lead!.call('GET', '/tapi/home'),
  );
  expect(home.tiles.map(({ dashboard, tile }) => [dashboard, tile.name])).toEqual([['kpi_bullseye_new', 'pinned']]);
  const bullseye = async (tiles?: string[]) =>
    (
      await ok<{ tiles: { name: string }[] }>(
        people.lead!.call('POST', '/tapi/dashboard/kpi_bullseye_new', {
          filters: { month: '2025-04' },
          ...(tiles && { tiles }),
        }),
      )
    ).tiles.map(({ name }) => name);
  expect([await bullseye(), await bullseye(['pinned'])]).toEqual([['tree'], []]);
  await create('kpi_impact_pin', { name: 'Start', tree_id: tree.id, place: 'home', role_ids: [role] });
  expect([await bullseye(), await bullseye(['pinned'])]).toEqual([['tree'], ['pinned']]);
  await account('lead', 'mina');

  // A driver that acts after a month: the value of May follows from the sales of April.
  const later = nodes.map((node) => ({
    ...node,
    ...(node.parent_no !== undefined && { relation: 'times' }),
    ...(node.code === 'SALES' && { lag_periods: 1 }),
  }));
  const lagged = await create('kpi_impact_tree', { code: 'LATER', name: 'Later', nodes: later });
  await ok(step('kpi_impact_tree', lagged.id, 'go_live', 'admin'));
  const may = await ok<{ rows: Row[] }>(
    people.admin!.call('GET', `/tapi/report/kpi_impact_detailed_view/rows?month=2025-05&tree_id=${lagged.id}`),
  );
  expect(may.rows[1]).toMatchObject({ node: 'Sales (1 month before)', from: '200.0000', to: '200.0000' });
});

test('judged percentages over 100 are refused with the sum, those of no driver too; a root at zero is shown in units', async () => {
  const tree_id = await add('kpi_impact_tree', {
    code: 'LEFT',
    name: 'What is left',
    nodes: [
      { node_no: 1, code: 'LEFT', label: 'Left' },
      { node_no: 2, parent_no: 1, code: 'IN', label: 'In', relation: 'plus', constant: '500', actual: '520' },
      { node_no: 3, parent_no: 1, code: 'OUT', label: 'Out', relation: 'minus', constant: '500', actual: '500' },
    ],
  });
  const row = { child_no: 2, sense: 'same' };
  const weights = (rows: Row[]) =>
    people.admin!.call('POST', '/tapi/kpi_impact_weight', {
      name: 'Percentages',
      tree_id,
      effective_from: '2025-04-01',
      weights: rows,
    });
  const over = await weights([
    { ...row, parent_no: 1, impact_percent: '70' },
    { ...row, child_no: 3, parent_no: 1, impact_percent: '40' },
  ]);
  expect(over.body).toContain('The drivers of node 1 add up to 110 %. The maximum is 100 %.');
  expect(over.body).toContain('Node 2 is no driver of node 1 with an estimated impact.');
  const report = await ok<{ rows: Row[]; note?: string }>(
    people.admin!.call('GET', `/tapi/report/kpi_impact_detailed_view/rows?month=2025-04&tree_id=${tree_id}`),
  );
  expect(report.rows).toMatchObject([
    { node: 'Left', from: '0.0000', to: '20.0000', impact: null },
    { node: 'In', impact: null, units: '5.0000', contribution: '20.00' },
    { node: 'Out', impact: null, units: '-5.0000', contribution: '0.00' },
  ]);
});

test('in a driver tree a rate follows from the figures of all members: the mean of their rates would be wrong', async () => {
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const own = { kpi_type_id, uom_id, measure: 'metric', valid_from: '2024-04-01' };
  for (const code of ['BILLS', 'WALKINS']) ids[code] = await add('kpi', { ...own, code, name: code });
  ids.CONV = await add('kpi', {
    ...own,
    code: 'CONV',
    name: 'Conversion',
    source: 'formula',
    formula: 'BILLS / WALKINS * 100',
    period_aggregation: 'formula',
  });
  // 10 of 100 and 90 of 300: together 100 of 400.
  const figures = { asha: { BILLS: 10, WALKINS: 100, CONV: 10 }, ravi: { BILLS: 90, WALKINS: 300, CONV: 30 } };
  for (const [name, values] of Object.entries(figures))
    for (const [code, value] of Object.entries(values))
      await acme.sql(
        `insert into {s}.kpi_actual (entity_id, owner_kind, employee_id, sheet_id, kpi_id, month, ends_on, weight, target, value, counts, status, source)
         select entity_id, owner_kind, employee_id, sheet_id, $2, month, ends_on, 0, 20, $3, true, 'approved', 'manual'
         from {s}.kpi_actual where employee_id = $1 and kpi_id = $4 and month = '2025-04'`,
        [ids[name], ids[code], value, ids.SALES],
      );
  const tree = await create('kpi_impact_tree', {
    code: 'RATE',
    name: 'Rate',
    nodes: [
      { node_no: 1, code: 'VALUE', label: 'Value' },
      { node_no: 2, parent_no: 1, code: 'CONV', label: 'Conversion', relation: 'times', kpi_id: ids.CONV },
      { node_no: 3, parent_no: 1, code: 'PRICE', label: 'Price', relation: 'times', constant: '50', actual: '50' },
    ],
  });
  await ok(step('kpi_impact_tree', tree.id, 'go_live', 'admin'));
  const { rows } = await ok<{ rows: Row[] }>(
    people.admin!.call('GET', `/tapi/report/kpi_impact_detailed_view/rows?month=2025-04&tree_id=${tree.id}`),
  );
  expect(rows[1]).toMatchObject({ node: 'Conversion', from: '20.0000', to: '25.0000' });
});

test('percentages of estimated drivers are suggested from history, and only a person saves them', async () => {
  // Ravi's sheet of the year before, with bills that follow the visits of the month before.
  const first = await acme.sql<{ sheet: number }>(
    `select sheet_id as sheet from {s}.kpi_actual where employee_id = $1 limit 1`,
    [ids.ravi],
  );
  const visits = [3, 8, 2, 9, 4, 7, 1, 6, 5, 9, 2, 8, 3, 6];
  const put = (kpi: number | undefined, at: number, value: number) =>
    acme.sql(
      `insert into {s}.kpi_actual (entity_id, owner_kind, employee_id, sheet_id, kpi_id, month, ends_on, weight, value, counts, status, source)
       values (1, 'employee', $1, $2, $3, $4, '2024-01-31', 0, $5, true, 'frozen', 'manual')`,
      [
        ids.ravi,
        first[0]!.sheet,
        kpi,
        `202${3 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
        value,
      ],
    );
  for (const [at, value] of visits.entries()) {
    await put(ids.WALKINS, at, value);
    await put(ids.BILLS, at + 1, 2 * value);
  }
  const tree = await create('kpi_impact_tree', {
    code: 'GUESS',
    name: 'Guess',
    nodes: [
      { node_no: 1, code: 'BILLS', label: 'Bills', kpi_id: ids.BILLS },
      { node_no: 2, parent_no: 1, code: 'WALKINS', label: 'Visits', relation: 'judged', kpi_id: ids.WALKINS },
      { node_no: 3, parent_no: 1, code: 'MOOD', label: 'Mood', relation: 'judged', constant: '1', actual: '1' },
    ],
  });
  const suggest = (values: object) =>
    people.admin!.call('POST', '/tapi/kpi_impact_weight/action/strategy.suggest_impacts', {
      on: 'rows:weights',
      values,
      rows: [],
    });
  const { set } = await ok<{ set: { weights: Row[] } }>(suggest({ tree_id: tree.id, weights: [] }));
  expect(set.weights).toEqual([
    {
      parent_no: 1,
      child_no: 2,
      impact_percent: '100.00',
      sense: 'same',
      reason: 'r = 1.00 over 14 months, 1 month ahead',
    },
  ]);
  expect(await list('kpi_impact_weight', 'admin')).toEqual([]);
  expect((await suggest({ weights: [] })).body).toContain('Choose the tree first.');
  await acme.sql(`delete from {s}.kpi_actual where month < '2025-01'`);
  expect((await suggest({ tree_id: tree.id, weights: [] })).body).toContain('12 months of approved figures');
});

test('a bot reports findings in the approved figures', async () => {
  const bot = (more: object) =>
    create('kpi_bot', { kpi_id: ids.SALES, employee_id: ids.asha, visibility: 'company', ...more });
  const pressed = async (id: number) =>
    (
      await people.admin!.call('POST', '/tapi/kpi_bot/action/review.look_now', {
        on: 'record',
        id,
        version: 1,
        params: {},
      })
    ).body;
  const low = await bot({ name: 'Low', rule: 'threshold', limit_value: '95' });
  expect(await pressed(low.id)).toContain('Alarm: It is 90.');
  // 90 in each of three months of a target of 100 is 1080 of 1200 in the year.
  const late = await bot({ name: 'Late', rule: 'pace' });
  expect(await pressed(late.id)).toContain('Alarm: The year ends at 1080 at this pace.');
  const few = await bot({ name: 'Unusual', rule: 'anomaly' });
  expect(await pressed(few.id)).toContain('There are not enough figures.');
  const weekly = await bot({ name: 'Weekly', rule: 'threshold', limit_value: '95', schedule: 'weekly' });
  await world.app.jobs.enqueue(acme.schema, 'look_at_kpis', {}, { company: 1 });
  await world.app.jobs.drain();
  const isMonday = new Date(`${companyDay(0)}T00:00:00Z`).getUTCDay() === 1;
  expect((await read('kpi_bot', low.id)).state).toBe('alarm');
  expect((await read('kpi_bot', weekly.id)).state).toBe(isMonday ? 'alarm' : 'waiting');
});

test('a bot reports a change once, with what its reader may see, through its channels', async () => {
  const run = async () => {
    await acme.sql(`delete from {s}.job_run`);
    await world.app.jobs.enqueue(acme.schema, 'look_at_kpis', {}, { company: 1 });
    await world.app.jobs.drain();
  };
  const notices = async (name: string) =>
    (
      await acme.sql<{ title: string }>(`select title from {s}.notification where title like $1 order by id`, [
        `${name}:%`,
      ])
    ).map(({ title }) => title);
  const bot = (more: object) =>
    create('kpi_bot', { kpi_id: ids.SALES, employee_id: ids.asha, visibility: 'company', ...more });
  // Many unread notices of one kind are merged.
  await acme.sql('delete from {s}.notification');
  const low = { rule: 'threshold', limit_value: '95', compare: 'target' };
  const today = companyDay(0);
  const [loud, muted, mailed] = [
    await bot({ ...low, name: 'Loud' }),
    await bot({ ...low, name: 'Muted', muted_until: today }),
    await bot({ ...low, name: 'Mailed', channels: ['mail'] }),
  ];
  await run();
  await run();
  expect(await notices('Loud')).toEqual(['Loud: It needs a look. It is 90. That is 10 % below the target (100).']);
  // Muted bots keep their report until they are heard again.
  expect(await notices('Muted')).toEqual([]);
  expect((await read('kpi_bot', muted.id)).state).toBe('alarm');
  await acme.sql(`update {s}.kpi_bot set muted_until = null where id = $1`, [muted.id]);
  await run();
  expect(await notices('Muted')).toHaveLength(1);
  // By mail alone: no entry in the application.
  expect((await read('kpi_bot', mailed.id)).state).toBe('alarm');
  expect(await notices('Mailed')).toEqual([]);
  expect(await acme.sql(`select 1 from {s}.outbox where subject like 'Mailed:%'`)).toHaveLength(1);

  const rated = await bot({ name: 'Rated', rule: 'band_change' });
  await run();
  expect(await notices('Rated')).toEqual([]);
  const [last] = await acme.sql<{ id: number; achievement: string; colour: string }>(
    `select id, achievement::text, colour from {s}.kpi_actual where kpi_id = $1 and employee_id = $2 and counts order by month desc limit 1`,
    [ids.SALES, ids.asha],
  );
  await acme.sql(`update {s}.kpi_actual set achievement = 10, colour = 'red' where id = $1`, [last!.id]);
  await run();
  expect(await notices('Rated')).toHaveLength(1);
  expect((await notices('Rated'))[0]).toMatch(/^Rated: Its rating has changed\. It is .+, after .+\.$/);
  expect((await read('kpi_bot', rated.id)).state).toBe('alarm');
  await acme.sql(`update {s}.kpi_actual set achievement = $2, colour = $3 where id = $1`, [
    last!.id,
    last!.achievement,
    last!.colour,
  ]);

  const { data } = (
    await people.admin!.call('POST', '/tapi/dashboard/kpi_bot_chart', { filters: { bot_id: String(loud.id) } })
  ).json<{ data: { tiles: { widget: Row[] }[] } }>();
  const [view] = data.tiles[0]!.widget;
  expect(view).toMatchObject({ chart: 'line', comparison: 'Target', compared: 'That is 10 % below the target (100).' });
  expect((view!.rows as Row[]).at(-1)).toMatchObject({ value: '90', other: '100.0000' });
  expect(
    (
      await people.admin!.call('POST', '/tapi/kpi_bot', {
        kpi_id: ids.SALES,
        employee_id: ids.asha,
        visibility: 'company',
        ...low,
        name: 'Parts',
        chart: 'pie',
      })
    ).json<{ error: Row }>().error,
  ).toMatchObject({ field: 'chart' });
});

test('a bot runs when a figure is approved; those that it notifies read it, and copies have no subscribers', async () => {
  const reader = await acme.role({
    modules: ['DASHBOARD'],
    screens: { SCN_ANALYTICS: { pages: ['landing', 'view_screen'], scope: 'company' } },
  });
  for (const name of ['notified', 'stranger']) {
    await acme.user(name, { companies: [{ company: 1, roles: [reader] }] });
    people[name] = await world.signIn(acme, name);
  }
  const draft = { kpi_id: ids.SALES, employee_id: ids.asha, rule: 'threshold', limit_value: '95' };
  const bot = await create('kpi_bot', {
    ...draft,
    name: 'At once',
    schedule: 'approved',
    visibility: 'recipients',
    recipient_ids: [people.notified!.userId],
    channels: [],
  });
  const other = await create('kpi_bot', { ...draft, name: 'Other', schedule: 'approved', employee_id: ids.ravi });
  const [figure] = await acme.sql<{ id: number }>(
    `select id from {s}.kpi_actual where kpi_id = $1 and employee_id = $2 and status = 'to_enter' order by month limit 1`,
    [ids.SALES, ids.asha],
  );
  await ok(change('kpi_actual', figure!.id, { value: '50', remark: 'Floods' }, 'admin'));
  await ok(step('kpi_actual', figure!.id, 'submit', 'admin'));
  await world.app.jobs.drain();
  const approver = await acme.role({
    modules: ['PERFORMANCE'],
    screens: { SCN_ACTUAL_VIEW: { pages: ['landing', 'view_screen', 'approval_screen'], scope: 'company' } },
  });
  await acme.user('approver', { companies: [{ company: 1, roles: [approver] }] });
  people.approver = await world.signIn(acme, 'approver');
  expect((await read('kpi_bot', bot.id)).state).toBe('waiting');
  await ok(step('kpi_actual', figure!.id, 'approve', 'approver'));
  // The subscriber of the approval starts the job by another event.
  while ((await world.app.deliveries.deliver(acme)) > 0);
  await world.app.jobs.drain();
  expect((await read('kpi_bot', bot.id)).state).toBe('alarm');
  expect((await read('kpi_bot', other.id)).state).toBe('waiting');
  // Without a channel it notifies in the application.
  expect(await acme.sql(`select 1 from {s}.notification where title like 'At once:%'`)).not.toEqual([]);

  const seenBy = async (name: string) => (await people[name]!.call('GET', `/tapi/kpi_bot/${bot.id}`)).statusCode;
  expect([await seenBy('notified'), await seenBy('stranger')]).toEqual([200, 404]);

  await acme.sql(`update {s}.kpi_bot set subscriber_ids = array[$2::bigint] where id = $1`, [
    bot.id,
    people.notified!.userId,
  ]);
  const copy = await ok(people.admin!.call('GET', `/tapi/kpi_bot/${bot.id}/copy`));
  expect(copy).toMatchObject({ kpi_id: ids.SALES, limit_value: '95.0000', schedule: 'approved' });
  expect([copy.subscriber_ids ?? [], copy.finding ?? null, copy.reported ?? null]).toEqual([[], null, null]);
});

/** A job sends a sale that is known, a new one, and one of a store that nobody knows. */
async function sendsSalesTwice(line: number): Promise<void> {
  const { code } = await read('jewel_line', line);
  const known = (await list('line_sale', 'admin')).find(({ source_ref: number }) => number === 'S2-0')!;
  const sale = (number: string, store: string) =>
    `${number},${store},${String(code)},${String(known.sold_on)},${String(known.pieces)},${String(known.amount)},${String(known.cost)}`;
  const file = upload(
    'tills.csv',
    ['No,Store,Line,Day,Pieces,Amount,Cost', sale('S2-0', 'S2'), sale('NEW', 'S2'), sale('LOST', 'S77'), ''].join('\n'),
  );
  const sent = await people.admin!.call('POST', '/tapi/files?for=sync_source.file', file.payload, file.headers);
  const source_id = await add('sync_source', {
    name: 'Tills',
    kind: 'upload_file',
    file: sent.json<{ data: { id: number } }>().data.id,
  });
  const columns = ['source_ref', 'store_id', 'line_id', 'sold_on', 'pieces', 'amount', 'cost'];
  const job = await add('sync_job', {
    code: 'TILLS',
    title: 'Tills',
    family: 'oro',
    source_id,
    target: 'list',
    target_type: 'line_sale',
    company_id: 1,
    mode: 'full',
    natural_key: ['source_ref'],
    mapping: ['No', 'Store', 'Line', 'Day', 'Pieces', 'Amount', 'Cost'].map((source_column, at) => ({
      source_column,
      target_field: columns[at],
    })),
    on_missing: 'keep',
    reject_limit_percent: '50',
  });
  const before = (await list('line_sale', 'admin')).length;
  const begun = await people.admin!.call('POST', `/tapi/sync_job/${job}/run`, {});
  expect(begun.statusCode, begun.body).toBe(202);
  const { run_id: run } = begun.json<{ run_id: number }>();
  await world.app.deliveries.deliver(acme);
  await world.app.jobs.drain();
  expect(await read('sync_run', run)).toMatchObject({
    state: 'succeeded_with_rejects',
    read: 3,
    inserted: 1,
    unchanged: 1,
    rejected: 1,
    log: expect.stringContaining('S77') as string,
  });
  expect(await list('line_sale', 'admin')).toHaveLength(before + 1);
  const rejects = await ok<Row[]>(people.admin!.call('GET', `/tapi/sync_run/${run}/rejects`));
  expect(rejects).toMatchObject([{ key: 'LOST', state: 'open', error: expect.stringContaining('S77') as string }]);
  expect(await read('sync_job', job)).toMatchObject({ rows_read: 3, rows_rejected: 1 });
  await acme.sql(`delete from {s}.line_sale where source_ref = 'NEW'`);
}

test('stock goes from a store that has it to spare; stock negative, net weight > gross, HUID not 6 characters; fewer than 2 seasons, all zeros', async () => {
  const channel = await add('channel', { code: 'OWN', name: 'Own stores', channel_kind: 'own_store' });
  const category = await add('category', { code: 'GOLD', name: 'Gold', kind: 'product' });
  const line = await add('jewel_line', {
    code: 'CH',
    name: 'Chains',
    category_id: category,
    metal: 'gold',
    purity: '22K916',
  });
  const [branch] = await acme.sql<{ id: number; city: number }>(
    `select b.id, (select c.id from {s}.city_mstr c order by c.id limit 1) as city from {s}.branch b limit 1`,
  );
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  // The example of §5.18: 0.2, 0.5 and 0.3 pieces a day, in 90 days.
  for (const [code, stock, sold] of [
    ['S1', 30, 18],
    ['S2', 2, 45],
    ['S3', 10, 27],
  ] as const) {
    const store = await add('store', {
      code,
      name: code,
      branch_id: branch!.id,
      channel_id: channel,
      format: 'standard',
      address: 'High street',
      city_id: branch!.city,
      opened_on: '2020-01-01',
    });
    await add('line_stock', { store_id: store, line_id: line, pieces: stock, cost: `${stock}000` });
    // The last sale is too old for the demand, and tells of an earlier month.
    for (const [at, pieces] of [sold - 5, 5, 4].entries())
      await add('line_sale', {
        source_ref: `${code}-${at}`,
        store_id: store,
        line_id: line,
        sold_on: day([20, 40, 150][at]!),
        pieces,
        amount: `${pieces}200`,
        cost: `${pieces}000`,
      });
  }
  interface Tile {
    name: string;
    problem?: string;
    figures?: { rows: Row[]; note?: string };
  }
  const tiles = async (name: string, filters: object = {}) =>
    (await ok<{ tiles: Tile[] }>(people.admin!.call('POST', `/tapi/dashboard/${name}`, { filters }))).tiles;
  const rows = (from: Tile[], name: string) => from.find((tile) => tile.name === name)?.figures?.rows;
  const all = await tiles('jewellery_dashboard_vbj');
  expect(all.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(rows(all, 'transfers')).toMatchObject([{ line: 'Chains', from: 'S1', to: 'S2', tags: null, pieces: 12 }]);
  expect(rows(all, 'value')).toEqual([{ value: 42000 }]);
  expect(rows(all, 'cover')).toEqual([{ value: 42 }]);
  expect(rows(all, 'sold')).toEqual([{ value: 68.18 }]);
  expect((rows(all, 'reorder') ?? []).map(({ store }) => store)).toEqual(['S2', 'S3']);
  const lines = await ok<{ rows: Row[] }>(people.admin!.call('GET', '/tapi/report/inventory_lines/rows'));
  const ofStore = Object.fromEntries(lines.rows.map(({ store, ...row }) => [store, row]));
  expect(ofStore.S2).toMatchObject({ pieces: 2, sold: 45, transfer: 'S1: 12', value: '2000.00' });
  expect(ofStore.S1).toMatchObject({ pieces: 30, order: 0, transfer: null });
  const [toOrder] = rows(all, 'reorder') ?? [];
  expect(ofStore.S2!.order).toBe(toOrder!.order);
  // Single pieces: their ages, those with a customer, what goes to another store, and which are worth melting (§5.18).
  const [s1] = (await list('store', 'admin')).filter(({ code }) => code === 'S1');
  const piece = (tag_no: string, back: number, more: object = {}) => ({
    tag_no,
    line_id: line,
    store_id: s1!.id,
    gross_weight: '19',
    net_weight: '18.5',
    making_percent: '12',
    cost: '1000',
    received_on: companyDay(-back),
    ...more,
  });
  const refused = async (more: object) =>
    (await people.admin!.call('POST', '/tapi/jewel_piece', piece('X', 5, more))).json<{
      error: { details: { field: string; message: string }[] };
    }>().error.details[0]!;
  // Net weight > gross and HUID not 6 characters: refused.
  expect(await refused({ net_weight: '19.5' })).toEqual({
    field: 'net_weight',
    message: 'The net weight cannot be above the gross weight.',
  });
  expect(await refused({ huid: 'AB12' })).toEqual({ field: 'huid', message: 'HUID has 6 letters and digits.' });
  expect(await refused({ state: 'sold', sold_on: companyDay(-6) })).toMatchObject({ field: 'sold_on' });
  await add('jewel_piece', piece('OLD', 400, { huid: 'ab12cd' }));
  await add('jewel_piece', piece('AWAY', 300, { state: 'on_approval' }));
  await add('jewel_piece', piece('NEW', 100, { making_percent: '1', cost: '3000' }));
  await add('jewel_piece', piece('GONE', 700, { state: 'sold', sold_on: companyDay(-1) }));
  await add('metal_rate', { metal: 'gold', purity: '22K916', on_date: day(10), rate_per_gram: '9200' });
  await acme.sql('update {s}.line_stock set net_weight = 18.5 * pieces where store_id = $1', [s1!.id]);
  const single = await tiles('jewellery_dashboard_alagar');
  expect(single.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(rows(single, 'ages')?.map(({ age, value }) => [age, Number(value)])).toEqual([
    ['0–90', 0],
    ['91–180', 3000],
    ['181–365', 1000],
    ['> 365', 1000],
  ]);
  expect(rows(single, 'on_approval')).toEqual([{ value: 1 }]);
  expect(rows(single, 'pieces_old')?.map(({ tag, huid, place, days }) => [tag, huid, place, days])).toEqual([
    ['OLD', 'ab12cd', 'In the store', 400],
    ['AWAY', null, 'On approval', 300],
    ['NEW', null, 'In the store', 100],
  ]);
  // The tags of what goes, without the one that is with a customer.
  expect(rows(single, 'transfers')).toMatchObject([{ tags: 'OLD, NEW', store_id: s1!.id, line_id: line }]);
  // Melting pays after 410.6 days at 12 % making and after 76 at 1 %; the line is sold in 150.
  expect(rows(single, 'melt')).toMatchObject([
    { tag: 'NEW', grams: 18.5, metal: 170_200, days: 76, cover: 150, line_id: line, store_id: s1!.id },
  ]);
  await acme.sql(`update {s}.line_sale set active = false where store_id = $1 and sold_on > current_date - 90`, [
    s1!.id,
  ]);
  const unsold = rows(await tiles('jewellery_dashboard_vbj', { store_id: String(s1!.id) }), 'melt');
  expect(unsold?.map(({ tag, days, cover }) => [tag, days, cover])).toEqual([
    ['OLD', 411, null],
    ['NEW', 76, null],
  ]);
  await acme.sql(`update {s}.line_sale set active = true where store_id = $1`, [s1!.id]);

  // The only line is of class A: a policy by which it is looked at less often keeps more of it.
  const upTo = (from: Tile[]) => (rows(from, 'reorder') ?? []).map(({ up_to: pieces }) => Number(pieces));
  const policy = { name: 'All', classes: [{ abc: 'A', service_level: '99', review_days: 90 }] };
  const policyId = await add('inventory_policy', policy);
  const higher = upTo(await tiles('jewellery_dashboard_vbj', { category_id: String(category) }));
  expect(Math.max(...higher)).toBeGreaterThan(Math.max(...upTo(all)));
  await acme.sql('update {s}.inventory_policy set active = false where id = $1', [policyId]);
  expect(rows(await tiles('jewellery_dashboard_alagar'), 'grid')).toMatchObject([{ row: '22K916', column: 'Any' }]);
  // Two sales of one till number are one sale.
  const again = await people.admin!.call('POST', '/tapi/line_sale', {
    source_ref: 'S1-0',
    store_id: 1,
    line_id: line,
    pieces: 1,
    amount: '1',
  });
  expect(again.statusCode).toBe(409);
  await sendsSalesTwice(line);
  const predicted = await tiles('sales_dashboard', { measure: 'pieces', growth: '100' });
  expect(predicted.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect((rows(predicted, 'months') ?? []).length).toBeGreaterThan(0);
  // Fewer than 2 seasons: the simpler method is named on the chart; all zeros: there is nothing to learn from.
  const note = (from: Tile[], name: string) => from.find((tile) => tile.name === name)?.figures?.note;
  expect(note(predicted, 'months')).toBe('Method: Last month again, because there are fewer than two years of sales.');
  const unsoldYet = await tiles('sales_dashboard', { category_id: String(category + 1000) });
  expect([note(unsoldYet, 'months'), note(unsoldYet, 'month'), note(unsoldYet, 'off')]).toEqual(
    Array(3).fill('No sales to learn from.'),
  );
  // Stock negative: kept and flagged, until somebody counts it.
  const counted = (await list('line_stock', 'admin')).find(({ store_id: store }) => store === s1!.id)!;
  await ok(change('line_stock', counted.id, { pieces: -3 }, 'admin'));
  for (const name of ['jewellery_dashboard_vbj', 'jewellery_dashboard_alagar'])
    // Tiles learn of the change after it is stored.
    await expect
      .poll(async () => rows(await tiles(name), 'negative'), { timeout: 20_000, interval: 500 })
      .toMatchObject([{ line: 'Chains', store: 'S1', pieces: -3 }]);
  const below = await ok<Doc[]>(
    people.admin!.call('GET', `/tapi/line_stock?filter=${encodeURIComponent(JSON.stringify(['pieces', 'lt', 0]))}`),
  );
  expect(below.map(({ pieces }) => pieces)).toEqual([-3]);
  await ok(change('line_stock', counted.id, { pieces: 30 }, 'admin'));

  // The manager of a store has the pages for that store alone, and changes nothing in them.
  const sees = { pages: ['landing' as const, 'view_screen' as const], scope: 'own' as const };
  const role = await acme.role({
    modules: ['DASHBOARD', 'PERFORMANCE'],
    screens: {
      SCN_INVENTORY_DASHBOARD: sees,
      SCN_SALES_DASHBOARD: sees,
      SCN_STORE: sees,
      SCN_CATEGORY: { ...sees, scope: 'company' },
    },
  });
  await acme.user('sita', { companies: [{ company: 1, roles: [role] }] });
  await acme.sql('update {s}.users set employee_id = null where username = $1', ['asha']);
  await acme.sql('update {s}.users set employee_id = $1 where username = $2', [ids.asha, 'sita']);
  await acme.sql(`update {s}.store set manager_id = $1 where code = 'S2'`, [ids.asha]);
  people.sita = await world.signIn(acme, 'sita');
  const own = (await ok<{ tiles: Tile[] }>(people.sita.call('POST', '/tapi/dashboard/jewellery_dashboard_vbj', {})))
    .tiles;
  expect(own.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(rows(own, 'value')).toEqual([{ value: 2000 }]);
  expect((rows(own, 'reorder') ?? []).map(({ store }) => store)).toEqual(['S2']);
  const forecast = await ok<{ tiles: Tile[] }>(people.sita.call('POST', '/tapi/dashboard/sales_dashboard', {}));
  expect(forecast.tiles.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const accuracy = await ok<{ rows: Row[] }>(people.sita.call('GET', '/tapi/report/forecast_accuracy/rows'));
  expect(accuracy.rows.map(({ series }) => String(series).split(',')[0])).toEqual(['S2']);
  const sales = (await list('line_sale', 'sita')).map(({ source_ref: number }) => number);
  expect(new Set(sales)).toEqual(new Set(['S2-0', 'S2-1', 'S2-2']));
  expect(await list('line_stock', 'sita')).toHaveLength(1);
  // Each morning they are told what is to be ordered; only their own store is named.
  await world.app.jobs.enqueue(acme.schema, 'mail_store_orders', {}, { company: 1 });
  await world.app.jobs.drain();
  const told = await acme.sql<{ user_id: number; body: string }>(
    `select user_id, body from {s}.notification where event_code = 'stores.orders'`,
  );
  expect(told.map(({ user_id: user }) => Number(user))).toEqual([people.sita.userId]);
  expect(told[0]!.body).toContain('To order');
  expect(told[0]!.body).toContain('S2');
  expect(told[0]!.body).not.toContain('S3');
  const [stock] = await list('line_stock', 'admin');
  expect((await people.sita.call('PUT', `/tapi/line_stock/${stock!.id}`, { version: 1, pieces: 9 })).statusCode).toBe(
    403,
  );
  await acme.sql('update {s}.users set employee_id = null where username = $1', ['sita']);
  await acme.sql('update {s}.users set employee_id = $1 where username = $2', [ids.asha, 'asha']);
});

test('forecast accuracy: sales that repeat last year are forecast exactly, and the chart goes on with them', async () => {
  const [like] = await acme.sql<{ branch: number; city: number; channel: number }>(
    'select branch_id as branch, city_id as city, channel_id as channel from {s}.store order by id limit 1',
  );
  const store = await add('store', {
    code: 'S9',
    name: 'S9',
    branch_id: like!.branch,
    channel_id: like!.channel,
    format: 'standard',
    address: 'Lake road',
    city_id: like!.city,
    opened_on: '2020-01-01',
  });
  // Thirty-six months, each year the same: 1,000 in April, 2,000 in May, and so on.
  await acme.sql(
    `insert into {s}.line_sale (entity_id, source_ref, store_id, line_id, sold_on, pieces, amount, cost)
     select 1, 'S9-' || n, $1::bigint, l.id, on_day, 1, extract(month from on_day) * 1000, 500
     from generate_series(1, 36) n, lateral (select (date_trunc('month', $2::date) - n * interval '1 month' + interval '9 days')::date as on_day) d,
       (select id from {s}.jewel_line order by id limit 1) l`,
    [store, companyDay(0)],
  );
  const answer = await ok<{
    rows: Row[];
    chart: { x: string[]; series: { title: string; values: (number | null)[] }[] };
  }>(people.admin!.call('GET', `/tapi/report/forecast_accuracy/rows?store_id=${store}`));
  const month = (offset: number) => {
    const day = new Date(`${companyDay(0).slice(0, 7)}-01T00:00:00Z`);
    day.setUTCMonth(day.getUTCMonth() + offset);
    return day.getUTCMonth() + 1;
  };
  expect(answer.rows).toMatchObject([
    {
      series: expect.stringMatching(/^S9, /),
      method: 'Last year again',
      wape: '0.00',
      bias: '0.00',
      actual: `${month(-1) * 1000}.00`,
      expected: `${month(-1) * 1000}.00`,
    },
  ]);
  expect(Number(answer.rows[0]!.origins)).toBeGreaterThanOrEqual(4);
  const [sold, ahead] = ['Sold', 'Forecast'].map((title) => answer.chart.series.find((one) => one.title === title)!);
  const first = ahead!.values.findIndex((value, at) => value !== null && sold!.values[at] === null);
  expect(ahead!.values[first]).toBe(month(0) * 1000);
  // Without sales there is nothing to measure.
  const none = await ok<{ rows: Row[]; note?: string }>(
    people.admin!.call('GET', '/tapi/report/forecast_accuracy/rows?store_id=999999'),
  );
  expect(none).toMatchObject({ rows: [], note: 'No sales to learn from.' });
});

test('the figures of a KPI come from records: of an ended month approved, of the running one only shown', async () => {
  const { kpi_type_id: type, uom_id: unit } = await read('kpi', ids.SALES!);
  const kpi = (code: string, more: object) =>
    add('kpi', {
      code,
      name: code,
      kpi_type_id: type,
      uom_id: unit,
      source: 'system',
      valid_from: '2024-04-01',
      ...more,
    });
  const nameless = await people.admin!.call('POST', '/tapi/kpi', {
    code: 'NONE',
    name: 'None',
    kpi_type_id: type,
    uom_id: unit,
    source: 'system',
    valid_from: '2024-04-01',
  });
  expect(nameless.json()).toMatchObject({ error: { details: [{ field: 'figure' }] } });
  const own = await kpi('STORE', { figure: 'sales_value' });
  const unused = await kpi('SLA', { figure: 'tkt_sla_pct', measure: 'metric', period_aggregation: 'average' });
  const present = await kpi('PRESENT', { figure: 'att_present_pct', measure: 'metric', period_aggregation: 'average' });
  const cover = await kpi('COVER', { figure: 'inv_cover_days', measure: 'metric', period_aggregation: 'last' });
  // The score of the tasks of checklists that name the KPI: a critical one counts three times as much as a medium one.
  const scored = await kpi('CHECKS', { figure: 'chk_kpi_score', measure: 'metric', period_aggregation: 'average' });
  await ensureTables(acme, world.screens, ['master_checklist', 'chk_instance', 'chk_task_instance']);
  for (const [kpiOf, outcome, criticality] of [
    [scored, 'on_time', 'critical'],
    [scored, 'missed', 'medium'],
    [null, 'missed', 'critical'],
  ])
    await acme.sql(
      `with m as (insert into {s}.master_checklist (entity_id, title, category, owner_id, expand_by, repeat, start_on, kpi_id)
           values (1, 'Rounds', 'safety', $1, 'entity', 'monthly', '2024-04-01', $2) returning id),
         i as (insert into {s}.chk_instance (entity_id, mstr_chk_id, title, occurrence_key, due_on, scope_type, scope_id)
           select 1, id, 'Rounds', $3::date, $3::date, 'entity', 1 from m returning id)
       insert into {s}.chk_task_instance (entity_id, title, origin, origin_type, origin_id, task_id, assignee_id, criticality, weight, due_on, state, outcome, score)
       select 1, 'Round', 'checklist', 'chk_instance', id, id, $1, $4, 1, $3::date, 'completed', $5, case when $5 = 'on_time' then 100 else 0 end from i`,
      [ids.asha, kpiOf, new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10), criticality, outcome],
    );
  const [store] = await list('store', 'admin').then((rows) => rows.filter(({ code }) => code === 'S2'));
  await ok(change('store', store!.id, { manager_id: ids.asha }, 'admin'));
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const sale = { store_id: store!.id, line_id: (await list('jewel_line', 'admin'))[0]!.id, pieces: 1 };
  await add('line_sale', { ...sale, source_ref: 'today', sold_on: day(0), amount: '700.50' });
  const before = day(40).slice(0, 7);
  const running = day(0).slice(0, 7);
  const yearOf = (month: string) => Number(month.slice(0, 4)) - (month.slice(5) < '04' ? 1 : 0);
  const targets = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, 100]),
  );
  for (const year of new Set([yearOf(before), yearOf(running)])) {
    const sheet = await add('kpi_sheet', {
      employee_id: ids.asha,
      financial_year: `${year}-${year + 1}`,
      valid_from: `${year}-04-01`,
      valid_to: `${year + 1}-03-31`,
      lines: [
        { kpi_id: own, weight: '100', year_target: '1200', phasing: 'manual', ...targets },
        ...[unused, present, cover, scored].map((kpi_id) => ({ kpi_id, weight: '0' })),
      ],
    });
    await ok(step('kpi_sheet', sheet, 'submit', 'admin'));
    await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  }
  const updates = async (of: number, month: string) =>
    ok<Doc[]>(
      people.admin!.call(
        'GET',
        `/tapi/kpi_actual?columns=*&filter=${encodeURIComponent(JSON.stringify(['and', ['kpi_id', 'eq', of], ['month', 'eq', month]]))}`,
      ),
    );
  const readFigures = async () => {
    while ((await world.app.deliveries.deliver(acme)) > 0);
    await world.app.jobs.drain();
  };
  await ensureTables(acme, world.screens, ['kpi_score', 'performance_rating', 'attendance_punch', 'line_stock']);
  await acme.sql('update {s}.employee set date_of_joining = $2 where id = $1', [ids.asha, `${before}-03`]);
  // She checks in twice on one working day, and on a Sunday.
  const ofMonth = Array.from({ length: 31 }, (_, at) => new Date(Date.parse(`${before}-01`) + at * 86_400_000))
    .filter((one) => one.toISOString().startsWith(before))
    .map((one) => ({ day: one.toISOString().slice(0, 10), isSunday: one.getUTCDay() === 0 }));
  const employed = ofMonth.filter(({ day: one, isSunday }) => one >= `${before}-03` && !isSunday);
  for (const at of [employed[0]!.day, employed[0]!.day, ofMonth.findLast(({ isSunday }) => isSunday)!.day])
    await acme.sql(
      `insert into {s}.attendance_punch (entity_id, employee_id, at, direction, source) values (1, $1, $2, 'in', 'web')`,
      [ids.asha, `${at}T04:00:00Z`],
    );
  // The approval of the sheet has asked for it.
  await readFigures();
  const sold = async (month: string) =>
    (
      await acme.sql<{ sum: string }>(
        `select sum(amount)::text from {s}.line_sale where active and store_id = $1 and to_char(sold_on, 'YYYY-MM') = $2`,
        [store!.id, month],
      )
    )[0]!.sum;
  const [shown] = await updates(own, running);
  expect(shown).toMatchObject({ status: 'to_enter', counts: false });
  expect(Number(shown!.value)).toBe(Number(await sold(running)));
  const [approved] = await updates(own, before);
  expect(approved).toMatchObject({ status: 'approved', counts: true });
  expect(Number(approved!.value)).toBe(Number(await sold(before)));
  expect((await updates(scored, before))[0]).toMatchObject({ status: 'approved', value: '75.000000' });
  expect((await updates(unused, before))[0]).toMatchObject({
    status: 'to_enter',
    value: null,
    remark: 'There are no records of it in this period.',
  });
  expect(Number((await updates(present, before))[0]!.value)).toBeCloseTo(100 / employed.length, 3);
  const [covered] = await updates(cover, before);
  expect(covered).toMatchObject({ status: 'approved' });
  // What is in stock later is no longer that of the month.
  await acme.sql('update {s}.line_stock set pieces = pieces + 100 where store_id = $1', [store!.id]);
  // A sale that is entered late changes the figure the next night; nobody types one, and a frozen one stays.
  await add('line_sale', { ...sale, source_ref: 'late', sold_on: day(40), amount: '1000' });
  await world.app.jobs.enqueue(acme.schema, 'take_figures', {}, { company: 1 });
  await readFigures();
  const [late] = await updates(own, before);
  expect(Number(late!.value)).toBe(Number(approved!.value) + 1000);
  expect((await updates(cover, before))[0]!.value).toBe(covered!.value);
  expect(Number((await updates(cover, running))[0]!.value)).toBeGreaterThan(Number(covered!.value));
  const typed = await change('kpi_actual', late!.id, { value: '1' }, 'admin');
  expect([409, 422]).toContain(typed.statusCode);
  await ok(step('kpi_actual', late!.id, 'freeze', 'admin'));
  await add('line_sale', { ...sale, source_ref: 'later', sold_on: day(40), amount: '1000' });
  await world.app.jobs.enqueue(acme.schema, 'take_figures', {}, { company: 1 });
  await readFigures();
  expect((await updates(own, before))[0]).toMatchObject({ status: 'frozen', value: late!.value });

  // An incentive may follow the same figure without a KPI.
  const incentive_id = await add('incentive', {
    code: 'STORE',
    name: 'Sales of the store',
    basis: 'figure',
    figure: 'sales_value',
    payout_kind: 'percent_of_value',
    slab_mode: 'whole',
    must_be_on_rolls_on: 'none',
    prorate: 'none',
    payroll_component: 'INC_STORE',
    valid_from: '2024-04-01',
    slabs: [{ from: '0', rate: '10' }],
  });
  const frequency_id = await add('incentive_frequency', {
    name: 'Store, monthly',
    incentive_id,
    frequency: 'monthly',
    pay_month_lag: 1,
    first_period: '2024-04',
  });
  await add('incentive_assignment', { employee_id: ids.asha, incentive_id, valid_from: '2024-04-01' });
  const run = await create('incentive_run', { run_kind: 'scheme', frequency_id, month: before }, 'mina');
  const { lines } = await ok(step('incentive_run', run.id, 'calculate', 'mina'));
  const total = Number(await sold(before));
  expect(lines.map(({ basis_value: value, gross }) => [Number(value), Number(gross)])).toEqual([[total, total / 10]]);

  // The sheets of a store and of the company count by the same records; a department has no sales.
  const year = yearOf(before);
  const unitSheet = async (owner: object) => {
    const sheet = await add('kpi_sheet', {
      ...owner,
      responsible_id: ids.asha,
      financial_year: `${year}-${year + 1}`,
      valid_from: `${year}-04-01`,
      valid_to: `${year + 1}-03-31`,
      lines: [
        { kpi_id: own, weight: '100', year_target: '1200', phasing: 'manual', ...targets },
        ...('department_id' in owner || 'store_id' in owner ? [] : [{ kpi_id: present, weight: '0' }]),
      ],
    });
    return { sheet, submitted: await step('kpi_sheet', sheet, 'submit', 'admin') };
  };
  const { department_id } = await read('employee', ids.asha!);
  const refused = await unitSheet({ owner_kind: 'department', department_id });
  expect(refused.submitted.body).toContain(
    'STORE cannot be read from records for this sheet, only for: members, stores, branches, the company.',
  );
  const ofStore = await unitSheet({ owner_kind: 'store', store_id: store!.id });
  const ofCompany = await unitSheet({ owner_kind: 'entity' });
  for (const { sheet, submitted } of [ofStore, ofCompany]) {
    expect(submitted.statusCode, submitted.body).toBe(200);
    await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  }
  await readFigures();
  const unitValue = async ({ sheet }: { sheet: number }, of: number) =>
    Number((await updates(of, before)).find(({ sheet_id: id }) => id === sheet)!.value);
  expect(await unitValue(ofStore, own)).toBe(Number(await sold(before)));
  const [all] = await acme.sql<{ sum: string }>(
    `select sum(amount)::text from {s}.line_sale where active and entity_id = 1 and to_char(sold_on, 'YYYY-MM') = $1`,
    [before],
  );
  expect(await unitValue(ofCompany, own)).toBe(Number(all!.sum));
  // Of all working days of all members, one has a check-in: a share, not the mean of shares.
  const [days] = await acme.sql<{ others: number }>(
    `select count(*)::int as others from {s}.employee where active and entity_id = 1 and id <> $1 and (date_of_joining is null or date_of_joining < $2)
       and last_working_day is null`,
    [ids.asha, `${before}-01`],
  );
  const workingDays = employed.length + days!.others * ofMonth.filter(({ isSunday }) => !isSunday).length;
  expect(await unitValue(ofCompany, present)).toBeCloseTo(100 / workingDays, 3);
});

test('walk-ins count for who served them and for their branch, except who came for service', async () => {
  await ensureTables(acme, world.screens, ['walkin']);
  // A walk-in is of the branch of whoever enters it.
  const entered = { name: 'Visitor', persons: 1, purpose: 'enquiry', source: 'passing', salesman_id: ids.asha };
  const refused = await people.admin!.call('POST', '/tapi/walkin', entered);
  expect([refused.statusCode, refused.body]).toEqual([
    422,
    expect.stringContaining('please map a branch to the user & re-login.'),
  ]);
  const [branch] = await acme.sql<{ id: number }>('select id from {s}.branch order by id limit 1');
  // The example of act_engage.md §5.4: 312 counted, 84 purchased.
  await acme.sql(
    `insert into {s}.walkin (entity_id, branch_id, salesman_id, walkin_at, name, persons, purpose, outcome, status)
     select 1, $1, $2, '2025-10-31T18:00:00Z', 'Visitor', 1, case when n > 312 then 'service' when n % 2 = 0 then 'enquiry' else 'purchase' end,
       case when n <= 84 or n > 312 then 'purchased' else 'not_purchased' end, 'closed' from generate_series(1, 320) n`,
    [branch!.id, ids.asha],
  );
  const figure = (name: string, kind: FigureOwner, owner: number, days: [string, string]) =>
    figureOf(acme, name, owner, days, kind);
  // 18:00 UTC is half past eleven of the same evening in India.
  const october: [string, string] = ['2025-10-01', '2025-10-31'];
  expect(await figure('wlk_count', 'employee', ids.asha!, october)).toBe('312');
  expect(await figure('wlk_conversion_pct', 'branch', branch!.id, october)).toBe('26.9231');
  expect(await figure('wlk_conversion_pct', 'entity', 1, october)).toBe('26.9231');
  expect(await figure('wlk_count', 'employee', ids.asha!, ['2025-11-01', '2025-11-30'])).toBeNull();

  // The only store of a branch is filled in; of several one is chosen, and none of another branch.
  await ensureTables(acme, world.screens, ['store']);
  await acme.sql(`update {s}.store set active = false where branch_id = $1`, [branch!.id]);
  const [place] = await acme.sql<{ city: number }>(`select id as city from {s}.city_mstr order by id limit 1`);
  const [other] = await acme.sql<{ id: number }>(
    `insert into {s}.branch select (jsonb_populate_record(b, '{"id": 9001, "code": "OTHER", "name": "Other"}')).* from {s}.branch b
     where id = $1 returning id`,
    [branch!.id],
  );
  const store = (code: string, branchId: number) =>
    add('store', {
      code,
      name: code,
      branch_id: branchId,
      format: 'kiosk',
      address: 'High street',
      city_id: place!.city,
      opened_on: '2020-01-01',
    });
  const [gate, elsewhere] = [await store('GATE', branch!.id), await store('ELSE', other!.id)];
  await acme.user('desk', { isAdmin: true, companies: [{ company: 1, branchId: branch!.id }] });
  people.desk = await world.signIn(acme, 'desk');
  const came = { ...entered, walkin_at: '2025-12-10T08:00:00Z' };
  const first = await create('walkin', came, 'desk');
  expect(first.store_id).toBe(gate);
  const mall = await store('MALL', branch!.id);
  expect((await create('walkin', came, 'desk')).store_id ?? null).toBeNull();
  expect((await create('walkin', { ...came, store_id: mall }, 'desk')).store_id).toBe(mall);
  expect((await people.desk.call('POST', '/tapi/walkin', { ...came, store_id: elsewhere })).json()).toMatchObject({
    error: { field: 'store_id' },
  });
  await ok(step('walkin', first.id, 'purchase', 'desk', { bills: [{ bill_no: 'B1', amount: '500' }] }));
  const december: [string, string] = ['2025-12-01', '2025-12-31'];
  const ofStore = (name: string, id: number) => figure(name, 'store', id, december);
  expect([await ofStore('wlk_count', gate), await ofStore('wlk_count', mall)]).toEqual(['1', '1']);
  expect(await ofStore('wlk_conversion_pct', gate)).toBe('100.0000');
  expect(await ofStore('wlk_conversion_pct', mall)).toBe('0.0000');
  const [, { records }] = [...recordFigures].find(([name]) => name === 'wlk_count')!;
  const behind = recordsFilter(records!, { kind: 'store', owner: gate, first: december[0], last: december[1] });
  const listed = await ok<Doc[]>(
    people.desk.call('GET', `/tapi/walkin?filter=${encodeURIComponent(JSON.stringify(behind))}`),
  );
  expect(listed.map(({ id }) => id)).toEqual([first.id]);
});

test('each figure that a KPI may follow is a statement that runs, under the title of its module', async () => {
  const figures = [...recordFigures];
  const choices = world.screens.get('kpi')!.fields.find(({ name }) => name === 'figure')!.options!;
  expect(Object.fromEntries(choices.map(({ value, label }) => [value, label]))).toEqual(
    Object.fromEntries(figures.map(([name, { title }]) => [name, title])),
  );
  await ensureTables(
    acme,
    world.screens,
    figures.flatMap(([, { reads }]) => reads),
  );
  // The list behind a figure is one that the product has, and takes its filter for each kind of owner.
  const days = { first: '2025-10-01', last: '2025-10-31' };
  for (const [name, { records, of }] of figures)
    for (const kind of Object.keys(of) as FigureOwner[]) {
      await figureOf(acme, name, 1, ['2025-10-01', '2025-10-31'], kind);
      const filter = records && recordsFilter(records, { kind, owner: ids.asha!, ...days });
      if (!records || filter === null || filter === undefined) continue;
      const screen = world.screens.get(records.type)!;
      expect({ name, ...parseFilter(filter, screen), opens: screen.routes.landing }).toEqual({
        name,
        filter,
        opens: expect.stringMatching('^/') as string,
      });
    }
});
