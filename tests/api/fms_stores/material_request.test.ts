import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../world.ts';
import type { Doc, Row, Stores } from './stores_world.ts';
import { day, startStores } from './stores_world.ts';

// Parts from the ticket's request to the faulty stock: cover, two approvals, supply, issue, use and return (5.18).

let stores: Stores;
let commercial: Caller;
let technical: Caller;
let arun: Caller;
const more: Record<string, number> = {};
const call = async (by: Caller, method: string, url: string, body?: object, status = 200): Promise<Doc> => {
  const got = await by.call(method, url, body);
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
};

/** A customer with a lift under a comprehensive contract, and people with one right each. */
async function liftUnderContract(): Promise<void> {
  const { add, ids, acme, world } = stores;
  const [place] = await acme.sql<{ city: number; country: number }>(
    `select (select c.id from {s}.city_mstr c where c.state_id = $1 order by c.id limit 1) as city, country_id as country from {s}.state_mstr where id = $1`,
    [ids.state],
  );
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const screens = { SCN_FMS_MR: [...pages], SCN_FMS_MR_APPROVAL: [...pages, 'approval_screen' as const] };
  for (const [name, actions] of [
    ['commercial', ['MR_APPROVE_COMMERCIAL']],
    ['technical', ['MR_APPROVE_TECHNICAL']],
    ['arun', ['MR_RAISE', 'STOCK_POST']],
  ] as const) {
    const role = await acme.role({
      modules: ['FMS'],
      screens: {
        ...(name === 'arun' ? { SCN_FMS_MR: [...pages] } : screens),
        SCN_FMS_MR_ISSUE: [...pages],
        SCN_FMS_MR_CONSUMPTION: [...pages],
        SCN_FMS_MR_RECEIPT: [...pages],
        SCN_FMS_MR_RECEIPT_STATUS: [...pages],
      },
      actions: [...actions],
    });
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  }
  [commercial, technical, arun] = await Promise.all([
    world.signIn(acme, 'commercial'),
    world.signIn(acme, 'technical'),
    world.signIn(acme, 'arun'),
  ]);
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [arun.userId, ids.technician]);
  await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids.technician, arun.userId]);
  const client = await add('client_type_mstr', { code: 'PVT', name: 'Private', sector: 'private' });
  const kind = await add('building_type_mstr', { code: 'OFF', name: 'Office', building_use: 'office' });
  const area = await add('area_mstr', {
    code: 'A1',
    name: 'Centre',
    branch_id: ids.branch,
    city_id: place!.city,
    pincodes: ['600002'],
  });
  const at = { state_id: ids.state, city_id: place!.city, pincode: '600002' };
  more.customer = await add('customer_dtl', {
    name: 'Towers',
    client_type_id: client,
    branch_id: ids.branch,
    billing_address: '2 Mount Road',
    phone: '+914428292727',
    email: 'office@towers.example',
    gst_treatment: 'unregistered',
    bill_grouping: 'contract',
    ...at,
  });
  const building = await add('building', {
    name: 'Towers A',
    customer_id: more.customer,
    building_type_id: kind,
    address: '2 Mount Road',
    area_id: area,
    branch_id: ids.branch,
    ...at,
  });
  const made: Record<string, number> = {};
  for (const [type, facts] of [
    ['lift_category_mstr', { lift_use: 'passenger', carries_people: true, kg_per_person: 68 }],
    ['lift_type_mstr', { arrangement: 'traction_mr', visit_minutes: 45, crew: 1 }],
    ['lift_make_mstr', { country: place!.country, support: 'current' }],
    ['drive_type_mstr', { family: 'traction', geared: true, speed_control: 'vvvf' }],
    ['controller_mstr', { technology: 'serial', support: 'current' }],
  ] as const)
    made[type] = await add(type, { code: 'X', name: 'X', ...facts });
  more.lift = await add('lift', {
    building_id: building,
    lift_category_id: made.lift_category_mstr,
    lift_type_id: made.lift_type_mstr,
    lift_make_id: made.lift_make_mstr,
    drive_type_id: made.drive_type_mstr,
    controller_id: made.controller_mstr,
    capacity_kg: 884,
    speed_mps: '1.5',
    stops: 12,
    openings: 12,
  });
  more.sac = await add('hs_code', {
    code: '998718',
    kind: 'SAC',
    description: 'Maintenance of lifts',
    rates: [{ valid_from: '2017-07-01', tax_id: ids.tax }],
  });
  const service = await add('fmsservice', {
    code: 'AMC',
    name: 'Maintenance',
    service_kind: 'amc',
    hs_code_id: more.sac,
    place_of_supply: 'building',
  });
  more.amc = await add('amc_type_mstr', {
    code: 'COMP',
    name: 'Comprehensive',
    coverage: 'comprehensive',
    service_id: service,
    consumables: true,
    night_calls: true,
  });
  const payment = await add('payment_type_mstr', {
    code: 'YA',
    name: 'Yearly',
    timing: 'advance',
    frequency: 'yearly',
    bill_as: 'tax_invoice',
    lead_days: 0,
  });
  more.contract = await add('contract', {
    customer_id: more.customer,
    building_id: building,
    branch_id: ids.branch,
    start_on: day(-30),
    months: 12,
    payment_type_id: payment,
    lines: [{ lift_id: more.lift, amc_type_id: more.amc, rate: '36000.00' }],
  });
  await acme.sql(`update {s}.contract set status = 'active', contract_no = 'CON/T/1' where id = $1`, [more.contract]);
  await acme.sql(
    `update {s}.contract_line set line_status = 'active', from_on = coalesce(from_on, $2), to_on = coalesce(to_on, $3) where contract_id = $1`,
    [more.contract, day(-30), day(330)],
  );
  more.group = await add('spare_group_master', {
    code: 'CARD',
    name: 'Cards',
    default_warranty_months: 6,
    return_faulty: true,
    cover: [{ amc_type_mstr_id: more.amc, treatment: 'free' }],
  });
  more.decor = await add('spare_group_master', { code: 'DECOR', name: 'Cabin decor' });
  more.spare = await add('item_type', {
    code: 'SPC',
    name: 'Spare with cover',
    kind: 'spare',
    stocked: true,
    issue_needs_cover: true,
  });
  more.repair = await add('mr_type', {
    code: 'REP',
    name: 'Repair',
    kind: 'repair',
    commercial: 'always',
    technical: 'always',
    default_priority: 'P2',
    need_hours: 48,
    needs_ticket: false,
  });
  more.emergency = await add('mr_type', {
    code: 'EMG',
    name: 'Emergency',
    kind: 'breakdown',
    commercial: 'always',
    technical: 'always',
    default_priority: 'P1',
    need_hours: 4,
    needs_ticket: false,
    issue_before_approval: true,
  });
  more.reason = await add('reason_for_requirement', { code: 'FAIL', name: 'Part failed' });
  more.wear = await add('root_cause_mstr', {
    code: 'WEAR',
    name: 'Wear',
    cover_override: 'none',
    customer_fault: false,
  });
  more.water = await add('root_cause_mstr', {
    code: 'WATER',
    name: 'Water entry',
    cover_override: 'none',
    customer_fault: true,
  });
  more.replaced = await add('action_taken_mstr', {
    code: 'REPL',
    name: 'Replaced',
    result: 'replaced',
    creates_return_due: true,
  });
  const [inr] = await acme.sql<{ id: number }>(`select id from {s}.currency_setting where iso_code = 'INR'`);
  more.inr =
    inr?.id ??
    (await add('currency_setting', { iso_code: 'INR', name: 'Rupee', symbol: '₹', decimals: 2, is_base: true }));
}

const part = async (code: string, rate: string | null, facts: object = {}) => {
  const id = await stores.item(code, { item_type_id: more.spare, spare_group_id: more.group, ...facts });
  if (rate !== null)
    await stores.add('price_mstr', {
      item_mstr_id: id,
      kind: 'selling',
      uom_id: stores.ids.uom,
      rate,
      currency_id: more.inr,
      valid_from: '2024-04-01',
    });
  return id;
};

const raise = (item: number, facts: object = {}, line: object = {}) =>
  call(
    arun,
    'POST',
    '/tapi/mr',
    {
      mr_type_id: more.repair,
      lift_id: more.lift,
      raised_by_id: stores.ids.technician,
      technician_id: stores.ids.technician,
      priority: 'P2',
      reason_id: more.reason,
      root_cause_id: more.wear,
      from_stock_point_id: stores.ids.coimbatore,
      remark: 'Needed once more.',
      lines: [{ item_id: item, qty: '2', uom_id: stores.ids.uom, ...line }],
      ...facts,
    },
    201,
  );

const approved = async (item: number, facts: object = {}, line: object = {}) => {
  const { id } = await raise(item, facts, line);
  await stores.step(arun, 'mr', id, 'submit');
  await stores.step(commercial, 'mr', id, 'approve');
  await stores.step(technical, 'mr', id, 'approve_technical');
  return stores.read('mr', id);
};

const issue = async (request: number, lines: object[], facts: object = {}) => {
  const { admin } = stores;
  const values = await call(admin, 'GET', `/tapi/mr_issue/new?from=mr/${request}&make=issue`);
  // What the request does not say begins as in any row.
  for (const { condition } of values.lines as Row[]) expect(condition).toBe('new');
  const made = await call(
    admin,
    'POST',
    '/tapi/mr_issue',
    { ...values, ...(lines.length > 0 && { lines }), ...facts },
    201,
  );
  return made.id;
};

const listed = async (type: string, filter: unknown): Promise<Row[]> => {
  const got = await stores.admin.call(
    'GET',
    `/tapi/${type}?columns=*&filter=${encodeURIComponent(JSON.stringify(filter))}`,
  );
  return got.json<{ data: Row[] }>().data;
};

beforeAll(async () => {
  stores = await startStores();
  await liftUnderContract();
});
afterAll(() => stores.world.close());

