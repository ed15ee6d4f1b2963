import { expect, inject, test } from 'vitest';
import { PHONE, address, openBrowser, picture, visit } from './browser.ts';

// The administration host: its own home after signing in, and none of a client's pages.

openBrowser();

test('signing in on the administration host opens the platform’s home, and client pages do not open there', async () => {
  const { page, complaints } = await visit();
  const enter = async (user: string) => {
    await page.goto(address('/login', 'admin'));
    await page.getByLabel(/e-?mail or username/i).fill(user);
    await page.getByLabel(/^password/i).fill(inject('demoPassword'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  // A client's person is nobody here.
  await enter('hrmanager');
  const alert = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await alert.getByText('Invalid credentails', { exact: true }).waitFor();
  await alert.getByRole('button', { name: 'OK' }).click();
  complaints.length = 0;

  await enter('platform');
  await page.waitForURL((url) => url.pathname === '/admin_landing');
  await page.getByRole('heading', { name: 'Platform home', level: 1 }).waitFor();
  await page.getByText('Active clients').waitFor();
  await picture(page, 'platform-home');
  // Home, however it is reached, is the platform's own.
  await page.goto(address('/show_list', 'admin'));
  await page.waitForURL((url) => url.pathname === '/admin_landing');

  await page.setViewportSize(PHONE);
  await page.getByText('Active clients').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, 'platform-home-phone');
  expect(complaints).toEqual([]);

  await page.goto(address('/branch', 'admin'));
  await page.getByText('You do not have access to that page.').first().waitFor();
  // The first page for those who have no access to another.
  await expect.poll(() => new URL(page.url()).pathname).toBe('/common_library');
  expect(await page.getByRole('heading', { name: 'Branches', level: 1 }).count()).toBe(0);
});
