import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from '../browser.ts';
import type { Visitor } from '../browser.ts';
import { act, ask, choose, listOf, pasteRows, save, shows, step, stepBy, written } from '../record_pages.ts';
import type { Row } from '../record_pages.ts';
import { companyDay as day } from '../../company_day.ts';

// A year of a customer of the lift service, as its people live it in the browser; the rules of each step are shown by tests/api/fms.

/** The first day of the contract. */
const BEGAN = -300;
const PALM = { lat: 13.0835, lng: 80.2431 };

openBrowser();
/** Each of them with the role of the demo company that does this work. */
let people: Record<'admin' | 'sales' | 'head' | 'desk' | 'technician' | 'accounts', Visitor>;
const ids: Record<string, number> = {};
const labels: Record<string, string> = {};

beforeAll(async () => {
  const come = async (user: string, size = DESK) => {
    const visitor = await visit(size);
    await signIn(visitor.page, user, '/show_list');
    return visitor;
  };
  const [admin, sales, head, desk, technician, accounts] = await Promise.all([
    come('admin'),
    come('sales'),
    come('manager'),
    come('dispatcher'),
    come('technician', { width: 390, height: 844 }),
    come('accountant'),
  ]);
  people = { admin, sales, head, desk, technician, accounts };
  await people.technician.context.grantPermissions(['geolocation'], { origin: address('/') });
  await people.technician.context.setGeolocation({ latitude: PALM.lat, longitude: PALM.lng });
  await makeCustomer(people.admin.page);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    for (const [name, { page }] of Object.entries(people)) await picture(page, `year-failed-${name}`);
});
afterAll(() => {
  // A step on a phone is sent again where somebody was quicker; what is still missing is said.
  for (const [name, { complaints }] of Object.entries(people))
    expect(
      complaints.filter((text) => !/^4(09|22)/.test(text)),
      name,
    ).toEqual([]);
});

const read = (type: string, id: number) => ask(people.admin.page, 'GET', `/tapi/${type}/${id}`);
const list = (type: string, filter: unknown, more = '') => listOf(people.admin.page, type, filter, more);
const coded = async (type: string, code: string) => (await list(type, ['code', 'eq', code]))[0]!.id;
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
const status = async (type: string, id: number) => (await read(type, id)).status;