describe('a part from the request to the faulty stock (5.18)', () => {
  it('is covered, approved by two people, reserved, issued, used and returned, with every piece accounted for', async () => {
    const { ids, step, refused, read, balance, value, opening, admin } = stores;
    const spare = await stores.add('spare_parts_master', {
      code: 'DRV',
      name: 'Drive card',
      spare_group_id: more.group,
      maker_part_no: 'D-12',
      qty_per_lift: '1',
      life_months: 24,
    });
    const card = await part('DRV-00012', '2461.00', { spare_part_id: spare, repairable: true });
    await opening(ids.coimbatore!, [{ item_id: card, condition: 'new', qty: '10', rate: '492.182' }]);
    const draft = await raise(card);
    expect(draft).toMatchObject({
      state: 'draft',
      contract_id: more.contract,
      customer_id: more.customer,
      free_value: '4922.00',
      charge_value: '0.00',
      lines: [
        { proposed_cover: 'contract', cover: 'contract', price: '4922.00', cover_because: 'CON/T/1 covers Cards.' },
      ],
    });
    const { id } = draft;
    // Consumables are free where the AMC type includes them.
    const oil = await stores.add('spare_group_master', { code: 'OIL', name: 'Oil', is_consumable: true });
    const grease = await part('OIL-1', '120.00', { spare_group_id: oil });
    expect((await raise(grease)).lines).toMatchObject([
      { proposed_cover: 'contract', cover_because: 'CON/T/1 covers Oil.' },
    ]);
    // A reason may be of other types of requests, a root cause of other parts.
    const reason = await stores.add('reason_for_requirement', {
      code: 'NIGHT',
      name: 'At night',
      mr_type_ids: [more.emergency],
    });
    const cause = await stores.add('root_cause_mstr', { code: 'DIRT', name: 'Dirt', spare_group_ids: [oil] });
    expect((await refused(arun, 'mr', (await raise(card, { reason_id: reason })).id, 'submit')).message).toBe(
      'This reason does not apply to requests of the type "Repair". Choose another.',
    );
    expect((await refused(arun, 'mr', (await raise(card, { root_cause_id: cause })).id, 'submit')).message).toBe(
      'No part of this request belongs to this root cause. Choose another.',
    );
    await step(arun, 'mr', id, 'submit');
    expect(await read('mr', id)).toMatchObject({ state: 'submitted', mr_no: expect.stringMatching(/^MR\//) });
    // Neither the raiser nor one person alone decides.
    expect((await refused(arun, 'mr', id, 'approve')).status).toBe(403);
    expect((await refused(technical, 'mr', id, 'approve')).status).toBe(403);
    await step(commercial, 'mr', id, 'approve');
    expect((await refused(commercial, 'mr', id, 'approve_technical')).status).toBe(403);
    // More than a lift has, or of another make for a lift that takes its maker's parts only, needs a reason.
    const { sql } = stores.acme;
    const doubted = async () => (await refused(technical, 'mr', id, 'approve_technical')).message;
    expect(await doubted()).toBe('A lift has 1 of this part. Say why more are needed.');
    await sql('update {s}.spare_parts_master set qty_per_lift = 2 where id = $1', [spare]);
    await sql('update {s}.lift_make_mstr set oem_only_parts = true');
    expect(await doubted()).toBe('A lift of X takes parts of its maker only. Say why this one is used.');
    await sql('update {s}.lift_make_mstr set oem_only_parts = false');
    await step(technical, 'mr', id, 'approve_technical');
    const request = await read('mr', id);
    expect(request).toMatchObject({ state: 'in_supply', lines: [{ line_status: 'ready', reserved_qty: '2.000' }] });
    const [note] = await listed('mr_contract', ['mr_id', 'eq', id]);
    expect(note).toMatchObject({ kind: 'cover', basis: 'contract', state: 'active' });
    expect(await balance(card, ids.coimbatore!)).toEqual({ on_hand: '10', reserved: '2' });

    const issued = await issue(id, []);
    await step(admin, 'mr_issue', issued, 'issue');
    expect(await balance(card, ids.coimbatore!)).toEqual({ on_hand: '8', reserved: '0' });
    expect((await refused(admin, 'mr_issue', issued, 'acknowledge', { signature: null })).status).toBe(403);
    expect(await read('mr', id)).toMatchObject({
      state: 'supplied',
      lines: [{ issued_qty: '2.000', line_status: 'issued' }],
    });

    const used = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: ids.technician,
        root_cause_id: more.wear,
        action_taken_id: more.replaced,
        lines: [{ item_id: card, qty: '1', uom_id: ids.uom, old_serial_no: 'A1', removed_condition: 'faulty' }],
      },
      201,
    );
    expect(used.lines[0]).toMatchObject({ cover: 'contract', mr_id: id, price: '0.00' });
    await step(arun, 'mr_consumption', used.id, 'post');
    expect(await read('mr_consumption', used.id)).toMatchObject({ total_cost: '492.18', state: 'posted' });
    expect(await value(card)).toEqual({ qty: '9', value: '4429.64' });
    const [due] = await listed('mr_return_due', ['mr_consumption_id', 'eq', used.id]);
    expect(due).toMatchObject({ state: 'due', old_serial_no: 'A1', due_on: day(7) });
    const [fitted] = await listed('lift_part', ['lift_id', 'eq', more.lift]);
    expect(fitted).toMatchObject({ item_id: card, fitted_on: day(0) });
    expect(Date.parse(String(fitted!.life_ends_on))).toBeGreaterThan(Date.parse(day(729)));

    const back = await call(
      admin,
      'POST',
      '/tapi/mr_receipt',
      {
        technician_id: ids.technician,
        to_stock_point_id: ids.coimbatore,
        lines: [
          { kind: 'unused', item_id: card, qty: '1' },
          { kind: 'faulty', item_id: card, qty: '1', return_due_id: due!.id, serial_no: 'A2' },
        ],
      },
      201,
    );
    expect(await refused(admin, 'mr_receipt', back.id, 'receive')).toMatchObject({
      status: 422,
      message: expect.stringContaining('A1 was taken out of the lift'),
    });
    const { lines, version } = await read('mr_receipt', back.id);
    await call(admin, 'PUT', `/tapi/mr_receipt/${back.id}`, {
      version,
      lines: { set: { [String(lines[1]!.id)]: { serial_no: 'A1' } } },
    });
    await step(admin, 'mr_receipt', back.id, 'receive');
    expect((await listed('mr_return_due', ['id', 'eq', due!.id]))[0]).toMatchObject({ state: 'received' });
    expect(await balance(card, ids.coimbatore!)).toEqual({ on_hand: '9', reserved: '0' });

    // Repair: to the repairer and back, at what it costs.
    const [state] = await stores.acme.sql<{ country: number }>(
      'select country_id as country from {s}.state_mstr where id = $1',
      [ids.state],
    );
    const vendor = await stores.add('vendor_mstr', {
      name: 'Card Care',
      kind: 'repairer',
      gst_type: 'unregistered',
      address: '1 Road',
      state_id: ids.state,
      country: state!.country,
      currency_id: more.inr,
    });
    const repairer = await stores.add('stock_point', {
      vendor_id: vendor,
      code: 'REP-01',
      name: 'Repairer',
      storage_location_id: ids.location,
      kind: 'repairer',
      keeper_id: ids.keeper,
    });
    const row = async () => String((await read('mr_receipt', back.id)).lines[1]!.id);
    const set = async (values: object) =>
      call(admin, 'PUT', `/tapi/mr_receipt/${back.id}`, {
        version: (await read('mr_receipt', back.id)).version,
        lines: { set: { [await row()]: values } },
      });
    expect((await refused(admin, 'mr_receipt', back.id, 'inspect')).message).toBe('Enter a decision for each part.');
    await set({ disposition: 'repair', repair_point_id: repairer });
    await step(admin, 'mr_receipt', back.id, 'inspect');
    expect(await balance(card, repairer, 'faulty')).toEqual({ on_hand: '1', reserved: '0' });
    await set({ repair_charge: '1850.00', repair_freight: '150.00' });
    await step(admin, 'mr_receipt', back.id, 'repaired');
    expect(await value(card, 'refurbished')).toEqual({ qty: '1', value: '2000.00' });
    expect(await read('mr_receipt', back.id)).toMatchObject({ state: 'closed' });

    // What the parts are worth in the end. The four entries of a transfer from another store are missing here.
    const [entries] = await stores.acme.sql<{ n: number; value: string }>(
      `select (select count(*)::int from {s}.stock_ledger where item_id = $1) as n, (select sum(value)::text from {s}.stock_value where item_id = $1) as value`,
      [card],
    );
    expect(entries).toEqual({ n: 11, value: '6429.64' });
    // Used 1 + returned 1 = issued 2: the request is closed, and so is its cover note.
    expect(await read('mr', id)).toMatchObject({
      state: 'closed',
      lines: [{ used_qty: '1.000', returned_qty: '1.000' }],
    });
    expect(await read('mr_contract', note!.id as number)).toMatchObject({ state: 'closed' });
    const [kit] = await stores.acme.sql<{ left: string; held: string }>(
      `select coalesce((select sum(b.on_hand) from {s}.stock_balance b join {s}.stock_point p on p.id = b.stock_point_id where p.employee_id = $2 and b.item_id = $1), 0)::text as left,
         (select sum(l.issued_qty - l.used_qty - l.returned_qty) from {s}.mr__lines l where l.item_id = $1)::text as held`,
      [card, ids.technician],
    );
    expect([Number(kit!.left), Number(kit!.held)]).toEqual([0, 0]);
  });
});

describe('a faulty piece with a serial number', () => {
  it('is received, repaired and stored again under its number', async () => {
    const { acme, admin, ids, item, read, refused, step } = stores;
    const drive = await item('DRV-9', { tracking: 'serial', repairable: true });
    const [repairer] = await acme.sql<{ id: number }>(`select id from {s}.stock_point where code = 'REP-01'`);
    const lines = [{ kind: 'faulty', item_id: drive, qty: '1' }];
    const header = { technician_id: ids.technician, to_stock_point_id: ids.coimbatore };
    const { id } = await call(admin, 'POST', '/tapi/mr_receipt', { ...header, lines }, 201);
    const set = async (values: object) => {
      const { version, lines: rows } = await read('mr_receipt', id);
      await call(admin, 'PUT', `/tapi/mr_receipt/${id}`, {
        version,
        lines: { set: { [String(rows[0]!.id)]: values } },
      });
    };
    const piece = async () =>
      (await acme.sql(`select state, condition from {s}.stock_serial where serial_no = 'D-7'`))[0];
    expect((await refused(admin, 'mr_receipt', id, 'receive')).message).toBe(
      'Enter 1 serial number for DRV-9; there are 0.',
    );
    await set({ serial_no: 'D-7' });
    await step(admin, 'mr_receipt', id, 'receive');
    expect(await piece()).toEqual({ state: 'returned_faulty', condition: 'faulty' });
    await set({ disposition: 'repair', repair_point_id: repairer!.id });
    await step(admin, 'mr_receipt', id, 'inspect');
    expect(await piece()).toEqual({ state: 'at_vendor', condition: 'faulty' });
    await set({ repair_charge: '900.00' });
    await step(admin, 'mr_receipt', id, 'repaired');
    expect(await piece()).toEqual({ state: 'in_stock', condition: 'refurbished' });
    expect(await stores.value(drive, 'refurbished')).toEqual({ qty: '1', value: '900.00' });
  });
});

describe('a store without stock', () => {
  it('requests the part from its supplying store, and cancels the indent with the request', async () => {
    const { ids, step, read, opening } = stores;
    const drive = await part('DRV-00077', '900.00');
    await opening(ids.central!, [{ item_id: drive, condition: 'new', qty: '1', rate: '500' }]);
    const request = await approved(drive);
    expect(request).toMatchObject({
      state: 'in_supply',
      lines: [{ line_status: 'planned', reserved_qty: '0.000', to_order_qty: '1.000' }],
    });
    const [indent] = await listed('mr_indent', ['mr_no', 'eq', request.mr_no]);
    expect(indent).toMatchObject({ for_stock_point_id: ids.coimbatore, from_stock_point_id: ids.central, kind: 'mr' });
    expect((await read('mr_indent', indent!.id as number)).lines).toMatchObject([
      { qty: '1.000', mr_id: request.id, mr_line_id: request.lines[0]!.id },
    ]);
    await step(arun, 'mr', request.id, 'cancel', { reason: 'Not needed' });
    expect(await read('mr_indent', indent!.id as number)).toMatchObject({ state: 'cancelled' });
  });

  it('keeps what arrives for the request, which is then ready for collection', async () => {
    const { ids, step, read, opening, admin, other, world, acme } = stores;
    const drive = await part('DRV-00078', '900.00');
    await opening(ids.central!, [{ item_id: drive, condition: 'new', qty: '2', rate: '500' }]);
    const request = await approved(drive);
    const [indent] = await listed('mr_indent', ['mr_no', 'eq', request.mr_no]);
    await step(admin, 'mr_indent', indent!.id as number, 'submit');
    await step(other, 'mr_indent', indent!.id as number, 'approve');
    const begun = await call(admin, 'GET', `/tapi/mr_transfer/new?from=mr_indent/${String(indent!.id)}&make=transfer`);
    const sent = await call(admin, 'POST', '/tapi/mr_transfer', begun, 201);
    await step(admin, 'mr_transfer', sent.id, 'submit');
    await step(admin, 'mr_transfer', sent.id, 'dispatch');
    const arriving = await call(other, 'GET', `/tapi/grn/new?from=mr_transfer/${sent.id}&make=grn`);
    const grn = await call(other, 'POST', '/tapi/grn', arriving, 201);
    await step(other, 'grn', grn.id, 'inspect');
    await step(other, 'grn', grn.id, 'post');
    while ((await world.app.deliveries.deliver(acme)) > 0);
    expect((await read('mr', request.id)).lines).toMatchObject([{ line_status: 'ready', reserved_qty: '2.000' }]);
    const told = await acme.sql(
      `select user_id as "to", title from {s}.notification where event_code = 'stores.part_ready' and record_id = $1`,
      [request.id],
    );
    expect(told).toEqual([{ to: arun.userId, title: expect.stringMatching(/is ready at .+: Part DRV-00078/) }]);
  });
});

describe('a chargeable part', () => {
  it('is quoted, ordered, paid in advance and then released; the card pack is printed too', async () => {
    const { ids, step, refused, read, opening, admin } = stores;
    const panel = await part('LOP-00003', '4350.00');
    await opening(ids.coimbatore!, [{ item_id: panel, condition: 'new', qty: '5', rate: '1000' }]);
    const request = await approved(panel, { root_cause_id: more.water });
    expect(request).toMatchObject({
      state: 'approved',
      charge_value: '8700.00',
      lines: [
        {
          line_status: 'to_quote',
          cover: 'chargeable',
          cover_because: 'Root cause "Water entry" is the fault of the customer.',
        },
      ],
    });
    const [offer] = await listed('mr_quotation', ['mr_id', 'eq', request.id]);
    const id = offer!.id as number;
    expect(await read('mr_quotation', id)).toMatchObject({
      supply: 'intra',
      taxable: '8700.00',
      tax: '1566.00',
      total: '10266.00',
      lines: [{ rate: '4350.00', gst_rate: '18.0000', cgst: '783.00', least_rate: '1200.00', below_least: false }],
    });
    const { version } = await read('mr_quotation', id);
    await call(admin, 'PUT', `/tapi/mr_quotation/${id}`, { version, advance_percent: '50' });
    for (const print of ['standard', 'card_pack']) {
      const pdf = await admin.call('GET', `/tapi/mr_quotation/${id}/print/${print}.pdf`);
      expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    }
    // A kit becomes a pack of its cards, with the credit for those taken back, here in another currency.
    const usd = await stores.add('currency_setting', {
      iso_code: 'USD',
      name: 'US dollar',
      symbol: '$',
      rates: [{ valid_from: '2024-04-01', rate_to_base: '85' }],
    });
    await stores.add('price_mstr', {
      item_mstr_id: panel,
      kind: 'exchange_credit',
      uom_id: ids.uom,
      rate: '3.00',
      currency_id: usd,
      valid_from: '2024-04-01',
    });
    const kit = await part('PACK-1', null, { kit: [{ component_id: panel, qty: '6', exchange: true }] });
    const values = { ...(await read('mr_quotation', id)), lines: [{ line_kind: 'part', item_id: kit, qty: '1' }] };
    const unpacked = await call(admin, 'POST', '/tapi/mr_quotation/action/fms_requests.unpack_kits', {
      on: 'record',
      id,
      values,
      params: {},
    });
    expect(unpacked.set).toMatchObject({
      format: 'card_pack',
      pack_name: expect.stringContaining('PACK-1'),
      lines: [{ item_id: panel, qty: '6', rate: '4350.00' }],
      exchange: [{ item_id: panel, qty: '6', credit_rate: '255.00' }],
    });
    await step(admin, 'mr_quotation', id, 'submit');
    expect(await read('mr_quotation', id)).toMatchObject({ state: 'approved' });
    await step(admin, 'mr_quotation', id, 'hand_over');
    expect((await read('mr', request.id)).lines[0]).toMatchObject({ line_status: 'quoted' });
    expect((await refused(admin, 'mr_quotation', id, 'accept', { accepted_by_name: 'Mr Rao' })).message).toContain(
      'purchase order',
    );
    await step(admin, 'mr_quotation', id, 'accept', { accepted_by_name: 'Mr Rao', customer_po_no: 'PO 7' });
    const [order] = await listed('mr_contract', ['mr_quotation_id', 'eq', id]);
    expect(order).toMatchObject({ kind: 'order', state: 'awaiting_advance', advance_due: '5133.00' });
    const early = await issue(request.id, [{ item_id: panel, condition: 'new', qty: '1', uom_id: ids.uom }], {
      from_stock_point_id: ids.coimbatore,
      technician_id: ids.technician,
    }).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(Error);
    // The approved receipt of the advance releases the parts; when it is void, the advance is open again.
    for (const type of ['policy_definition', 'tax_mstr']) await admin.call('GET', `/tapi/${type}`);
    const cash = await stores.add('receipt_mode_mstr', { code: 'CASH', name: 'Cash', family: 'cash' });
    const receipt = await stores.add('receipt', {
      customer_id: more.customer,
      branch_id: ids.branch,
      receipt_mode_id: cash,
      amount: '5133.00',
      mr_contract_id: order!.id,
    });
    await step(admin, 'receipt', receipt, 'submit');
    await step(stores.other, 'receipt', receipt, 'approve');
    expect(await read('mr_contract', order!.id as number)).toMatchObject({
      state: 'active',
      advance_received: '5133.00',
    });
    expect(await read('mr', request.id)).toMatchObject({ state: 'in_supply', lines: [{ line_status: 'ready' }] });

    // What was used is drafted as a bill, at the rate and the GST of the part.
    await stores.add('fmsservice', {
      code: 'PARTS',
      name: 'Spare parts',
      service_kind: 'parts',
      hs_code_id: more.sac,
      place_of_supply: 'building',
    });
    await step(admin, 'mr_issue', await issue(request.id, []), 'issue');
    const used = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: ids.technician,
        root_cause_id: more.water,
        action_taken_id: more.replaced,
        lines: [{ item_id: panel, qty: '2', uom_id: ids.uom, removed_condition: 'none_removed' }],
      },
      201,
    );
    await step(arun, 'mr_consumption', used.id, 'post');
    while ((await stores.world.app.deliveries.deliver(stores.acme)) > 0);
    const [bill] = await listed('billing', ['customer_id', 'eq', more.customer]);
    expect(await read('billing', bill!.id as number)).toMatchObject({
      status: 'draft',
      order_no: 'PO 7',
      lines: [{ item_id: panel, sac: '853710', qty: '2.000', rate: '4350.00', cgst: '783.00', lift_id: more.lift }],
    });
    await step(admin, 'billing', bill!.id as number, 'post');
    expect(await read('mr_contract', order!.id as number)).toMatchObject({
      state: 'closed',
      lines: [{ billed_qty: '2.000' }],
    });
  });

  it('of a pack takes old cards in exchange: credit after GST for those handed over in time', async () => {
    const { ids, step, read, opening, admin, acme, world } = stores;
    const cpu = await part('CPU-00001', '18500.00', { return_faulty: false });
    const panel = await part('LOP-00007', '4350.00', { return_faulty: false });
    await opening(ids.coimbatore!, [
      { item_id: cpu, condition: 'new', qty: '1', rate: '9000' },
      { item_id: panel, condition: 'new', qty: '2', rate: '1000' },
    ]);
    for (const [item, rate] of [
      [cpu, '3000.00'],
      [panel, '250.00'],
    ] as const)
      await stores.add('price_mstr', {
        item_mstr_id: item,
        kind: 'exchange_credit',
        uom_id: ids.uom,
        rate,
        currency_id: more.inr,
        valid_from: '2024-04-01',
      });
    const pack = await part('PACK-2', '30000.00', {
      kit: [
        { component_id: cpu, qty: '1', exchange: true },
        { component_id: panel, qty: '2', exchange: true },
      ],
    });
    const request = await approved(pack, { root_cause_id: more.water }, { qty: '1' });
    const [offer] = await listed('mr_quotation', ['mr_id', 'eq', request.id]);
    const quoted = await read('mr_quotation', offer!.id as number);
    const unpacked = await call(admin, 'POST', '/tapi/mr_quotation/action/fms_requests.unpack_kits', {
      on: 'record',
      id: quoted.id,
      values: quoted,
      params: {},
    });
    await call(admin, 'PUT', `/tapi/mr_quotation/${quoted.id}`, {
      version: quoted.version,
      ...(unpacked.set as object),
      advance_percent: '0',
    });
    for (const name of ['submit', 'hand_over']) await step(admin, 'mr_quotation', quoted.id, name);
    expect(await read('mr_quotation', quoted.id)).toMatchObject({ exchange_total: '3500.00' });
    await step(admin, 'mr_quotation', quoted.id, 'accept', { accepted_by_name: 'Mr Rao', customer_po_no: 'PO 9' });
    const [order] = await listed('mr_contract', ['mr_quotation_id', 'eq', quoted.id]);
    // The pack of the request became its cards: they are what the store supplies.
    const supplied = await read('mr', request.id);
    expect(supplied).toMatchObject({ state: 'in_supply' });
    expect(supplied.lines).toMatchObject([
      { item_id: cpu, approved_qty: '1.000', line_status: 'ready', cover: 'chargeable' },
      { item_id: panel, approved_qty: '2.000', line_status: 'ready', cover: 'chargeable' },
    ]);
    await step(admin, 'mr_issue', await issue(request.id, []), 'issue');
    const used = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: ids.technician,
        root_cause_id: more.water,
        action_taken_id: more.replaced,
        lines: [
          { item_id: cpu, qty: '1', uom_id: ids.uom, removed_condition: 'faulty' },
          { item_id: panel, qty: '2', uom_id: ids.uom, removed_condition: 'kept_by_customer' },
        ],
      },
      201,
    );
    await step(arun, 'mr_consumption', used.id, 'post');
    const fulfilled = await read('mr_contract', order!.id as number);
    expect(fulfilled).toMatchObject({ state: 'fulfilled' });
    expect(fulfilled.exchange).toMatchObject([
      { item_id: cpu, amount: '3000.00', hand_over_by: day(7), received_qty: '0.000' },
      { item_id: panel, amount: '500.00', hand_over_by: day(7) },
    ]);

    // The old card comes back: its credit is its value in the stock of faulty parts.
    const [due] = await listed('mr_return_due', ['mr_consumption_id', 'eq', used.id]);
    const back = await call(
      admin,
      'POST',
      '/tapi/mr_receipt',
      {
        technician_id: ids.technician,
        to_stock_point_id: ids.coimbatore,
        lines: [{ kind: 'faulty', return_due_id: due!.id, item_id: cpu, qty: '1' }],
      },
      201,
    );
    expect(back.lines).toMatchObject([{ exchange_credit: '3000.00', exchange_order_id: order!.id }]);
    await step(admin, 'mr_receipt', back.id, 'receive');
    const worth = () =>
      acme.sql(`select qty::text, value::text from {s}.stock_value where item_id = $1 and condition = 'faulty'`, [cpu]);
    expect(await worth()).toMatchObject([{ value: '3000.00' }]);
    const delivered = async () => {
      while ((await world.app.deliveries.deliver(acme)) > 0);
    };
    await delivered();
    const notes = () => listed('billing', ['and', ['bill_kind', 'eq', 'credit_note'], ['order_no', 'empty']]);
    expect(await notes()).toEqual([]);
    // Once the parts are billed in full, the credit is drafted as a note without GST.
    const [bill] = await listed('billing', ['and', ['order_no', 'eq', 'PO 9'], ['status', 'eq', 'draft']]);
    await step(admin, 'billing', bill!.id as number, 'post');
    await delivered();
    const [note] = await notes();
    expect(await read('billing', note!.id as number)).toMatchObject({
      status: 'draft',
      without_gst: true,
      original_bill_id: bill!.id,
      tax_total: '0.00',
      grand_total: '3000.00',
      lines: [{ item_id: cpu, qty: '1.000', rate: '3000.00', cgst: '0.00' }],
    });
    expect((await read('mr_contract', order!.id as number)).exchange).toMatchObject([
      { received_qty: '1.000', credited_qty: '1.000' },
      { received_qty: '0.000' },
    ]);

    // The panels were not handed over in time: no credit, and the order is closed.
    const withdraw = async () => {
      await acme.sql(`delete from {s}.job_run where job = 'withdraw_credits'`);
      await world.app.jobs.runNow(acme, 'withdraw_credits', { userId: admin.userId, companies: [1] });
      await world.app.jobs.drain();
      return read('mr_contract', order!.id as number);
    };
    expect(await withdraw()).toMatchObject({ state: 'fulfilled' });
    await acme.sql(`update {s}.mr_contract__exchange set hand_over_by = $2 where parent_id = $1`, [order!.id, day(-1)]);
    const after = await withdraw();
    expect(after).toMatchObject({ state: 'closed' });
    expect(after.exchange).toMatchObject([
      { received_qty: '1.000', withdrawn_qty: '0.000' },
      { received_qty: '0.000', withdrawn_qty: '2.000' },
    ]);
    const told = await acme.sql<{ title: string }>(
      `select title from {s}.notification where event_code = 'stores.exchange_withdrawn'`,
    );
    expect(told).toEqual([{ title: expect.stringContaining('₹500.00') }]);
  });

  it('needs approval below the lowest price', async () => {
    const { ids, step, read, opening, admin } = stores;
    const belt = await part('BLT-00007', '1850.00');
    await opening(ids.coimbatore!, [{ item_id: belt, condition: 'new', qty: '5', rate: '1180.45' }]);
    const request = await approved(belt, { root_cause_id: more.water }, { qty: '1' });
    const [offer] = await listed('mr_quotation', ['mr_id', 'eq', request.id]);
    const { id, version, lines } = await read('mr_quotation', offer!.id as number);
    await call(admin, 'PUT', `/tapi/mr_quotation/${id}`, {
      version,
      lines: { set: { [String(lines[0]!.id)]: { discount: '25' } } },
    });
    const changed = await read('mr_quotation', id);
    expect(changed.lines[0]).toMatchObject({
      taxable: '1387.50',
      margin: '14.9200',
      least_rate: '1416.54',
      below_least: true,
    });
    await step(admin, 'mr_quotation', id, 'submit');
    expect(await read('mr_quotation', id)).toMatchObject({ state: 'pending_approval' });
  });
});

