import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from './browser.ts';
import type { Visitor } from './browser.ts';
import { companyDay as day } from '../company_day.ts';

// A year of a customer of the lift service, as its people live it in the browser; the rules of each step are shown by tests/api/fms.

type Row = Record<string, unknown> & { id: number; version: number; status: string };

const shown = (date: string) => date.split('-').toReversed().join('-');

openBrowser();
let sales: Visitor;
let head: Visitor;
const ids: Record<string, number> = {};
const labels: Record<string, string> = {};

beforeAll(async () => {
  [sales, head] = await Promise.all([visit(DESK), visit(DESK)]);
  await signIn(sales.page, 'dispatcher', '/show_list');
  await signIn(head.page, 'admin', '/show_list');
  await makeCustomer();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    for (const [name, { page }] of Object.entries({ sales, head })) await picture(page, `year-failed-${name}`);
});
afterAll(() => {
  for (const { complaints } of [sales, head]) expect(complaints.filter((text) => !text.startsWith('422'))).toEqual([]);
});

/** What the server answers the session of a page. */
async function ask<T = Row>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await page.evaluate(
    async ([verb, to, content]) => {
      const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
      const answer = await fetch(to!, {
        method: verb!,
        headers: {
          authorization: `Bearer ${token}`,
          'x-entity-id': '1',
          ...(content !== null && { 'content-type': 'application/json' }),
        },
        ...(content !== null && { body: content! }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  );
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return (JSON.parse(text) as { data: T }).data;
}
const read = (type: string, id: number) => ask(head.page, 'GET', `/tapi/${type}/${id}`);
const list = (type: string, filter: unknown, more = '') =>
  ask<Row[]>(head.page, 'GET', `/tapi/${type}?columns=*&filter=${encodeURIComponent(JSON.stringify(filter))}${more}`);
const coded = async (type: string, code: string) => (await list(type, ['code', 'eq', code]))[0]!.id;

/** A customer who deducts TDS, with a building of two lifts: only what has to exist already. */
async function makeCustomer(): Promise<void> {
  const [like] = await list('building', ['building_no', 'eq', 'BLD/00001']);
  const [lift] = await list('lift', ['lift_no', 'eq', 'L00001']);
  const [of] = await list('customer_dtl', ['customer_no', 'eq', 'CUS/00001']);
  const pick = (row: Row, names: string[]) => Object.fromEntries(names.map((name) => [name, row[name]]));
  const place = ['branch_id', 'state_id', 'city_id', 'pincode'];
  const add = async (type: string, values: object) => ask(head.page, 'POST', `/tapi/${type}`, values);
  const customer = await add('customer_dtl', {
    ...pick(of!, [...place, 'client_type_id', 'billing_address', 'phone', 'gst_treatment', 'payment_term_id']),
    name: `Palm Court ${Date.now() % 1_000_000}`,
    bill_grouping: 'contract',
    tds_id: await coded('deduction', '194C'),
  });
  const building = await add('building', {
    ...pick(like!, [...place, 'building_type_id', 'address', 'area_id', 'route_id', 'geo']),
    name: `${String(customer.name)} block A`,
    customer_id: customer.id,
  });
  ids.customer = customer.id;
  ids.building = building.id;
  labels.customer = String(customer.name);
  for (const position of ['Lift 1', 'Lift 2']) {
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
      commissioned_on: `${Number(day(0).slice(0, 4)) - 8}-01-15`,
      handed_over_on: `${Number(day(0).slice(0, 4)) - 8}-01-15`,
    });
    ids[position] = made.id;
    labels[position] = String(made.lift_no);
  }
}

/** Brings rows into a sheet of the form as from a spreadsheet. */
async function pasteRows(page: Page, name: RegExp, rows: string): Promise<void> {
  const grid = page.getByRole('grid', { name });
  await page.getByRole('button', { name: 'Add row' }).first().click();
  await grid.locator('[data-active]').first().waitFor();
  await grid.evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, rows);
}

/** Saves a new record. @returns its number */
async function save(page: Page): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (one) => one.request().method() === 'POST' && /^\/tapi\/\w+$/.test(new URL(one.url()).pathname),
    ),
    page.keyboard.press('Control+s'),
  ]);
  await page.waitForURL((url) => !/add$/i.test(url.pathname));
  return ((await answer.json()) as { data: Row }).data.id;
}

/** Takes a step of a record, from its buttons or the menu behind them, and what is asked with it. */
async function step(page: Page, name: string, fill?: (dialog: Locator) => Promise<void>): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const more = page.getByRole('button', { name: 'More actions' });
  await button.or(more).first().waitFor();
  const taken = page.waitForResponse(
    (one) => one.request().method() === 'POST' && /^\/tapi\/\w+\/\d+\/\w+$/.test(new URL(one.url()).pathname),
  );
  if ((await button.count()) > 0) await button.first().click();
  else {
    await more.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await Promise.race([taken, dialog.first().waitFor()]);
  if (await dialog.isVisible()) {
    await fill?.(dialog);
    await dialog.getByRole('button', { name, exact: true }).click();
  }
  const answer = await taken;
  expect(answer.status(), await answer.text()).toBe(200);
}
const status = async (type: string, id: number) => (await read(type, id)).status;

