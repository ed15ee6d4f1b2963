import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailServer } from '../messages/mail_server.ts';
import { startMailServer } from '../messages/mail_server.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { companyDay as day } from '../../company_day.ts';
import { pdfText } from '../../pdf_text.ts';
import { branchWithMembers } from './branch_with_members.ts';

// A lift maintenance company offers, is accepted, and makes the contract of it.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[]; options: Row[] };

let mail: MailServer;
let world: World;
let acme: TestTenant;
let admin: Caller;
let seller: Caller;
let head: Caller;
const ids: Record<string, number> = {};

async function ok(answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
const step = async (by: Caller, type: string, id: number, name: string, more: object = {}) =>
  by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });

beforeAll(async () => {
  mail = await startMailServer();
  world = await startWorld({
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`, MAIL_FROM: 'Acme <sales@acme.example>' },
  });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const own = { pages: [...pages], scope: 'own' as const };
  const masters = Object.fromEntries(
    ['SCN_FMS_CUSTOMER', 'SCN_FMS_BUILDING', 'SCN_FMS_LIFT'].map((code) => [code, ['landing', 'view_screen']]),
  );
  const sells = await acme.role({
    modules: ['FMS'],
    screens: { ...masters, SCN_FMS_QUOTATION: own, SCN_FMS_CONTRACT: [...pages] },
  });
  const leads = await acme.role({
    modules: ['FMS'],
    screens: {
      ...masters,
      SCN_FMS_QUOTATION: [...pages, 'approval_screen'],
      SCN_FMS_CONTRACT: [...pages, 'approval_screen'],
    },
  });
  await acme.user('seller', { companies: [{ company: 1, roles: [sells] }] });
  await acme.user('head', { companies: [{ company: 1, roles: [leads] }] });
  [admin, seller, head] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'seller'),
    world.signIn(acme, 'head'),
  ]);
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const ka = await add('state_mstr', { code: 'KA', name: 'Karnataka', country_id: tn!.country_id, gst_code: '29' });
  const bengaluru = await add('city_mstr', { code: 'BLR', name: 'Bengaluru', state_id: ka });
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
  ids.chief = await member('E10002');
  ids.seller = await member('E10001', { reporting_to_id: ids.chief });
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [seller.userId, ids.seller]);
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [head.userId, ids.chief]);
  const category = await add('tax_category_mstr', {
    code: 'STD',
    name: 'Taxable',
    supply: 'both',
    treatment: 'taxable',
  });
  const tax = await add('tax', { code: 'GST18', name: 'GST 18 %', tax_category_id: category, print_label: 'GST 18 %' });
  const rate = {
    tax_id: tax,
    notification: '11/2017',
    cgst_ledger: 'C',
    sgst_ledger: 'S',
    utgst_ledger: 'U',
    igst_ledger: 'I',
  };
  await add('tax_rate', {
    ...rate,
    valid_from: '2017-07-01',
    valid_to: day(-31),
    cgst: '6',
    sgst: '6',
    utgst: '6',
    igst: '12',
  });
  await add('tax_rate', { ...rate, valid_from: day(-30), cgst: '9', sgst: '9', utgst: '9', igst: '18' });
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
  ids.amc = await add('amc_type_mstr', {
    code: 'COMP',
    name: 'Comprehensive',
    coverage: 'comprehensive',
    service_id: ids.service,
    consumables: true,
    night_calls: true,
    coverage_text: 'All parts but glass',
    schedule_visit_id: await add('schedule_visit_mstr', {
      code: 'M12',
      name: 'Monthly',
      visits_per_year: 12,
      basis: 'fixed',
    }),
  });
  for (const [code, name, treatment] of [
    ['ROPE', 'Ropes', 'free'],
    ['GLASS', 'Cabin glass', 'chargeable'],
  ])
    await add('spare_group_master', { code, name, cover: [{ amc_type_mstr_id: ids.amc, treatment }] });
  await add('bank_mstr', {
    code: 'HDFC',
    name: 'Collections',
    account_name: 'Acme Lifts',
    account_no: '50200041187263',
    bank_id: await add('bank', { code: 'HDFC', name: 'HDFC Bank' }),
    ifsc: 'HDFC0000082',
    print_on_bill: true,
  });
  const client = await add('client_type_mstr', { code: 'PVT', name: 'Private', sector: 'private', po_needed: true });
  const kind = await add('building_type_mstr', { code: 'OFF', name: 'Office', building_use: 'office' });
  const area = await add('area_mstr', {
    code: 'A1',
    name: 'Centre',
    branch_id: ids.branch,
    city_id: tn!.city,
    pincodes: ['600002'],
  });
  ids.payment = await add('payment_type_mstr', {
    code: 'YA',
    name: 'Yearly',
    timing: 'advance',
    frequency: 'yearly',
    bill_as: 'tax_invoice',
    lead_days: 0,
  });
  ids.customer = await add('customer_dtl', {
    name: 'Towers',
    client_type_id: client,
    branch_id: ids.branch,
    account_manager_id: ids.seller,
    billing_address: '2 Mount Road',
    state_id: tn!.id,
    city_id: tn!.city,
    pincode: '600002',
    phone: '+914428292727',
    email: 'office@towers.example',
    gst_treatment: 'registered',
    gst_registrations: [{ state_id: tn!.id, gstin: '33AAACC4125E1ZD' }],
    bill_grouping: 'contract',
  });
  const place = {
    customer_id: ids.customer,
    building_type_id: kind,
    address: '2 Mount Road',
    area_id: area,
    branch_id: ids.branch,
    pincode: '600002',
  };
  ids.building = await add('building', { ...place, name: 'Towers A', state_id: tn!.id, city_id: tn!.city });
  ids.far = await add('building', {
    ...place,
    name: 'Towers Bengaluru',
    state_id: ka,
    city_id: bengaluru,
    pincode: '560001',
  });
  const made: Record<string, number> = {};
  for (const [type, more] of [
    ['lift_category_mstr', { lift_use: 'passenger', carries_people: true, kg_per_person: 68 }],
    ['lift_type_mstr', { arrangement: 'traction_mr', visit_minutes: 45, crew: 1 }],
    ['lift_make_mstr', { country: tn!.country_id, support: 'current' }],
    ['drive_type_mstr', { family: 'traction', geared: true, speed_control: 'vvvf' }],
    ['controller_mstr', { technology: 'serial', support: 'current' }],
  ] as const)
    made[type] = await add(type, { code: 'X', name: 'X', ...more });
  ids.lift = await add('lift', {
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
    commissioned_on: `${Number(day(0).slice(0, 4)) - 17}-01-01`,
    handed_over_on: `${Number(day(0).slice(0, 4)) - 17}-01-02`,
  });
  const pricing = await add('policy_type_mstr', {
    code: 'PRICING',
    name: 'Pricing',
    criteria: [],
    system: true,
    parameters: { type: 'object' },
  });
  await add('policy_definition', {
    code: 'PRC',
    name: 'Price',
    policy_type_id: pricing,
    valid_from: '2020-04-01',
    parameters: { expression: 'round_to(24000 + 1500 * max(0, stops - 5), 100)', floor_percent: 90 },
  });
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

const quote = (more: object = {}) =>
  ok(
    seller.call('POST', '/tapi/quotation', {
      customer_id: ids.customer,
      building_id: ids.building,
      subject: 'Maintenance of one lift',
      payment_type_id: ids.payment,
      start_on: day(0),
      lines: [
        { option: 'A', lift_id: ids.lift, amc_type_id: ids.amc, rate: '45600.00', discount: '5' },
        { option: 'B', lift_id: ids.lift, amc_type_id: ids.amc, rate: '36500.00' },
      ],
      ...more,
    }),
    201,
  );

describe('a quotation', () => {
  it('computes GST by place, service and day, and the guide rate by the policy; options add up separately', async () => {
    const made = await quote();
    expect(made).toMatchObject({
      status: 'draft',
      supply: 'intra',
      branch_id: ids.branch,
      sales_person_id: ids.seller,
      email: 'office@towers.example',
      total: '51118.00',
    });
    expect(made.lines).toMatchObject([
      {
        service_id: ids.service,
        gst_rate: '18.0000',
        guide_rate: '34500.00',
        floor_rate: '31050.00',
        net: '43320.00',
        cgst: '3898.80',
        igst: '0.00',
      },
      { net: '36500.00' },
    ]);
    expect(made.options).toMatchObject([
      { option: 'A', taxable: '43320.00', gst: '7797.60', total: '51118.00' },
      { option: 'B', taxable: '36500.00', gst: '6570.00', total: '43070.00' },
    ]);
    const far = await quote({
      building_id: ids.far,
      lines: [{ option: 'A', service_id: ids.service, rate: '100.00', qty: '2' }],
    });
    expect(far).toMatchObject({ supply: 'inter', lines: [{ igst: '36.00', cgst: '0.00', guide_rate: null }] });
    // What was law on its day: the rate of the time before.
    const early = await quote({ quoted_on: day(-40), valid_until: day(3) });
    expect(early.lines[0]).toMatchObject({ gst_rate: '12.0000' });
  });

  it('needs approval only above 10 % discount or below the lowest rate, by somebody other than its owner', async () => {
    const fair = await quote();
    await ok(step(seller, 'quotation', fair.id, 'submit'));
    expect(await read('quotation', fair.id)).toMatchObject({ status: 'approved' });
    const dear = await quote({
      lines: [{ option: 'A', lift_id: ids.lift, amc_type_id: ids.amc, rate: '40000.00', discount: '12' }],
    });
    await ok(step(seller, 'quotation', dear.id, 'submit'));
    expect(await read('quotation', dear.id)).toMatchObject({ status: 'submitted' });
    expect((await step(seller, 'quotation', dear.id, 'approve')).statusCode).toBe(403);
    await ok(step(head, 'quotation', dear.id, 'approve'));
    const cheap = await quote({ lines: [{ option: 'A', lift_id: ids.lift, amc_type_id: ids.amc, rate: '31000.00' }] });
    await ok(step(seller, 'quotation', cheap.id, 'submit'));
    expect(await read('quotation', cheap.id)).toMatchObject({ status: 'submitted', below_floor: true });
    expect((await step(seller, 'quotation', cheap.id, 'send')).statusCode).toBe(409);
  });

  it('is mailed with its letter, accepted in writing, and becomes the contract of the chosen option', async () => {
    const { id } = await quote();
    const submitted = await ok(step(seller, 'quotation', id, 'submit'));
    expect(submitted.quotation_no).toMatch(/^QTN\/\d{4}-\d{2}\/\d{4}$|^QTN\/\d{2}-\d{2}\/\d{4}$/);
    await ok(step(seller, 'quotation', id, 'send'));
    await world.app.outbox.send(acme);
    const arrived = () =>
      mail.mails.find(({ subject }) => subject?.startsWith(`Quotation ${String(submitted.quotation_no)}`));
    await expect.poll(arrived).toBeDefined();
    expect(arrived()).toMatchObject({
      to: [{ address: 'office@towers.example' }],
      attachments: [{ mimeType: 'application/pdf' }],
    });
    const printed = async (print: string) =>
      pdfText((await seller.call('GET', `/tapi/quotation/${id}/print/${print}.pdf`)).rawPayload);
    // The letter describes the lifts; the sheet has the prices only.
    expect(await printed('letter')).toContain('Technical data of the lifts');
    expect(await printed('price_sheet')).not.toContain('Technical data');
    // Both options have the same AMC type: what it covers is listed once for each option, its parts by their charge.
    const letter = await printed('letter');
    expect(letter.match(/All parts but glass/g)).toHaveLength(2);
    expect(letter).toMatch(/Parts included .*Ropes .*Parts not included .*Cabin glass/);
    expect(await printed('price_sheet')).toMatch(/Acme Lifts .*50200041187263 .*HDFC0000082/);
    const refused = await step(seller, 'quotation', id, 'accept', { chosen_option: 'A' });
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('enter the order number')]);
    expect((await step(seller, 'quotation', id, 'accept', { chosen_option: 'C', order_no: 'PO 7' })).statusCode).toBe(
      422,
    );
    await ok(step(seller, 'quotation', id, 'accept', { chosen_option: 'B', order_no: 'PO 7' }));
    expect(await read('quotation', id)).toMatchObject({ status: 'accepted', total: '43070.00', order_no: 'PO 7' });

    const values = await ok(seller.call('GET', `/tapi/contract/new?from=quotation/${id}&make=contract`));
    const contract = await ok(seller.call('POST', '/tapi/contract', { ...values, customer_signatory: 'R. Rao' }), 201);
    expect(contract).toMatchObject({
      quotation_id: id,
      customer_id: ids.customer,
      year_total: '36500.00',
      lines: [{ lift_id: ids.lift, amc_type_id: ids.amc, rate: '36500.00' }],
    });
    expect((await read('quotation', id)).status).toBe('converted');
    expect((await seller.call('GET', `/tapi/contract/new?from=quotation/${id}&make=contract`)).statusCode).toBe(409);
    await ok(step(seller, 'contract', contract.id, 'submit'));
    expect(await read('contract', contract.id)).toMatchObject({
      status: 'approved',
      instalments: [{ bill_on: day(0), amount: '36500.00', gst: '6570.00', total: '43070.00' }],
    });
    const paper = async (print: string) =>
      pdfText((await seller.call('GET', `/tapi/contract/${contract.id}/print/${print}.pdf`)).rawPayload);
    expect(await paper('agreement')).toMatch(
      /GST registrations of the customer .*33AAACC4125E1ZD .*Annexure C: instalments .*43,070\.00/,
    );
    expect(await paper('two_pages')).toContain(
      'Total of the instalments with GST: Rupees Forty Three Thousand Seventy Only',
    );
    const unsigned = await step(seller, 'contract', contract.id, 'begin');
    expect([unsigned.statusCode, unsigned.body]).toEqual([422, expect.stringContaining('signed copy')]);
    await ok(step(seller, 'contract', contract.id, 'cancel', { reason: 'The customer sells the house' }));
    expect((await read('quotation', id)).status).toBe('accepted');
    // An offer that expired more than 30 days ago is revised first, a current one is not.
    const until = (offset: number) =>
      acme.sql(`update {s}.quotation set quoted_on = $2, valid_until = $3 where id = $1`, [id, day(-60), day(offset)]);
    const made = () => seller.call('GET', `/tapi/contract/new?from=quotation/${id}&make=contract`);
    await until(-30);
    expect([(await made()).statusCode, (await step(seller, 'quotation', id, 'revise')).statusCode]).toEqual([200, 409]);
    await until(-31);
    expect((await made()).statusCode).toBe(409);
    await ok(step(seller, 'quotation', id, 'revise'));
  });

  it('is printed in the company’s design, once the design is in use', async () => {
    const { id } = await quote();
    /** What a PDF is printed on: designs of several papers are told apart by it. */
    const paper = (pdf: Buffer) =>
      /MediaBox \[0 0 (\d+)[.\d]* (\d+)/.exec(pdf.toString('latin1'))?.slice(1).join(' × ');
    const papers = { A4: '595 × 841', A5: '595 × 419', A6: '297 × 419' };
    const printed = async () => paper((await seller.call('GET', `/tapi/quotation/${id}/print/letter.pdf`)).rawPayload);
    const design = (more: object) =>
      ok(admin.call('POST', '/tapi/print_design', { document: 'quotation.letter', paper: 'A4', ...more }), 201);
    const ofAll = await design({});
    const blocks = ofAll.blocks as Row[];
    expect(blocks.map(({ block }) => block)).toEqual(
      expect.arrayContaining(['letterhead', 'heading', 'box', 'table', 'words', 'terms', 'sign']),
    );
    const set = (values: object) =>
      admin.call('PUT', `/tapi/print_design/${ofAll.id}`, { version: ofAll.version, ...values });
    const heading = blocks.findIndex(({ block }) => block === 'heading');
    const heads = (content: string) => ({ blocks: blocks.with(heading, { ...blocks[heading], content }) });
    const wrong = await set(heads('For {customer.name}'));
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      422,
      {
        error: {
          details: [
            { field: `blocks.${heading}.content`, message: expect.stringContaining('no field "customer"') as string },
          ],
        },
      },
    ]);
    // The checks of a module are not asked about a choice that there is not.
    for (const paper of ['A7', [['x']]])
      expect((await set({ paper })).json()).toMatchObject({ error: { details: [{ field: 'paper' }] } });
    await ok(set({ ...heads('Our best offer for {customer_id.name}'), paper: 'A5', landscape: true }));
    expect(await printed()).toBe(papers.A4);
    const tried = await admin.call('GET', `/tapi/print_design/${ofAll.id}/print/tried.pdf`);
    expect(paper(tried.rawPayload)).toBe(papers.A5);
    expect((await seller.call('GET', `/tapi/print_design/${ofAll.id}/print/tried.pdf`)).statusCode).toBe(403);
    await ok(step(admin, 'print_design', ofAll.id, 'use'));
    expect(await printed()).toBe(papers.A5);

    // Of one company before those of all; the next of the same replaces it.
    const one = {
      company_id: acme.entityIds[0],
      blocks: [{ block: 'heading', place: 'across', content: 'Of us alone' }],
    };
    const own = await design({ ...one, paper: 'A6' });
    await ok(step(admin, 'print_design', own.id, 'use'));
    expect(await printed()).toBe(papers.A6);
    const next = await design(one);
    await ok(step(admin, 'print_design', next.id, 'use'));
    expect(await printed()).toBe(papers.A4);
    expect(await read('print_design', own.id)).toMatchObject({ state: 'replaced' });
    await ok(step(admin, 'print_design', next.id, 'withdraw'));
    expect(await printed()).toBe(papers.A5);
    await ok(step(admin, 'print_design', ofAll.id, 'withdraw'));
    expect(await printed()).toBe(papers.A4);
  });

  it('is viewed and accepted by the customer through the link in its mail', async () => {
    const { id } = await quote();
    const { quotation_no: number } = await ok(step(seller, 'quotation', id, 'submit'));
    await ok(step(seller, 'quotation', id, 'send'));
    await world.app.outbox.send(acme);
    const arrived = () => mail.mails.find(({ subject }) => subject?.startsWith(`Quotation ${String(number)}`));
    await expect.poll(arrived).toBeDefined();
    const [, token] = /\/Quotation\/public\/([\w-]{22})\s/.exec(arrived()!.text ?? '') ?? [];
    expect(arrived()!.html).toContain(`/Quotation/public/${token}"`);
    const papi = (body?: object, at = '') =>
      world.inject({
        method: body ? 'POST' : 'GET',
        url: `/papi/${token}${at}`,
        headers: { host: acme.host, ...(body && { 'idempotency-key': crypto.randomUUID() }) },
        ...(body && { payload: body }),
      });
    expect(await read('quotation', id)).toMatchObject({ status: 'sent', active: true });
    const seen = await papi();
    expect(seen.statusCode, seen.body).toBe(200);
    const page = seen.json<{ data: Row }>().data;
    expect(page).toMatchObject({
      text: `${String(number)}: Maintenance of one lift`,
      prints: [{ name: 'letter', title: 'Quotation' }],
      acts: [{ name: 'accept', fields: [{ name: 'chosen_option', options: [{ value: 'A' }, { value: 'B' }] }, {}] }],
    });
    expect(JSON.stringify(page)).toContain('43,070.00');
    expect(JSON.stringify(page)).not.toContain('guide');
    // The letter of the mail, byte by byte.
    const letter = await papi(undefined, '/print/letter.pdf');
    expect(Buffer.from(arrived()!.attachments[0]!.content as ArrayBuffer).equals(letter.rawPayload)).toBe(true);
    expect((await papi(undefined, '/print/price_sheet.pdf')).statusCode).toBe(404);

    const refused = await papi({ act: 'accept', values: { chosen_option: 'B' } });
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('enter the order number')]);
    for (const [act, values, status] of [
      ['accept', { chosen_option: 'C', order_no: 'PO 9' }, 422],
      ['accept', { chosen_option: 'A', order_no: 'PO 9', total: '1.00' }, 422],
      ['cancel', { reason: 'x' }, 404],
    ] as const)
      expect((await papi({ act, values })).statusCode, act).toBe(status);
    const accepted = await papi({ act: 'accept', values: { chosen_option: 'B', order_no: 'PO 9' } });
    expect([accepted.statusCode, accepted.body]).toEqual([200, expect.stringContaining('You have accepted our offer')]);
    expect(await read('quotation', id)).toMatchObject({ status: 'accepted', total: '43070.00', order_no: 'PO 9' });
    expect((await papi({ act: 'accept', values: { chosen_option: 'A', order_no: 'PO 9' } })).statusCode).toBe(409);
    expect((await papi()).statusCode).toBe(409);
    // The rest is the company's: the contract is made of what was chosen.
    expect(await ok(seller.call('GET', `/tapi/contract/new?from=quotation/${id}&make=contract`))).toMatchObject({
      lines: [{ lift_id: ids.lift, rate: '36500' }],
    });
  });

  it('that is revised keeps its number, and the old revision is read-only', async () => {
    const { id } = await quote();
    const { quotation_no: number } = await ok(step(seller, 'quotation', id, 'submit'));
    const revised = await ok(step(seller, 'quotation', id, 'revise'));
    const next = await read('quotation', revised._revision as number);
    expect(next).toMatchObject({ quotation_no: number, revision: 1, status: 'draft', total: '51118.00' });
    expect((await read('quotation', id)).status).toBe('superseded');
    const put = await seller.call('PUT', `/tapi/quotation/${id}`, {
      version: (await read('quotation', id)).version,
      subject: 'Other',
    });
    expect(put.statusCode).toBe(409);
  });

  it('cannot be made for a blocked customer', async () => {
    const { id } = await quote();
    await ok(step(admin, 'customer_dtl', ids.customer!, 'hold', { reason: 'Unpaid for 200 days' }));
    const refused = await step(seller, 'quotation', id, 'submit');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('blocked')]);
    await ok(step(admin, 'customer_dtl', ids.customer!, 'release'));
    await ok(step(seller, 'quotation', id, 'submit'));
  });
});