describe('cover', () => {
  it('by hand needs a reason, and as goodwill a right', async () => {
    const { refused, step, read } = stores;
    const decor = await part('DEC-00001', '900.00', { spare_group_id: more.decor });
    const { id } = await raise(decor);
    await step(arun, 'mr', id, 'submit');
    const { version, lines } = await read('mr', id);
    expect(lines[0]).toMatchObject({ cover: 'chargeable', cover_because: 'CON/T/1 does not cover Cabin decor.' });
    const set = (values: object, of: number) =>
      commercial.call('PUT', `/tapi/mr/${id}`, { version: of, lines: { set: { [String(lines[0]!.id)]: values } } });
    expect((await set({ cover: 'goodwill' }, version)).body).toContain('Enter the reason for another cover');
    expect((await set({ cover: 'goodwill', cover_reason: 'Old customer' }, version)).statusCode).toBe(200);
    expect(await read('mr', id)).toMatchObject({ free_value: '1800.00', charge_value: '0.00' });
    expect((await refused(commercial, 'mr', id, 'approve')).message).toContain('may not give parts as goodwill');
  });

  it('is decided again if the contract ends before the issue', async () => {
    const { ids, step, refused, read, opening, acme, admin } = stores;
    const lock = await part('LCK-00001', '2475.50');
    await opening(ids.coimbatore!, [{ item_id: lock, condition: 'new', qty: '4', rate: '900' }]);
    const request = await approved(lock);
    const issued = await issue(request.id, []);
    await acme.sql('update {s}.contract_line set to_on = $2 where contract_id = $1', [more.contract, day(-1)]);
    const answer = await refused(admin, 'mr_issue', issued, 'issue');
    expect(answer).toMatchObject({ status: 422, message: expect.stringContaining('CON/T/1 ended on') });
    await step(admin, 'mr', request.id, 'recheck', { reason: 'The contract has ended' });
    expect(await read('mr', request.id)).toMatchObject({
      state: 'submitted',
      lines: [{ proposed_cover: 'chargeable' }],
    });
    await acme.sql('update {s}.contract_line set to_on = $2 where contract_id = $1', [more.contract, day(330)]);
  });

  it('follows the issue in an emergency, up to the limit', async () => {
    const { ids, step, refused, read, opening, admin } = stores;
    const relay = await part('RLY-00001', '500.00');
    await opening(ids.coimbatore!, [{ item_id: relay, condition: 'new', qty: '9', rate: '300' }]);
    const usual = await raise(relay);
    await step(arun, 'mr', usual.id, 'submit');
    // The request offers no issue yet, and one by hand is refused.
    const offered = await admin.call('GET', `/tapi/mr_issue/new?from=mr/${usual.id}&make=issue`);
    expect(offered.statusCode).toBe(409);
    const byHand = {
      mr_id: usual.id,
      from_stock_point_id: ids.coimbatore,
      technician_id: ids.technician,
      lines: [{ item_id: relay, condition: 'new', qty: '1', uom_id: ids.uom }],
    };
    const { id: early } = await call(admin, 'POST', '/tapi/mr_issue', byHand, 201);
    expect(await refused(admin, 'mr_issue', early, 'issue')).toMatchObject({
      status: 422,
      message: 'No cover or order for this line. Ask for commercial approval first.',
    });
    const { id } = await raise(relay, { mr_type_id: more.emergency });
    await step(arun, 'mr', id, 'submit');
    await step(admin, 'mr_issue', await issue(id, []), 'issue');
    expect(await read('mr', id)).toMatchObject({ state: 'submitted', lines: [{ issued_qty: '2.000' }] });
    // Rejected afterwards, the part is charged where it is used.
    await step(commercial, 'mr', id, 'reject', { reason: 'Water in the pit' });
    const use = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: ids.technician,
        root_cause_id: more.wear,
        action_taken_id: more.replaced,
        lines: [{ item_id: relay, qty: '1', uom_id: ids.uom, removed_condition: 'none_removed' }],
      },
      201,
    );
    expect(use.lines).toMatchObject([
      { cover: 'chargeable', price: '500.00', cover_because: 'The request was rejected after the issue.' },
    ]);
  });
});

