import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { addMonths } from '../../../src/descriptor/expression/functions.ts';
import { addDays } from '../../../src/domain/fms/contract_years.ts';
import { partOfPeriod } from '../../../src/domain/fms/instalments.ts';
import { upload } from '../multipart.ts';
import { figureOf } from '../record_figure.ts';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { MoneyWorld } from './money_world.ts';
import { moneyHistory } from './money_histories.ts';
import { companyDay as day } from '../../company_day.ts';
import { moneyWorld } from './money_world.ts';

// A company bills maintenance, is paid with TDS, gives credit, and knows what is outstanding on any day.

let world: World;
let money: MoneyWorld;

beforeAll(async () => {
  world = await startWorld({});
  money = await moneyWorld(world, 2);
});
afterAll(() => world.close());

describe('a bill', () => {
  it('computes GST by place, rounds to the rupee, and gets its gapless number when it is posted', async () => {
    const { ids, ok, clerk, step, bill, read } = money;
    const rows = ['10625.00', '9166.67', '4166.67'].map((rate) => ({
      service_id: ids.service,
      description: 'AMC',
      qty: '1',
      rate,
    }));
    const draft = await bill('1', { lines: rows }, false);
    expect(draft).toMatchObject({
      bill_no: null,
      supply: 'intra_state',
      supplier_gstin: '33AAFCM4821Q1Z6',
      due_on: day(30),
      taxable_total: '23958.34',
      cgst_total: '2156.25',
      sgst_total: '2156.25',
      igst_total: '0.00',
      round_off: '0.16',
      grand_total: '28271.00',
      outstanding: '0.00',
      lines: [{ sac: '998718' }, {}, {}],
    });
    const far = await bill('1', { building_id: ids.far, lines: rows }, false);
    expect(far).toMatchObject({ supply: 'inter_state', igst_total: '4312.50', grand_total: '28271.00' });
    const posted = await ok(step(clerk, 'billing', draft.id, 'post'));
    expect(posted).toMatchObject({ status: 'posted', outstanding: '28271.00' });
    expect(String(posted.bill_no)).toMatch(/^INV\/\d\d-\d\d\/00001$/);
    expect((await money.admin.call('DELETE', `/tapi/billing/${far.id}`)).statusCode).toBe(204);
    expect((await bill('100.00')).bill_no).toMatch(/00002$/);
    const pdf = await clerk.call('GET', `/tapi/billing/${draft.id}/print/original.pdf`);
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    const put = await clerk.call('PUT', `/tapi/billing/${draft.id}`, {
      version: (await read('billing', draft.id)).version,
      lines: [],
    });
    expect(put.statusCode).toBe(409);
  });
});

describe('an e-invoice', () => {
  it('is exported as a file for the portal, and reads IRN and QR code from the portal’s response', async () => {
    const { ids, acme, ok, clerk, step, bill, customer, read } = money;
    const of = await customer({
      name: 'Registered',
      gst_treatment: 'registered',
      pan: 'AAPFU0939F',
      gst_registrations: [{ state_id: ids.tn, gstin: '33AAPFU0939F1Z2', address: '5 Anna Salai' }],
    });
    const posted = await bill('10000', { customer_id: of });
    await acme.sql(`update {s}.billing set e_invoice = 'pending' where id = $1`, [posted.id]);
    const made = await ok(step(clerk, 'billing', posted.id, 'make_e_invoice'));
    const link = await clerk.call('GET', `/tapi/files/${String(made.e_invoice_file)}/link`);
    const file = await clerk.call('GET', link.json<{ url: string }>().url);
    expect(file.json<unknown[]>()).toMatchObject([
      { DocDtls: { No: posted.bill_no }, BuyerDtls: { Gstin: '33AAPFU0939F1Z2' }, ValDtls: { TotInvVal: 11800 } },
    ]);
    const qr = { SellerGstin: '33AAFCM4821Q1Z6', DocNo: posted.bill_no };
    const signed = `x.${Buffer.from(JSON.stringify({ data: JSON.stringify(qr) })).toString('base64url')}.y`;
    const answer = [{ AckNo: 112010036563310, AckDt: `${day(0)} 10:15:00`, Irn: 'a'.repeat(64), SignedQRCode: signed }];
    const { payload, headers } = upload('answer.json', JSON.stringify(answer));
    const sent = await world.inject({
      method: 'POST',
      url: '/tapi/files?for=billing.e_invoice_answer',
      payload,
      headers: { host: acme.host, authorization: `Bearer ${clerk.token}`, 'x-entity-id': '1', ...headers },
    });
    expect(sent.statusCode, sent.body).toBe(201);
    const e_invoice_answer = sent.json<{ data: { id: number } }>().data.id;
    const other = await bill('20000', { customer_id: of });
    await acme.sql(`update {s}.billing set e_invoice = 'pending' where id = $1`, [other.id]);
    const refused = await step(clerk, 'billing', other.id, 'read_e_invoice', { e_invoice_answer });
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('The file has no answer for')]);
    await ok(step(clerk, 'billing', posted.id, 'read_e_invoice', { e_invoice_answer }));
    expect(await read('billing', posted.id)).toMatchObject({
      e_invoice: 'done',
      irn: 'a'.repeat(64),
      ack_no: '112010036563310',
      ack_on: day(0),
      signed_qr: signed,
    });
  });
});

