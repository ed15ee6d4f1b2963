import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { companyDay as day } from '../../company_day.ts';
import { contractHistory } from './contract_histories.ts';
import { branchWithMembers } from './branch_with_members.ts';

// Contracts of lifts through their life: they begin, change, are merged, transferred, cancelled and expire.

type Row = Record<string, unknown>;
type Line = Row & { id: number; lift_id: number; line_status: string };
type Doc = Row & { id: number; version: number; status: string; lines: Line[]; lifts: Row[] };

let world: World;
let acme: TestTenant;
let admin: Caller;
let other: Caller;
const ids: Record<string, number> = {};

async function ok(answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
const step = async (type: string, id: number, name: string, more: object = {}, by = admin) =>
  by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
const refusal = async (answer: ReturnType<Caller['call']>) => {
  const got = await answer;
  return [got.statusCode, got.body] as const;
};

let made: Record<string, number> = {};
let customer: (name: string) => Promise<number>;
let building: (name: string, owner: number) => Promise<number>;
let lifts = 0;
const lift = async (building = ids.building) =>
  add('lift', {
    building_id: building,
    lift_category_id: made.lift_category_mstr,
    lift_type_id: made.lift_type_mstr,
    lift_make_id: made.lift_make_mstr,
    drive_type_id: made.drive_type_mstr,
    controller_id: made.controller_mstr,
    position_name: `Lift ${++lifts}`,
    capacity_kg: 544,
    speed_mps: '1.00',
    stops: 6,
    openings: 6,
    commissioned_on: '2019-04-01',
  });

/** A contract that runs, from so many days ago for a year. */
async function running(liftIds: number[], { start = -100, rate = '48000.00', more = {} } = {}): Promise<Doc> {
  const draft = await ok(
    admin.call('POST', '/tapi/contract', {
      customer_id: ids.customer,
      building_id: ids.building,
      branch_id: ids.branch,
      start_on: day(start),
      months: 12,
      payment_type_id: ids.payment,
      customer_signatory: 'R. Rao',
      lines: liftIds.map((id) => ({ lift_id: id, amc_type_id: ids.amc, rate })),
      ...more,
    }),
    201,
  );
  await ok(step('contract', draft.id, 'submit'));
  await ok(step('contract', draft.id, 'begin_unsigned', { reason: 'The letter is on its way' }));
  return read('contract', draft.id);
}

/** Notes that the planned bill of a line is billed. */
const billed = async (line: Row) => {
  const rows = await acme.sql(
    `update {s}.billing_schedule set status = 'billed' where contract_line_id = $1 and seq_no = 1 and contract_year = 1 returning amount`,
    [line.id],
  );
  expect(rows).toHaveLength(1);
};

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('other', { isAdmin: true, companies: [{ company: 1 }] });
  [admin, other] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'other')]);
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN', gstin: '33AAFCM4821Q1Z6' },
      department: { code: 'D1', name: 'Sales' },
      designation: { code: 'S1', name: 'Sales executive' },
    },
  );
  ids.branch = branch;
  ids.seller = await member('E10001');
  const category = await add('tax_category_mstr', {
    code: 'STD',
    name: 'Taxable',
    supply: 'both',
    treatment: 'taxable',
  });
  const tax = await add('tax', { code: 'GST18', name: 'GST 18 %', tax_category_id: category, print_label: 'GST 18 %' });
  const sac = await add('hs_code', {
    code: '998718',
    kind: 'SAC',
    description: 'Maintenance of lifts',
    rates: [{ valid_from: '2017-07-01', tax_id: tax }],
  });
  const service = await add('fmsservice', {
    code: 'AMC',
    name: 'Maintenance',
    service_kind: 'amc',
    hs_code_id: sac,
    place_of_supply: 'building',
  });
  ids.visits = await add('schedule_visit_mstr', {
    code: 'M12',
    name: 'Monthly',
    visits_per_year: 12,
    basis: 'fixed',
  });
  ids.amc = await add('amc_type_mstr', {
    code: 'COMP',
    name: 'Comprehensive',
    coverage: 'comprehensive',
    service_id: service,
    schedule_visit_id: ids.visits,
  });
  ids.payment = await add('payment_type_mstr', {
    code: 'YA',
    name: 'Yearly',
    timing: 'advance',
    frequency: 'yearly',
    bill_as: 'tax_invoice',
    lead_days: 0,
  });
  ids.percentage = await add('esclation_percentage_mstr', {
    code: 'STD',
    name: 'Standard',
    valid_from: '2020-04-01',
    round_to: '10',
    slabs: [{ age_from: 0, age_to: 99, percent: '8' }],
  });
  ids.time = await add('esclation_time_mstr', {
    code: 'Y1',
    name: 'Yearly',
    first_after_months: 12,
    then_every_months: 12,
  });
  ids.reason = await add('reason', {
    code: 'CHG',
    name: 'Asked by the customer',
    used_for: ['contract_change', 'transfer'],
  });
  ids.category = await add('amc_cancel_category_mstr', {
    code: 'COMP',
    name: 'Competitor',
    started_by: 'customer',
    counts_as_lost: true,
    notice_days: 30,
    charge_percent: '10',
    refund: true,
    win_back_days: 330,
  });
  const client = await add('client_type_mstr', { code: 'PVT', name: 'Private', sector: 'private' });
  const kind = await add('building_type_mstr', { code: 'OFF', name: 'Office', building_use: 'office' });
  const area = await add('area_mstr', {
    code: 'A1',
    name: 'Centre',
    branch_id: ids.branch,
    city_id: tn!.city,
    pincodes: ['600002'],
  });
  const address = { state_id: tn!.id, city_id: tn!.city, pincode: '600002' };
  customer = (name) =>
    add('customer_dtl', {
      ...address,
      name,
      client_type_id: client,
      branch_id: ids.branch,
      billing_address: '2 Mount Road',
      phone: '+914428292727',
      email: `${name.toLowerCase()}@example.in`,
      gst_treatment: 'unregistered',
      bill_grouping: 'contract',
    });
  building = (name, owner) =>
    add('building', {
      ...address,
      name,
      customer_id: owner,
      building_type_id: kind,
      address: '2 Mount Road',
      area_id: area,
      branch_id: ids.branch,
    });
  ids.customer = await customer('Towers');
  ids.buyer = await customer('Buyer');
  ids.building = await building('Towers A', ids.customer);
  ids.theirs = await building('Buyer House', ids.buyer);
  made = {};
  for (const [type, more] of [
    ['lift_category_mstr', { lift_use: 'passenger', carries_people: true, kg_per_person: 68 }],
    ['lift_type_mstr', { arrangement: 'traction_mr', visit_minutes: 45, crew: 1 }],
    ['lift_make_mstr', { country: tn!.country_id, support: 'current' }],
    ['drive_type_mstr', { family: 'traction', geared: true, speed_control: 'vvvf' }],
    ['controller_mstr', { technology: 'serial', support: 'current' }],
  ] as const)
    made[type] = await add(type, { code: 'X', name: 'X', ...more });
  await ok(admin.call('GET', '/tapi/billing_schedule'));
  await ok(admin.call('GET', '/tapi/billing'));
});
afterAll(() => world.close());