describe('a request for much, or for the same again', () => {
  it('says why', async () => {
    const { ids, step, refused, read, opening, acme, add, admin } = stores;
    const belt = await part('BLT-00009', '300.00');
    const material = await add('material_mstr', {
      code: 'BELT',
      name: 'Door belt',
      spare_group_id: more.group,
      uom_id: ids.uom,
      usual_qty: '1',
      qty_warning: '2',
    });
    const ask = async (qty: string) => (await raise(belt, { remark: null }, { material_id: material, qty })).id;
    expect((await refused(arun, 'mr', await ask('3'), 'submit')).message).toBe(
      'More than 2 of "Door belt" is unusual. Say in the remark why so many are needed.',
    );
    const { id } = await raise(belt, { remark: null }, { material_id: material });
    await step(arun, 'mr', id, 'submit');
    // More than 25 times what was ever asked for.
    const { id: much } = await raise(belt, { remark: null }, { qty: '51' });
    expect((await refused(arun, 'mr', much, 'submit')).message).toContain('largest request of this item so far (2)');
    const again = async () => (await refused(arun, 'mr', await ask('1'), 'submit')).message;
    expect(await again()).toContain('Say in the remark why it is needed again.');
    // Also while it is on its way for longer, and after it was fitted.
    await acme.sql(`update {s}.mr set mr_date = $2 where id = $1`, [id, day(-40)]);
    expect(await again()).toContain('Say in the remark why it is needed again.');
    await step(arun, 'mr', id, 'cancel', { reason: 'Not needed' });
    await step(arun, 'mr', await ask('1'), 'submit');

    // Parts that nobody collects are free again, and their request knows it.
    await opening(ids.coimbatore!, [{ item_id: belt, condition: 'new', qty: '4', rate: '100' }]);
    const kept = await approved(belt);
    expect(kept.lines).toMatchObject([{ line_status: 'ready', reserved_qty: '2.000' }]);
    const until = (on: string) =>
      acme.sql(`update {s}.stock_reservation set expires_on = $2 where document_id = $1 and document_type = 'mr'`, [
        kept.id,
        on,
      ]);
    const { jobs, deliveries } = stores.world.app;
    const run = async (name: string) => {
      await jobs.runNow(acme, name, { userId: admin.userId, companies: acme.entityIds });
      await jobs.drain();
    };
    await until(day(0));
    await run('watch');
    await until(day(-1));
    await run('expire_reservations');
    while ((await deliveries.deliver(acme)) > 0);
    expect((await read('mr', kept.id)).lines).toMatchObject([{ line_status: 'planned', reserved_qty: '0.000' }]);
    const told = await acme.sql(
      `select event_code as code, user_id::int as to from {s}.notification where event_code like 'stores.reservation%' order by id`,
    );
    expect(told).toEqual(['ends', 'expired'].map((what) => ({ code: `stores.reservation_${what}`, to: arun.userId })));
  });
});

