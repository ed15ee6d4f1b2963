import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESK, address, openBrowser, picture, signIn, visit } from './browser.ts';
import type { Visitor } from './browser.ts';
import { ask, listOf } from './record_pages.ts';

// Calls on the dispatcher's board; the rules of each step are shown by tests/api/fms.

openBrowser();
/** Each of them with the role of the demo company that does this work. */
let people: Record<'admin' | 'head' | 'desk', Visitor>;

beforeAll(async () => {
  const names = {
    admin: 'admin',
    head: 'manager',
    desk: 'dispatcher',
  };
  const come = async ([name, user]: string[]) => {
    const visitor = await visit(DESK);
    await signIn(visitor.page, user, '/show_list');
    return [name, visitor] as const;
  };
  people = Object.fromEntries(await Promise.all(Object.entries(names).map(come))) as typeof people;
  // Somebody is on duty, whenever this is played.
  const admin = people.admin.page;
  const [team] = await listOf(admin, 'team', ['code', 'eq', 'CHN-R1']);
  await ask(admin, 'PUT', `/tapi/team/${team!.id}`, {
    version: team!.version,
    shift_from: '00:00',
    shift_to: '23:59',
  });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    for (const [name, { page }] of Object.entries(people)) await picture(page, `board-failed-${name}`);
});
afterAll(() => {
  for (const [name, { complaints }] of Object.entries(people)) expect(complaints, name).toEqual([]);
});

const read = (type: string, id: number) => ask(people.admin.page, 'GET', `/tapi/${type}/${id}`);

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
  await picture(desk, 'board');
  await desk.keyboard.press('1');
  // Nobody touched the second browser.
  await head
    .getByRole('group', { name: new RegExp(`^${name},`) })
    .locator(`[data-ticket="${call}"]`)
    .waitFor();
  expect(await card(head).count()).toBe(0);
  await picture(head, 'board-seen');
  expect(await read('fms_ticket', call)).toMatchObject({ status: 'assigned', technician_id__label: name });

  // The next one is dragged to whom the board suggests; the other browser sees that too.
  const next = desk
    .getByRole('region', { name: 'To be assigned' })
    .locator('[data-ticket]')
    .filter({ hasNotText: 'People inside' })
    .first();
  const dragged = Number(await next.getAttribute('data-ticket'));
  await next.focus();
  await expect.poll(() => best.getAttribute('aria-label')).toMatch(/^Assign to /);
  const [, who] = /^Assign to (.+): score/.exec((await best.getAttribute('aria-label'))!)!;
  const lane = (page: typeof desk) => page.getByRole('group', { name: new RegExp(`^${who},`) });
  await next.dragTo(lane(desk));
  await lane(head).locator(`[data-ticket="${dragged}"]`).waitFor();
  expect(await read('fms_ticket', dragged)).toMatchObject({ status: 'assigned', technician_id__label: who });
});