describe('a contract', () => {
  it('starts with its lines: days, visits and prices by contract year, lifts in contract, customer active', async () => {
    const one = await lift();
    const contract = await running([one], {
      rate: '36500.00',
      more: { months: 36, escalation_percentage_id: ids.percentage, escalation_time_id: ids.time },
    });
    expect(contract).toMatchObject({ status: 'active', year_total: '36500.00', contract_total: '118490.00' });
    expect(contract.lines).toMatchObject([
      {
        line_status: 'active',
        cover_kind: 'amc',
        from_on: contract.start_on,
        to_on: contract.end_on,
        visits_per_year: 12,
        year_prices: [{ price: '36500.00' }, { price: '39420.00' }, { price: '42570.00' }],
      },
    ]);
    expect(
      await acme.sql(`select recipient, body from {s}.outbox where subject = $1`, [
        `Contract ${String(contract.contract_no)}`,
      ]),
    ).toMatchObject([
      { recipient: 'towers@example.in', body: expect.stringContaining('for one lift has started') as string },
    ]);
    expect(contract.instalments).toMatchObject([{ total: '36500.00' }, { total: '39420.00' }, { total: '42570.00' }]);
    expect((await read('customer_dtl', ids.customer!)).status).toBe('active');
    // A contract is found by its customer, whose name stands beside its number.
    const { data: options } = (await admin.call('GET', '/tapi/contract/options?q=towers')).json<{ data: Row[] }>();
    expect(options).toContainEqual(
      expect.objectContaining({ id: contract.id, label: contract.contract_no, detail: 'Towers' }),
    );
    const double = await ok(
      admin.call('POST', '/tapi/contract', {
        customer_id: ids.customer,
        branch_id: ids.branch,
        start_on: day(10),
        months: 12,
        payment_type_id: ids.payment,
        customer_signatory: 'R. Rao',
        lines: [{ lift_id: one, amc_type_id: ids.amc, rate: '1000.00' }],
      }),
      201,
    );
    const [status, body] = await refusal(step('contract', double.id, 'submit'));
    expect([status, body]).toEqual([422, expect.stringContaining(`is under ${String(contract.contract_no)} until`)]);
  });

  it('that follows another one renews it: the old lines close, the link is kept', async () => {
    const one = await lift();
    const old = await running([one], { start: -400 });
    const next = await running([one], { start: -30, more: { previous_contract_id: old.id } });
    expect(next).toMatchObject({ status: 'active', root_contract_id: old.id });
    expect(await read('contract', old.id)).toMatchObject({
      status: 'renewed',
      lines: [{ line_status: 'closed', closes_on: old.end_on }],
    });
    expect((await read('lift', one)).status).toBe('in_contract');
  });
});