/** A use of parts in the lift, posted by the technician. @param removed what became of the old part */
async function usedInLift(item_id: number, qty: string, removed: string) {
  const { ids, step } = stores;
  const lines = [{ item_id, qty, uom_id: ids.uom, removed_condition: removed }];
  const made = await call(
    arun,
    'POST',
    '/tapi/mr_consumption',
    {
      lift_id: more.lift,
      technician_id: ids.technician,
      root_cause_id: more.wear,
      action_taken_id: more.replaced,
      lines,
    },
    201,
  );
  await step(arun, 'mr_consumption', made.id, 'post');
  return made;
}

describe('a reversed use', () => {
  it('returns the part to the kit and removes the due return; then its issue can be reversed too', async () => {
    const { ids, step, read, balance, opening, admin } = stores;
    const fan = await part('FAN-00001', '700.00');
    await opening(ids.coimbatore!, [{ item_id: fan, condition: 'new', qty: '4', rate: '300' }]);
    const request = await approved(fan);
    const issued = await issue(request.id, []);
    await step(admin, 'mr_issue', issued, 'issue');
    const used = await usedInLift(fan, '2', 'faulty');
    const kit = (await read('mr_consumption', used.id)).from_stock_point_id as number;
    const early = await stores.refused(admin, 'mr_issue', issued, 'reverse', {
      reason: 'Another part was handed over',
    });
    expect(early.message).toMatch(/^2 of 2 were used \(FAN-00001 at .+\)\. Reverse what was done with them first\.$/);
    await step(admin, 'mr_consumption', used.id, 'reverse', { reason: 'Wrong lift' });
    expect(await balance(fan, kit)).toEqual({ on_hand: '2', reserved: '0' });
    expect(await listed('mr_return_due', ['mr_consumption_id', 'eq', used.id])).toMatchObject([{ state: 'cancelled' }]);
    expect(await read('mr', request.id)).toMatchObject({ state: 'supplied', lines: [{ line_status: 'issued' }] });
    await step(admin, 'mr_issue', issued, 'reverse', { reason: 'Another part was handed over' });
    expect(await balance(fan, kit)).toEqual({ on_hand: '0', reserved: '0' });
    // The request needs the part again, and the store has it.
    expect(await read('mr', request.id)).toMatchObject({ state: 'in_supply', lines: [{ line_status: 'ready' }] });
  });

  it('from the kit withdraws the request that it made', async () => {
    const { ids, step, read, opening, admin } = stores;
    const fuse = await part('FUS-00010', '90.00');
    await opening(ids.coimbatore!, [{ item_id: fuse, condition: 'new', qty: '2', rate: '40' }]);
    const filled = await call(
      admin,
      'POST',
      '/tapi/mr_issue',
      {
        from_stock_point_id: ids.coimbatore,
        technician_id: ids.technician,
        lines: [{ item_id: fuse, condition: 'new', qty: '2', uom_id: ids.uom }],
      },
      201,
    );
    await step(admin, 'mr_issue', filled.id, 'issue');
    const used = await usedInLift(fuse, '1', 'none_removed');
    const made = async () => (await listed('mr', ['kit_use', 'eq', true])).at(-1)!;
    const before = await made();
    expect(before).toMatchObject({ state: 'submitted' });
    await step(admin, 'mr_consumption', used.id, 'reverse', { reason: 'Wrong lift' });
    expect(await read('mr', Number(before.id))).toMatchObject({ state: 'cancelled' });
  });
});

