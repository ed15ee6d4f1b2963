import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { DESK, PHONE, address, picture, signIn, openBrowser, visit } from './browser.ts';

openBrowser();

const axeSource = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or critical on the open page: rule, where, and why. */
async function violations(page: Page): Promise<string[]> {
  // Through the debugger, which the content security policy of the page does not bind.
  await page.evaluate(axeSource);
  const results = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } };
    // Fluent's focus sentinels are hidden and focusable on purpose.
    return axe.run(
      { exclude: [['[data-tabster-dummy]']] },
      { rules: { 'label-content-name-mismatch': { enabled: true } } },
    );
  });
  // A page on which axe had nothing to look at proves nothing.
  expect(results.passes.length).toBeGreaterThan(5);
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        (node) => `${id}: ${node.html.slice(0, 200)} — ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`,
      ),
    );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no serious problem in the ${colorScheme} theme`, async () => {
    const { page } = await visit(DESK, { colorScheme });
    const found: Record<string, string[]> = {};
    const check = async (name: string) => {
      await picture(page, `axe-${name}-${colorScheme}`);
      const list = await violations(page);
      if (list.length > 0) found[name] = list;
    };

    await page.goto(address('/login'));
    await page.getByRole('heading', { name: /Sign in to/ }).waitFor();
    await check('login');

    await signIn(page, 'admin', '/show_list');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
    await check('home');

    await page.goto(address('/branch'));
    await page.getByRole('link', { name: 'CHN', exact: true }).waitFor();
    await check('list');
    const view = await page.getByRole('link', { name: 'CHN', exact: true }).getAttribute('href');

    await page.goto(address('/branch/add'));
    await page.getByRole('textbox', { name: /^Code/ }).waitFor();
    await check('form');
    await page.getByRole('button', { name: 'Save branch' }).click();
    await page.getByText('Code is required.', { exact: true }).waitFor();
    await check('form-errors');

    await page.goto(address(view!));
    await page.getByRole('heading', { name: 'Chennai', level: 1 }).waitFor();
    await check('view');

    await page.goto(address('/department?view=tree'));
    await page.getByRole('treeitem').first().waitFor();
    await check('tree');

    await page.goto(address('/fms_dashboard'));
    await page.getByText('Lifts under contract', { exact: true }).waitFor();
    await check('dashboard');
    await page.goto(address('/reports/head_count'));
    await page.getByRole('heading', { name: 'Head-count movement', level: 1 }).waitFor();
    // Until the rows are there its buttons are disabled, which axe reads from the element but not from its colours.
    await expect.poll(() => page.getByRole('button', { name: 'PDF', exact: true }).isEnabled()).toBe(true);
    await page.waitForTimeout(100);
    await check('report');
    expect(found).toEqual({});
  });
}

/** What a finger would have to hit that has less than 40 px either way: its own box, or that of what it lies over. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role=button], [role=tab], main a[href]')].flatMap((one) => {
      const style = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const over = getComputedStyle(one, '::after');
      // The link of a card lies over the whole card.
      if (over.position === 'absolute' && over.content !== 'none') return [];
      if (box.width === 0 || style.visibility === 'hidden' || one.closest('[aria-hidden=true], [inert]')) return [];
      // A link within a sentence is as high as its line.
      if (style.display === 'inline' && one.parentElement?.matches('p, span, td, dd')) return [];
      return box.width < 39.5 || box.height < 39.5
        ? [`${one.ariaLabel ?? one.textContent}: ${Math.round(box.width)} × ${Math.round(box.height)}`]
        : [];
    }),
  );

test('on a phone every control has at least 40 px', async () => {
  const { page } = await visit({ ...PHONE, width: 360 });
  await signIn(page, 'admin', '/show_list');
  const pages: [string, () => Promise<void>][] = [
    ['/show_list', () => page.getByRole('heading', { name: 'Waiting for you' }).waitFor()],
    ['/branch', () => page.getByText('Chennai').first().waitFor()],
    ['/branch/add', () => page.getByRole('textbox', { name: /^Code/ }).waitFor()],
    ['/fms_dashboard', () => page.getByText('Lifts under contract', { exact: true }).waitFor()],
    ['/reports', () => page.getByRole('heading', { name: 'All reports', level: 1 }).waitFor()],
  ];
  const found: Record<string, string[]> = {};
  for (const [path, ready] of pages) {
    await page.goto(address(path));
    await ready();
    const small = await smallTargets(page);
    if (small.length > 0) found[path] = small;
  }
  expect(found).toEqual({});
});