describe('a change of contracts', () => {
  const change = (values: object) =>
    ok(
      admin.call('POST', '/tapi/contract_change', {
        branch_id: ids.branch,
        reason_id: ids.reason,
        effective_on: day(0),
        ...values,
      }),
      201,
    );
  /** Submitted by one, approved by another; it takes effect at once. */
  const through = async (type: string, id: number) => {
    await ok(step(type, id, 'submit'));
    if ((await read(type, id)).status === 'submitted') await ok(step(type, id, 'approve', {}, other));
    return read(type, id);
  };

  it('demerges lifts into a separate contract; the money is previewed, nothing is rewritten', async () => {
    const two = [await lift(), await lift()];
    const contract = await running(two, { start: -183 });
    const [a, b] = contract.lines as [Line, Line];
    await billed(a);
    const values = {
      change_kind: 'demerge',
      contract_id: contract.id,
      branch_id: ids.branch,
      effective_on: day(0),
      billing_action: 'credit_rebill',
      new_bill_to_id: ids.buyer,
      lines: [{ contract_line_id: a.id }],
    };
    const shown = await ok(admin.call('POST', '/tapi/contract_change/fill', { values }));
    expect(shown.lines).toMatchObject([
      { earned: '24065.75', unearned: '23934.25', credit: '23934.25', new_rate: '48000.00', problem: null },
    ]);
    const { id } = await change(values);
    const done = await through('contract_change', id);
    expect(done).toMatchObject({ status: 'effective', credit_total: '23934.25' });
    const fresh = await read('contract', Number(done.new_contract_id));
    expect(fresh).toMatchObject({
      status: 'active',
      bill_to_customer_id: ids.buyer,
      start_on: day(0),
      end_on: contract.end_on,
      lines: [{ lift_id: a.lift_id, net: '48000.00', line_status: 'active', moved_from_line_id: a.id }],
    });
    expect(fresh.contract_no).toMatch(/^CON\//);
    const after = await read('contract', contract.id);
    expect(after).toMatchObject({ status: 'active', year_total: '48000.00' });
    expect(after.lines).toMatchObject([
      { id: a.id, line_status: 'moved', closes_on: day(-1), from_on: a.from_on, to_on: a.to_on, net: a.net },
      { id: b.id, line_status: 'active' },
    ]);
    expect(after.amendments).toMatchObject([{ no: 1, field: 'Lifts' }]);
  });

  it('merges lifts into a running contract, and refuses other payers with the reason on the row', async () => {
    const [one, two] = [await lift(), await lift()];
    const into = await running([one!], { start: -50 });
    const from = await running([two!], { start: -100 });
    const { id } = await change({
      change_kind: 'merge',
      customer_id: ids.customer,
      target_contract_id: into.id,
      dates: 'longest',
      lines: [{ contract_line_id: from.lines[0]!.id }],
    });
    const draft = await read('contract_change', id);
    expect(draft.lines).toMatchObject([
      { new_to_on: into.end_on, extra: expect.stringMatching(/^6\d{3}\./) as string },
    ]);
    await through('contract_change', id);
    expect(await read('contract', from.id)).toMatchObject({ status: 'merged' });
    const merged = await read('contract', into.id);
    expect(merged.lines.map((line) => line.lift_id)).toEqual([one, two]);
    const stranger = await running([await lift()], { more: { bill_to_customer_id: ids.buyer } });
    const wrong = await change({
      change_kind: 'merge',
      customer_id: ids.customer,
      target_contract_id: into.id,
      lines: [{ contract_line_id: stranger.lines[0]!.id }],
    });
    expect(wrong.lines).toMatchObject([
      { problem: 'Contracts of different bill-to customers cannot be merged. Transfer the lift first.' },
    ]);
    expect((await refusal(step('contract_change', wrong.id, 'submit')))[0]).toBe(422);
  });

  it('holds a contract and extends it by the days of the hold (C10)', async () => {
    const contract = await running([await lift()]);
    const hold = { contract_id: contract.id, lines: [{ contract_line_id: contract.lines[0]!.id }] };
    await through('contract_change', (await change({ ...hold, change_kind: 'hold', effective_on: day(-47) })).id);
    expect(await read('contract', contract.id)).toMatchObject({ status: 'held', lines: [{ line_status: 'held' }] });
    await through('contract_change', (await change({ ...hold, change_kind: 'resume' })).id);
    const after = await read('contract', contract.id);
    const later = (Date.parse(String(after.end_on)) - Date.parse(String(contract.end_on))) / 86_400_000;
    expect([after.status, later, after.lines[0]!.to_on]).toEqual(['active', 47, after.end_on]);
  });

  it('amends a price from a day on with a new line', async () => {
    const contract = await running([await lift()]);
    const { id } = await change({
      change_kind: 'amend',
      contract_id: contract.id,
      lines: [{ contract_line_id: contract.lines[0]!.id, new_rate: '50000.00' }],
    });
    await through('contract_change', id);
    const after = await read('contract', contract.id);
    expect(after.lines).toMatchObject([
      { line_status: 'moved', net: '48000.00' },
      { line_status: 'active', net: '50000.00', from_on: day(0) },
    ]);
    expect(after).toMatchObject({ status: 'active', year_total: '50000.00' });
  });

  it('cancels a contract with notice, charge and credit (C10), and waits for its last day', async () => {
    const contract = await running([await lift()], {
      start: -133,
      rate: '60000.00',
      more: { schedule_visit_id: ids.visits },
    });
    const [line] = contract.lines as [Line];
    await billed(line);
    const draft = await ok(
      admin.call('POST', '/tapi/amc_cancellation', {
        contract_id: contract.id,
        branch_id: ids.branch,
        cancel_category_id: ids.category,
        requested_on: day(0),
        lines: [{ contract_line_id: line.id }],
      }),
      201,
    );
    const days = (Date.parse(String(contract.end_on)) - Date.parse(String(contract.start_on))) / 86_400_000 + 1;
    const earned = Math.round((6_000_000 * 164) / days) / 100;
    expect(draft).toMatchObject({
      earliest_day: day(30),
      last_day: day(30),
      win_back_on: day(360),
      dues_action: 'net',
      last_visit_on: null,
      open_calls: 0,
      deposit_held: '0.00',
    });
    expect(Number(draft.visits_left)).toBeGreaterThan(5);
    expect(Number(draft.lines[0]!.earned)).toBeCloseTo(earned, 2);
    expect(Number(draft.credit_total)).toBeCloseTo((60000 - earned) * 0.9, 1);
    expect((await through('amc_cancellation', draft.id)).status).toBe('approved');
    expect((await read('contract', contract.id)).status).toBe('active');
    await acme.sql(`update {s}.amc_cancellation set last_day = $2 where id = $1`, [draft.id, day(-1)]);
    expect((await refusal(step('amc_cancellation', draft.id, 'take_effect')))[0]).toBeGreaterThanOrEqual(400);
  });

  it('transfers a lift to another owner, whose contract continues at the same price; dues and history stay', async () => {
    const one = await lift();
    const contract = await running([one], { start: -183 });
    await billed(contract.lines[0]!);
    const transfer = await ok(
      admin.call('POST', '/tapi/lift_transfer', {
        transfer_kind: 'owner',
        effective_on: day(0),
        branch_id: ids.branch,
        reason_id: ids.reason,
        to_customer_id: ids.buyer,
        to_building_id: ids.theirs,
        lifts: [{ lift_id: one }],
      }),
      201,
    );
    expect(transfer).toMatchObject({
      unearned_total: '23934.25',
      lifts: [{ from_customer_id: ids.customer, contract_id: contract.id, problem: null }],
    });
    const done = await through('lift_transfer', transfer.id);
    expect(done.status).toBe('effective');
    expect(await read('lift', one)).toMatchObject({
      customer_id: ids.buyer,
      building_id: ids.theirs,
      status: 'in_contract',
    });
    expect(await read('contract', Number(done.new_contract_id))).toMatchObject({
      customer_id: ids.buyer,
      status: 'active',
      year_total: '48000.00',
    });
    expect((await read('contract', contract.id)).status).toBe('demerged');
    const mails = await acme.sql<{ recipient: string; body: string }>(
      `select recipient, body from {s}.outbox where subject like 'Transfer of lifts%' order by recipient`,
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual(['buyer@example.in', 'towers@example.in']);
    expect(mails[0]!.body).toContain('continues at the agreed price');
    expect(mails[1]!.body).toContain('no longer registered in your name');
  });

  it('changes nothing if one of the lifts has a problem, and names it', async () => {
    const lonely = await lift(ids.theirs);
    const transfer = await ok(
      admin.call('POST', '/tapi/lift_transfer', {
        transfer_kind: 'owner',
        effective_on: day(0),
        branch_id: ids.branch,
        reason_id: ids.reason,
        to_customer_id: ids.buyer,
        to_building_id: ids.theirs,
        lifts: [{ lift_id: lonely }, { lift_id: await lift() }],
      }),
      201,
    );
    expect(transfer.lifts).toMatchObject([{ problem: 'It belongs to this customer already.' }, { problem: null }]);
    const [status, body] = await refusal(step('lift_transfer', transfer.id, 'submit'));
    expect([status, body]).toEqual([422, expect.stringContaining('1 of the lifts cannot be processed')]);
    // A button leaves it out: the other lift is transferred.
    const without = await ok(
      admin.call('POST', '/tapi/lift_transfer/action/fms_contracts.leave_out_problems', {
        on: 'rows:lifts',
        id: transfer.id,
        values: transfer,
        rows: [],
        params: {},
      }),
    );
    expect(without).toMatchObject({
      set: { lifts: [{ problem: null }] },
      done: '1 lift was left out, 1 is kept.',
    });
  });
});

describe('the contract value', () => {
  it('at the start, lifts gained and lost and changed prices add up to that at the end', async () => {
    const owner = await customer('Bridge');
    const site = await building('Bridge House', owner);
    const begun = async (start: number, rate: string) =>
      (await running([await lift(site)], { start, rate, more: { customer_id: owner, building_id: site } })).lines[0]!
        .id;
    await begun(-100, '48000.00');
    await begun(-10, '36000.00');
    const left = await begun(-100, '30000.00');
    await acme.sql(`update {s}.contract_line set line_status = 'cancelled', closes_on = $2 where id = $1`, [
      left,
      day(-20),
    ]);
    const dearer = await begun(-100, '10000.00');
    await acme.sql(`delete from {s}.contract_line__year_prices where parent_id = $1`, [dearer]);
    await acme.sql(
      `insert into {s}.contract_line__year_prices (parent_id, position, year_no, from_on, to_on, price) values ($1, 0, 1, $2, $3, 10000), ($1, 1, 2, $4, $5, 12000)`,
      [dearer, day(-100), day(-30), day(-29), day(200)],
    );
    const report = async (from: number, to: number) =>
      (
        await admin.call(
          'GET',
          `/tapi/report/contract_value_bridge/rows?customer_id=${owner}&from=${day(from)}&to=${day(to)}`,
        )
      ).json<{ data: { rows: Row[]; totals: Row; chart: object } }>().data;
    const { rows, totals, chart } = await report(-50, 0);
    expect(rows.map(({ step, lifts: n, value }) => [step, n, value])).toEqual([
      ['before', 3, '88000.00'],
      ['gained', 1, '36000.00'],
      ['lost', -1, '-30000.00'],
      ['price', 0, '2000.00'],
    ]);
    expect(totals).toMatchObject({ lifts: 3, value: '96000.00' });
    expect(chart).toMatchObject({
      x: ['At the start', 'Gained', 'Lost', 'Price'],
      series: [{ values: [88000, 36000, -30000, 2000] }],
    });
    // The end of one period is the start of the next.
    expect((await report(-50, -25)).totals).toMatchObject({ value: '90000.00' });
    expect((await report(-24, 0)).rows[0]).toMatchObject({ step: 'before', value: '90000.00' });
  });
});

describe('any history of contracts', () => {
  // npm run histories tries thousands.
  it('covers no lift twice, plans each bill and visit once, and keeps contracts with their owners', async () => {
    await acme.user('third', { isAdmin: true, companies: [{ company: 1 }] });
    const people = [admin, other, await world.signIn(acme, 'third')] as const;
    let taken = 0;
    for (const seed of [1, 2, 3]) {
      const history = {
        call: (by: 0 | 1 | 2, method: string, url: string, body?: object) =>
          people[by].call(method as 'GET', url, body),
        sql: acme.sql.bind(acme),
        lift,
        owners: [
          { customer: ids.customer!, building: ids.building! },
          { customer: ids.buyer!, building: ids.theirs! },
        ] as const,
        ids: {
          branch: ids.branch!,
          amc: ids.amc!,
          payment: ids.payment!,
          change: ids.reason!,
          transfer: ids.reason!,
          category: ids.category!,
        },
        day,
      };
      taken += (await contractHistory(history, seed, 5)).taken;
    }
    expect(taken).toBeGreaterThan(5);
  });
});

describe('the reference numbers of a customer', () => {
  it('have the form of their kind, need its paper, and are used once where the kind says so', async () => {
    const po = await add('refno_type_mstr', {
      code: 'PO',
      name: 'Purchase order',
      pattern: '^PO-[0-9]{3}$',
      unique_per_customer: true,
    });
    const letter = await add('refno_type_mstr', { code: 'LET', name: 'Letter', file_needed: true });
    const one = await lift();
    const draft = (...numbers: Row[]) =>
      admin.call('POST', '/tapi/contract', {
        contract_kind: 'amc',
        customer_id: ids.customer,
        building_id: ids.building,
        branch_id: ids.branch,
        start_on: day(400),
        months: 12,
        payment_type_id: ids.payment,
        lines: [{ lift_id: one, amc_type_id: ids.amc, rate: '1000.00' }],
        ref_nos: numbers,
      });
    const messages = async (...numbers: Row[]) =>
      (await draft(...numbers))
        .json<{ error: { details: { field: string; message: string }[] } }>()
        .error.details.filter(({ field }) => field.startsWith('ref_nos'));
    expect(await messages({ refno_type_id: po, number: 'X1' }, { refno_type_id: letter, number: '7' })).toMatchObject([
      { field: 'ref_nos.1.file' },
      { field: 'ref_nos.0.number', message: '"X1" is not a valid number for Purchase order. Please check it.' },
    ]);
    const made = await draft({ refno_type_id: po, number: 'PO-001' });
    expect(made.statusCode, made.body).toBe(201);
    expect((await draft({ refno_type_id: po, number: 'PO-001' })).body).toContain(
      'Purchase order PO-001 is already on',
    );
  });
});

describe('a renewal', () => {
  it('suggests the escalated price and drafts the following contract', async () => {
    const one = await lift();
    const old = await running([one], {
      start: -360,
      rate: '36500.00',
      more: { escalation_percentage_id: ids.percentage, escalation_time_id: ids.time },
    });
    const desk = await ok(
      admin.call('POST', '/tapi/lift_renewal', {
        made_on: day(0),
        makes: 'contract',
        group_by: 'customer',
        months: 12,
        lines: [{ lift_id: one }],
      }),
      201,
    );
    expect(desk.lines).toMatchObject([
      { contract_id: old.id, rate: '36500.00', suggested: '39420.00', new_rate: '39420.00', problem: null },
    ]);
    await ok(step('lift_renewal', desk.id, 'make'));
    const { made_contract_id: made } = (await read('lift_renewal', desk.id)).lines[0]!;
    expect(await read('contract', Number(made))).toMatchObject({
      status: 'draft',
      previous_contract_id: old.id,
      year_total: '39420.00',
      lines: [{ lift_id: one }],
    });
    const again = await ok(
      admin.call('POST', '/tapi/lift_renewal', {
        made_on: day(0),
        makes: 'contract',
        group_by: 'customer',
        months: 12,
        lines: [{ lift_id: one }],
      }),
      201,
    );
    expect(again.problems).toBe(1);
  });

  it('to another AMC type is quoted again, never turned into a contract directly', async () => {
    const one = await lift();
    await running([one], { start: -360 });
    const types = await Promise.all(
      (['on_time', 'downgrade'] as const).map((rule) =>
        add('renewal_type_mstr', { code: rule, name: rule, rule, price_rule: 'escalate' }),
      ),
    );
    const { service_id: service } = await read('amc_type_mstr', ids.amc!);
    const less = await add('amc_type_mstr', {
      code: 'LAB',
      name: 'Labour',
      coverage: 'labour_only',
      service_id: service,
      schedule_visit_id: ids.visits,
    });
    const desk = async (makes: string) =>
      ok(
        admin.call('POST', '/tapi/lift_renewal', {
          made_on: day(0),
          makes,
          group_by: 'customer',
          months: 12,
          lines: [{ lift_id: one, new_amc_type_id: less, new_rate: '30000.00' }],
        }),
        201,
      );
    const asContract = await desk('contract');
    expect(asContract.lines).toMatchObject([{ suggested: null, renewal_type_id: types[1], new_rate: '30000.00' }]);
    const [status, body] = await refusal(step('lift_renewal', asContract.id, 'make'));
    expect(status).toBe(422);
    expect(body).toContain('Another AMC type needs a quotation');
  });

  it('after a gap requires an inspection of the lift, if the renewal type says so', async () => {
    const one = await lift();
    const old = await running([one], { start: -500 });
    const late = await add('renewal_type_mstr', {
      code: 'LATE',
      name: 'Late',
      rule: 'late_break',
      price_rule: 'requote',
      inspection_needed: true,
    });
    const begin = () => running([one], { start: -2, more: { renewal_type_id: late, previous_contract_id: old.id } });
    await expect(begin()).rejects.toThrow('has not been inspected since');
    await acme.sql(
      `with t as (insert into {s}.tis_survey_type (code, name, purpose, status) values ('PRE', 'Before a contract', 'pre_amc', 'published') returning id)
       insert into {s}.tis_inspection (entity_id, inspection_no, survey_type_id, planned_on, surveyor_id, branch_id, lift_id, submitted_at, status)
       select 1, 'TIS/1', t.id, current_date, (select min(id) from {s}.employee), f.branch_id, f.id, now(), 'reviewed' from t, {s}.lift f where f.id = $1`,
      [one],
    );
    await expect(begin()).resolves.toMatchObject({ status: 'active' });
  });

  it('is reminded of: the account manager, the customer who has an offer, and the branch manager of a late one', async () => {
    const { jobs } = world.app;
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [admin.userId, ids.seller]);
    await acme.sql('update {s}.branch set head_id = $2 where id = $1', [ids.branch, ids.seller]);
    const [offered, open] = [
      await running([await lift()], { start: -357, more: { sales_person_id: ids.seller } }),
      await running([await lift()], { start: -357, more: { sales_person_id: ids.seller } }),
    ];
    const offer = await ok(
      admin.call('POST', '/tapi/quotation', {
        quotation_kind: 'renewal',
        customer_id: ids.customer,
        building_id: ids.building,
        branch_id: ids.branch,
        sales_person_id: ids.seller,
        subject: 'Renewal',
        previous_contract_id: offered.id,
        lines: [{ option: 'A', amc_type_id: ids.amc, qty: '1', rate: '50000' }],
      }),
      201,
    );
    await acme.sql(`update {s}.quotation set status = 'sent', quotation_no = 'QTN/9' where id = $1`, [offer.id]);
    // Of the last three days one is the seventh before the end.
    await acme.sql(`insert into {s}.job_run (job, key, ended_at) values ('renewal_reminders', $1, now())`, [
      `1/${day(-3)}`,
    ]);
    await jobs.runNow(acme, 'renewal_reminders', { userId: admin.userId, companies: acme.entityIds });
    await jobs.drain();
    expect(await jobs.log(acme.schema, { name: 'renewal_reminders' })).toMatchObject([{ state: 'done', error: null }]);
    const told = await acme.sql<{ event_code: string; body: string }>(
      `select event_code, body from {s}.notification where event_code like 'fms.renewals%' and user_id = $1 order by event_code`,
      [admin.userId],
    );
    const [number, late] = [String(offered.contract_no), String(open.contract_no)];
    expect(told.map(({ event_code: event }) => event)).toEqual(['fms.renewals_due', 'fms.renewals_late']);
    expect(told[0]!.body).toContain(`${number} of Towers`);
    expect(told[0]!.body).toMatch(new RegExp(`${late} of Towers: [-0-9]+, not quoted`));
    expect(told[1]!.body).toContain(late);
    expect(told[1]!.body).not.toContain(number);
    const mails = await acme.sql(`select subject, body from {s}.outbox where subject like '% ends on %'`);
    expect(mails).toMatchObject([
      {
        subject: expect.stringContaining(number) as string,
        body: expect.stringContaining('our offer QTN/9') as string,
      },
    ]);
    await acme.sql('update {s}.users set employee_id = null where id = $1', [admin.userId]);
  });

  it('of lifts whose warranty ends: one quotation for those of a building and day, and sales is notified', async () => {
    const { jobs } = world.app;
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [admin.userId, ids.seller]);
    const under = await customer('Homes');
    await acme.sql('update {s}.customer_dtl set account_manager_id = $2 where id = $1', [under, ids.seller]);
    const place = await building('Block W', under);
    const both = [await lift(place), await lift(place)];
    await acme.sql(`update {s}.lift set status = 'in_warranty', warranty_to = $2 where id = any($1::bigint[])`, [
      both,
      day(40),
    ]);
    const notices = () =>
      acme.sql<{ title: string; record_id: number }>(
        `select title, record_id from {s}.notification where event_code = 'fms.warranty_ending' and user_id = $1`,
        [admin.userId],
      );
    // A second run drafts nothing and notifies nobody again.
    for (const _ of [1, 2]) {
      await jobs.runNow(acme, 'renewals', { userId: admin.userId, companies: acme.entityIds });
      await jobs.drain();
    }
    const [told, ...more] = await notices();
    expect(more).toEqual([]);
    expect(told!.title).toMatch(/^Warranty of 2 lifts at Block W ends on \d\d-\d\d-\d{4}$/);
    const draft = await read('quotation', told!.record_id);
    expect(draft).toMatchObject({ status: 'draft', customer_id: under, building_id: place, start_on: day(41) });
    expect(draft.lines.map(({ lift_id: id }) => id)).toEqual(both);
    await acme.sql('update {s}.users set employee_id = null where id = $1', [admin.userId]);
  });

  it('below the escalated price needs approval, where the policy of the customer says so', async () => {
    const one = await lift();
    const old = await running([one], {
      start: -360,
      rate: '36500.00',
      more: { escalation_percentage_id: ids.percentage, escalation_time_id: ids.time },
    });
    const policy = {
      policy_type_id: await add('policy_type_mstr', {
        code: 'ESCALATION',
        name: 'Escalation',
        criteria: ['customer'],
        system: true,
        parameters: { type: 'object' },
      }),
      valid_from: '2020-04-01',
      parameters: { below_needs_approval: true },
    };
    // A type of policies says by what they may differ.
    expect(
      await refusal(
        admin.call('POST', '/tapi/policy_definition', { ...policy, code: 'E0', name: 'E0', branch_id: ids.branch }),
      ),
    ).toEqual([
      422,
      expect.stringContaining('Policies of the type Escalation differ only by: Customer. Leave Branch empty.'),
    ]);
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [other.userId, ids.seller]);
    const offer = async (rate: string, discount = '0') => {
      const quotation = await ok(
        admin.call('POST', '/tapi/quotation', {
          quotation_kind: 'renewal',
          customer_id: ids.customer,
          building_id: ids.building,
          sales_person_id: ids.seller,
          previous_contract_id: old.id,
          subject: 'Renewal',
          start_on: day(6),
          lines: [{ option: 'A', lift_id: one, amc_type_id: ids.amc, rate, discount }],
        }),
        201,
      );
      await ok(step('quotation', quotation.id, 'submit', {}, other));
      const { status, below_floor: below, lines } = await read('quotation', quotation.id);
      return [lines[0]!.renewal_rate, below, status];
    };
    await add('policy_definition', { ...policy, code: 'E1', name: 'Of the buyer', customer_id: ids.buyer });
    expect(await offer('30000.00')).toEqual([null, false, 'approved']);
    await add('policy_definition', { ...policy, code: 'E2', name: 'Of all' });
    expect(await offer('39420.00')).toEqual(['39420.00', false, 'approved']);
    expect(await offer('39410.00')).toEqual(['39420.00', true, 'submitted']);
    // A discount lowers the price as well.
    expect(await offer('43000.00', '9')).toEqual(['39420.00', true, 'submitted']);
  });
});