describe('free stock and parts due', () => {
  it('a request may issue what is free and its own reservation, others only what is free (5.9)', async () => {
    const { ids, opening, refused, balance, admin, step } = stores;
    const fuse = await part('FUS-00009', '90.00');
    const store = ids.coimbatore!;
    await opening(store, [{ item_id: fuse, condition: 'new', qty: '5', rate: '40' }]);
    await approved(fuse, {}, { qty: '3' });
    const own = await approved(fuse, {}, { qty: '10' });
    expect(own.lines).toMatchObject([{ reserved_qty: '2.000' }]);
    await opening(store, [{ item_id: fuse, condition: 'new', qty: '7', rate: '40' }]);
    expect(await balance(fuse, store)).toEqual({ on_hand: '12', reserved: '5' });
    const row = (qty: string) => ({ item_id: fuse, condition: 'new', qty, uom_id: ids.uom });
    const filling = await call(
      admin,
      'POST',
      '/tapi/mr_issue',
      { from_stock_point_id: store, technician_id: ids.technician, lines: [row('8')] },
      201,
    );
    expect((await refused(admin, 'mr_issue', filling.id, 'issue')).message).toMatch(/^Only 7 /);
    const asked = await issue(own.id, [row('10')]);
    expect((await refused(admin, 'mr_issue', asked, 'issue')).message).toMatch(/^Only 9 /);
    await step(admin, 'mr_issue', await issue(own.id, [row('9')]), 'issue');
    expect(await balance(fuse, store)).toEqual({ on_hand: '3', reserved: '3' });
  });

  it('of 3 fitted, 1 kept by the customer and 1 received, 1 is still due (5.17)', async () => {
    const { ids, step, opening, admin } = stores;
    const lamp = await part('LMP-00009', '60.00');
    await opening(ids.coimbatore!, [{ item_id: lamp, condition: 'new', qty: '3', rate: '20' }]);
    const request = await approved(lamp, {}, { qty: '3' });
    await step(admin, 'mr_issue', await issue(request.id, []), 'issue');
    const row = (qty: string, removed: string) => ({
      item_id: lamp,
      qty,
      uom_id: ids.uom,
      removed_condition: removed,
    });
    const used = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: ids.technician,
        root_cause_id: more.wear,
        action_taken_id: more.replaced,
        lines: [row('2', 'faulty'), row('1', 'kept_by_customer')],
      },
      201,
    );
    await step(arun, 'mr_consumption', used.id, 'post');
    const [due] = await listed('mr_return_due', ['mr_consumption_id', 'eq', used.id]);
    const back = await call(
      admin,
      'POST',
      '/tapi/mr_receipt',
      {
        technician_id: ids.technician,
        to_stock_point_id: ids.coimbatore,
        lines: [{ kind: 'faulty', return_due_id: due!.id, item_id: lamp, qty: '1' }],
      },
      201,
    );
    await step(admin, 'mr_receipt', back.id, 'receive');
    const after = await listed('mr_return_due', ['mr_consumption_id', 'eq', used.id]);
    expect(after).toMatchObject([{ state: 'due', qty: '2.000', received_qty: '1.000' }]);
    // The other one closes it; if that receipt was a mistake, its reversal opens the due again.
    const second = await call(
      admin,
      'POST',
      '/tapi/mr_receipt',
      {
        technician_id: ids.technician,
        to_stock_point_id: ids.coimbatore,
        lines: [{ kind: 'faulty', return_due_id: due!.id, item_id: lamp, qty: '1' }],
      },
      201,
    );
    const dueNow = () => stores.read('mr_return_due', due!.id as number);
    await step(admin, 'mr_receipt', second.id, 'receive');
    expect(await dueNow()).toMatchObject({ state: 'received', received_qty: '2.000' });
    await step(admin, 'mr_receipt', second.id, 'reverse', { reason: 'Another part' });
    expect(await dueNow()).toMatchObject({ state: 'due', received_qty: '1.000' });
  });
});

describe('what does not go to plan', () => {
  const use = (item: number, by = arun, line: object = {}) =>
    call(
      by,
      'POST',
      '/tapi/mr_consumption',
      {
        lift_id: more.lift,
        technician_id: stores.ids.technician,
        root_cause_id: more.wear,
        action_taken_id: more.replaced,
        lines: [{ item_id: item, qty: '1', uom_id: stores.ids.uom, removed_condition: 'none_removed', ...line }],
      },
      201,
    );
  /** The morning's look at the stores, as on another day. */
  const watchAgain = async (): Promise<string[]> => {
    const { acme, admin, world } = stores;
    await acme.sql(`delete from {s}.job_run where job = 'watch'`);
    await world.app.jobs.runNow(acme, 'watch', { userId: admin.userId, companies: acme.entityIds });
    await world.app.jobs.drain();
    const rows = await acme.sql<{ code: string }>('select event_code as code from {s}.notification order by id');
    return rows.map(({ code }) => code);
  };
  const setLine = async (by: Caller, type: string, id: number, values: object, at = 0) => {
    const { version, lines } = await stores.read(type, id);
    await call(by, 'PUT', `/tapi/${type}/${id}`, { version, lines: { set: { [String(lines[at]!.id)]: values } } });
  };

  it('reserved parts go to what is more urgent, single lines are closed, and a wrong issue is corrected', async () => {
    const { ids, step, refused, read, balance, opening, admin, acme } = stores;
    const belt = await part('BLT-00031', '300.00');
    await opening(ids.coimbatore!, [{ item_id: belt, condition: 'new', qty: '3', rate: '100' }]);
    const usual = await approved(belt);
    expect(usual.lines).toMatchObject([{ line_status: 'ready', reserved_qty: '2.000' }]);
    const urgent = await approved(belt, { priority: 'P1' });
    expect(urgent.lines).toMatchObject([{ line_status: 'planned', reserved_qty: '1.000', to_order_qty: '1.000' }]);
    expect((await refused(arun, 'mr', urgent.id, 'take_reserved', { reason: 'Mine' })).status).toBe(403);
    await step(admin, 'mr', urgent.id, 'take_reserved', { reason: 'People were trapped' });
    expect((await read('mr', urgent.id)).lines).toMatchObject([{ line_status: 'ready', reserved_qty: '2.000' }]);
    // The other one is planned again: one is left for it.
    expect((await read('mr', usual.id)).lines).toMatchObject([
      { line_status: 'planned', reserved_qty: '1.000', to_order_qty: '1.000' },
    ]);
    expect(await balance(belt, ids.coimbatore!)).toEqual({ on_hand: '3', reserved: '3' });
    expect(
      await acme.sql(
        `select body from {s}.notification where event_code = 'stores.reservation_taken' and user_id = $1`,
        [arun.userId],
      ),
    ).toMatchObject([{ body: expect.stringContaining('Reason: People were trapped.') }]);
    expect((await refused(admin, 'mr', usual.id, 'take_reserved', { reason: 'Mine' })).message).toContain(
      'none of these parts for requests of lower priority',
    );

    // The technician got one too many.
    const issued = await issue(urgent.id, []);
    await step(admin, 'mr_issue', issued, 'issue');
    await step(arun, 'mr_issue', issued, 'dispute', { dispute_note: 'One is bent' });
    expect((await refused(admin, 'mr_issue', issued, 'correct')).message).toContain('Enter the wrong quantity');
    await acme.sql(
      `update {s}.transition_log set at = now() - interval '49 hours' where record_type = 'mr_issue' and record_id = $1`,
      [issued],
    );
    await watchAgain();
    expect(
      await acme.sql(`select title from {s}.notification where event_code = 'stores.issue_disputed' and user_id = $1`, [
        admin.userId,
      ]),
    ).toMatchObject([{ title: expect.stringContaining('has been disputed for 49 hours') }]);
    await setLine(admin, 'mr_issue', issued, { wrong_qty: '1' });
    await step(admin, 'mr_issue', issued, 'correct');
    expect(await read('mr_issue', issued)).toMatchObject({ state: 'issued', lines: [{ back_qty: '1.000' }] });
    // What came back is reserved for the request again.
    expect(await read('mr', urgent.id)).toMatchObject({
      state: 'in_supply',
      lines: [{ issued_qty: '1.000', reserved_qty: '1.000', line_status: 'ready' }],
    });
    expect(await balance(belt, ids.coimbatore!)).toMatchObject({ on_hand: '2' });

    const rope = await part('ROP-00031', '90.00');
    const two = await approved(belt, {
      lines: [belt, rope].map((item_id) => ({ item_id, qty: '1', uom_id: ids.uom })),
    });
    await setLine(arun, 'mr', two.id, { not_needed: true }, 1);
    await step(arun, 'mr', two.id, 'short_close', { reason: 'The old rope is good' });
    expect((await read('mr', two.id)).lines.map((one) => one.line_status)).toEqual(['planned', 'short_closed']);
  });

  it('a lent part that is not returned is charged; a card of the customer only goes back to the customer', async () => {
    const { ids, step, refused, read, balance, opening, admin, acme, add } = stores;
    const decor = await part('DEC-00031', '900.00', { repairable: true });
    await opening(ids.coimbatore!, [{ item_id: decor, condition: 'new', qty: '2', rate: '400' }]);
    const { id } = await raise(decor);
    await step(arun, 'mr', id, 'submit');
    const lend = { cover: 'loan', cover_reason: 'Until the repair is back', loan_until: day(-1) };
    await setLine(commercial, 'mr', id, lend);
    await step(commercial, 'mr', id, 'approve');
    await step(technical, 'mr', id, 'approve_technical');
    await step(admin, 'mr_issue', await issue(id, []), 'issue');
    const fitted = [await use(decor), await use(decor)];
    for (const one of fitted) await step(arun, 'mr_consumption', one.id, 'post');
    const [loan] = await acme.sql<{ id: number }>(`select id from {s}.stock_point where kind = 'on_loan'`);
    expect(await balance(decor, loan!.id)).toEqual({ on_hand: '2', reserved: '0' });
    // One comes back, the other one is sold.
    const back = await call(
      admin,
      'POST',
      '/tapi/mr_receipt',
      {
        technician_id: ids.technician,
        to_stock_point_id: ids.coimbatore,
        lines: [
          { kind: 'loan_back', item_id: decor, qty: '1' },
          { kind: 'customer_card', item_id: decor, qty: '1', lift_id: more.lift, tag: 'T-0042' },
        ],
      },
      201,
    );
    await step(admin, 'mr_receipt', back.id, 'receive');
    expect((await read('mr', id)).lines).toMatchObject([{ loan_back_qty: '1.000', used_qty: '2.000' }]);
    expect(await watchAgain()).toContain('stores.loan_overdue');
    await step(arun, 'mr', id, 'charge_loan');
    const [offer] = await listed('mr_quotation', ['mr_id', 'eq', id]);
    await step(admin, 'mr_quotation', offer!.id as number, 'submit');
    await step(admin, 'mr_quotation', offer!.id as number, 'hand_over');
    await acme.sql(`update {s}.mr_quotation set sent_at = sent_at - interval '3 days' where id = $1`, [offer!.id]);
    expect(await watchAgain()).toContain('stores.quotation_unanswered');
    await step(admin, 'mr_quotation', offer!.id as number, 'accept', {
      accepted_by_name: 'S. Iyer',
      customer_po_no: 'PO-7',
    });
    const [order] = await listed('mr_contract', ['mr_quotation_id', 'eq', offer!.id]);
    expect(order).toMatchObject({ state: 'fulfilled', value: '1062.00' });
    expect(await balance(decor, loan!.id)).toEqual({ on_hand: '0', reserved: '0' });
    expect(await balance(decor, ids.coimbatore!)).toEqual({ on_hand: '1', reserved: '0' });
    expect((await read('mr', id)).lines).toMatchObject([{ cover: 'chargeable', line_status: 'used' }]);

    const vendor = await add('vendor_mstr', {
      name: 'Card clinic',
      kind: 'repairer',
      gst_type: 'unregistered',
      address: '4 Road',
      state_id: ids.state,
      currency_id: (await listed('currency_setting', ['iso_code', 'eq', 'INR']))[0]!.id,
    });
    const bench = await add('stock_point', {
      code: 'REP-9',
      name: 'Card clinic',
      storage_location_id: ids.location,
      kind: 'repairer',
      keeper_id: ids.keeper,
      vendor_id: vendor,
    });
    await setLine(admin, 'mr_receipt', back.id, { disposition: 'scrap' }, 1);
    expect((await refused(admin, 'mr_receipt', back.id, 'inspect')).message).toContain('it is not our stock');
    await setLine(admin, 'mr_receipt', back.id, { disposition: 'repair', repair_point_id: bench }, 1);
    await step(admin, 'mr_receipt', back.id, 'inspect');
    const { version } = await read('vendor_mstr', vendor);
    const kept = await admin.call('POST', `/tapi/vendor_mstr/${vendor}/deactivate`, { version });
    expect([kept.statusCode, kept.body]).toEqual([
      422,
      expect.stringContaining('Card clinic still has 1 item at the repairer'),
    ]);
    await setLine(admin, 'mr_receipt', back.id, { repair_charge: '200' }, 1);
    await step(admin, 'mr_receipt', back.id, 'repaired');
    const [tag] = await acme.sql<{ id: number; value: string }>(
      `select b.id, (select sum(l.value_delta)::text from {s}.stock_ledger l where l.batch_id = b.id) as value from {s}.stock_batch b where b.batch_no = 'T-0042'`,
    );
    expect(tag!.value).toBe('0.00');
    const kitFill = await call(
      admin,
      'POST',
      '/tapi/mr_issue',
      {
        from_stock_point_id: ids.coimbatore,
        technician_id: ids.technician,
        lines: [{ item_id: decor, condition: 'refurbished', qty: '1', uom_id: ids.uom, batch_id: tag!.id }],
      },
      201,
    );
    expect((await refused(admin, 'mr_issue', kitFill.id, 'issue')).message).toBe(
      'Tag T-0042 belongs to Towers; it can only go back there.',
    );
  });

  it('two lines with the same lent part are sold from the stock on loan one after the other', async () => {
    const { ids, step, read, opening, admin, acme } = stores;
    const item = await part('DEC-00032', '700.00');
    await opening(ids.coimbatore!, [
      { item_id: item, condition: 'new', qty: '1', rate: '300' },
      { item_id: item, condition: 'refurbished', qty: '1', rate: '200' },
    ]);
    const { id } = await raise(item, {
      lines: [1, 2].map(() => ({ item_id: item, qty: '1', uom_id: ids.uom })),
    });
    await step(arun, 'mr', id, 'submit');
    const { version, lines } = await read('mr', id);
    const lend = { cover: 'loan', cover_reason: 'Until the repair is back', loan_until: day(-1) };
    await call(commercial, 'PUT', `/tapi/mr/${id}`, {
      version,
      lines: { set: Object.fromEntries(lines.map((line) => [String(line.id), lend])) },
    });
    await step(commercial, 'mr', id, 'approve');
    await step(technical, 'mr', id, 'approve_technical');
    const each = (condition: string) => ({ item_id: item, condition, qty: '1', uom_id: ids.uom });
    await step(admin, 'mr_issue', await issue(id, [each('new'), each('refurbished')]), 'issue');
    for (const condition of ['new', 'refurbished']) {
      const used = await use(item, arun, { condition });
      await step(arun, 'mr_consumption', used.id, 'post');
    }
    await step(arun, 'mr', id, 'charge_loan');
    const [offer] = await listed('mr_quotation', ['mr_id', 'eq', id]);
    expect((await read('mr_quotation', offer!.id as number)).lines).toHaveLength(2);
    await step(admin, 'mr_quotation', offer!.id as number, 'submit');
    await step(admin, 'mr_quotation', offer!.id as number, 'hand_over');
    await step(admin, 'mr_quotation', offer!.id as number, 'accept', {
      accepted_by_name: 'S. Iyer',
      customer_po_no: 'PO-8',
    });
    const left = await acme.sql<{ on_hand: string }>(
      `select b.on_hand::text from {s}.stock_balance b join {s}.stock_point p on p.id = b.stock_point_id
       where b.item_id = $1 and p.kind = 'on_loan' and b.on_hand > 0`,
      [item],
    );
    expect(left).toEqual([]);
  });
});