/** A customer who deducts TDS, with a building of three lifts: only what has to exist already. */
async function makeCustomer(admin: Page): Promise<void> {
  const [lift] = await list('lift', ['lift_no', 'eq', 'L00011']);
  const like = await read('building', lift!.building_id as number);
  const of = await read('customer_dtl', like.customer_id as number);
  const [team] = await list('team', ['code', 'eq', 'CHN-R1']);
  const [route] = await list('route_mstr', ['team_id', 'eq', team!.id]);
  // Somebody of the team is on duty, whenever this is played.
  await ask(admin, 'PUT', `/tapi/team/${team!.id}`, {
    version: team!.version,
    shift_from: '00:00',
    shift_to: '23:59',
  });
  const [seller] = await list('users', ['username', 'eq', 'sales']);
  const pick = (row: Row, names: string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
  const place = ['branch_id', 'state_id', 'city_id', 'pincode'];
  const add = async (type: string, values: object) => ask(admin, 'POST', `/tapi/${type}`, values);
  const customer = await add('customer_dtl', {
    ...pick(of, [...place, 'client_type_id', 'billing_address', 'phone', 'payment_term_id']),
    gst_treatment: 'unregistered',
    name: `Palm Court ${Date.now() % 1_000_000}`,
    account_manager_id: seller!.employee_id,
    bill_grouping: 'contract',
    tds_id: await coded('deduction', '194C'),
  });
  const building = await add('building', {
    ...pick(like, [...place, 'building_type_id', 'address', 'area_id']),
    geo: PALM,
    route_id: route!.id,
    name: `${String(customer.name)} block A`,
    customer_id: customer.id,
  });
  ids.customer = customer.id;
  ids.building = building.id;
  labels.customer = String(customer.name);
  const years = Number(day(0).slice(0, 4)) - 8;
  for (const position of ['Lift 1', 'Lift 2', 'Lift 3']) {
    const made = await add('lift', {
      ...pick(lift!, [
        'lift_category_id',
        'lift_type_id',
        'lift_make_id',
        'drive_type_id',
        'controller_id',
        'expertise_level_id',
        'capacity_kg',
        'speed_mps',
        'stops',
        'openings',
      ]),
      building_id: building.id,
      position_name: position,
      commissioned_on: `${years}-01-15`,
      handed_over_on: `${years}-01-15`,
    });
    ids[position] = made.id;
    labels[position] = String(made.lift_no);
  }
}

/** A contract of another lift of the customer that runs since so many days: without the screens on which the first is made. */
async function running(lift: string, since: number, rate: string): Promise<number> {
  const { admin, head, accounts } = people;
  const { id } = await ask(admin.page, 'POST', '/tapi/contract', {
    customer_id: ids.customer,
    sales_person_id: (await read('contract', ids.contract!)).sales_person_id,
    building_id: ids.building,
    branch_id: (await read('building', ids.building!)).branch_id,
    start_on: day(since),
    months: 12,
    payment_type_id: await coded('payment_type_mstr', 'YA'),
    schedule_visit_id: await coded('schedule_visit_mstr', 'Q4'),
    customer_signatory: 'R. Rao',
    lines: [{ lift_id: ids[lift], amc_type_id: await coded('amc_type_mstr', 'COMP'), rate }],
  });
  await stepBy(admin.page, 'contract', id, 'submit');
  await stepBy(head.page, 'contract', id, 'begin_unsigned', { reason: 'The letter is on its way' });
  const [year] = await list('billing_schedule', ['contract_id', 'eq', id]);
  await ask(accounts.page, 'POST', '/tapi/billing_schedule/action/fms_money.release_planned', {
    on: 'selection',
    ids: [year!.id],
    params: { order_no: 'PO-4713' },
  });
  await stepBy(accounts.page, 'billing', await billOf(year!.id), 'post');
  return id;
}

/** Makes the bill of an instalment of the plan. @returns its id */
async function billOf(instalment: number): Promise<number> {
  await ask(people.accounts.page, 'POST', '/tapi/billing_schedule/action/fms_money.make_chosen_bills', {
    on: 'selection',
    ids: [instalment],
    params: {},
  });
  return Number((await read('billing_schedule', instalment)).billing_id);
}

test('a quotation with a discount above ten percent is approved by somebody else, accepted, and becomes a contract', async () => {
  const { page } = people.sales;
  const head = people.head.page;
  await page.goto(address('/Quotation/Add'));
  await page.getByRole('heading', { name: 'Add quotation', level: 1 }).waitFor();
  await choose(page, /^Customer/, labels.customer!);
  await choose(page, /^Building/, labels.customer!);
  await page.getByRole('textbox', { name: /^Subject/ }).fill('Maintenance of lift 1');
  await pasteRows(page, /^Lines/, `A\t${labels['Lift 1']}\tSemi-comprehensive AMC\t\t1\t48000\t12`);
  await page.getByText('42,240.00').first().waitFor();
  await picture(page, 'year-quotation-row');
  await page.getByRole('tab', { name: 'Terms and letter' }).click();
  await page.getByRole('textbox', { name: /^Contract starts on/ }).fill(written(day(BEGAN)));
  await choose(page, /^Payment(?! term)/, 'Quarterly in advance');
  await choose(page, /^Visit frequency/, 'Monthly');
  await choose(page, /^Escalation/, 'Standard, by age');
  await choose(page, /^When the price rises/, 'Every year');
  await picture(page, 'year-quotation-terms');
  ids.quotation = await save(page);
  await step(page, 'Submit');
  await page.getByText('Submitted').first().waitFor();
  // Whoever offers does not approve.
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await head.goto(address(`/Quotation/View/${ids.quotation}`));
  await step(head, 'Approve');
  await head.getByText('Approved').first().waitFor();
  await page.reload();
  await step(page, 'Handed over');
  await step(page, 'Accept', async (dialog) => {
    await dialog.getByRole('radio', { name: 'A', exact: true }).check();
    await dialog.getByRole('textbox', { name: /^Order of the customer/ }).fill('PO-4711');
    await picture(page, 'year-quotation-accept');
  });
  await page.getByText('Accepted').first().waitFor();
  await shows(page, 'total', '49,843.00');
  // The contract is made of it, step by step, as it was accepted.
  await page.reload();
  await act(page, 'Make contract');
  await page.getByRole('heading', { name: /contract/i, level: 1 }).waitFor();
  await page.getByText('42,240.00').first().waitFor();
  await picture(page, 'year-contract-lines');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  const stepsOfIt = page.getByRole('list', { name: 'Steps of contract' });
  for (const name of ['Billing and prices', 'Visits', 'Renewal and signature']) {
    await next.click();
    await stepsOfIt.locator('[aria-current=step]', { hasText: name }).waitFor();
  }
  await page.getByRole('textbox', { name: /^Signed for the customer by/ }).fill('R. Rao');
  await next.click();
  await stepsOfIt.locator('[aria-current=step]', { hasText: 'Summary' }).waitFor();
  await picture(page, 'year-contract-summary');
  ids.contract = await save(page, () => page.getByRole('button', { name: /^Save/ }).first().click());
  expect(await status('quotation', ids.quotation)).toBe('converted');
  // Up to ₹ 2,00,000 a year nobody has to approve it.
  await step(page, 'Submit');
  await expect.poll(() => status('contract', ids.contract!)).toBe('approved');
});

test('the contract starts with its plan of visits and of bills', async () => {
  const { page } = people.head;
  await page.goto(address(`/Contract/View/${ids.contract}`));
  await step(page, 'Activate without signature', async (dialog) => {
    await dialog.getByRole('textbox').first().fill('The signed letter is on its way');
  });
  await page.getByText('Active', { exact: true }).first().waitFor();
  await shows(page, 'year_total', '42,240.00');
  await picture(page, 'year-contract-active');
  const bills = await list('billing_schedule', ['contract_id', 'eq', ids.contract]);
  expect(bills.map(({ amount, status: state, order_no: order }) => [amount, state, order])).toEqual(
    Array.from({ length: 4 }, () => ['10560.00', 'planned', 'PO-4711']),
  );
});

/** Goes to people inside a lift, frees them and makes the lift safe, on the technician's phone. */
async function rescueOnThePhone(page: Page, ticket: number): Promise<void> {
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  await page.goto(address(`/fms/edit_ticket/${ticket}`));
  for (const name of ['I will go', 'Go', 'I am there', /All out/]) await press(name);
  for (const point of [/Barricades/, /Main switch/, /where the car stands/]) await press(point);
  await press('It is safe: begin');
}

test('a lift stops with people inside: the desk raises it, the rescue ladder starts, a part from the kit repairs it', async () => {
  const { page } = people.desk;
  await page.goto(address('/raise_tickets'));
  await page.getByRole('button', { name: 'Yes, people are inside' }).click();
  await page.getByLabel('How many').fill('3');
  await page.getByRole('searchbox', { name: /Which lift/ }).fill(labels['Lift 1']!);
  await page.getByRole('button', { name: new RegExp(`${labels['Lift 1']} · Lift 1`) }).click();
  await page.getByText('Covered by the contract').waitFor();
  await page.getByLabel('What the caller says').fill('The car stands between two floors, three people are inside.');
  await picture(page, 'year-raise-call');
  ids.rescue = await save(page, () => page.getByRole('button', { name: 'Raise call' }).click());
  const strip = page.getByRole('region', { name: 'People are inside' });
  await strip.getByText('Nobody has accepted yet.').waitFor();
  await strip.getByText(/At once: Technicians within 30 min/).waitFor();
  await step(page, 'Log a call to the car', async (dialog) => {
    await dialog.getByRole('textbox').first().fill('They are calm; told that help is on the way.');
  });
  await strip.getByText('Last call to the car 0 min ago.').waitFor();
  await picture(page, 'year-rescue-desk');

  const phone = people.technician.page;
  await rescueOnThePhone(phone, ids.rescue);
  await phone.getByRole('button', { name: 'Parts and material' }).click();
  const part = phone.getByLabel('Part from my kit');
  await part.selectOption({ index: 1 });
  labels.part = (await part.locator('option:checked').textContent())!.replace(/ \(.*$/, '');
  await phone.getByLabel('Serial number of the old part').fill('K-4711');
  for (const name of ['Root cause', 'Action taken']) await phone.getByLabel(name).selectOption({ index: 1 });
  await picture(phone, 'year-parts-phone');
  await phone.getByRole('button', { name: 'Add to the ticket' }).click();
  await phone.getByText('The part was taken from your kit.').waitFor();

  await page.reload();
  await page.getByText(/All out at .*: 3 people, 0 injured\./).waitFor();
  // The part stands on the ticket, with the reason for its cover.
  const used = page.getByRole('region', { name: 'Parts used' });
  await used.getByText(labels.part).first().waitFor();
  expect(String(((await read('fms_ticket', ids.rescue)).parts as Row[])[0]!.cover_because)).not.toBe('');
  await picture(page, 'year-rescue-done');
});

test('an instalment of the plan is billed and posted', async () => {
  const { page } = people.accounts;
  const [first] = await list('billing_schedule', ['contract_id', 'eq', ids.contract], '&sort=period_from');
  ids.bill = await billOf(first!.id);
  await page.goto(address(`/billing/view/${ids.bill}`));
  await step(page, 'Post');
  await page.getByRole('tab', { name: 'Payment' }).click();
  await shows(page, 'outstanding', '12,461.00');
  expect(await read('billing', ids.bill)).toMatchObject({
    status: 'posted',
    taxable_total: '10560.00',
    cgst_total: '950.40',
    sgst_total: '950.40',
    round_off: '0.20',
    grand_total: '12461.00',
    outstanding: '12461.00',
  });
  expect(await status('billing_schedule', first!.id)).toBe('billed');
  await picture(page, 'year-bill-posted');
});

test('a part is paid by cheque with TDS; the cheque is paid in and bounces, and the dues are as before', async () => {
  const { page } = people.accounts;
  const head = people.head.page;
  const before = await read('billing', ids.bill!);
  await page.goto(address(`/receipt/receipt_add?customer_id=${ids.customer}`));
  // The branch of the customer comes along.
  await expect.poll(() => page.getByRole('combobox', { name: /^Branch/ }).inputValue()).toBe('Chennai');
  await choose(page, /^Mode/, 'Cheque');
  await page.getByRole('textbox', { name: /^Amount received/ }).fill('5900');
  await page.getByRole('textbox', { name: /^Cheque or transfer number/ }).fill('004711');
  await page.getByRole('textbox', { name: /^Dated/ }).fill(written(day(0)));
  await page.getByRole('textbox', { name: /^Drawn on/ }).fill('Indian Bank, T Nagar');
  await page.getByRole('button', { name: 'Propose bills' }).click();
  await page
    .getByRole('grid', { name: /^Bills/ })
    .getByText('5,900.00')
    .first()
    .waitFor();
  await picture(page, 'year-receipt-add');
  ids.receipt = await save(page);
  await step(page, 'Submit');
  await page.getByText('Waiting for approval').first().waitFor();
  await head.goto(address(`/receipt/receipt_view/${ids.receipt}`));
  await step(head, 'Approve');
  await head.getByText('Approved').first().waitFor();
  await picture(head, 'year-receipt-approved');
  await page.goto(address(`/billing/view/${ids.bill}`));
  const paid = await read('billing', ids.bill!);
  expect(Number(paid.paid)).toBe(5900);
  expect(Number(paid.deducted)).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Payment' }).click();
  await shows(page, 'deducted', Number(paid.deducted).toFixed(2));
  await shows(page, 'paid', '5,900.00');

  // It is paid in, and comes back: what was paid and deducted is undone exactly.
  const receipt = await read('receipt', ids.receipt);
  await page.goto(address('/deposits/add'));
  const [bank] = await list('bank_mstr', ['for_deposits', 'eq', true]);
  await choose(page, /^Bank account/, String(bank!.name ?? bank!.account_name));
  await page.getByRole('textbox', { name: /^Slip number/ }).fill('SL-4711');
  await pasteRows(page, /^Cash and cheques/, String(receipt.receipt_no));
  await page.getByText('5,900.00').first().waitFor();
  ids.deposit = await save(page);
  await step(page, 'Pay in');
  await page.getByText('Paid in').first().waitFor();
  await picture(page, 'year-deposit');
  await head.reload();
  await step(head, 'Bounced', async (dialog) => {
    await dialog
      .getByRole('textbox', { name: /on$/ })
      .first()
      .fill(written(day(0)));
    await dialog.getByRole('combobox', { name: /reason/i }).click();
    await head.getByRole('option', { name: /fund/i }).click();
    await picture(head, 'year-bounce');
  });
  await head.getByText('Bounced').first().waitFor();
  await page.goto(address(`/billing/view/${ids.bill}`));
  await page.getByRole('tab', { name: 'Payment' }).click();
  await shows(page, 'outstanding', '12,461.00');
  await picture(page, 'year-bill-after-bounce');
  const after = await read('billing', ids.bill!);
  for (const field of ['paid', 'deducted', 'credited', 'outstanding', 'grand_total'])
    expect(after[field], field).toBe(before[field]);
});

/** Accepts an offer as its customer does: by the link of its mail, on a phone, without an account. */
async function acceptOnThePhone(sales: Page, offer: number): Promise<void> {
  const [link] = await ask<{ address: string }[]>(sales, 'POST', `/tapi/quotation/${offer}/public`, {});
  const { page: guest, complaints } = await visit({ width: 360, height: 740 });
  await guest.goto(address(new URL(link!.address).pathname));
  await guest.getByRole('heading', { name: 'Our offer' }).waitFor();
  const form = guest.getByRole('form', { name: 'Accept' });
  await form.getByRole('radio', { name: 'A', exact: true }).check();
  await form.getByRole('textbox', { name: /^Order of the customer/ }).fill('PO-4712');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(guest, 'year-offer-phone');
  await form.getByRole('button', { name: 'Accept', exact: true }).click();
  await guest.getByText('Thank you. You have accepted our offer').waitFor();
  expect(complaints).toEqual([]);
  expect(await read('quotation', offer)).toMatchObject({ status: 'accepted', order_no: 'PO-4712' });
}

test('the contract is renewed in advance at the escalated price', async () => {
  const { page } = people.sales;
  await page.goto(address(`/Contract/View/${ids.contract}`));
  await act(page, 'Renew');
  await page.getByRole('heading', { name: 'Renewal desk' }).waitFor();
  const rate = page.getByRole('textbox', { name: /^New price per year of/ });
  await rate.waitFor();
  const suggested = await rate.inputValue();
  // By age of the lift, on what was paid.
  expect(Number(suggested)).toBeGreaterThan(42240);
  await picture(page, 'year-renewal-desk');
  ids.renewal = await save(page, () => page.getByRole('button', { name: 'Save the draft' }).click());
  await step(page, 'Create drafts');
  await page.getByText('Made', { exact: true }).first().waitFor();
  await picture(page, 'year-renewal-made');
  const renewal = await read('lift_renewal', ids.renewal);
  const offer = Number((renewal.lines as Row[])[0]!.quotation_id);
  await page.goto(address(`/Quotation/View/${offer}`));
  // At the price of the escalation nobody has to approve it.
  await step(page, 'Submit');
  await page.getByRole('button', { name: 'Handed over' }).waitFor();
  await step(page, 'Handed over');
  await acceptOnThePhone(page, offer);
  await page.reload();
  await act(page, 'Make contract');
  await page.getByRole('heading', { name: /contract/i, level: 1 }).waitFor();
  const next = page.getByRole('button', { name: 'Next', exact: true });
  const stepsOfIt = page.getByRole('list', { name: 'Steps of contract' });
  for (const name of ['Billing and prices', 'Visits', 'Renewal and signature']) {
    await next.click();
    await stepsOfIt.locator('[aria-current=step]', { hasText: name }).waitFor();
  }
  await page.getByRole('textbox', { name: /^Signed for the customer by/ }).fill('R. Rao');
  await next.click();
  await stepsOfIt.locator('[aria-current=step]', { hasText: 'Summary' }).waitFor();
  ids.renewed = await save(page, () => page.getByRole('button', { name: /^Save/ }).first().click());
  await step(page, 'Submit');
  await expect.poll(() => status('contract', ids.renewed!)).toBe('approved');
  await picture(page, 'year-renewed');
  expect(await read('contract', ids.renewed)).toMatchObject({
    start_on: dayAfter(String((await read('contract', ids.contract!)).end_on)),
    previous_contract_id: ids.contract,
  });
});

test('two contracts are merged: the effect on lines and money is shown before anything is stored', async () => {
  const { page } = people.sales;
  const head = people.head.page;
  const old = [await running('Lift 2', -200, '36000.00'), await running('Lift 3', -100, '24000.00')];
  await page.goto(address(`/customer_dtl/view/${ids.customer}`));
  await act(page, 'Merge contracts');
  await page.getByRole('heading', { name: /^Merge lifts: / }).waitFor();
  await page.getByRole('checkbox', { name: new RegExp(labels['Lift 1']!) }).uncheck();
  await choose(page, /^Reason/, 'customer');
  await page.getByText('Chosen', { exact: true }).first().waitFor();
  await picture(page, 'year-merge');
  ids.change = await save(page, () => page.getByRole('button', { name: 'Save the draft' }).click());
  await step(page, 'Submit');
  await page.getByText('Submitted').first().waitFor();
  await picture(page, 'year-merge-review');
  await head.goto(address(`/contract_review/merge/${ids.change}`));
  await step(head, 'Approve');
  await head.getByText('Effective').first().waitFor();
  await picture(head, 'year-merge-effective');
  const change = await read('contract_change', ids.change);
  await head.goto(address(`/Contract/View/${Number(change.new_contract_id)}`));
  await shows(head, 'year_total', '60,000.00');
  for (const id of old) expect(await status('contract', id)).toBe('merged');
});

test('the statement of the customer ends with the outstanding amount', async () => {
  const { page } = people.accounts;
  await page.goto(address(`/customer_dtl/view/${ids.customer}`));
  await act(page, 'Statement of account');
  await page.getByRole('textbox', { name: /^From/ }).fill(written(day(-365)));
  await picture(page, 'year-statement-add');
  ids.statement = await save(page);
  const dues = (await list('billing', ['and', ['customer_id', 'eq', ids.customer], ['status', 'eq', 'posted']])).map(
    ({ outstanding }) => Number(outstanding),
  );
  const { closing } = await read('account_statement', ids.statement);
  expect(Number(closing)).toBe(dues.reduce((sum, due) => sum + due, 0));
  await page.getByRole('gridcell', { name: 'Invoice' }).first().waitFor();
  await shows(page, 'closing', Number(closing).toLocaleString('en-IN', { minimumFractionDigits: 2 }));
  await picture(page, 'year-statement');
});