describe('a credit note of a cancellation', () => {
  it('is set against the other dues of the contract before anything is left to refund', async () => {
    const { ids, acme, ok, clerk, head, step, bill, customer, read } = money;
    const of = await customer({ name: 'Leaving' });
    const [paid, due] = [await bill('10000', { customer_id: of }), await bill('4000', { customer_id: of })];
    const receipt = await ok(
      clerk.call('POST', '/tapi/receipt', {
        customer_id: of,
        branch_id: ids.branch,
        receipt_mode_id: ids.NEFT,
        amount: '11800.00',
        instrument_no: 'UTR-LEAVING',
        instrument_on: day(0),
        allocations: [{ billing_id: paid.id, cash: '11800.00' }],
      }),
      201,
    );
    await ok(step(clerk, 'receipt', receipt.id, 'submit'));
    await ok(step(head, 'receipt', receipt.id, 'approve'));
    const note = await bill(
      '6000',
      { customer_id: of, bill_kind: 'credit_note', original_bill_id: paid.id, reason_text: 'Ended early' },
      false,
    );
    // A contract that both bills are of; cancellations of contracts mark the note themselves.
    const contract = (
      await acme.sql<{ id: number }>(
        `insert into {s}.contract (entity_id, contract_kind, customer_id, branch_id, start_on, months, end_on, status, contract_no)
       values (1, 'amc', $1, $2, $3, 12, $3, 'cancelled', 'CON/X') returning id`,
        [of, ids.branch, day(-10)],
      )
    )[0]!.id;
    await acme.sql(`update {s}.billing set contract_id = $1 where id = any($2::bigint[])`, [
      contract,
      [paid.id, due.id, note.id],
    ]);
    await acme.sql(`update {s}.billing set nets_dues = true where id = $1`, [note.id]);
    await ok(step(clerk, 'billing', note.id, 'submit'));
    await ok(step(head, 'billing', note.id, 'approve'));
    await world.app.deliveries.deliver(acme);
    expect([await read('billing', note.id), await read('billing', due.id)]).toMatchObject([
      { status: 'posted', applied: '0.00', used: '4720.00', left_to_use: '2360.00' },
      { outstanding: '0.00' },
    ]);
  });
});

describe('the plan of bills', () => {
  it('is created with the contract, billed once, due again after a cancellation, and continues with the new owner of a lift', async () => {
    const { ids, add, ok, clerk, admin, step, run, read } = money;
    const made: Record<string, number> = {};
    const [country] = await money.acme.sql<{ id: number }>(
      'select country_id as id from {s}.state_mstr where id = $1',
      [ids.tn],
    );
    for (const [type, more] of [
      ['lift_category_mstr', { lift_use: 'passenger', carries_people: true, kg_per_person: 68 }],
      ['lift_type_mstr', { arrangement: 'traction_mr', visit_minutes: 45, crew: 1 }],
      ['lift_make_mstr', { country: country!.id, support: 'current' }],
      ['drive_type_mstr', { family: 'traction', geared: true, speed_control: 'vvvf' }],
      ['controller_mstr', { technology: 'serial', support: 'current' }],
    ] as const)
      made[type] = await add(type, { code: 'X', name: 'X', ...more });
    const lift = await add('lift', {
      building_id: ids.building,
      lift_category_id: made.lift_category_mstr,
      lift_type_id: made.lift_type_mstr,
      lift_make_id: made.lift_make_mstr,
      drive_type_id: made.drive_type_mstr,
      controller_id: made.controller_mstr,
      capacity_kg: 884,
      speed_mps: '1.5',
      stops: 12,
      openings: 12,
      commissioned_on: '2010-01-01',
      handed_over_on: '2010-01-02',
    });
    const amc = await add('amc_type_mstr', {
      code: 'C',
      name: 'C',
      coverage: 'comprehensive',
      service_id: ids.service,
      consumables: true,
      night_calls: true,
    });
    const payment = await add('payment_type_mstr', {
      code: 'Q',
      name: 'Quarterly',
      timing: 'advance',
      frequency: 'quarterly',
      bill_as: 'tax_invoice',
      lead_days: 0,
    });
    const contract = await ok(
      admin.call('POST', '/tapi/contract', {
        customer_id: ids.customer,
        building_id: ids.building,
        branch_id: ids.branch,
        start_on: day(-40),
        months: 12,
        payment_type_id: payment,
        payment_term_id: ids.term,
        lines: [{ lift_id: lift, amc_type_id: amc, rate: '10000.01' }],
      }),
      201,
    );
    await money.acme.sql(`update {s}.contract set status = 'approved' where id = $1`, [contract.id]);
    await ok(step(admin, 'contract', contract.id, 'begin_unsigned', { reason: 'The copy follows' }));
    const plan = async () =>
      (await clerk.call('GET', '/tapi/billing_schedule?columns=*&sort=period_from')).json<{
        data: Record<string, unknown>[];
      }>().data;
    expect((await plan()).map(({ amount, status }) => [amount, status])).toEqual([
      ['2500.00', 'planned'],
      ['2500.01', 'planned'],
      ['2500.00', 'planned'],
      ['2500.00', 'planned'],
    ]);
    const make = (only_preview: boolean) =>
      run(clerk, 'billing_schedule', 'fms_money.make_bills', {
        on: 'list',
        params: { until: day(1), bill_date: day(0), grouping: 'own', only_preview },
      });
    expect((await make(true)).body).toContain('1 bills over');
    expect((await make(false)).body).toContain('1 drafts were created');
    expect((await make(false)).body).toContain('Nothing is due');
    const [first] = await plan();
    expect(first).toMatchObject({ status: 'drafted' });
    const bill = await ok(step(clerk, 'billing', Number(first!.billing_id), 'post'));
    expect(bill).toMatchObject({ grand_total: '2950.00', contract_id: contract.id });
    expect((await plan())[0]).toMatchObject({ status: 'billed' });
    await ok(step(clerk, 'billing', bill.id, 'cancel', { reason: 'Wrong' }));
    expect([(await plan())[0], await read('billing', bill.id)]).toMatchObject([
      { status: 'planned', billing_id: null },
      { status: 'cancelled', outstanding: '0.00' },
    ]);

    // The lift goes to another owner: what is billed beyond the last day is credited by a draft, and billed to the new owner.
    await make(false);
    const again = await ok(step(clerk, 'billing', Number((await plan())[0]!.billing_id), 'post'));
    const buyer = await money.customer({ name: 'Buyer' });
    const { id: _id, version: _version, ...place } = await read('building', ids.building!);
    const theirs = await add('building', {
      ...Object.fromEntries(
        Object.entries(place).filter(([name]) => !/__label$|_at$|_by$|^(_|active|status|building_no)/.test(name)),
      ),
      name: 'Towers of the buyer',
      customer_id: buyer,
    });
    const transfer = await ok(
      admin.call('POST', '/tapi/lift_transfer', {
        transfer_kind: 'owner',
        effective_on: day(0),
        branch_id: ids.branch,
        reason_id: await add('reason', { code: 'TR1', name: 'Sold', used_for: ['transfer'] }),
        to_customer_id: buyer,
        to_building_id: theirs,
        lifts: [{ lift_id: lift }],
      }),
      201,
    );
    await money.acme.user('second', { isAdmin: true, companies: [{ company: 1 }] });
    const second = await world.signIn(money.acme, 'second');
    await ok(step(admin, 'lift_transfer', transfer.id, 'submit'));
    if ((await read('lift_transfer', transfer.id)).status === 'submitted')
      await ok(step(second, 'lift_transfer', transfer.id, 'approve'));
    expect((await read('lift_transfer', transfer.id)).status).toBe('effective');
    await world.app.deliveries.deliver(money.acme);
    const [note] = await money.acme.sql<Record<string, unknown>>(
      `select taxable_total::text, status from {s}.billing where original_bill_id = $1`,
      [again.id],
    );
    // 40 days of the quarter are earned (C9).
    const quarter = { from_on: day(-40), to_on: addDays(addMonths(day(-40), 3), -1) };
    const { left } = partOfPeriod('2500.00', quarter, { from_on: day(-40), to_on: day(-1) });
    expect(note).toMatchObject({ taxable_total: left, status: 'draft' });
    const rows = await money.acme.sql<Record<string, unknown>>(
      `select amount::text, status, customer_id::int as customer from {s}.billing_schedule where contract_year = 1 order by id`,
    );
    expect(rows.map(({ amount, status, customer }) => [amount, status, customer === buyer])).toEqual([
      ['2500.00', 'billed', false],
      ['2500.01', 'cancelled', false],
      ['2500.00', 'cancelled', false],
      ['2500.00', 'cancelled', false],
      [left, 'planned', true],
      ['2500.01', 'planned', true],
      ['2500.00', 'planned', true],
      ['2500.00', 'planned', true],
    ]);
  });
});