describe('the ticket of a request', () => {
  it('waits for the spare, continues when it is issued, and lists the parts with their cost', async () => {
    const { ids, step, read, opening, admin, acme, add } = stores;
    await add('pause_category', {
      code: 'SPARE',
      name: 'Spare awaited',
      applies_to: 'fms',
      counts_as: 'internal',
      material_request_needed: true,
    });
    const kind = await add('ticket_definition', {
      code: 'BRK',
      name: 'Breakdown',
      ticket_type: 'breakdown',
      number_prefix: 'FST',
      sla: [{ priority: 'p2', respond_min: 120, restore_min: 480, round_the_clock: true }],
      assign: 'manual',
      geofence: 'off',
    });
    const door = await add('ticket_category_mstr', {
      code: 'DOOR',
      name: 'Door',
      ticket_definition_ids: [kind],
      priority: 'p2',
      charge: 'never',
    });
    const ticket = await add('fms_ticket', {
      ticket_definition_id: kind,
      source: 'phone',
      lift_id: more.lift,
      category_id: door,
      caller_name: 'Guard',
      caller_phone: '+919840011122',
      description: 'The door does not close.',
    });
    await acme.sql(`update {s}.fms_ticket set status = 'attending', technician_id = $2 where id = $1`, [
      ticket,
      ids.technician,
    ]);
    const roller = await part('ROL-00001', '400.00');
    await opening(ids.coimbatore!, [{ item_id: roller, condition: 'new', qty: '6', rate: '150' }]);
    const refusedOne = await raise(roller, { ticket_id: ticket });
    await step(arun, 'mr', refusedOne.id, 'submit');
    expect(await read('fms_ticket', ticket)).toMatchObject({ status: 'paused', pauses: [{ to: null }] });
    const second = await raise(roller, { ticket_id: ticket, remark: 'One more' });
    await step(arun, 'mr', second.id, 'submit');
    await step(commercial, 'mr', refusedOne.id, 'reject', { reason: 'Asked for twice' });
    // Arun has a kit: a request that he begins is his own, for the store that fills the kit.
    const begun = await call(arun, 'POST', '/tapi/mr/fill', {
      values: { raised_by_id: ids.technician, mr_type_id: more.repair, lines: [] },
    });
    expect(begun).toMatchObject({
      technician_id: ids.technician,
      branch_id: ids.branch,
      from_stock_point_id: ids.coimbatore,
    });
    const keepers = await call(arun, 'POST', '/tapi/mr/fill', {
      values: { raised_by_id: ids.keeper, mr_type_id: more.repair, lines: [] },
    });
    expect(keepers).toMatchObject({ technician_id: null, branch_id: null });
    // The other request is still open.
    expect(await read('fms_ticket', ticket)).toMatchObject({ status: 'paused' });
    await step(commercial, 'mr', second.id, 'approve');
    await step(technical, 'mr', second.id, 'approve_technical');
    await step(admin, 'mr_issue', await issue(second.id, []), 'issue');
    expect(await read('fms_ticket', ticket)).toMatchObject({
      status: 'attending',
      pauses: [{ to: expect.any(String) }],
    });

    const values = await call(
      arun,
      'POST',
      '/tapi/mr_consumption',
      {
        ticket_id: ticket,
        technician_id: ids.technician,
        root_cause_id: more.wear,
        action_taken_id: more.replaced,
        lines: [{ item_id: roller, qty: '2', uom_id: ids.uom, removed_condition: 'none_removed' }],
      },
      201,
    );
    await step(arun, 'mr_consumption', values.id, 'post');
    expect(await read('fms_ticket', ticket)).toMatchObject({
      parts_cost: '300.00',
      parts: [{ item_id: roller, qty: '2.000', cover: 'contract', price: '0.00', cost: '300.00' }],
    });
    await step(admin, 'mr_consumption', values.id, 'reverse', { reason: 'Wrong ticket' });
    expect(await read('fms_ticket', ticket)).toMatchObject({ parts_cost: '0.00', parts: [] });
  });
});

