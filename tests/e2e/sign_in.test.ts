import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { PHONE, address, enter, openBrowser, picture, visit } from './browser.ts';

openBrowser();

const user = (page: Page) => page.getByLabel(/e-?mail or username/i);
const password = (page: Page) => page.getByLabel(/^password/i);
const send = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

async function tryToEnter(page: Page, name: string, secret: string): Promise<void> {
  await user(page).fill(name);
  await password(page).fill(secret);
  await send(page).click();
}

test('a wrong password, an unknown name and a disabled account get the same message', async () => {
  const { page } = await visit();
  const signIns = readFileSync(join(inject('schemasDir'), '../data/demo-sign-ins.txt'), 'utf8').split('\n');
  const disabled = signIns.find((line) => line.includes('Disabled account'))?.split('\t')[1];
  expect(disabled).toBeTruthy();
  await page.goto(address('/login'));
  for (const [name, secret] of [
    ['admin', 'not the password'],
    ['nobody.at.all', inject('demoPassword')],
    [disabled!, inject('demoPassword')],
  ] as const) {
    await tryToEnter(page, name, secret);
    const alert = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await alert.getByText('Invalid credentails', { exact: true }).waitFor();
    if (name === 'admin') await picture(page, 'login-refused');
    await alert.getByRole('button', { name: 'OK' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  }
  // Nothing typed: each field says so, nothing is sent.
  await user(page).fill('');
  await password(page).fill('');
  await send(page).click();
  await page.getByText('Enter your e-mail or username.').waitFor();
  await page.getByText('Enter your password.').waitFor();
});

test('an account without a company gets a message and cannot enter', async () => {
  const { page } = await visit();
  await page.goto(address('/login'));
  await tryToEnter(page, 'nocompany', inject('demoPassword'));
  await page.getByText('Your account has no company. Contact your administrator.').waitFor();
  await picture(page, 'login-no-company');
  await page.getByRole('button', { name: 'OK' }).click();
  await page.goto(address('/branch'));
  await page.waitForURL((url) => url.pathname === '/login');
  await user(page).waitFor();
});

test('the sub-domain is asked only if the host has none, and it finds the client', async () => {
  const { page } = await visit();
  await page.goto(address('/login'));
  await user(page).waitFor();
  expect(await page.getByLabel('Sub Domain').count()).toBe(0);

  await page.goto(`http://localhost:${inject('port')}/login`);
  await page.getByLabel('Sub Domain').waitFor();
  await picture(page, 'login-sub-domain');
  await user(page).fill('employee');
  await password(page).fill(inject('demoPassword'));
  await page.getByLabel('Sub Domain').fill('zenith');
  await send(page).click();
  await page.getByRole('navigation').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('domain'))).toContain('zenith');
});

test('Enter moves from the name to the password and then signs in; the requested page opens and survives a reload', async () => {
  const { page, complaints } = await visit();
  await page.goto(address('/department?view=tree'));
  await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === '/department?view=tree');
  await user(page).fill('hrmanager');
  await user(page).press('Enter');
  expect(await password(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(inject('demoPassword'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Departments', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/department?view=tree');

  await page.reload();
  await page.getByRole('heading', { name: 'Departments', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/department');
  expect(complaints).toEqual([]);
});

test('an address of another site is ignored after signing in', async () => {
  const { page } = await visit();
  await page.goto(address('/login?next=//example.com/branch'));
  await tryToEnter(page, 'hrmanager', inject('demoPassword'));
  await page.getByRole('navigation').first().waitFor();
  expect(new URL(page.url()).host).toBe(new URL(address()).host);
});

test('after logging out the back button shows nothing and the token is invalid', async () => {
  const { page } = await visit();
  await enter(page, 'hrmanager', '/branch');
  await page.getByRole('heading', { name: 'Branches', level: 1 }).waitFor();
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('token') ?? '""') as string);
  expect(token).not.toBe('');
  await page.getByRole('button', { name: /: account$/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
  await user(page).waitFor();

  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/login');
  await user(page).waitFor();
  expect(await page.getByRole('heading', { name: 'Branches' }).count()).toBe(0);
  const status = await page.evaluate(
    async (value) => (await fetch('/tapi/menu', { headers: { authorization: `Bearer ${value}` } })).status,
    token,
  );
  expect(status).toBe(401);
});

test('the page is readable once the company is chosen, however late the other scripts arrive', async () => {
  const { page } = await visit();
  // A slow line: the host of questions, which the page does not wait for, is still on its way.
  await page.route(/\/assets\/dialog_host-.*\.js$/, () => undefined);
  await page.goto(address('/login?next=/branch'));
  await tryToEnter(page, 'admin', inject('demoPassword'));
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Proceed' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.getByRole('heading', { name: 'Branches', level: 1 }).waitFor();
  await page.getByRole('navigation').first().waitFor();
});

test('on a phone the sign-in is a card with a greeting', async () => {
  const { page, complaints } = await visit(PHONE);
  await page.goto(address('/login'));
  await page.getByRole('heading', { name: 'Hey there!' }).waitFor();
  await page.getByText('Please login to continue.').waitFor();
  await picture(page, 'login-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(complaints).toEqual([]);
});