describe('a customer without business', () => {
  it('becomes inactive after the days of the policy', async () => {
    const [quiet, offered, recent] = [await customer('Quiet'), await customer('Offered'), await customer('Recent')];
    for (const id of [quiet, offered, recent]) await ok(step('customer_dtl', id, 'take_on'));
    await ok(
      admin.call('POST', '/tapi/quotation', {
        customer_id: offered,
        building_id: await building('Offered House', offered),
        sales_person_id: ids.seller,
        subject: 'Maintenance',
        lines: [{ option: 'A', amc_type_id: ids.amc, rate: '1000.00' }],
      }),
      201,
    );
    for (const [days, of] of [
      [200, [ids.customer, quiet, offered]],
      [170, [recent]],
    ] as const)
      await acme.sql(
        `update {s}.customer_dtl set created_at = now() - make_interval(days => $2) where id = any($1::bigint[])`,
        [of, days],
      );
    await add('policy_definition', {
      code: 'QUIET',
      name: 'Half a year',
      policy_type_id: await add('policy_type_mstr', {
        code: 'RENEWAL',
        name: 'Renewal',
        system: true,
        parameters: { type: 'object' },
      }),
      valid_from: '2020-04-01',
      parameters: { inactive_after_days: 180 },
    });
    const { jobs } = world.app;
    await jobs.runNow(acme, 'quiet_customers', { userId: admin.userId, companies: acme.entityIds });
    await jobs.drain();
    expect(await jobs.log(acme.schema, { name: 'quiet_customers' })).toMatchObject([
      { state: 'done', message: '1 customers are inactive now.' },
    ]);
    expect((await read('customer_dtl', quiet)).status).toBe('inactive');
  });
});

