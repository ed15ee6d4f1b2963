import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openBrowser, picture, signIn, visit } from './browser.ts';

// One dashboard as a person uses it. Its figures, rights and refusals are shown by tests/unit and tests/api.

openBrowser();

/** Calls the interface as the person who is signed in. */
function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  return page.evaluate(
    async ([how, at, sent]) => {
      const answer = await fetch(at, {
        method: how,
        headers: {
          authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}`,
          'content-type': 'application/json',
        },
        ...(sent !== null && { body: sent }),
      });
      if (!answer.ok) throw new Error(`${how} ${at}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { data: unknown }).data;
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  ) as Promise<T>;
}

/** An inspection like the first there is, planned for a day of this week to come. @returns its branch */
async function planOne(page: Page): Promise<number> {
  const [known] = await call<Record<string, unknown>[]>(page, 'GET', '/tapi/tis_inspection?size=1&columns=*');
  const copied = ['survey_type_id', 'surveyor_id', 'branch_id', 'customer_name', 'building', 'lift_no', 'landings'];
  await call(page, 'POST', '/tapi/tis_inspection', {
    ...Object.fromEntries(copied.map((name) => [name, known![name]])),
    planned_on: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
  });
  return Number(known!.branch_id);
}

test('a dashboard is filtered, follows changes by others, leads to the records behind a figure and shows a chart as a table', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/fms_dashboard');
  const tile = page.getByRole('link', { name: /next 7 days/ });
  const figure = async () => Number((await tile.innerText()).split('\n')[0]);
  await tile.waitFor();
  await picture(page, 'dashboard');

  // Somebody else plans an inspection: the figure follows by itself.
  const before = await figure();
  const branch = await planOne(page);
  await expect.poll(figure).toBe(before + 1);

  // Of one branch, in the address as well.
  const filters = page.getByRole('group', { name: 'What the dashboard shows' });
  const { name } = await call<{ name: string }>(page, 'GET', `/tapi/branch/${branch}`);
  await filters.getByRole('combobox', { name: 'Branch' }).click();
  await page.getByRole('option', { name: new RegExp(name) }).click();
  await page.waitForURL((url) => url.searchParams.get('branch_id') === String(branch));
  // A figure leads to the records of the answer that it stands for.
  await expect.poll(() => tile.getAttribute('href')).toContain('branch_id');
  const ofBranch = await figure();
  expect(ofBranch).toBeGreaterThan(0);
  expect(ofBranch).toBeLessThanOrEqual(before + 1);

  // The bars as a table, and back.
  await page.getByRole('button', { name: 'Inspections by state as a table' }).click();
  await page.getByRole('table').getByText('Planned', { exact: true }).waitFor();
  await picture(page, 'dashboard-table');
  await page.getByRole('button', { name: 'Inspections by state as a chart' }).click();

  // The records behind the figure are as many as it says.
  await tile.click();
  await page.getByRole('heading', { level: 1, name: /Inspections/ }).waitFor();
  // Counted of all that the list has, as soon as that is known.
  const count = page.getByLabel(/^\d+ (of \d+ )?records$/);
  await count.waitFor();
  await picture(page, 'dashboard-records');
  const records = Number.parseInt((await count.getAttribute('aria-label'))!, 10);
  // The figure that was read above may have been of a moment before the last change arrived.
  await page.goBack();
  await tile.waitFor();
  await expect.poll(figure).toBe(records);
  expect(complaints).toEqual([]);
});

test('a dashboard respects the dark theme, and fits a phone', async () => {
  const { page, complaints } = await visit({ width: 360, height: 800 }, { colorScheme: 'dark' });
  await signIn(page, 'admin', '/fms_dashboard');
  await page.getByRole('link', { name: /next 7 days/ }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  // Light words on a dark ground.
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(
    ground
      .match(/\d+/g)!
      .slice(0, 3)
      .every((part) => Number(part) < 64),
    ground,
  ).toBe(true);
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByRole('group', { name: 'What the dashboard shows' }).waitFor();
  await picture(page, 'dashboard-phone-dark');
  expect(complaints).toEqual([]);
});
