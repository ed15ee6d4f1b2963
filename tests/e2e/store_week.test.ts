import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from './browser.ts';
import type { Visitor } from './browser.ts';
import { act, ask, choose, listOf, pasteRows, save, shows, step, written } from './record_pages.ts';
import { companyDay as day } from '../company_day.ts';

// A week of a store of the lift service and a call on the dispatcher's board; the rules of each step are shown by
// tests/api/fms_stores and tests/api/fms.

/** Of this the store in Chennai has less than its minimum, and the one in Coimbatore enough. */
const BELT = 'Door operator belt';

openBrowser();
/** Each of them with the role of the demo company that does this work. */
let people: Record<'admin' | 'technician' | 'head' | 'keeper' | 'desk', Visitor>;
const ids: Record<string, number> = {};

beforeAll(async () => {
  const names = {
    admin: 'admin',
    technician: 'technician',
    head: 'manager',
    keeper: 'storekeeper',
    desk: 'dispatcher',
  };
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
const state = async (type: string, id: number) => (await read(type, id)).state;

/** How many belts a stock point has. */
async function belts(point: string): Promise<number> {
  const [item] = await list('item_mstr', ['name', 'eq', BELT]);
  const [place] = await list('stock_point', ['code', 'eq', point]);
  const rows = await list('stock_balance', [
    'and',
    ['item_id', 'eq', item!.id],
    ['stock_point_id', 'eq', place!.id],
    ['condition', 'eq', 'new'],
  ]);
  return rows.reduce((sum, { on_hand: count }) => sum + Number(count), 0);
}

test('a technician asks for more than the store has, and two people approve it', async () => {
  const { page } = people.technician;
  ids.before = await belts('CHN-ST');
  expect(ids.before).toBeLessThan(5);
  await page.goto(address('/mr_add'));
  await page.getByRole('heading', { name: 'Add material request', level: 1 }).waitFor();
  await choose(page, /^Type/, 'Modernisation');
  await choose(page, /^Lift/, 'L00011');
  await choose(page, /^Technician/, 'Murugan Thangavel');
  await choose(page, /^Reason/, 'Upgrade');
  await choose(page, /^Root cause/, 'Wear');
  await pasteRows(page, /^Parts/, `\t${BELT}\t5\tNOS`);
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

test('what the store does not have comes by indent and transfer from another store', async () => {
  const { page } = people.keeper;
  const head = people.head.page;
  const theirs = await belts('CBE-ST');
  await page.goto(address(`/mr_landing/view?id=${ids.request}`));
  await act(page, 'Indent');
  await page.getByRole('heading', { name: /indent/i, level: 1 }).waitFor();
  await choose(page, /^Asked of/, 'CBE-ST');
  await picture(page, 'week-indent');
  ids.indent = await save(page);
  await step(page, 'Submit');
  await head.goto(address(`/mr_indent_view/${ids.indent}`));
  await step(head, 'Approve');
  await act(head, 'Transfer');
  await head.getByRole('heading', { name: /transfer/i, level: 1 }).waitFor();
  ids.transfer = await save(head);
  await step(head, 'Submit');
  await step(head, 'Dispatch');
  await picture(head, 'week-transfer');
  expect(await belts('CBE-ST')).toBe(theirs - (5 - ids.before!));
  await page.goto(address(`/mr_transfer_view/${ids.transfer}`));
  await act(page, 'Receive');
  await page.getByRole('heading', { name: /goods receipt/i, level: 1 }).waitFor();
  await picture(page, 'week-receipt');
  ids.receipt = await save(page);
  await step(page, 'Inspected');
  await step(page, 'Post');
  await expect.poll(() => belts('CHN-ST')).toBe(5);
  await picture(page, 'week-received');
});

test('the parts are issued to the kit of the technician, who signs for them', async () => {
  const { page } = people.keeper;
  await page.goto(address(`/mr_landing/view?id=${ids.request}`));
  await act(page, 'Issue');
  await page.getByRole('heading', { name: /issue/i, level: 1 }).waitFor();
  await picture(page, 'week-issue');
  ids.issue = await save(page);
  await step(page, 'Issue');
  await expect.poll(() => belts('KIT-01')).toBe(5);
  const technician = people.technician.page;
  await technician.goto(address(`/mr_issue_view/${ids.issue}`));
  await step(technician, 'Acknowledge', async (dialog) => {
    const box = (await dialog.locator('canvas').first().boundingBox())!;
    await technician.mouse.move(box.x + 20, box.y + 30);
    await technician.mouse.down();
    await technician.mouse.move(box.x + 120, box.y + 60, { steps: 6 });
    await technician.mouse.up();
  });
  await expect.poll(() => state('mr_issue', ids.issue!)).toBe('acknowledged');
  await picture(technician, 'week-acknowledged');
});

test('a count finds what the book says, and the report says it of any day', async () => {
  const { page } = people.keeper;
  await page.goto(address('/mr_stock_count/add'));
  await page.getByRole('heading', { name: 'Add stock count', level: 1 }).waitFor();
  await choose(page, /^Stock point/, 'CHN-ST');
  await page.getByRole('radio', { name: 'Items' }).check();
  await choose(page, /^Items/, BELT);
  ids.count = await save(page);
  await step(page, 'Make count sheet');
  await picture(page, 'week-count-sheet');
  expect(await state('stock_count', ids.count)).toBe('counting');
  await page.goto(address('/mr_stock_report'));
  await page.getByRole('heading', { name: 'Stock report', level: 1 }).waitFor();
});

test('the board suggests who goes, the keyboard gives it to them, and another browser sees it at once', async () => {
  const desk = people.desk.page;
  const head = people.head.page;
  const [lift] = await list('lift', ['lift_no', 'eq', 'L00001']);
  const [like] = await list('fms_ticket', ['and', ['ticket_type', 'eq', 'breakdown'], ['trapped', 'eq', false]]);
  const call = await ask(desk, 'POST', '/tapi/fms_ticket', {
    ticket_definition_id: like!.ticket_definition_id,
    category_id: like!.category_id,
    source: 'phone',
    lift_id: lift!.id,
    caller_name: 'Guard',
    caller_phone: '+919840011122',
    description: 'The door of the board story does not close.',
  });
  await Promise.all([desk, head].map((page) => page.goto(address('/fms/view_assign_tkt_new'))));
  const card = (page: typeof desk) =>
    page.getByRole('region', { name: 'To be assigned' }).locator(`[data-ticket="${call.id}"]`);
  await Promise.all([desk, head].map((page) => card(page).waitFor()));
  await card(desk).focus();
  const best = desk.getByRole('list', { name: 'Suggestions' }).getByRole('button').first();
  // Who, and why.
  const [, name, reasons] = /^Assign to (.+): score [\d.]+\. (.+)$/.exec((await best.getAttribute('aria-label'))!)!;
  expect(reasons!.length).toBeGreaterThan(5);
  await picture(desk, 'week-board');
  await desk.keyboard.press('1');
  // Nobody touched the second browser.
  await head
    .getByRole('group', { name: new RegExp(`^${name},`) })
    .locator(`[data-ticket="${call.id}"]`)
    .waitFor();
  expect(await card(head).count()).toBe(0);
  await picture(head, 'week-board-seen');
  expect(await read('fms_ticket', call.id)).toMatchObject({ status: 'assigned', technician_id__label: name });
});