/** Chooses a record by a few letters of its name. */
async function choose(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).first().fill(text);
  await page
    .getByRole('option', { name: new RegExp(text.replace(/[/()]/g, '.')) })
    .first()
    .click();
}

test('an offer with a discount above ten percent is approved by somebody else, accepted, and becomes a contract', async () => {
  const { page } = sales;
  await page.goto(address('/Quotation/Add'));
  await page.getByRole('heading', { name: 'Add quotation', level: 1 }).waitFor();
  await choose(page, /^Customer/, labels.customer!);
  await choose(page, /^Building/, labels.customer!);
  await page.getByRole('textbox', { name: /^Subject/ }).fill('Maintenance of lift 1');
  await picture(page, 'year-quotation-add');
  await pasteRows(page, /^Lines/, `A\t${labels['Lift 1']}\tComprehensive AMC\t\t1\t48000\t12`);
  await page.getByText('42,240.00').first().waitFor();
  await picture(page, 'year-quotation-row');
  await page.getByRole('tab', { name: 'Terms and letter' }).click();
  await page.getByRole('textbox', { name: /^Contract starts on/ }).fill(shown(day(-340)));
  await choose(page, /^Payment(?! term)/, 'Quarterly in advance');
  await choose(page, /^How often/, 'Monthly');
  await choose(page, /^Escalation/, 'Comprehensive');
  await choose(page, /^When it escalates/, 'Every year');
  await picture(page, 'year-quotation-terms');
  ids.quotation = await save(page);
  await step(page, 'Submit');
  await expect.poll(() => status('quotation', ids.quotation!)).toBe('submitted');
  await picture(page, 'year-quotation-submitted');
  // Whoever offers does not approve.
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await head.page.goto(address(`/Quotation/View/${ids.quotation}`));
  await step(head.page, 'Approve');
  await expect.poll(() => status('quotation', ids.quotation!)).toBe('approved');
  await page.reload();
  await step(page, 'Handed over');
  await expect.poll(() => status('quotation', ids.quotation!)).toBe('sent');
  await step(page, 'Accept', async (dialog) => {
    await picture(page, 'year-quotation-accept');
    await dialog.getByRole('radio', { name: 'A', exact: true }).check();
  });
  await expect.poll(() => status('quotation', ids.quotation!)).toBe('accepted');
  expect(await read('quotation', ids.quotation!)).toMatchObject({ total: '49843.00' });
  // The contract is made of it, as it was accepted.
  await page.reload();
  await page
    .getByRole('link', { name: 'Make contract' })
    .or(page.getByRole('button', { name: 'Make contract' }))
    .first()
    .click();
  await page.getByRole('heading', { name: /contract/i, level: 1 }).waitFor();
  await page.getByText('42,240.00').first().waitFor();
  await picture(page, 'year-contract-add');
  await page.getByRole('tab', { name: 'Renewal and signature' }).click();
  await page.getByRole('textbox', { name: /^Signed for the customer by/ }).fill('R. Rao');
  ids.contract = await save(page);
  expect(await status('quotation', ids.quotation!)).toBe('converted');
  await step(page, 'Submit');
  await picture(page, 'year-contract-submitted');
});

test('the contract begins with its plan of visits and of bills', async () => {
  const { page } = head;
  await page.goto(address(`/Contract/View/${ids.contract}`));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if ((await status('contract', ids.contract!)) === 'submitted') await step(page, 'Approve');
  await picture(page, 'year-contract-approved');
  await step(page, 'Activate without signature', async (dialog) => {
    await dialog.getByRole('textbox').first().fill('The signed letter is on its way');
  });
  expect(await read('contract', ids.contract!)).toMatchObject({
    status: 'active',
    quotation_id: ids.quotation,
    start_on: day(-340),
    year_total: '42240.00',
    lines: [{ lift_id: ids['Lift 1'], rate: '48000.00', discount: '12.0000', net: '42240.00', line_status: 'active' }],
  });
  const visits = await list('scheduled_ticket', ['lift_id', 'eq', ids['Lift 1']]);
  expect(visits.length).toBeGreaterThan(0);
  const bills = await list('billing_schedule', ['contract_id', 'eq', ids.contract]);
  expect(bills.map(({ amount, status: state }) => [amount, state])).toEqual(
    Array.from({ length: 4 }, () => ['10560.00', 'planned']),
  );
  await picture(page, 'year-contract-active');
});

test('an instalment of the plan is billed and posted', async () => {
  const [first] = await list('billing_schedule', ['contract_id', 'eq', ids.contract], '&sort=period_from');
  await ask(head.page, 'POST', '/tapi/billing_schedule/action/fms_money.make_chosen_bills', {
    on: 'selection',
    ids: [first!.id],
    params: {},
  });
  const billId = Number((await read('billing_schedule', first!.id)).billing_id);
  await head.page.goto(address(`/billing/view/${billId}`));
  await step(head.page, 'Post');
  expect(await read('billing', billId)).toMatchObject({
    status: 'posted',
    taxable_total: '10560.00',
    cgst_total: '950.40',
    sgst_total: '950.40',
    round_off: '0.20',
    grand_total: '12461.00',
    outstanding: '12461.00',
  });
  expect((await read('billing_schedule', first!.id)).status).toBe('billed');
  await picture(head.page, 'year-bill-posted');
});