describe('a customer', () => {
  it('has GST registrations of its own that match its states and its PAN', async () => {
    const { id: _id, customer_no: _no, version: _version, ...known } = await read('customer_dtl', ids.customer!);
    const [state] = await acme.sql<{ id: number }>(`select id from {s}.state_mstr where gst_code = '33'`);
    const with_ = (gstin: string, pan: string | null) =>
      admin.call('POST', '/tapi/customer_dtl', {
        ...Object.fromEntries(
          Object.entries(known).filter(([name]) => !/__label$|^(status|_)|_at$|_by$|active/.test(name)),
        ),
        gst_treatment: 'registered',
        pan,
        gst_registrations: gstin === '' ? [] : [{ state_id: state!.id, gstin }],
      });
    expect((await with_('33AAFCM4821Q1Z6', 'AAFCM4821Q')).statusCode).toBe(201);
    for (const [gstin, pan, message] of [
      ['33AAFCM4821Q1Z6', 'AAFCM4821Q', '33AAFCM4821Q1Z6 belongs to Towers (CUS/'],
      ['29AAFCM4821Q1ZV', 'AAFCM4821Q', 'begin with the code of its state'],
      ['33AAFCM4821Q1Z6', 'AAPFU0939F', 'contain the customer'],
      ['', null, 'Enter the GST registration'],
    ] as const) {
      const refused = await with_(gstin, pan);
      expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining(message)]);
    }
  });

  it('is shown to whoever adds one that may be the same, with a link, and is no obstacle', async () => {
    const shown = async (values: object, more: object = {}) =>
      (await ok(admin.call('POST', '/tapi/customer_dtl/fill', { values, ...more }))).similar;
    const { customer_no: no } = await read('customer_dtl', ids.customer!);
    const link = `- [Towers (${String(no)})](/customer_dtl/view/${ids.customer})`;
    expect(await shown({ name: 'Chennai Port Trust', phone: '+914428292727' })).toContain(`${link}: same phone`);
    expect(await shown({ name: 'The Tower Pvt. Ltd.', phone: '+914428299999' })).toContain(`${link}: similar name`);
    expect(await shown({ name: 'Chennai Port Trust', phone: '+914428299999' })).toBeNull();
    expect(await shown({ name: 'Towers' }, { id: ids.customer })).toBeNull();
    expect((await read('customer_dtl', ids.customer!)).similar).toBeNull();
  });
});

