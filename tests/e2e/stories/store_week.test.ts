import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from '../browser.ts';
import type { Visitor } from '../browser.ts';
import { act, ask, choose, listOf, pasteRows, save, shows, step, stepBy } from '../record_pages.ts';
import type { Row } from '../record_pages.ts';

// A week of the store in Chennai, as its people live it in the browser; the rules of each step are shown by tests/api/fms_stores.

/** Of this the store in Chennai has less than is asked for, and the one in Coimbatore enough. */
const BELT = 'Door operator belt';
/** This comes from a vendor. */
const SHOE = 'Roller guide shoe';

openBrowser();
/** Each of them with the role of the demo company that does this work. */
let people: Record<'admin' | 'technician' | 'head' | 'keeper', Visitor>;
const ids: Record<string, number> = {};
/** What the store had before. */
let before: number;

beforeAll(async () => {
  const names = { admin: 'admin', technician: 'technician', head: 'manager', keeper: 'storekeeper' };
  const come = async ([name, user]: string[]) => {
    const visitor = await visit(DESK);
    await signIn(visitor.page, user, '/show_list');
    return [name, visitor] as const;
  };
  people = Object.fromEntries(await Promise.all(Object.entries(names).map(come))) as typeof people;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    for (const [name, { page }] of Object.entries(people)) await picture(page, `week-failed-${name}`);
});
afterAll(() => {
  for (const [name, { complaints }] of Object.entries(people)) expect(complaints, name).toEqual([]);
});

const read = (type: string, id: number) => ask(people.admin.page, 'GET', `/tapi/${type}/${id}`);
const list = (type: string, filter: unknown, more = '') => listOf(people.admin.page, type, filter, more);
const lines = async (type: string, id: number) => (await read(type, id)).lines as Row[];
const state = async (type: string, id: number) => (await read(type, id)).state;

/** How many new pieces of an item a stock point has. */
async function has(point: string, name = BELT): Promise<number> {
  const [[item], [place]] = await Promise.all([
    list('item_mstr', ['name', 'eq', name]),
    list('stock_point', ['code', 'eq', point]),
  ]);
  const rows = await list('stock_balance', [
    'and',
    ['item_id', 'eq', item!.id],
    ['stock_point_id', 'eq', place!.id],
    ['condition', 'eq', 'new'],
  ]);
  return rows.reduce((sum, { on_hand: count }) => sum + Number(count), 0);
}

/** The cell of a column in the first row of a sheet. */
async function cell(page: Page, sheet: RegExp, column: string): Promise<Locator> {
  const grid = page.getByRole('grid', { name: sheet });
  const at = await grid.getByRole('columnheader', { name: column }).first().getAttribute('aria-colindex');
  return grid.locator(`[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="${at}"]`);
}

/** Types values into cells of the first row of a sheet, one beside the other. */
async function fillCells(page: Page, sheet: RegExp, column: string, ...values: string[]): Promise<void> {
  await (await cell(page, sheet, column)).click();
  for (const value of values) {
    await page.keyboard.type(value);
    await page.keyboard.press('Tab');
  }
}

test('Monday: a technician asks for parts that the contract covers, and two people approve it', async () => {
  const { page } = people.technician;
  before = await has('CHN-ST');
  expect(before).toBeLessThan(5);
  await page.goto(address('/mr_add'));
  await page.getByRole('heading', { name: 'Add material request', level: 1 }).waitFor();
  await choose(page, /^Type/, 'Modernisation');
  await choose(page, /^Lift/, 'L00011');
  // Whoever raises it is the technician.
  await expect.poll(() => page.getByRole('combobox', { name: /^Technician/ }).inputValue()).toBe('Murugan Thangavel');
  await choose(page, /^Reason/, 'Upgrade');
  await choose(page, /^Root cause/, 'Wear');
  await pasteRows(page, /^Parts/, `\t${BELT}\t5\tNOS`);
  // Covered, and why.
  await page.getByText(/^CON.* covers Door system/).waitFor();
  await picture(page, 'week-request');
  ids.request = await save(page);
  await step(page, 'Submit');
  const head = people.head.page;
  await head.goto(address(`/mr_landing/view?id=${ids.request}`));
  await step(head, 'Approve commercially');
  await picture(head, 'week-request-approved');
  // Somebody else says that the parts fit.
  const engineer = people.admin.page;
  await engineer.goto(address(`/mr_landing/view?id=${ids.request}`));
  await step(engineer, 'Approve technically');
  await expect.poll(() => state('mr', ids.request!)).toBe('in_supply');
});

