import { expect } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { branchWithMembers } from './branch_with_members.ts';

type Row = Record<string, unknown>;
/** A document as the interface answers it. */
export type Doc = Row & { id: number; version: number; status: string; lines: Row[] };

/** A company that maintains lifts and bills for it, in Tamil Nadu, with a customer who deducts TDS. */
export interface MoneyWorld {
  acme: TestTenant;
  admin: Caller;
  clerk: Caller;
  head: Caller;
  ids: Record<string, number>;
  ok(answer: ReturnType<Caller['call']>, status?: number): Promise<Doc>;
  add(type: string, record: object): Promise<number>;
  read(type: string, id: number): Promise<Doc>;
  step(by: Caller, type: string, id: number, name: string, more?: object): ReturnType<Caller['call']>;
  run(by: Caller, type: string, name: string, body: object): ReturnType<Caller['call']>;
  /** A bill by hand over this amount before GST, posted unless it says otherwise. */
  bill(amount: string, more?: object, posted?: boolean): Promise<Doc>;
  customer(more?: object): Promise<number>;
}

export async function moneyWorld(world: World, companies = 1): Promise<MoneyWorld> {
  const acme = await world.tenant({ companies });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const all = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const view = ['landing', 'view_screen'] as const;
  const money = ['SCN_FMS_BILLING', 'SCN_FMS_RECEIPT', 'SCN_FMS_DEPOSITS', 'SCN_FMS_OUTSTANDING'];
  const see = { SCN_FMS_CUSTOMER: [...view], SCN_FMS_CONTRACT: [...view], SCN_FMS_BUILDING: [...view] };
  const clerks = await acme.role({
    modules: ['FMS'],
    screens: { ...see, ...Object.fromEntries(money.map((code) => [code, [...all]])) },
    actions: ['FMS_POST_BILL', 'FMS_CANCEL_BILL', 'RUN_REPORTS'],
  });
  const heads = await acme.role({
    modules: ['FMS'],
    screens: { ...see, ...Object.fromEntries(money.map((code) => [code, [...all, 'approval_screen']])) },
    actions: ['FMS_POST_BILL', 'FMS_CANCEL_BILL', 'FMS_REVERSE_RECEIPT', 'RUN_REPORTS'],
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerks] }] });
  await acme.user('head', { companies: [{ company: 1, roles: [heads] }] });
  const [admin, clerk, head] = (await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'head'),
  ])) as [Caller, Caller, Caller];
  const ids: Record<string, number> = {};
  const ok = async (answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: Doc }>().data;
  };
  const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
  const step = async (by: Caller, type: string, id: number, name: string, more: object = {}) =>
    by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
  const run: MoneyWorld['run'] = (by, type, name, body) => by.call('POST', `/tapi/${type}/action/${name}`, body);

  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  ids.tn = tn!.id;
  ids.city = tn!.city;
  ids.ka = await add('state_mstr', { code: 'KA', name: 'Karnataka', country_id: tn!.country_id, gst_code: '29' });
  const bengaluru = await add('city_mstr', { code: 'BLR', name: 'Bengaluru', state_id: ids.ka });
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN', gstin: '33AAFCM4821Q1Z6' },
      department: { code: 'D1', name: 'Accounts' },
      designation: { code: 'A1', name: 'Accountant' },
    },
  );
  ids.branch = branch;
  ids.manager = await member('E10002');
  ids.clerk = await member('E10001', { reporting_to_id: ids.manager });
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [clerk.userId, ids.clerk]);
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [head.userId, ids.manager]);
  const category = await add('tax_category_mstr', {
    code: 'STD',
    name: 'Taxable',
    supply: 'both',
    treatment: 'taxable',
  });
  const tax = await add('tax', { code: 'GST18', name: 'GST 18 %', tax_category_id: category, print_label: 'GST 18 %' });
  await add('tax_rate', {
    tax_id: tax,
    cgst_ledger: 'C',
    sgst_ledger: 'S',
    utgst_ledger: 'U',
    igst_ledger: 'I',
    valid_from: '2017-07-01',
    cgst: '9',
    sgst: '9',
    utgst: '9',
    igst: '18',
  });
  const sac = await add('hs_code', {
    code: '998718',
    kind: 'SAC',
    description: 'Maintenance of lifts',
    rates: [{ valid_from: '2017-07-01', tax_id: tax }],
  });
  ids.service = await add('fmsservice', {
    code: 'AMC',
    name: 'Maintenance',
    service_kind: 'amc',
    hs_code_id: sac,
    place_of_supply: 'building',
  });
  ids.other = await add('fmsservice', {
    code: 'OTH',
    name: 'Other charges',
    service_kind: 'other',
    hs_code_id: sac,
    place_of_supply: 'building',
  });
  ids.tds = await add('deduction', {
    code: '194C',
    name: 'TDS on contracts',
    kind: 'tds',
    section: '194C',
    base: 'taxable',
    rounding: 'rupee',
    ledger_code: 'TDS',
    certificate_needed: true,
    rates: [{ valid_from: '2009-10-01', rate: '2' }],
  });
  for (const [code, more] of [
    ['CASH', { family: 'cash', must_deposit: true }],
    [
      'CHQ',
      {
        family: 'cheque',
        instrument_no_needed: true,
        instrument_date_needed: true,
        must_deposit: true,
        number_pattern: '^[0-9]{6}$',
      },
    ],
    ['NEFT', { family: 'transfer', instrument_no_needed: true, instrument_date_needed: true }],
  ] as const)
    ids[code] = await add('receipt_mode_mstr', { code, name: code, ...more });
  await add('receipt_narrations', {
    code: 'NEFT',
    template: 'From {customer} by {mode} of {date} for {bills}, TDS {tds}.',
    default_for: [ids.NEFT],
  });
  ids.term = await add('payment_term_mstr', { code: 'N30', name: '30 days', rule: 'from_bill', days: 30 });
  ids.client = await add('client_type_mstr', { code: 'PVT', name: 'Private', sector: 'private' });
  const kind = await add('building_type_mstr', { code: 'OFF', name: 'Office', building_use: 'office' });
  const area = await add('area_mstr', {
    code: 'A1',
    name: 'Centre',
    branch_id: branch,
    city_id: tn!.city,
    pincodes: ['600002'],
  });
  ids.reason = await add('reason', { code: 'CN1', name: 'Billed too much', used_for: ['credit_note'] });
  ids.bounce = await add('reason', { code: 'BN1', name: 'Funds insufficient', used_for: ['bounce'] });
  ids.reversal = await add('reason', { code: 'RV1', name: 'Entered twice', used_for: ['receipt_reversal'] });
  ids.bank = await add('bank', { code: 'HDFC', name: 'HDFC Bank' }).catch(() => 0);
  const customer = (more: object = {}) =>
    add('customer_dtl', {
      name: 'Towers',
      client_type_id: ids.client,
      branch_id: branch,
      account_manager_id: ids.clerk,
      billing_address: '2 Mount Road',
      state_id: tn!.id,
      city_id: tn!.city,
      pincode: '600002',
      phone: '+914428292727',
      gst_treatment: 'unregistered',
      bill_grouping: 'contract',
      payment_term_id: ids.term,
      tds_id: ids.tds,
      ...more,
    });
  ids.customer = await customer();
  const place = {
    building_type_id: kind,
    address: '2 Mount Road',
    area_id: area,
    branch_id: branch,
    pincode: '600002',
  };
  ids.building = await add('building', {
    ...place,
    customer_id: ids.customer,
    name: 'Towers A',
    state_id: tn!.id,
    city_id: tn!.city,
  });
  ids.far = await add('building', {
    ...place,
    customer_id: ids.customer,
    name: 'Towers Bengaluru',
    state_id: ids.ka,
    city_id: bengaluru,
    pincode: '560001',
  });
  const bill: MoneyWorld['bill'] = async (amount, more = {}, posted = true) => {
    const made = await ok(
      clerk.call('POST', '/tapi/billing', {
        customer_id: ids.customer,
        building_id: ids.building,
        branch_id: branch,
        lines: [{ service_id: ids.service, description: 'Maintenance', qty: '1', rate: amount }],
        ...more,
      }),
      201,
    );
    return posted ? ok(step(clerk, 'billing', made.id, 'post')) : made;
  };
  return { acme, admin, clerk, head, ids, ok, add, read, step, run, bill, customer };
}