it('lines from an earlier table of contracts are migrated with their ids', async () => {
  const contract = await running([await lift()], { start: -20 });
  const [line] = contract.lines as [Line];
  await acme.sql(`create table {s}.contract__lines (id bigint, parent_id bigint, "position" integer, lift_id bigint, amc_type_id bigint,
    rate numeric, discount numeric, net numeric)`);
  await acme.sql(
    `insert into {s}.contract__lines select id, contract_id, 0, lift_id, amc_type_id, rate, discount, net from {s}.contract_line where id = $1`,
    [line.id],
  );
  for (const type of ['billing_schedule', 'scheduled_ticket'])
    await acme.sql(`delete from {s}.${type} where contract_line_id = $1`, [line.id]).catch(() => []);
  await acme.sql(`delete from {s}.contract_line__year_prices where parent_id = $1`, [line.id]);
  await acme.sql(`delete from {s}.contract_line where id = $1`, [line.id]);
  const { contractLines } = await import('../../../src/server/db/contract_lines.ts');
  await contractLines.run(
    { query: (text: string, values?: unknown[]) => acme.sql(text, values) } as never,
    acme.schema,
  );
  expect((await read('contract', contract.id)).lines).toMatchObject([
    {
      id: line.id,
      line_status: 'active',
      from_on: contract.start_on,
      to_on: contract.end_on,
      net: '48000.00',
      visits_per_year: 12,
    },
  ]);
});