test('Tuesday: what the store does not have comes by indent and transfer from another store', async () => {
  const { page } = people.keeper;
  const head = people.head.page;
  const theirs = await has('CBE-ST');
  await page.goto(address(`/mr_landing/view?id=${ids.request}`));
  await act(page, 'Indent');
  await page.getByRole('heading', { name: 'Add indent', level: 1 }).waitFor();
  await choose(page, /^Requested from/, 'CBE-ST');
  await picture(page, 'week-indent');
  ids.indent = await save(page);
  const missing = Number((await lines('mr_indent', ids.indent))[0]!.qty);
  expect(missing).toBe(5 - before);
  await step(page, 'Submit');
  await head.goto(address(`/mr_indent_view/${ids.indent}`));
  await step(head, 'Approve');
  await act(head, 'Transfer');
  await head.getByRole('heading', { name: 'Add transfer', level: 1 }).waitFor();
  await picture(head, 'week-transfer-add');
  ids.transfer = await save(head);
  await step(head, 'Submit');
  await head.getByRole('button', { name: 'Delivery challan (PDF)' }).waitFor();
  await picture(head, 'week-transfer');
  // Who approves does not send: that is the store in Coimbatore.
  await stepBy(people.admin.page, 'mr_transfer', ids.transfer, 'dispatch');
  expect(await has('CBE-ST')).toBe(theirs - missing);
  expect(await has('CHN-ST')).toBe(before);
  await page.goto(address(`/mr_transfer_view/${ids.transfer}`));
  await act(page, 'Receive');
  await page.getByRole('heading', { name: 'Add goods receipt', level: 1 }).waitFor();
  await picture(page, 'week-receipt');
  ids.receipt = await save(page);
  await step(page, 'Inspected');
  await step(page, 'Post');
  await expect.poll(() => has('CHN-ST')).toBe(5);
  await picture(page, 'week-received');
  expect(await state('mr_transfer', ids.transfer)).toBe('received');
  expect(await state('mr_indent', ids.indent)).toBe('supplied');
});

