import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { PHONE, address, enter, openBrowser, picture, signIn, visit } from './browser.ts';

openBrowser();

const token = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('token') ?? '""') as string);

/** What the server answers the open page's host for a token. */
function asks(page: Page, path: string, bearer: string): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ([to, value]) => {
      const answer = await fetch(to!, { headers: { authorization: `Bearer ${value}` } });
      return { status: answer.status, text: await answer.text() };
    },
    [path, bearer],
  );
}

test('an employee cannot reach masters: by menu, search, address or server', async () => {
  const { page } = await visit();
  await signIn(page, 'hrmanager', '/branch');
  // Somebody who may see it has it in the menu: the test below looks for what is really there for others.
  const allowed = await asks(page, '/tapi/menu', await token(page));
  expect(allowed.text).toContain('"/employee_grade"');

  const { page: other } = await visit();
  await signIn(other, 'employee', '/show_list');
  await other.getByRole('navigation').first().waitFor();
  await picture(other, 'employee-home');
  const own = await asks(other, '/tapi/menu', await token(other));
  expect(own.status).toBe(200);
  for (const path of ['/branch', '/employee_grade', '/users', '/role']) expect(own.text).not.toContain(`"${path}"`);

  await other.keyboard.press('Control+k');
  const box = other
    .getByRole('dialog')
    .getByRole('combobox')
    .or(other.getByRole('dialog').getByRole('textbox'))
    .first();
  await box.fill('Employee grades');
  await other
    .getByRole('dialog')
    .getByText(/^(No|Nothing)/)
    .first()
    .waitFor();
  expect(await other.getByRole('option', { name: /Employee grades/ }).count()).toBe(0);
  await other.keyboard.press('Escape');

  for (const path of ['/branch', '/employee_grade/add', '/employee/edit/1', '/users']) {
    await other.goto(address(path));
    await other.getByText('You do not have access to that page.').first().waitFor();
    await other.waitForURL((url) => ['/show_list', '/welcome_page'].includes(url.pathname));
    if (path === '/branch') await picture(other, 'employee-refused');
  }
  const list = await asks(other, '/api/branch', await token(other));
  expect([403, 404]).toContain(list.status);
});

test('an employee keeps the own profile on a phone: contacts are rows, and what the company maintains is text', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'employee', '/My_profile');
  await page.getByRole('heading', { name: 'My profile', level: 1 }).waitFor();
  const contacts = page.getByRole('group', { name: 'Emergency contacts' });
  await contacts.getByRole('button', { name: 'Add row' }).click();
  const row = page.getByRole('dialog');
  await row.getByRole('textbox', { name: 'Name' }).fill('Kavitha Murugan');
  await row.getByRole('textbox', { name: /^Relation/ }).fill('Sister');
  await row.getByRole('textbox', { name: /^Phone/ }).fill('98400 55667');
  await row.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByText('Your profile is saved.').waitFor();
  await page.reload();
  await contacts.getByText('Kavitha Murugan').waitFor();
  expect(await page.getByRole('textbox', { name: 'Member number' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a read-only user sees no way to change records, and form addresses are refused', async () => {
  const { page } = await visit();
  await signIn(page, 'auditor', '/branch');
  await page.getByRole('link', { name: 'CHN' }).click();
  await page.getByRole('heading', { name: 'Chennai', level: 1 }).waitFor();
  await page.getByRole('tab').or(page.getByText('Address')).first().waitFor();
  expect(
    await page
      .getByRole('button', { name: /^(Edit|Delete|Add)/ })
      .or(page.getByRole('link', { name: /^(Edit|Add)/ }))
      .count(),
  ).toBe(0);
  await picture(page, 'auditor-branch-view');
  await page.goto(address('/branch/add'));
  await page.getByText('You do not have access to that page.').first().waitFor();
  await page.waitForURL((url) => url.pathname !== '/branch/add');
});

test('a token of one client is rejected by another, and each sees its own branches', async () => {
  const { page: demo } = await visit();
  await signIn(demo, 'admin', '/branch');
  await demo.getByRole('link', { name: 'CHN', exact: true }).waitFor();
  const ofDemo = await token(demo);
  expect((await asks(demo, '/tapi/menu', ofDemo)).status).toBe(200);

  const { page: zenith } = await visit();
  await signIn(zenith, 'admin', '/branch', 'zenith');
  await zenith.getByRole('heading', { name: 'Branches', level: 1 }).waitFor();
  await zenith.getByRole('link', { name: 'BLR', exact: true }).waitFor();
  expect(await zenith.getByRole('link', { name: 'CHN', exact: true }).count()).toBe(0);
  const ofZenith = await token(zenith);
  expect((await asks(zenith, '/tapi/menu', ofZenith)).status).toBe(200);
  expect((await asks(zenith, '/tapi/menu', ofDemo)).status).toBe(401);
  expect((await asks(demo, '/tapi/menu', ofZenith)).status).toBe(401);
});

test('switching the company shows the other company’s branches, and the choice survives a reload', async () => {
  const { page, complaints } = await visit();
  // A sign-in of its own: the others stay in their company.
  await enter(page, 'admin', '/branch');
  await page.getByRole('link', { name: 'CHN', exact: true }).waitFor();
  const codes = async () => (await page.locator('[col-id="code"] a').allInnerTexts()).sort();
  const before = await codes();
  expect(before.length).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Switch company' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a company' });
  const choices = dialog.getByRole('radio');
  await choices.first().waitFor();
  expect(await choices.count()).toBe(3);
  await picture(page, 'company-switch');
  await dialog.getByText('Acme Retail').first().click();
  // What the page remembers is gone with the page: it reloads.
  await page.evaluate(() => Object.assign(globalThis, { ofTheOldPage: true }));
  await dialog.getByRole('button', { name: 'Proceed' }).click();
  await page.waitForFunction(() => !('ofTheOldPage' in globalThis));
  await page
    .getByRole('banner')
    .getByText(/Acme Retail/)
    .waitFor();
  await page.goto(address('/branch'));
  await page.getByRole('link', { name: 'TNG', exact: true }).waitFor();
  expect(await codes()).not.toEqual(before);
  await picture(page, 'company-switched');
  await page.reload();
  await page.getByRole('link', { name: 'TNG', exact: true }).waitFor();
  await page
    .getByRole('banner')
    .getByText(/Acme Retail/)
    .waitFor();
  expect(complaints).toEqual([]);
});
