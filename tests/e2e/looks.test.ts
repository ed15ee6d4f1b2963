import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openBrowser, picture, signIn, visit } from './browser.ts';

// The looks of lists and a form of steps, each once, as a person comes to them. What they read and refuse is shown by tests/unit and tests/api.

openBrowser();

const PHONE = { width: 360, height: 800 };
const fits = 'document.documentElement.scrollWidth <= innerWidth';

test('a list is shown as calendar, timeline and map; a holiday moves to another day by keyboard', async () => {
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/holiday');
  await page.getByRole('link', { name: 'Calendar', exact: true }).and(page.locator('[href*="as=calendar"]')).click();
  const month = page.getByRole('table');
  await month.waitFor();
  // A holiday of one day, in a week that its month shows whole.
  const { name, date } = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
    const { data } = (await (await fetch('/tapi/holiday?size=100', { headers })).json()) as {
      data: { name: string; date: string; to_date: string | null }[];
    };
    return data.find(
      (one) =>
        one.to_date === null &&
        Number(one.date.slice(8)) < 20 &&
        data.filter((other) => other.name === one.name).length === 1,
    )!;
  });
  await page.goto(new URL(`/holiday?as=calendar&on=${date}`, page.url()).href);
  const entry = month.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await entry.waitFor();
  const days = () =>
    month
      .locator('td')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .locator('> button')
      .first();
  const before = (await days().getAttribute('aria-label'))!;
  await entry.focus();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'A day later' }).click();
  await expect.poll(() => days().getAttribute('aria-label')).not.toBe(before);
  await picture(page, 'look-calendar');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => days().getAttribute('aria-label')).toBe(before);

  await page.goto(new URL('/Contract?as=timeline', page.url()).href);
  await page.getByRole('group', { name: 'Timeline of Contracts' }).getByRole('listitem').first().waitFor();
  await picture(page, 'look-timeline');
  await page.goto(new URL('/building?as=map', page.url()).href);
  await page.getByRole('application').getByRole('link').first().waitFor();
  await picture(page, 'look-map');
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(fits)).toBe(true);
  expect(complaints).toEqual([]);
});

test('an inspection is completed step by step on a phone, and a customer is entered in steps', async () => {
  const { page, complaints } = await visit(PHONE);
  await signIn(page, 'admin', '/tis_landing?as=steps');
  const record = page.getByRole('article');
  await record.getByRole('heading', { level: 2 }).waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await picture(page, 'look-steps');

  await page.goto(new URL('/customer_dtl/add', page.url()).href);
  const at = page.getByRole('list', { name: /^Steps of/ }).locator('[aria-current=step]');
  await expect.poll(() => at.textContent()).toContain('Customer');
  await page.getByRole('button', { name: 'Next' }).click();
  // What is missing is said, and one stays.
  await expect.poll(() => at.textContent()).toContain('error');
  expect(await page.evaluate(fits)).toBe(true);
  await picture(page, 'form-steps');
  expect(complaints).toEqual([]);
});

/** A map tile: 256 pixels of one colour. */
const TILE = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#cfe8cf" stroke="#7a9" /></svg>`;

test('a map shows the client’s tile server, and a grid when it fails', async () => {
  let answers = true;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} for ${request.headers.referer ?? 'nobody'}`);
    response.writeHead(answers ? 200 : 503, { 'content-type': 'image/svg+xml' }).end(answers ? TILE : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { page, complaints } = await visit();
    await signIn(page, 'admin', '/configuration_landing');
    await page.getByRole('tab', { name: 'Data' }).click();
    const edit = page.getByRole('button', { name: 'Edit' });
    if (await edit.isVisible()) await edit.click();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.getByLabel('Map server').fill(`${origin}/{z}/{x}/{y}.svg`);
    await page.getByLabel('Attribution').fill('© Makers of this map');
    await page.keyboard.press('Control+s');
    const policy = () =>
      page.evaluate(async () =>
        (await fetch(location.href, { headers: { accept: 'text/html' } })).headers.get('content-security-policy'),
      );
    await expect.poll(policy).toContain(`blob: ${origin};`);
    await page.goto(new URL('/building?as=map', page.url()).href);
    await page.getByText('© Makers of this map').waitFor();
    const map = page.getByRole('application');
    expect(
      await map
        .locator('img')
        .first()
        .evaluate((tile: HTMLImageElement) => tile.naturalWidth),
    ).toBeGreaterThan(0);
    // The server learns which site asks, not which page.
    expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.svg for http:\/\/demo\.localhost:\d+\/$/);
    await picture(page, 'look-map-tiles');
    expect(complaints).toEqual([]);

    answers = false;
    await map.focus();
    for (let closer = 0; closer < 4; closer++) await page.keyboard.press('+');
    await page.getByText('Parts of the map could not be loaded.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The map could not be loaded. Places are shown on a plain grid.').waitFor();
    await page.setViewportSize(PHONE);
    expect(await page.evaluate(fits)).toBe(true);
    await picture(page, 'look-map-grid');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