test('Wednesday: what no store has is bought; the vendor delivers less, and the rest is not waited for', async () => {
  const { page } = people.keeper;
  const head = people.head.page;
  const had = await has('CHN-ST', SHOE);
  await page.goto(address('/mr_indent_add_new'));
  await page.getByRole('heading', { name: 'Add indent', level: 1 }).waitFor();
  await choose(page, /^For/, 'CBE-ST');
  await choose(page, /^Requested from/, 'CHN-ST');
  await pasteRows(page, /^Items/, `${SHOE}\tNew\t6\tNOS`);
  ids.wanted = await save(page);
  await step(page, 'Submit');
  await stepBy(head, 'mr_indent', ids.wanted, 'approve');
  await page.reload();
  await act(page, 'Order');
  await page.getByRole('heading', { name: 'Add purchase order', level: 1 }).waitFor();
  await choose(page, /^Vendor/, 'Coimbatore Bearings');
  await fillCells(page, /^Items/, 'Rate', '410');
  await page.getByText('2,460.00').first().waitFor();
  await picture(page, 'week-order');
  ids.order = await save(page);
  await step(page, 'Submit');
  await stepBy(head, 'purchase_order', ids.order, 'approve');
  await page.reload();
  await step(page, 'Mark as sent');
  await act(page, 'Receive');
  await page.getByRole('heading', { name: 'Add goods receipt', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: /^Vendor's invoice/ }).fill(`CB/${ids.order}`);
  await fillCells(page, /^Items/, 'Received', '4', '4');
  await picture(page, 'week-delivery');
  ids.delivery = await save(page);
  await step(page, 'Inspected');
  await step(page, 'Post');
  await expect.poll(() => has('CHN-ST', SHOE)).toBe(had + 4);
  await page.goto(address(`/mr_purchase_order/view/${ids.order}`));
  await page.getByText('Part received').first().waitFor();
  await step(page, 'Close short', async (dialog) => {
    await dialog.getByRole('textbox').first().fill('The vendor has no more of them this month');
  });
  await picture(page, 'week-order-closed');
  expect(await state('purchase_order', ids.order)).toBe('short_closed');
});

test('Thursday: the parts are issued to the kit of the technician, who signs for them and brings one back', async () => {
  const { page } = people.keeper;
  await page.goto(address(`/mr_landing/view?id=${ids.request}`));
  await act(page, 'Issue');
  await page.getByRole('heading', { name: 'Add issue', level: 1 }).waitFor();
  await picture(page, 'week-issue');
  ids.issue = await save(page);
  await step(page, 'Issue');
  expect(await has('CHN-ST')).toBe(0);
  const kit = (await read('mr_issue', ids.issue)).technician_id;
  const technician = people.technician.page;
  await technician.goto(address(`/mr_issue_view/${ids.issue}`));
  await step(technician, 'Acknowledge', async (dialog) => {
    const box = (await dialog.locator('canvas').first().boundingBox())!;
    await technician.mouse.move(box.x + 20, box.y + 30);
    await technician.mouse.down();
    await technician.mouse.move(box.x + 120, box.y + 60, { steps: 6 });
    await technician.mouse.up();
    await dialog.getByRole('button', { name: 'Use this signature' }).click();
    await dialog.getByRole('button', { name: 'Sign again' }).waitFor();
  });
  await expect.poll(() => state('mr_issue', ids.issue!)).toBe('acknowledged');
  await picture(technician, 'week-acknowledged');
  await page.goto(address('/mr_receipt_landing/add'));
  await page.getByRole('heading', { name: /^Add /, level: 1 }).waitFor();
  await choose(page, /^Technician/, 'Murugan Thangavel');
  await choose(page, /^Store/, 'CHN-ST');
  await pasteRows(page, /^Parts/, `Unused\t${BELT}\t1`);
  await picture(page, 'week-return');
  ids.back = await save(page);
  await step(page, 'Receive');
  await expect.poll(() => has('CHN-ST')).toBe(1);
  expect(kit).toBe((await read('mr_receipt', ids.back)).technician_id);
});

test('Friday: a count finds one less than the book, which somebody else approves, and the report says it of any day', async () => {
  const { page } = people.keeper;
  const head = people.head.page;
  const had = await has('CHN-ST', SHOE);
  await page.goto(address('/mr_stock_count/add'));
  await page.getByRole('heading', { name: 'Add stock count', level: 1 }).waitFor();
  await choose(page, /^Stock point/, 'CHN-ST');
  await choose(page, /^Items/, SHOE);
  ids.count = await save(page);
  await step(page, 'Make count sheet');
  // Who counts does not see what the book says.
  await page.getByRole('gridcell', { name: SHOE }).waitFor();
  expect(await (await cell(page, /^Count sheet/, 'Book')).textContent()).toBe('');
  await picture(page, 'week-count-sheet');
  await act(page, 'Edit');
  await page.getByRole('button', { name: /^Save/ }).waitFor();
  await fillCells(page, /^Count sheet/, 'First count', String(had - 1), String(had - 1));
  await page.keyboard.press('Control+s');
  await page.waitForURL((url) => url.pathname.includes('/view/'));
  await step(page, 'Counted');
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await picture(page, 'week-counted');
  await head.goto(address(`/mr_stock_count/view/${ids.count}`));
  await shows(head, 'difference_value', '-410.00');
  await step(head, 'Approve');
  await step(head, 'Post');
  await expect.poll(() => has('CHN-ST', SHOE)).toBe(had - 1);
  await picture(head, 'week-count-posted');
  // Who may see what stock is worth reads it in the report, who may not reads how much there is.
  await head.goto(address('/mr_stock_report?group_by=item'));
  const worth = (people: Page) => people.getByRole('row').filter({ hasText: SHOE });
  await expect.poll(() => worth(head).first().textContent()).toContain('1,230.00');
  await picture(head, 'week-report');
  await page.goto(address('/mr_stock_report?group_by=item'));
  await worth(page).first().waitFor();
  expect(await page.getByText('1,230.00').count()).toBe(0);
  await picture(page, 'week-report-keeper');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of [`/mr_stock_count/view/${ids.count}`, `/mr_transfer_view/${ids.transfer}`, '/mr_stock_report']) {
    await page.goto(address(path));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await picture(page, `week-phone${path.replaceAll(/\W+/g, '-')}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
});