describe('a receipt', () => {
  const receive = (amount: string, more: object = {}) => {
    const { ids, ok, clerk } = money;
    return ok(
      clerk.call('POST', '/tapi/receipt', {
        customer_id: ids.customer,
        branch_id: ids.branch,
        receipt_mode_id: ids.NEFT,
        amount,
        instrument_no: `UTR${Math.random()}`.slice(0, 20),
        instrument_on: day(0),
        ...more,
      }),
      201,
    );
  };
  const outstanding = async (id: number) => (await money.read('billing', id)).outstanding;

  it('is proposed oldest first with TDS, approved by somebody else, and reversed exactly when it bounces', async () => {
    const { ids, ok, clerk, head, step, run, bill, customer, read } = money;
    const of = await customer({ name: 'Payer' });
    // One after the other: bills of one day are settled in the order of their numbers.
    const a = await bill('100000', { customer_id: of });
    const b = await bill('75000', { customer_id: of });
    const c = await bill('50000', { customer_id: of });
    const draft = await receive('250000.00', { customer_id: of });
    const proposed = await run(clerk, 'receipt', 'fms_money.propose_allocation', {
      on: 'record',
      id: draft.id,
      version: draft.version,
      params: {},
    });
    expect(proposed.statusCode, proposed.body).toBe(200);
    const filled = await read('receipt', draft.id);
    expect(filled).toMatchObject({ unallocated: '0.00' });
    expect(filled.allocations).toHaveLength(3);
    expect(filled.deductions).toHaveLength(3);
    const submitted = await ok(step(clerk, 'receipt', draft.id, 'submit'));
    const date = day(0).split('-').toReversed().join('-');
    const bills = [a, b, c].map(({ bill_no: no }) => String(no)).join(', ');
    expect(submitted.narration).toBe(`From Payer by NEFT of ${date} for ${bills}, TDS 4310.00.`);
    expect(a.lines).toMatchObject([{ tax_label: 'GST 18 %' }]);
    expect((await step(clerk, 'receipt', draft.id, 'approve')).statusCode).toBe(403);
    const before = await outstanding(a.id);
    const rival = await receive('118000.00', {
      customer_id: of,
      allocations: [{ billing_id: a.id, cash: '118000.00' }],
    });
    await ok(step(clerk, 'receipt', rival.id, 'submit'));
    await ok(step(head, 'receipt', draft.id, 'approve'));
    expect(await outstanding(a.id)).toBe('0.00');
    const late = await step(head, 'receipt', rival.id, 'approve');
    expect([late.statusCode, late.body]).toEqual([
      422,
      expect.stringMatching(
        /INV\/\d\d-\d\d\/\d{5} has ₹0\.00 left, this receipt uses ₹1,18,000\.00\. Reallocate or return\./,
      ),
    ]);
    await ok(step(head, 'receipt', draft.id, 'bounce', { reason: ids.bounce, bounced_on: day(0) }));
    expect([await outstanding(a.id), before]).toEqual(['118000.00', '118000.00']);
    expect([await outstanding(b.id), await outstanding(c.id)]).toEqual(['88500.00', '59000.00']);
  });

  it('against a proforma creates the tax invoice of the paid part, which is due again when the cheque bounces', async () => {
    const { ids, acme, ok, clerk, head, step, bill, customer, read } = money;
    const of = await customer({ name: 'Pays first' });
    const proforma = await bill('100000', { customer_id: of, bill_kind: 'proforma' });
    expect(proforma).toMatchObject({ status: 'posted', outstanding: '118000.00' });
    const pay = async (cash: string, tds: string, cheque: string) => {
      const draft = await receive(cash, {
        customer_id: of,
        receipt_mode_id: ids.CHQ,
        instrument_no: cheque,
        drawee_bank: 'SBI',
        allocations: [{ billing_id: proforma.id, cash }],
        deductions: [{ deduction_id: ids.tds, billing_id: proforma.id, amount: tds, rate: '2' }],
      });
      await ok(step(clerk, 'receipt', draft.id, 'submit'));
      await ok(step(head, 'receipt', draft.id, 'approve'));
      return read('receipt', draft.id);
    };
    const invoices = () =>
      acme.sql<Record<string, unknown>>(
        `select id, bill_kind, status, grand_total::text, outstanding::text from {s}.billing where proforma_id = $1 order by id`,
        [proforma.id],
      );
    const first = await pay('58000.00', '1000.00', '777888');
    expect(await invoices()).toMatchObject([
      { bill_kind: 'tax_invoice', status: 'posted', grand_total: '59000.00', outstanding: '0.00' },
    ]);
    expect(await read('billing', proforma.id)).toMatchObject({ status: 'posted', outstanding: '59000.00' });
    expect(first.allocations).toMatchObject([{ billing_id: (await invoices())[0]!.id, cash: '58000.00' }]);
    const second = await pay('58000.00', '1000.00', '777889');
    expect(await read('billing', proforma.id)).toMatchObject({ status: 'converted', outstanding: '0.00' });
    await ok(step(head, 'receipt', second.id, 'bounce', { reason: ids.bounce, bounced_on: day(0) }));
    expect(await invoices()).toMatchObject([
      { outstanding: '0.00' },
      { grand_total: '59000.00', outstanding: '59000.00' },
    ]);
    expect(await read('billing', proforma.id)).toMatchObject({ status: 'converted', outstanding: '0.00' });
  });

  it('with a deduction above the limit of its type, or TDS above 30 %, needs the right to override prices', async () => {
    const { ids, acme, add, admin, ok, clerk, head, step, bill, customer } = money;
    const of = await customer({ name: 'Retains' });
    const owed = await bill('10000', { customer_id: of });
    // Money through some channels needs to say who collected it.
    const through = await add('payment_received_mstr', {
      code: 'TECH',
      name: 'Technician',
      channel: 'technician',
      collector_needed: true,
    });
    const nobody = await clerk.call('POST', '/tapi/receipt', {
      customer_id: of,
      branch_id: ids.branch,
      receipt_mode_id: ids.NEFT,
      amount: '1.00',
      instrument_no: 'UTR1',
      instrument_on: day(0),
      received_through_id: through,
      collected_by_id: null,
    });
    expect(nobody.json<{ error: object }>().error).toMatchObject({ details: [{ field: 'collected_by_id' }] });
    const retention = await add('deduction', {
      code: 'RET',
      name: 'Retention',
      kind: 'retention',
      base: 'entered',
      ledger_code: 'RET',
      approval_over: '500.00',
      returns_later: true,
      rates: [{ valid_from: '2009-10-01', rate: '5' }],
    });
    const draft = await receive('11210.00', {
      customer_id: of,
      allocations: [{ billing_id: owed.id, cash: '11210.00' }],
      deductions: [{ deduction_id: retention, billing_id: owed.id, amount: '590.00' }],
    });
    await ok(step(clerk, 'receipt', draft.id, 'submit'));
    const refused = await step(head, 'receipt', draft.id, 'approve');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('Retention above ₹500.00')]);
    await ok(step(admin, 'receipt', draft.id, 'approve'));
    // The register lists what is to be paid later, and asks for no certificate of it.
    const retained = await admin.call(
      'GET',
      `/tapi/tds_register?columns=*&filter=${encodeURIComponent(JSON.stringify(['customer_id', 'eq', of]))}`,
    );
    expect(retained.json<{ data: object[] }>().data).toMatchObject([
      { kind: 'retention', amount: '590.00', certificate_state: 'retained' },
    ]);
    await acme.sql('update {s}.receipt__deductions set returned_on = $2::date where parent_id = $1', [
      draft.id,
      day(0),
    ]);
    const paid = await admin.call(
      'GET',
      `/tapi/tds_register?columns=*&search=&filter=${encodeURIComponent(JSON.stringify(['customer_id', 'eq', of]))}`,
    );
    expect(paid.json<{ data: object[] }>().data).toMatchObject([{ certificate_state: 'returned' }]);
    // So does TDS that takes unusually much of the bill.
    const fee = await bill('10000', { customer_id: of });
    const withheld = await receive('8700.00', {
      customer_id: of,
      allocations: [{ billing_id: fee.id, cash: '8700.00' }],
      deductions: [{ deduction_id: ids.tds, billing_id: fee.id, amount: '3100.00', rate: '31' }],
    });
    await ok(step(clerk, 'receipt', withheld.id, 'submit'));
    const high = await step(head, 'receipt', withheld.id, 'approve');
    expect([high.statusCode, high.body]).toEqual([
      422,
      expect.stringContaining('TDS on contracts above ₹3,000.00, 30 % of the taxable value, must be approved'),
    ]);
    await ok(step(admin, 'receipt', withheld.id, 'approve'));
    // And TDS of a customer who deducts none.
    const plain = await customer({ name: 'Deducts nothing', tds_id: null });
    const small = await bill('10000', { customer_id: plain });
    const odd = await receive('11600.00', {
      customer_id: plain,
      allocations: [{ billing_id: small.id, cash: '11600.00' }],
      deductions: [{ deduction_id: ids.tds, billing_id: small.id, amount: '200.00', rate: '2' }],
    });
    await ok(step(clerk, 'receipt', odd.id, 'submit'));
    expect((await step(head, 'receipt', odd.id, 'approve')).body).toContain(
      'Deducts nothing is not known to deduct TDS',
    );
    await ok(step(admin, 'receipt', odd.id, 'approve'));
  });

  it('by a post-dated cheque is held, and cash stays below the limit of section 269ST', async () => {
    const { ids, ok, clerk, step, read, customer } = money;
    const of = await customer({ name: 'Cash payer' });
    const cheque = await receive('5000.00', {
      customer_id: of,
      receipt_mode_id: ids.CHQ,
      instrument_no: '123456',
      instrument_on: day(20),
      drawee_bank: 'SBI',
    });
    await ok(step(clerk, 'receipt', cheque.id, 'submit'));
    expect(await read('receipt', cheque.id)).toMatchObject({ status: 'held', value_on: day(20) });
    const cash = (amount: string) =>
      receive(amount, { customer_id: of, receipt_mode_id: ids.CASH, instrument_no: null, instrument_on: null });
    await ok(step(clerk, 'receipt', (await cash('150000.00')).id, 'submit'));
    const refused = await step(clerk, 'receipt', (await cash('60000.00')).id, 'submit');
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('Cash of ₹2,10,000.00 from this customer today reaches the legal limit of ₹2,00,000.00'),
    ]);
  });

  it('is paid in and cleared by a slip; a statement and the report show the dues', async () => {
    const { ids, acme, ok, clerk, head, admin, step, read, bill, customer } = money;
    // What account managers have billed and their customers owe are figures of KPIs.
    const ofManager = async (name: string) => Number((await figureOf(acme, name, ids.clerk!)) ?? 0);
    const before = [await ofManager('fms_billing'), await ofManager('fms_outstanding')];
    const of = await customer({ name: 'Cheque payer' });
    const owed = await bill('10000', { customer_id: of });
    const cheque = await receive('5000.00', {
      customer_id: of,
      receipt_mode_id: ids.CHQ,
      instrument_no: '654321',
      drawee_bank: 'SBI',
      allocations: [{ billing_id: owed.id, cash: '4000.00' }],
    });
    await ok(step(clerk, 'receipt', cheque.id, 'submit'));
    await ok(step(head, 'receipt', cheque.id, 'approve'));
    const bank = await ok(
      admin.call('POST', '/tapi/bank_mstr', {
        code: 'B1',
        name: 'Collections',
        account_name: 'Acme',
        account_no: '502000411872',
        bank_id: ids.bank,
        ifsc: 'HDFC0000082',
        account_type: 'current',
        for_deposits: true,
        print_on_bill: true,
      }),
      201,
    );
    // Bills name the account for payments; what a customer says sets the day of the next call.
    expect(await bill('100', { customer_id: of }, false)).toMatchObject({ bank_id: bank.id });
    const later = await money.add('customer_comment', {
      code: 'LATER',
      name: 'Pays later',
      tone: 'neutral',
      used_at: ['collection'],
      next_after_days: 7,
    });
    const said = { customer_id: of, done_on: day(0), customer_comment_id: later };
    const call = await ok(clerk.call('POST', '/tapi/collection_follow_up', said), 201);
    expect(call.next_on).toBe(day(7));
    const slip = await ok(
      clerk.call('POST', '/tapi/deposit', {
        branch_id: ids.branch,
        bank_id: bank.id,
        slip_no: 'S1',
        slips: [{ receipt_id: cheque.id }],
      }),
      201,
    );
    await ok(step(clerk, 'deposit', slip.id, 'pay_in'));
    expect((await read('receipt', cheque.id)).status).toBe('deposited');
    await ok(step(head, 'deposit', slip.id, 'clear_all', { clears_on: day(0) }));
    expect((await read('receipt', cheque.id)).status).toBe('cleared');
    expect([await ofManager('fms_billing'), await ofManager('fms_outstanding')]).toEqual([
      before[0]! + 10_000,
      before[1]! + 11_800 - 4000,
    ]);
    expect(await read('deposit', slip.id)).toMatchObject({
      status: 'closed',
      slips: [{ clearing: 'cleared', on: day(0) }],
    });
    const statement = await ok(
      clerk.call('POST', '/tapi/account_statement', { customer_id: of, from_on: day(-30), to_on: day(0) }),
      201,
    );
    expect(await read('account_statement', statement.id)).toMatchObject({
      closing: '6800.00',
      advance: '1000.00',
      opening: '0.00',
    });
    const promise = { customer_id: of, done_on: day(0), promised_on: day(5), promised_amount: '5000.00' };
    await money.add('collection_follow_up', { ...promise, by_id: money.ids.clerk });
    const report = await clerk.call('GET', `/tapi/report/outstanding/rows?customer_id=${of}&shown_by=bill`);
    expect(report.statusCode, report.body).toBe(200);
    const { rows, figures } = report.json<{ data: { rows: object[]; figures: object[] } }>().data;
    expect(figures).toEqual([
      { title: 'Outstanding', value: '₹7,800.00' },
      { title: 'Overdue', value: '₹0.00' },
      { title: 'Days of sales outstanding', value: '59.5' },
      { title: 'Advances', value: '₹1,000.00' },
    ]);
    expect(rows).toMatchObject([
      {
        billing_id: owed.id,
        cash: '4000.00',
        advance: '1000.00',
        days: 0,
        promised: '5000.00',
        promised_on: day(5),
        '.total.outstanding': '7800.00',
        'Not due.outstanding': '7800.00',
      },
    ]);
    for (const view of ['tds_register', 'receipt_status'])
      expect((await admin.call('GET', `/tapi/${view}?columns=*`)).statusCode, view).toBe(200);
  });
});

