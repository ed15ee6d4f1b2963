import { expect, test } from 'vitest';
import { address, openBrowser, picture, signIn, visit } from './browser.ts';

// What a person finds again after loading the page anew, and where a phone ends, in a browser that lays out.

openBrowser();

test('reloading a list keeps its search, its order and its page', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/branch');
  const codes = () => page.locator('[col-id="code"] a').allInnerTexts();
  await page.getByRole('link', { name: 'CHN', exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Code' }).click();
  await page.waitForURL((url) => url.searchParams.get('sort') === 'code');
  await page.getByRole('columnheader', { name: 'Code' }).click();
  await page.waitForURL((url) => url.searchParams.get('sort') === '-code');
  await expect.poll(async () => (await codes())[0]).not.toBe('BLR');
  const all = await codes();
  expect(all.length).toBeGreaterThan(1);
  expect(all).toEqual(all.toSorted().reverse());
  await page.reload();
  await expect.poll(codes).toEqual(all);
  const search = page.getByRole('searchbox', { name: 'Search branches' });
  await search.fill('Chennai');
  await expect.poll(codes).toEqual(['CHN']);
  await page.reload();
  await page.getByRole('link', { name: 'CHN', exact: true }).waitFor();
  expect(await search.inputValue()).toBe('Chennai');
  expect(await codes()).toEqual(['CHN']);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'Chennai', sort: '-code' });

  await page.goto(address('/employee?page=2&size=50'));
  const second = page.getByRole('navigation', { name: 'Pages' }).getByText(/^51 to /);
  await second.waitFor();
  await page.reload();
  await second.waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  await picture(page, 'list-second-page');
  expect(complaints).toEqual([]);
});

test('up to 576 px a phone has cards and a bottom bar, from 577 px on a grid and the menu', async () => {
  const { page, complaints } = await visit({ width: 577, height: 800 });
  await signIn(page, 'admin', '/branch');
  await page.getByRole('link', { name: 'CHN', exact: true }).waitFor();
  const grid = page.locator('.ag-root');
  expect(await grid.count()).toBe(1);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  expect(await menu.count()).toBe(1);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits()).toBe(true);
  await picture(page, 'width-577');

  await page.setViewportSize({ width: 576, height: 800 });
  await grid.waitFor({ state: 'detached' });
  await page.getByText('Chennai').first().waitFor();
  const bar = page.getByRole('navigation').filter({ hasText: 'Home' }).filter({ hasText: 'Menu' });
  await bar.waitFor();
  expect((await bar.boundingBox())!.y).toBeGreaterThan(700);
  expect(await fits()).toBe(true);
  await picture(page, 'width-576');
  expect(complaints).toEqual([]);
});

/** What the browser says of something that moved without anybody having touched it. */
interface Moved {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}
interface Shift extends PerformanceEntry {
  value: number;
  sources: Moved[];
}

test.each([
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 360, height: 800 }],
] as const)('Home on %s: open work comes first, and nothing jumps while it loads', async (_where, size) => {
  const { page, complaints } = await visit(size);
  await signIn(page, 'manager', '/Calendar');
  await page.addInitScript(() => {
    const shifts: { value: number; moved: string[] }[] = [];
    Object.assign(globalThis, { shifts });
    const words = ({ node, previousRect, currentRect }: Moved) =>
      `${node?.textContent?.slice(0, 40)} ${previousRect.y} → ${currentRect.y}`;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        shifts.push({ value: entry.value, moved: entry.sources.map(words) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address('/show_list'));
  await page.getByRole('region', { name: 'Waiting for you' }).waitFor();
  await page.getByRole('region', { name: 'Quick links' }).waitFor();
  const sections = page.getByRole('main').locator('section[aria-labelledby] > header h2');
  expect((await sections.allInnerTexts())[0]).toBe('Waiting for you');
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: { value: number }[] }).shifts);
  expect(
    shifts.reduce((sum, { value }) => sum + value, 0),
    JSON.stringify(shifts),
  ).toBeLessThanOrEqual(0.02);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, `home-${size.width}`);
  expect(complaints).toEqual([]);
});
