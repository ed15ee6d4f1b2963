import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { DESK, PHONE, address, picture, signIn, openBrowser, visit } from './browser.ts';

openBrowser();

test('the list of branches is shown, one is added, edited, seen with its history, and deactivated', async () => {
  const { page, complaints } = await visit(DESK);
  await signIn(page, 'admin', '/branch');
  await page.getByRole('heading', { name: 'Branches', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'CHN' }).waitFor();
  await picture(page, 'branch-list');

  await page
    .getByRole('button', { name: 'Add branch' })
    .or(page.getByRole('link', { name: 'Add branch' }))
    .first()
    .click();
  await page.getByRole('heading', { name: 'Add branch', level: 1 }).waitFor();
  // Nothing filled in: each required field says so.
  await page.getByRole('button', { name: 'Save branch' }).click();
  await page.getByRole('button', { name: 'Code is required.', exact: true }).waitFor();
  await picture(page, 'branch-add-errors');

  await page.getByRole('textbox', { name: /^Code/ }).fill('TRY');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Tiruchirappalli');
  await page.getByRole('tab', { name: /Address/ }).click();
  await page.getByLabel('Address line 1').fill('14, Salai Road, Thillai Nagar');
  for (const [label, text, choice] of [
    ['Country', 'India', 'India'],
    ['State', 'Tamil', 'Tamil Nadu'],
    ['City', 'Tiruchi', 'Tiruchirappalli'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: false }).first().fill(text);
    await page.getByRole('option', { name: choice }).first().click();
  }
  await page.getByLabel('Pin code').fill('620018');
  await picture(page, 'branch-add-filled');
  await page.keyboard.press('Control+s');
  await page
    .getByText(/saved|added/i)
    .first()
    .waitFor();

  await page.goto(address('/branch?q=Tiruchirappalli'));
  await page.getByRole('link', { name: 'TRY' }).click();
  await page.getByRole('heading', { name: 'Tiruchirappalli', level: 1 }).waitFor();
  await page.getByText(/added this branch/).waitFor();
  await picture(page, 'branch-view');

  await page
    .getByRole('button', { name: 'Edit' })
    .or(page.getByRole('link', { name: 'Edit' }))
    .first()
    .click();
  await page.getByRole('textbox', { name: /^Name/ }).fill('Trichy');
  await page.getByRole('button', { name: 'Save branch' }).click();
  await page.getByText(/saved/i).first().waitFor();
  await page.goto(address('/branch?q=TRY'));
  await page.getByText('Trichy').waitFor();
  expect(complaints).toEqual([]);
});

test('on a phone the same list shows cards, and a branch opens', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'admin', '/branch');
  await page.getByText('Chennai').first().waitFor();
  await picture(page, 'branch-phone');
  expect(await page.locator('.ag-root').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByText('Chennai').first().click();
  await page.getByRole('heading', { name: 'Chennai', level: 1 }).waitFor();
  await picture(page, 'branch-phone-view');
  expect(complaints).toEqual([]);
});

test('quick add needs only the keyboard', async () => {
  const { page, complaints } = await visit(DESK);
  await signIn(page);
  await page.getByRole('button', { name: 'Quick add' }).click();
  await page.getByRole('searchbox', { name: 'What do you want to add?' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('branch');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add branch', level: 1 }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(complaints).toEqual([]);
});

/** What the browser lays out for some keys: objects of each layout. */
async function laidOut(page: Page, keys: string): Promise<number[]> {
  const tracing = await page.context().newCDPSession(page);
  const layouts: number[] = [];
  tracing.on('Tracing.dataCollected', ({ value }: { value: unknown[] }) => {
    for (const { name, args } of value as { name: string; args: { beginData?: { totalObjects: number } } }[])
      if (name === 'Layout' && args.beginData) layouts.push(args.beginData.totalObjects);
  });
  const ended = new Promise((resolve) => tracing.once('Tracing.tracingComplete', resolve));
  await tracing.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  await page.keyboard.type(keys);
  await tracing.send('Tracing.end');
  await ended;
  return layouts;
}

test('a keystroke in a form lays out only its control, not the form', async () => {
  const { page } = await visit(DESK);
  await signIn(page, 'admin', '/branch/add');
  await page.getByRole('textbox', { name: /^Name/ }).click();
  // The first says that the field has the focus.
  await page.keyboard.type('T');
  // Once, when typing pauses, the form takes the value over; that may fall into this.
  const layouts = await laidOut(page, 'richy');
  expect(layouts.filter((objects) => objects < 20).length).toBeGreaterThanOrEqual(5);
});