describe('outstanding', () => {
  it('has age columns as on any day that add up: the worked example of the design (C16)', async () => {
    const { acme, clerk, customer, ids } = money;
    const of = await customer({ name: 'Example' });
    const billed = async (bill_date: string, due_on: string, total: number) => {
      const [row] = await acme.sql<{ id: number }>(
        `insert into {s}.billing (entity_id, bill_kind, bill_no, bill_date, due_on, customer_id, branch_id, grand_total, outstanding, status)
         values (1, 'tax_invoice', $1, $2, $3, $4, $5, $6, $6, 'posted') returning id`,
        [`X${bill_date}`, bill_date, due_on, of, ids.branch, total],
      );
      return row!.id;
    };
    const paid = async (on: string, amount: number, bill?: number) => {
      const [row] = await acme.sql<{ id: number }>(
        `insert into {s}.receipt (entity_id, receipt_no, receipt_on, value_on, customer_id, branch_id, receipt_mode_id, amount, unallocated, status)
         values (1, $1, $2, $2, $3, $4, $5, $6, $7, 'approved') returning id`,
        [`X${on}`, on, of, ids.branch, ids.NEFT, amount, bill === undefined ? amount : 0],
      );
      if (bill === undefined) return;
      await acme.sql(
        `insert into {s}.receipt__allocations (parent_id, position, billing_id, cash) values ($1, 0, $2, $3)`,
        [row!.id, bill, amount],
      );
      await acme.sql('update {s}.billing set outstanding = outstanding - $2 where id = $1', [bill, amount]);
    };
    const first = await billed('2025-01-10', '2025-01-25', 118_000);
    await billed('2025-04-02', '2025-05-02', 59_000);
    const third = await billed('2025-05-15', '2025-05-30', 35_400);
    await billed('2025-06-20', '2025-07-20', 88_500);
    await billed('2025-07-01', '2025-07-16', 11_800);
    await billed('2025-03-01', '2025-03-31', 23_600);
    await paid('2025-03-05', 60_000, first);
    await paid('2025-07-02', 58_000, first);
    await paid('2025-06-10', 10_000, third);
    await paid('2025-06-29', 15_000);
    const report = await clerk.call('GET', `/tapi/report/outstanding/rows?customer_id=${of}&as_on=2025-06-30`);
    const {
      rows,
      figures,
      totals: added,
    } = report.json<{
      data: { rows: Record<string, string>[]; figures: object[]; totals: object };
    }>().data;
    expect(added).toMatchObject({ total: '324500.00', cash: '70000.00', '.total.outstanding': '254500.00' });
    // By bill an advance still counts once.
    const bills = await clerk.call(
      'GET',
      `/tapi/report/outstanding/rows?customer_id=${of}&as_on=2025-06-30&shown_by=bill`,
    );
    expect(bills.json<{ data: { rows: object[]; totals: object } }>().data).toMatchObject({
      rows: { length: 5 },
      totals: { total: '324500.00', advance: '15000.00' },
    });
    expect(rows).toMatchObject([
      {
        '.total.outstanding': '254500.00',
        'Not due.outstanding': '88500.00',
        '31–60.outstanding': '84400.00',
        '91–180.outstanding': '81600.00',
        advance: '15000.00',
      },
    ]);
    expect(Number(rows[0]!['.total.outstanding']) - Number(rows[0]!.advance)).toBe(239_500);
    expect(
      Object.keys(rows[0]!).filter(
        (name) => /^(1–30|61–90|Over 180)\.outstanding$/.test(name) && Number(rows[0]![name]) !== 0,
      ),
    ).toEqual([]);
    expect(figures).toContainEqual({ title: 'Outstanding', value: '₹2,54,500.00' });
    // The tile of the dashboard has the same bands, for today.
    const tile = await money.admin.call('POST', '/tapi/dashboard/fms_dashboard', { tiles: ['ageing'] });
    const [ageing] = tile
      .json<{ data: { tiles: { figures: { rows: Record<string, string>[] } }[] } }>()
      .data.tiles.map((one) => one.figures.rows);
    expect(ageing!.map(({ bucket }) => bucket)).toEqual(['Not due', '1–30', '31–60', '61–90', '91–180', 'Over 180']);
    const now = await money.admin.call('GET', '/tapi/report/outstanding/rows');
    const { totals } = now.json<{ data: { totals: Record<string, string> } }>().data;
    const sum = ageing!.reduce((all, row) => all + Number(row.outstanding), 0);
    expect(sum.toFixed(2)).toBe(totals['.total.outstanding']);
    expect(Number(ageing!.at(-1)!.outstanding)).toBeGreaterThanOrEqual(208_300);
  });

  it('is of one company, or of all in which the reader may open it, with the rights of each', async () => {
    const { acme, customer, ids } = money;
    const here = await customer({ name: 'Both' });
    const copied = (type: string, id: number, set: object) =>
      acme.sql(
        `insert into {s}.${type} select (jsonb_populate_record(null::{s}.${type}, to_jsonb(c) || $2::jsonb)).* from {s}.${type} c where id = $1`,
        [id, JSON.stringify({ entity_id: 2, ...set })],
      );
    const there = 900_001;
    await copied('branch', ids.branch!, { id: there, code: 'THERE', name: 'There' });
    await copied('customer_dtl', here, {
      id: there,
      branch_id: there,
      account_manager_id: null,
      customer_no: 'THERE',
      name: 'Elsewhere',
    });
    const owes = (company: number, of: number, branch: number, amount: number) =>
      acme.sql(
        `insert into {s}.billing (entity_id, bill_kind, bill_no, bill_date, due_on, customer_id, branch_id, grand_total, outstanding, status)
         values ($1, 'tax_invoice', $2, '2025-06-01', '2025-06-10', $3, $4, $5, $5, 'posted')`,
        [company, `BOTH${company}`, of, branch, amount],
      );
    await owes(1, here, ids.branch!, 1_000);
    await owes(2, there, there, 500);
    const [role] = await acme.sql<{ ids: number[] }>(
      `select c.role_ids as ids from {s}.users__companies c where c.parent_id = $1`,
      [money.clerk.userId],
    );
    const none = await acme.role({ modules: ['FMS'], screens: {} });
    const reader = async (name: string, second: number[]) => {
      await acme.user(name, {
        companies: [
          { company: 1, roles: role!.ids },
          { company: 2, roles: second },
        ],
      });
      return world.signIn(acme, name);
    };
    const [both, half] = [await reader('both', role!.ids), await reader('halfway', [none])];
    const rowsOf = async (company: string) => {
      const answer = await both.call(
        'GET',
        `/tapi/report/outstanding/rows?as_on=2025-07-01${company && `&company=${company}`}`,
        undefined,
        { 'x-entity-id': '1' },
      );
      expect(answer.statusCode, answer.body).toBe(200);
      const { columns, rows, figures, totals } = answer.json<{
        data: {
          columns: { name: string }[];
          rows: Record<string, string>[];
          figures: { title: string; value: string }[];
          totals: Record<string, string>;
        };
      }>().data;
      return {
        hasCompany: columns.some(({ name }) => name === 'company'),
        names: rows.map((row) => row.customer_id__label),
        total: Number(totals['.total.outstanding']),
        figure: figures[0]!.value,
        companies: new Set(rows.map((row) => row.company)).size,
      };
    };
    const [own, other, all] = [await rowsOf(''), await rowsOf('2'), await rowsOf('all')];
    expect([own.hasCompany, own.names.includes('Both'), own.names.includes('Elsewhere')]).toEqual([false, true, false]);
    expect([other.names, other.total]).toEqual([['Elsewhere'], 500]);
    expect(all).toMatchObject({ hasCompany: true, companies: 2, total: own.total + 500 });
    expect(new Set(all.names)).toEqual(new Set([...own.names, 'Elsewhere']));
    const refused = await half.call('GET', '/tapi/report/outstanding/rows?company=all', undefined, {
      'x-entity-id': '1',
    });
    expect(refused.statusCode).toBe(422);
    // A field that the role of one company hides stays hidden when all are shown.
    const [hiding] = [
      await acme.role({
        modules: ['FMS'],
        screens: {
          SCN_FMS_OUTSTANDING: ['landing', 'view_screen'],
          SCN_FMS_CUSTOMER: ['landing'],
          SCN_FMS_BILLING: ['landing'],
        },
        actions: ['RUN_REPORTS'],
      }),
    ];
    await acme.sql(
      `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'receipt', 'amount', 'hidden'), ($1, 'billing', 'grand_total', 'hidden')`,
      [hiding],
    );
    const partly = await reader('partly', [hiding]);
    const sees = async (company: string) =>
      (
        await partly.call('GET', `/tapi/report/outstanding/rows?company=${company}`, undefined, { 'x-entity-id': '1' })
      ).json<{ data: { withheld?: true } }>().data.withheld ?? false;
    expect([await sees('1'), await sees('2'), await sees('all')]).toEqual([false, true, true]);
  });
});