describe('reports on requests', () => {
  it('show the duration of each stage, repeated failures, and the technicians’ stock', async () => {
    const { admin, acme, ids } = stores;
    const rows = async (name: string, query = '') =>
      (await call(admin, 'GET', `/tapi/report/${name}/rows${query}`)) as unknown as {
        rows: Row[];
        columns: { name: string }[];
      };
    // Some of the requests above waited for approval, and not those of every kind.
    const turns = (await rows('mr_turnaround')).rows;
    expect(turns[0]).toMatchObject({ priority: expect.stringMatching(/^P/), requests: expect.any(Number) });
    const waited = turns.flatMap(({ commercial_median: hours }) => (hours === null ? [] : [hours]));
    expect(waited).toContainEqual(expect.stringMatching(/^\d+\.\d$/));
    // The same requests as a trend; the number of a row opens its requests one by one.
    const { rows: months, columns } = await rows('mr_turnaround', '?shown_by=month');
    expect(columns.map(({ name }) => name).slice(0, 2)).toEqual(['month', 'requests']);
    const sumOf = (own: Row[], figure: string) => own.reduce((sum, row) => sum + Number(row[figure]), 0);
    for (const figure of ['requests', 'submitted', 'approved_commercially', 'approved', 'supplied', 'completed'])
      expect(sumOf(months, figure)).toBe(sumOf(turns, figure));
    expect(months[0]).toMatchObject({ month: expect.stringMatching(/^\d{4}-\d\d$/) });
    for (const row of [months[0]!, turns[0]!]) {
      const opened = (await rows('mr_turnaround', String(row.requests__to).split('mr_turnaround')[1])).rows;
      expect(opened).toHaveLength(Number(row.requests));
      expect(sumOf(opened, 'completed')).toBe(Number(row.completed));
      expect(opened[0]).toMatchObject({ mr_id: expect.any(Number), priority: expect.stringMatching(/^P/) });
    }
    expect((await rows('technician_kit')).rows.map((row) => row.technician_id)).toContain(ids.technician);
    const item = await part('RLY-00009', '900.00');
    for (const ago of [90, 1])
      await acme.sql(
        `insert into {s}.lift_part (entity_id, lift_id, item_id, position, fitted_on, removed_reason) values (1, $1, $2, 'car_top', current_date - $3::int, 'Burnt')`,
        [more.lift, item, ago],
      );
    const within = async (days: number) => (await rows('repeat_failure', `?item_id=${item}&days=${days}`)).rows;
    expect(await within(180)).toMatchObject([{ lift_id: more.lift, item_id: item, days: 89, why: 'Burnt' }]);
    expect(await within(60)).toEqual([]);
    // An old part of the first request and a drive with a serial number were received and repaired.
    const [faulty] = (await rows('faulty_status', `?technician_id=${ids.technician}`)).rows as [Row];
    expect(faulty).toMatchObject({ received: expect.any(Number), repaired: 2, yield: '100.00' });
    expect(Number(faulty.week)).toBe(Number(faulty.due));
    const decided = async (disposition: string) =>
      (await rows('faulty_status', `?technician_id=${ids.technician}&disposition=${disposition}`)).rows;
    expect([await decided('repair'), await decided('scrap')]).toMatchObject([[{ repaired: 2 }], []]);
    // The lift and the vendor of a movement stand on the card of its item.
    const [use] = await acme.sql<{ item_id: number }>(
      `select l.item_id from {s}.stock_ledger l join {s}.stock_move m on m.id = l.move_id where m.document_type = 'mr_consumption' limit 1`,
    );
    const card = (await rows('mr_stock_ledger_view', `?item_id=${use!.item_id}`)).rows;
    expect(card.find(({ event }) => event === 'Used')).toMatchObject({ party: expect.stringMatching(/^L/) });
    // The dashboard counts the same requests: those that wait, by their days, and the lines issued in time.
    await acme.sql(
      `update {s}.mr set needed_by = now() - interval '1 minute' where id in (select parent_id from {s}.mr__lines where line_status = 'planned' and approved_qty > 0)`,
    );
    const { tiles } = (await call(admin, 'POST', '/tapi/dashboard/fms_dashboard', {
      tiles: ['material_ageing', 'material_fill_rate', 'material_waiting'],
    })) as unknown as { tiles: { name: string; figures: { rows: Row[] } }[] };
    const tile = (name: string) => tiles.find((one) => one.name === name)!.figures.rows;
    expect(sumOf(tile('material_ageing'), 'day')).toBe(Number(tile('material_waiting')[0]!.n));
    const [rate] = tile('material_fill_rate') as [Row];
    expect(Number(rate.due)).toBeGreaterThan(Number(rate.in_time));
    // What was used in a lift, beside the yearly price of its contract.
    const [used] = (await rows('consumption_by_lift')).rows as [Row];
    expect(used).toMatchObject({ lift_id: more.lift, contract_id: more.contract, free_parts: expect.any(String) });
    expect(used.ratio).toBe(((Number(used.cost) * 100) / Number(used.amc_value)).toFixed(2));
    expect((await rows('consumption_by_lift', `?spare_group_id=${more.decor}`)).rows).toEqual([]);
  });

  it('remind the approver once a request has waited for as long as its priority allows', async () => {
    const { acme, admin, step, world } = stores;
    const { id } = await raise(await part('RLY-00010', '900.00'));
    await step(arun, 'mr', id, 'submit');
    const reminders = async () => {
      await world.app.jobs.runNow(acme, 'remind_requests', { userId: admin.userId, companies: [1] });
      await world.app.jobs.drain();
      return acme.sql(
        `select 1 from {s}.notification where event_code = 'stores.request_waits' and link like '%id=' || $1::text`,
        [id],
      );
    };
    expect(await reminders()).toEqual([]);
    await acme.sql(
      `update {s}.transition_log set at = now() - interval '8 hours 5 minutes' where record_type = 'mr' and record_id = $1`,
      [id],
    );
    expect((await reminders()).length).toBeGreaterThan(0);
  });
});

describe('a phone without network', () => {
  it('asks for parts by the hour of the request, and its use of parts is posted now where its day is over', async () => {
    const { ids, step, read, opening, admin, acme } = stores;
    const chip = await part('CHP-00001', '90.00');
    await opening(ids.coimbatore!, [{ item_id: chip, condition: 'new', qty: '3', rate: '40' }]);
    const line = { item_id: chip, qty: '1', uom_id: ids.uom };
    const kitFilling = { from_stock_point_id: ids.coimbatore, technician_id: ids.technician };
    const fill = async (qty: string) => {
      const lines = [{ ...line, condition: 'new', qty }];
      const { id } = await call(admin, 'POST', '/tapi/mr_issue', { ...kitFilling, lines }, 201);
      await step(admin, 'mr_issue', id, 'issue');
    };
    await fill('2');
    const at = new Date(Date.now() - 10 * 3_600_000).toISOString();
    const send = async (type: string, step: string, input: object) => {
      const key = crypto.randomUUID();
      const acts = [
        { key, type, do: 'create', input, at },
        { key: crypto.randomUUID(), type, client_id: key, do: step, input: {}, at },
      ];
      const got = await arun.call('POST', '/tapi/offline', { acts, now: new Date().toISOString() });
      const { data } = got.json<{ data: { state: string; id: number }[] }>();
      expect(data, got.body).toMatchObject([{ state: 'done' }, { state: 'done' }]);
      return read(type, data[0]!.id);
    };
    const asked = await send('mr', 'submit', {
      mr_type_id: more.repair,
      lift_id: more.lift,
      raised_by_id: ids.technician,
      technician_id: ids.technician,
      priority: 'P2',
      reason_id: more.reason,
      root_cause_id: more.wear,
      remark: 'Needed once more.',
      lines: [line],
    });
    expect(asked).toMatchObject({ state: 'submitted' });
    expect(Date.parse(String(asked.needed_by)) - Date.parse(at)).toBeLessThan(48 * 3_600_000 + 60_000);
    // Its clock runs until then, and stands still while it is on hold.
    expect(asked.supply_clock).toMatchObject({ state: 'running' });
    expect(Math.abs(Date.parse(String(asked.supply_by)) - Date.parse(String(asked.needed_by)))).toBeLessThan(60_000);
    await step(commercial, 'mr', asked.id, 'hold', { hold_because: 'payment' });
    expect(await read('mr', asked.id)).toMatchObject({ supply_by: null, supply_clock: { state: 'paused' } });
    const held = `select user_id as "to", title from {s}.notification where event_code = 'stores.request_held' and record_id = $1`;
    expect(await stores.acme.sql(held, [asked.id])).toEqual([
      { to: arun.userId, title: expect.stringContaining('is on hold: Payment') as string },
    ]);
    // Parts are issued before the approval only for the types of which this is allowed.
    await step(commercial, 'mr', asked.id, 'release');
    expect((await read('mr', asked.id))._makes).toEqual([]);
    const use = {
      done_at: `${day(-20)}T06:00:00Z`,
      lift_id: more.lift,
      technician_id: ids.technician,
      root_cause_id: more.wear,
      action_taken_id: more.replaced,
      lines: [{ ...line, removed_condition: 'none_removed' }],
    };
    const used = await send('mr_consumption', 'post', use);
    expect(used).toMatchObject({ state: 'posted', done_at: expect.stringContaining(day(-20)) });
    const [move] = await acme.sql<{ hours: number }>(
      `select extract(epoch from recorded_at - posting_at) / 3600 as hours from {s}.stock_move where document_type = 'mr_consumption' and document_id = $1`,
      [used.id],
    );
    expect(Number(move!.hours)).toBe(0);
    // At a desk, the day is corrected instead.
    const late = await call(arun, 'POST', '/tapi/mr_consumption', use, 201);
    const refused = await stores.refused(arun, 'mr_consumption', late.id, 'post');
    expect(refused.message).toContain('A posting may be back-dated by 3 days');
    // What the kit no longer holds stays a draft: the keeper of the kit is notified, and sees why until it is posted.
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [technical.userId, ids.keeper]);
    const first = crypto.randomUUID();
    const short = [
      {
        key: first,
        type: 'mr_consumption',
        do: 'create',
        input: { ...use, done_at: at, lines: [{ ...use.lines[0], qty: '2' }] },
        at,
      },
      { key: crypto.randomUUID(), type: 'mr_consumption', client_id: first, do: 'post', input: {}, at },
    ];
    const [made, posted] = (await arun.call('POST', '/tapi/offline', { acts: short })).json<{
      data: { state: string; id: number; message: string }[];
    }>().data;
    expect([made!.state, posted!.state]).toEqual(['done', 'needs_you']);
    const told = await acme.sql(
      `select user_id as "to" from {s}.notification where event_code = 'offline.refused' and link = '/mr_consumption_view/' || $1::text`,
      [made!.id],
    );
    expect(told).toEqual([{ to: technical.userId }]);
    const onRecord = async () =>
      (await technical.call('GET', `/tapi/offline/refused?type=mr_consumption&id=${made!.id}`)).json<{ data: Row[] }>()
        .data;
    expect(await onRecord()).toMatchObject([{ do: 'post', message: posted!.message }]);
    await fill('1');
    const { version } = await read('mr_consumption', made!.id);
    await call(admin, 'PUT', `/tapi/mr_consumption/${made!.id}`, { version, done_at: new Date().toISOString() });
    await step(admin, 'mr_consumption', made!.id, 'post');
    expect(await onRecord()).toEqual([]);
  });
});