describe('expiring cover', () => {
  const path = '/tapi/contract_ending';
  const rows = async (by: Caller, query = '') => {
    const got = await by.call('GET', `${path}?columns=*${query}`);
    expect(got.statusCode, got.body).toBe(200);
    return got.json<{ data: Row[] }>().data;
  };
  let first: Doc;

  beforeAll(async () => {
    const contract = (start: string, rate: string) =>
      ok(
        seller.call('POST', '/tapi/contract', {
          customer_id: ids.customer,
          building_id: ids.building,
          start_on: start,
          months: 12,
          payment_type_id: ids.payment,
          lines: [{ lift_id: ids.lift, amc_type_id: ids.amc, rate }],
        }),
        201,
      );
    first = await contract('2024-04-01', '30000.00');
    await acme.sql(`update {s}.contract set status = 'expired' where id = $1`, [first.id]);
    await acme.sql(`update {s}.contract_line set line_status = 'closed', closes_on = to_on where contract_id = $1`, [
      first.id,
    ]);
  });

  it('is a list of contract lifts on a day, with their follow-up', async () => {
    expect(await rows(seller, '&p.as_on=2025-04-10')).toMatchObject([
      {
        contract_id: first.id,
        lift_id: ids.lift,
        customer_id__label: expect.stringContaining('Towers'),
        ended_on: '2025-03-31',
        days_since: 10,
        value: '30000.00',
        renewal: expect.stringMatching(/quoted|accepted/),
      },
    ]);
    expect(await rows(seller, '&p.as_on=2025-01-10')).toMatchObject([{ days_since: 0 }]);
    expect(await rows(seller, `&filter=${encodeURIComponent('["days_since","gt",0]')}&p.as_on=2025-01-10`)).toEqual([]);
    const count = await seller.call('GET', `${path}/count`);
    expect(count.body).toContain('"count":1');
    for (const [query, status] of [
      ['p.as_on=tomorrow', 422],
      ['p.day=2025-01-10', 400],
    ] as const)
      expect((await seller.call('GET', `${path}?${query}`)).statusCode).toBe(status);
  });

  it('shows each reader only visible contract rows, and gives no other access', async () => {
    const own = await acme.role({
      modules: ['FMS'],
      screens: { SCN_FMS_CONTRACT: { pages: ['landing', 'add_screen', 'edit_screen', 'view_screen'], scope: 'own' } },
    });
    await acme.user('other', { companies: [{ company: 1, roles: [own] }] });
    const other = await world.signIn(acme, 'other');
    expect(await rows(other)).toEqual([]);
    const report = '/tapi/report/cover_ending_by_month/rows';
    expect((await other.call('GET', report)).json<{ data: { rows: Row[] } }>().data.rows).toEqual([]);
    const whole = (await seller.call('GET', report)).json<{ data: { rows: Row[]; totals: Row } }>().data;
    expect(whole.rows).toMatchObject([{ ended_on_month: '2025-03', '.total.lifts': 1, '.total.value': '30000.00' }]);
    // Bands by age add up to the whole; what is computed is computed of the totals too.
    const lost = await seller.call('GET', '/tapi/report/cover_lost/rows?as_on=2025-05-10');
    const ageing = lost.json<{ data: { rows: Row[]; totals: Row } }>().data;
    expect(ageing.rows).toMatchObject([
      { lifts: 1, value: '30000.00', each: '30000.00', band_1: '0', band_2: '30000.00', band_3: '0', band_4: '0' },
    ]);
    expect(ageing.totals).toMatchObject({ lifts: 1, each: '30000.00', band_2: '30000.00' });
    const pdf = await admin.call('GET', '/tapi/report/cover_ending_by_month/export.pdf');
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    expect((await other.call('GET', '/tapi/report/cover_ending_by_month/export.pdf')).statusCode).toBe(403);
    const [{ id }] = (await rows(admin)) as [Row];
    for (const [method, at, body] of [
      ['POST', '', {}],
      ['PUT', `/${String(id)}`, { version: 1, value: '1.00' }],
      ['DELETE', `/${String(id)}`, undefined],
      ['PUT', '/bulk', { ids: [id], set: { value: '1.00' } }],
      ['POST', '/bulk_delete', { ids: [id], mode: 'delete' }],
      ['POST', `/${String(id)}/deactivate`, { version: 1 }],
      ['GET', `/${String(id)}/history`, undefined],
    ] as const)
      expect((await admin.call(method, `${path}${at}`, body)).statusCode, `${method} ${at}`).toBe(403);
    const screen = await admin.call('GET', '/tapi/screens/contract_ending');
    expect([screen.statusCode, screen.body.includes('covered')]).toEqual([200, false]);
  });
});
