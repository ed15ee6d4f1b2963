import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { picture, signIn } from './browser.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A record as the server has it, read by the page itself. */
const read = (page: Page, path: string) =>
  page.evaluate(async (to) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
    const answer = await fetch(to, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { data: Record<string, unknown> };
  }, path);

/** In a page: how many tickets the device keeps. A store that the program has not opened yet is left alone. */
const ticketsKept = async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'packet')) return 0;
  return new Promise<number>((resolve) => {
    const open = indexedDB.open('packet', 1);
    open.onsuccess = () => {
      const db = open.result;
      const all = db.transaction('packets').objectStore('packets').getAll();
      all.onsuccess = () => {
        const [found] = all.result as { types: { type: string; records: unknown[] }[] }[];
        db.close();
        resolve(found?.types.find(({ type }) => type === 'fms_ticket')?.records.length ?? 0);
      };
    };
  });
};

test('a visit on a phone of 360 px arrives once and in order, with the line cut twice and the page reloaded', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'technician-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    geolocation: { latitude: 13.0827, longitude: 80.2416 },
    permissions: ['geolocation'],
  });
  onTestFinished(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = context.pages()[0]!;
  await signIn(page, 'technician', '/fms_home');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(() => page.evaluate(ticketsKept), { timeout: 120_000 }).toBeGreaterThan(4);
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  const allSent = () =>
    expect.poll(() => page.getByText(/waits? on this device to be sent/).count(), { timeout: 60_000 }).toBe(0);

  await page.getByRole('link', { name: /Sarvana Hospital.*L00011.*Accept or decline/ }).click();
  await press('Accept');
  await page.getByRole('button', { name: 'Go', exact: true }).waitFor();
  const ticket = Number(/\d+$/.exec(page.url())![0]);
  await picture(page, 'technician-accepted');

  // In the basement.
  await context.setOffline(true);
  await press('Go');
  await page.getByText('You are at the building (0 m).').waitFor();
  await press('Arrived');
  for (const point of [/Barricades/, /Main switch/, /where the car stands/]) await press(point);
  await press('It is safe: begin');
  await page.getByRole('button', { name: 'Leave the lift' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Leave the lift' }).waitFor();
  await page.getByText('3 changes wait on this device to be sent.').waitFor();
  await picture(page, 'technician-work');

  // The line is back for a moment, then gone again: the device still knows how far the visit is.
  await context.setOffline(false);
  await allSent();
  await context.setOffline(true);
  await press(/Photos/);
  await page
    .locator('input[type=file]')
    .nth(1)
    .setInputFiles({ name: 'after.png', mimeType: 'image/png', buffer: PNG });
  await page.getByText('1 change waits on this device to be sent.').waitFor();
  await press('Leave the lift');
  await page.getByRole('radio', { name: 'Running', exact: true }).click();
  await page.getByLabel('In words').fill('Cleaned and oiled.');
  await press('Complete');
  await page.getByRole('heading', { name: 'Sign-off' }).waitFor();
  await picture(page, 'technician-sign-off');
  await context.setOffline(false);
  await allSent();

  await page.getByLabel('Name', { exact: true }).fill('R. Kannan');
  const pad = page.locator('canvas').first();
  await pad.evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
  const box = (await pad.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 60, { steps: 6 });
  await page.mouse.up();
  await press(/Use this signature/);
  await page.getByRole('button', { name: 'Sign again' }).waitFor();
  await page.getByRole('radio', { name: '5 of 5' }).click();
  await press('Sign off');
  await page.getByText('This visit is done.').waitFor();

  const { data } = await read(page, `/tapi/fms_ticket/${ticket}`);
  expect(data).toMatchObject({
    status: 'signed_off',
    rating: 5,
    running_after: 'running',
    work_done: 'Cleaned and oiled.',
  });
  expect(data.photos).toHaveLength(1);
  expect(data.assignments).toHaveLength(1);
  const [work] = data.assignments as Record<string, string>[];
  const times = ['accepted_at', 'travel_at', 'arrived_at', 'left_at'].map((name) => Date.parse(work![name]!));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
