import { expect, test } from 'vitest';
import { PHONE, openBrowser, picture, signIn, visit } from './browser.ts';
import { ask, choose } from './record_pages.ts';

// The chairman asks from a figure, and somebody is moved in the chart without a mouse. Rules are shown by tests/api/board.

openBrowser();

test('a question about a figure keeps its value', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'chairman', '/BoardDashBoard');
  const figure = page.locator('[data-tile="Vacant seats"]');
  const valueOf = async () => (await figure.innerText()).split('\n')[0]!;
  await expect.poll(valueOf).toMatch(/^\d/);
  const value = await valueOf();
  await page.getByRole('link', { name: 'Ask about Vacant seats' }).click();
  await expect.poll(() => page.getByLabel('Value then').inputValue()).toBe(value);
  await page.getByLabel(/^Question/).fill('Who looks for people for these seats?');
  await choose(page, /^To/, 'Priya Chandrasekaran');
  await page.getByRole('button', { name: 'Save question' }).click();
  await page.getByText('Who looks for people for these seats?').first().waitFor();
  await picture(page, 'board-question');
  // The figure itself leads to the seats that it counts.
  await page.goto(new URL('/BoardDashBoard', page.url()).href);
  await expect.poll(valueOf).toMatch(/^\d/);
  await figure.click();
  await page.waitForURL(/board_positions/, { waitUntil: 'commit' });
  expect(complaints).toEqual([]);
});

test('on a phone each row of a table with many columns is a card: nothing is beside the screen', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'chairman', '/BoardDashBoard');
  const table = page.getByRole('region', { name: 'Table: Money' });
  const row = table.locator('tbody tr').first();
  await row.waitFor();
  expect(await row.locator('th, td').count()).toBeGreaterThan(4);
  expect(await table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBeLessThanOrEqual(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await picture(page, 'board-phone');
  expect(complaints).toEqual([]);
});

test('on a phone the drivers of a bullseye are numbers large enough to read, and the table has their names', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'admin', '/kpi_bullseye_new');
  const rings = page.getByRole('img', { name: /^Drivers of/ });
  await rings.waitFor();
  const texts = rings.locator('text');
  const heights = await texts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThan(11);
  // Beside the words of the three rings.
  const count = heights.length - 3;
  expect(await rings.locator('tspan').first().isVisible()).toBe(false);
  const drivers = page.locator('tbody th');
  const numbers = (await drivers.allInnerTexts()).map((name) => Number(/^(\d+) \D/.exec(name)?.[1]));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'bullseye-phone');
  expect(complaints).toEqual([]);
});

test('the impact tree is a picture: a driver changed by keyboard moves the root, and the picture is zoomed', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/kpi_impact_tree_new');
  const cards = page.locator('.react-flow__node');
  const root = cards.filter({ hasText: 'Profit' });
  await root.waitFor();
  expect(await cards.count()).toBe(7);
  expect(await page.locator('.react-flow__edge').count()).toBe(6);
  const before = await root.innerText();
  const slider = page.getByRole('slider', { name: 'What if: Walk-ins' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/^What if: \+\d/).waitFor();
  expect(await root.innerText()).not.toBe(before);
  await page.getByRole('button', { name: 'Reset to actual' }).click();
  expect(await root.innerText()).toBe(before);
  const width = async () => (await root.boundingBox())!.width;
  const shown = await width();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(width).toBeGreaterThan(shown * 1.1);
  await page.getByRole('button', { name: 'Show the whole tree' }).click();
  await expect.poll(async () => Math.abs((await width()) - shown) < 2).toBe(true);
  await picture(page, 'impact-tree');
  expect(complaints).toEqual([]);
});

test('the tabs of a scorecard stay in the address, work by keyboard and fit a phone', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'manager', '/scorecard_new');
  await page.getByRole('img', { name: /^Score \d/ }).waitFor();
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await tab('Own').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForURL(/tab=reportees/);
  const people = page.getByRole('table', { name: 'Reportees' });
  const rows = people.getByRole('rowheader');
  await rows.first().waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  const direct = await rows.count();
  await people
    .getByRole('button', { name: /^Reportees of/ })
    .first()
    .click();
  await expect.poll(() => rows.count()).toBeGreaterThan(direct);
  await picture(page, 'scorecard-reportees');
  // The link of a member leads to that member's scorecard; Back returns to the tab.
  const [name] = (await rows.first().innerText()).split('\n');
  await people.getByRole('link', { name }).click();
  await page.locator('strong', { hasText: name }).waitFor();
  await page.goBack();
  await rows.first().waitFor();
  await tab('Team').click();
  await page.getByRole('table', { name: 'KPIs of the team' }).waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await picture(page, 'scorecard-team');
  await page.goBack();
  await rows.first().waitFor();
  expect(complaints).toEqual([]);
});

test('a person is moved to another manager by keyboard only, with a preview of the changes', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/org_ui_new');
  type Person = { id: number; name: string; parent: number | null; wanted: number };
  const chart = () => ask<{ people: Person[] }>(page, 'GET', '/tapi/organisation_chart');
  await page.locator('canvas[data-cards]').waitFor();
  const { people } = await chart();
  const boss = people.find(({ parent, id }) => parent === null && people.some((one) => one.parent === id))!;
  const heads = people.filter(
    ({ parent, id, wanted }) => parent === boss.id && wanted === 0 && people.some((one) => one.parent === id),
  );
  const [from, to] = [heads[0]!, heads[1]!];
  const moved = people.find(({ parent, wanted }) => parent === from.id && wanted === 0)!;

  await page.getByRole('searchbox', { name: 'Search people' }).fill(moved.name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: moved.name }).waitFor();
  await page.getByRole('tree', { name: 'People by manager' }).focus();
  await page.keyboard.press('m');
  await page.getByRole('searchbox', { name: 'Search the new manager' }).fill(to.name);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const preview = page.getByRole('region', { name: 'What changes' });
  await preview.getByText(to.name).waitFor();
  expect(await preview.innerText()).toContain(from.name);
  await page.getByLabel(/^Reason/).fill('Closer to the work');
  await picture(page, 'chart-move');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const managerNow = async () => (await chart()).people.find(({ id }) => id === moved.id)?.parent;
  await expect.poll(managerNow).toBe(to.id);

  // A plan collects moves on a copy: cut and paste back, then carry it out.
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Plan a reorganisation' }).click();
  const tree = page.getByRole('tree', { name: 'People by manager' });
  await tree.focus();
  await page.keyboard.press('Control+x');
  await page.getByRole('searchbox', { name: 'Search people' }).fill(from.name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: from.name }).waitFor();
  await tree.focus();
  await page.keyboard.press('Control+v');
  const figures = page.getByRole('table', { name: 'Before and after' });
  await figures.getByText(to.name).waitFor();
  expect(await managerNow()).toBe(to.id);
  await picture(page, 'chart-plan');
  await page.getByRole('button', { name: 'Save or carry out…' }).click();
  await page.getByLabel(/^Name/).fill('Back to the old team');
  await page.getByLabel(/^Reason/).fill('The work has moved back');
  await page.getByRole('button', { name: 'Carry out now' }).click();
  await expect.poll(managerNow).toBe(from.id);
  expect(complaints).toEqual([]);
});