describe('bills of an earlier system', () => {
  it('are imported with their numbers, owed from then on, and leave the own series alone', async () => {
    const { admin, customer, ids, acme } = money;
    const of = await customer({ name: 'Carried' });
    const [named] = await acme.sql<{ customer_no: string }>('select customer_no from {s}.customer_dtl where id = $1', [
      of,
    ]);
    const [place] = await acme.sql<{ code: string }>('select code from {s}.branch where id = $1', [ids.branch]);
    const [service] = await acme.sql<{ code: string }>('select code from {s}.fmsservice order by id limit 1');
    const screen = world.screens.get('billing')!;
    const titles = (fields: typeof screen.fields, names: string[]) =>
      names.map((name) => fields.find((field) => field.name === name)!.title);
    const book = (until: string) => {
      const made = XLSX.utils.book_new();
      const bill = ['OLD/0417', 'Tax invoice', until, named!.customer_no, place!.code, 'Posted'];
      XLSX.utils.book_append_sheet(
        made,
        XLSX.utils.aoa_to_sheet([
          titles(screen.fields, ['bill_no', 'bill_kind', 'bill_date', 'customer_id', 'branch_id', 'status']),
          bill,
        ]),
        'Sheet1',
      );
      const lines = screen.fields.find(({ name }) => name === 'lines')!;
      const line = titles(lines.rows!, ['service_id', 'description', 'qty', 'rate']);
      XLSX.utils.book_append_sheet(
        made,
        XLSX.utils.aoa_to_sheet([
          [titles(screen.fields, ['bill_no'])[0], ...line],
          ['OLD/0417', service!.code, 'Maintenance', '1', '10000'],
        ]),
        lines.title,
      );
      return XLSX.write(made, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    };
    const run = async (bytes: Buffer) => {
      const { payload, headers } = upload('bills.xlsx', bytes);
      const begun = await admin.call('POST', '/tapi/billing/import?mode=all_or_nothing', payload, headers);
      expect(begun.statusCode, begun.body).toBe(202);
      const { id } = begun.json<{ data: { id: number } }>().data;
      const state = async () =>
        (await admin.call('GET', `/tapi/import/${id}`)).json<{ data: { state: string; errors: object[] } }>().data;
      await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('checked');
      const { errors } = await state();
      if (errors.length > 0) return errors;
      expect((await admin.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(202);
      await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('imported');
      return [];
    };
    const indian = (on: string) => on.split('-').toReversed().join('-');
    expect(await run(book(indian(day(3))))).toMatchObject([{ message: 'A bill cannot be of a later day.' }]);
    expect(await run(book(indian(day(-200))))).toEqual([]);
    const report = await admin.call('GET', `/tapi/report/outstanding/rows?customer_id=${of}&shown_by=bill`);
    expect(report.json<{ data: { rows: object[] } }>().data.rows).toMatchObject([
      { billing_id__label: 'OLD/0417', total: '11800.00', '.total.outstanding': '11800.00' },
    ]);
  });
});

describe('accounting vouchers', () => {
  it('carry the ledger codes of the masters and balance; without a code they are refused by name', async () => {
    const { acme, admin, head, ids, ok, step, read: readRecord } = money;
    const read = (more = '') =>
      admin.call('GET', `/tapi/report/accounting_vouchers/rows?from=${day(-2)}&to=${day(1)}${more}`);
    const refused = await read();
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('ledger codes: customers')]);
    expect(refused.body).toContain('service Maintenance');
    const codes = {
      receivables_ledger: 'DEBTORS',
      in_hand_ledger: 'CASH',
      round_off_ledger: 'ROUND',
      bank_charges_ledger: 'CHARGES',
      securities_taken_ledger: 'HELD',
      forfeited_ledger: 'KEPT',
    };
    await ok(admin.call('POST', '/tapi/fms_ledgers', codes), 201);
    await acme.sql(`update {s}.fmsservice set ledger_code = 'INCOME'`);
    await acme.sql(`update {s}.bank_mstr set ledger_code = 'BANK'`);
    const answer = await read();
    expect(answer.statusCode, answer.body).toBe(200);
    const { rows, totals } = answer.json<{ data: { rows: Record<string, string>[]; totals: Record<string, string> } }>()
      .data;
    expect(totals.debit).toBe(totals.credit);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(['bill', 'bounced', 'credit_note', 'pay_in', 'receipt']),
    );
    const bill = await money.bill('23958.34', { customer_id: ids.customer });
    const posted = (await read('&kind=bill')).json<{ data: { rows: Record<string, string>[] } }>().data.rows;
    expect(
      posted
        .filter(({ voucher }) => voucher === bill.bill_no)
        .map(({ ledger, debit, credit }) => [ledger, debit ?? credit]),
    ).toEqual([
      ['DEBTORS', '28271.00'],
      ['C', '2156.25'],
      ['INCOME', '23958.34'],
      ['ROUND', '0.16'],
      ['S', '2156.25'],
    ]);
    // A security that is taken, returned in part and kept for the rest.
    const [bank] = await acme.sql<{ id: number }>('select id from {s}.bank_mstr order by id limit 1');
    const security = {
      deposit_kind: 'security_taken',
      branch_id: ids.branch,
      instrument: 'transfer',
      bank_id: bank!.id,
    };
    const taken = await money.add('deposit', { ...security, customer_id: ids.customer, amount: '5000.00' });
    await ok(step(head, 'deposit', taken, 'lodge'));
    const { version } = await readRecord('deposit', taken);
    await ok(admin.call('PUT', `/tapi/deposit/${taken}`, { version, returned: [{ on: day(0), amount: '2000.00' }] }));
    await ok(step(head, 'deposit', taken, 'forfeit', { forfeited: '3000.00', reason: 'Left without notice' }));
    const securities = (await read('&kind=security')).json<{ data: { rows: Record<string, string>[] } }>().data.rows;
    const sums = Map.groupBy(securities, ({ ledger }) => ledger);
    const net = (ledger: string) =>
      (sums.get(ledger) ?? []).reduce((sum, row) => sum + Number(row.debit ?? 0) - Number(row.credit ?? 0), 0);
    expect(['BANK', 'HELD', 'KEPT'].map(net)).toEqual([3000, 0, -3000]);
    // The same vouchers for Tally.
    const tally = await admin.call(
      'GET',
      `/tapi/report/accounting_vouchers/export.xml?from=${day(-2)}&to=${day(1)}&kind=security`,
    );
    expect([tally.statusCode, tally.headers['content-type']]).toEqual([200, 'application/xml']);
    expect(tally.body.match(/<AMOUNT>/g)).toHaveLength(securities.length);
    const none = await admin.call('GET', `/tapi/report/gstr1/export.xml?month=${day(0).slice(0, 7)}`);
    expect(none.statusCode).toBe(404);
  });

  it('and the tables of GSTR-1 add up to the bills and notes of the month', async () => {
    const { acme, admin } = money;
    const month = day(0).slice(0, 7);
    const table = async (name: string) => {
      const answer = await admin.call('GET', `/tapi/report/gstr1/rows?month=${month}&table=${name}`);
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: { rows: Record<string, string>[]; totals: Record<string, string> } }>().data;
    };
    const [all] = await acme.sql<{ taxable: string; bills: number }>(
      `select sum(case when bill_kind = 'credit_note' then -taxable_total else taxable_total end)::text as taxable, count(*)::int as bills
       from {s}.billing where status = 'posted' and bill_kind <> 'proforma' and to_char(bill_date, 'YYYY-MM') = '${month}'`,
    );
    const sums = await Promise.all(
      ['b2b', 'b2cl', 'b2cs', 'cdnr', 'cdnur', 'exempt'].map(async (name) => {
        const { rows } = await table(name);
        return rows.reduce((sum, row) => sum + (row.kind === 'C' ? -1 : 1) * Number(row.taxable), 0);
      }),
    );
    expect(sums.reduce((a, b) => a + b, 0)).toBeCloseTo(Number(all!.taxable), 2);
    const codes = await table('hsn');
    expect(codes.totals.taxable).toBe(all!.taxable);
    expect(codes.rows).toMatchObject([{ code: '998718', unit: 'NA', rate: '18' }]);
    const { totals, rows } = await table('docs');
    expect(totals).toMatchObject({ net: all!.bills });
    expect(rows[0]!.first_no! <= rows[0]!.last_no!).toBe(true);
    // Each table has its own columns.
    expect((await table('b2b')).rows[0]).toMatchObject({ rate: '18', reverse: 'N', place: '33-Tamil Nadu' });
    expect((await table('b2cs')).rows[0]).not.toHaveProperty('document');
    // An empty one says which it is, and where the bills are.
    expect(await table('cdnur')).toMatchObject({
      rows: [],
      note: expect.stringMatching(/^Table CDNUR of \w+ \d{4} is empty\. The bills of the month are in B2B, B2CS/),
    });
  });
});

describe('the money of a customer', () => {
  it('reconciles after every act of random histories', async () => {
    const { acme, add, admin, head, ids, customer } = money;
    const type = { code: 'PERIOD', name: 'Period', criteria: [], system: true, parameters: { type: 'object' } };
    const closed = day(-31);
    await add('policy_definition', {
      code: 'BOOKS',
      name: 'Books are closed',
      policy_type_id: await add('policy_type_mstr', type),
      valid_from: closed,
      parameters: { locked_to: closed },
    });
    let taken = 0;
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const history = {
        call: (method: string, url: string, body?: object) =>
          (url.endsWith('/approve') ? head : admin).call(method as 'GET', url, body),
        sql: acme.sql.bind(acme),
        customer: () => customer({ name: `History ${seed}` }),
        ids,
        day,
        closed,
      };
      taken += (await moneyHistory(history, seed)).taken;
    }
    expect(taken).toBeGreaterThan(20);
  });
});
