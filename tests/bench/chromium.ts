import { chromium } from 'playwright';
import type { Browser, Page } from 'playwright';
import { CHROMIUM_ARGUMENTS } from '../chromium_arguments.ts';

/**
 * Opens Chromium and signs in as the administrator of the demo company.
 * @param prepare what the page needs before it loads anything
 */
export async function openProduct(
  port: number,
  password: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...CHROMIUM_ARGUMENTS],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await prepare?.(page);
  await page.goto(`http://demo.localhost:${port}/login`);
  await page.getByLabel(/username/i).fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  const proceed = page.getByRole('button', { name: 'Proceed' });
  const inside = page.getByRole('navigation').first();
  await proceed.or(inside).first().waitFor();
  if (await proceed.isVisible()) {
    await page.getByRole('radio').first().check();
    await proceed.click();
    await proceed.waitFor({ state: 'detached' });
  }
  await page.waitForURL((url) => url.pathname !== '/login', { waitUntil: 'load' });
  await inside.waitFor();
  return { browser, page };
}
