import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from './browser.ts';
import type { Visitor } from './browser.ts';
import { ask, choose, pasteRows, save, step } from './record_pages.ts';

// A request of a technician for parts, and a call on the dispatcher's board; the rules of each step are shown by
// tests/api/fms_stores and tests/api/fms.

const BELT = 'Door operator belt';

openBrowser();
/** Each of them with the role of the demo company that does this work. */
let people: Record<'admin' | 'technician' | 'head' | 'desk', Visitor>;
const ids: Record<string, number> = {};

beforeAll(async () => {
  const names = {
    admin: 'admin',
    technician: 'technician',
    head: 'manager',
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
    for (const [name, { page }] of Object.entries(people)) await picture(page, `request-failed-${name}`);
});
afterAll(() => {
  for (const [name, { complaints }] of Object.entries(people)) expect(complaints, name).toEqual([]);
});

const read = (type: string, id: number) => ask(people.admin.page, 'GET', `/tapi/${type}/${id}`);
const state = async (type: string, id: number) => (await read(type, id)).state;

test('a technician requests parts covered by the contract, and two people approve it', async () => {
  const { page } = people.technician;
  await page.goto(address('/mr_add'));
  await page.getByRole('heading', { name: 'Add material request', level: 1 }).waitFor();
  await choose(page, /^Type/, 'Modernisation');
  await choose(page, /^Lift/, 'L00011');
  await choose(page, /^Technician/, 'Murugan Thangavel');
  await choose(page, /^Reason/, 'Upgrade');
  await choose(page, /^Root cause/, 'Wear');
  await pasteRows(page, /^Parts/, `\t${BELT}\t5\tNOS`);
  // Covered, and why.
  await page.getByText(/^CON.* covers Door system/).waitFor();
  await picture(page, 'request-request');
  ids.request = await save(page);
  await step(page, 'Submit');
  const head = people.head.page;
  await head.goto(address(`/mr_landing/view?id=${ids.request}`));
  await step(head, 'Approve commercially');
  await picture(head, 'request-request-approved');
  // Somebody else says that the parts fit.
  const engineer = people.admin.page;
  await engineer.goto(address(`/mr_landing/view?id=${ids.request}`));
  await step(engineer, 'Approve technically');
  await expect.poll(() => state('mr', ids.request!)).toBe('in_supply');
});

test('the board suggests a technician, the keyboard assigns the ticket, and another browser sees it at once', async () => {
  const desk = people.desk.page;
  const head = people.head.page;
  await Promise.all([desk, head].map((page) => page.goto(address('/fms/view_assign_tkt_new'))));
  const waiting = desk.getByRole('region', { name: 'To be assigned' }).getByRole('button', { name: /L00014/ });
  const call = Number(await waiting.first().getAttribute('data-ticket'));
  const card = (page: typeof desk) =>
    page.getByRole('region', { name: 'To be assigned' }).locator(`[data-ticket="${call}"]`);
  await Promise.all([desk, head].map((page) => card(page).waitFor()));
  await card(desk).focus();
  const best = desk.getByRole('list', { name: 'Suggestions' }).getByRole('button').first();
  // Who, and why.
  const [, name, reasons] = /^Assign to (.+): score [\d.]+\. (.+)$/.exec((await best.getAttribute('aria-label'))!)!;
  expect(reasons!.length).toBeGreaterThan(5);
  await picture(desk, 'request-board');
  await desk.keyboard.press('1');
  // Nobody touched the second browser.
  await head
    .getByRole('group', { name: new RegExp(`^${name},`) })
    .locator(`[data-ticket="${call}"]`)
    .waitFor();
  expect(await card(head).count()).toBe(0);
  await picture(head, 'request-board-seen');
  expect(await read('fms_ticket', call)).toMatchObject({ status: 'assigned', technician_id__label: name });
});
