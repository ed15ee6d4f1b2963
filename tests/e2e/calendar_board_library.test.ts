import { expect, test } from 'vitest';
import { PHONE, address, openBrowser, picture, signIn, visit } from './browser.ts';

// The main path of calendar, board, library and a client's actions, once, as a person goes it. What they refuse is shown by tests/api.

openBrowser();

test('the calendar changes months, shows other people’s work, and is a list on a phone', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/Calendar');
  const month = page.getByRole('heading', { level: 2 });
  const first = await month.textContent();
  await page.locator('[aria-current="date"]').first().waitFor();
  await page.getByRole('tab', { name: 'All I may see' }).click();
  const due = page.getByRole('table').getByRole('link').first();
  await due.waitFor();
  await picture(page, 'calendar');
  await page.getByRole('button', { name: 'Later month' }).click();
  await expect.poll(() => month.textContent()).not.toBe(first);
  expect(new URL(page.url()).searchParams.get('month')).toMatch(/^\d{4}-\d\d$/);
  await page.getByRole('button', { name: 'Today' }).click();
  await expect.poll(() => month.textContent()).toBe(first);
  await page.setViewportSize(PHONE);
  await page.locator('li[aria-current="date"]').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a lead moves to another stage of the board, and a client’s actions ask for confirmation', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'platform', '/lead_landing?as=board', 'admin');
  const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) });
  const counted = async (name: string) => Number((await column(name).getAttribute('aria-label'))!.split(', ')[1]);
  await column('New').locator('[data-card]').first().waitFor();
  const before = [await counted('New'), await counted('Contacted')];
  const card = column('New').locator('[data-card]').first();
  const name = (await card.getByRole('link').first().textContent())!;
  await card.getByRole('button', { name: `Move ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Contacted' }).click();
  await column('Contacted').getByRole('link', { name }).waitFor();
  await expect
    .poll(async () => [await counted('New'), await counted('Contacted')])
    .toEqual([before[0]! - 1, before[1]! + 1]);
  await picture(page, 'leads-board');

  await page.goto(address('/client', 'admin'));
  await page.getByRole('link', { name: 'DEMO' }).click();
  await page.getByRole('heading', { name: 'Acme group', level: 1 }).waitFor();
  const act = async (action: string) => {
    await page.getByRole('button', { name: /^More/ }).first().click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await act('Switch off');
  const asked = page.getByRole('alertdialog');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await asked.waitFor({ state: 'detached' });
  await act('Send a new link to the administrator');
  await asked.getByRole('button', { name: 'Send a new link to the administrator' }).click();
  await page.getByText('The link has been sent.').waitFor();
  // Nothing was switched off.
  await page.getByText('Active', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

test('records of the platform’s library are added to a list, and are marked afterwards', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/skillsgroup');
  const open = async () => {
    await page.getByRole('button', { name: /^More/ }).first().click();
    await page.getByRole('menuitem', { name: 'Add from library…' }).click();
    return page.getByRole('dialog');
  };
  const dialog = await open();
  const row = dialog
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { checked: false }) })
    .first();
  const name = (await row.innerText()).split('\n')[0]!;
  await row.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Add 1' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('gridcell', { name }).first().waitFor();
  const again = await open();
  await again.getByRole('listitem').filter({ hasText: name }).getByText('Already here').waitFor();
  await picture(page, 'library');
  expect(complaints).toEqual([]);
});
