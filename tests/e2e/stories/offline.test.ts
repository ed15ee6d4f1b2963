import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, inject, onTestFinished, test } from 'vitest';
import { address, openBrowser, picture, signIn } from '../browser.ts';
import { phone } from '../phone.ts';

openBrowser();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** In a page: the server does what is sent there, and its answer is lost; the call fails, or never ends. */
function loseAnswers([path, method, fails]: readonly [string, string, boolean]): void {
  const send = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await send(request);
    if (new URL(request.url).pathname !== path || request.method !== method) return answer;
    document.documentElement.dataset.lost = '1';
    if (fails) throw new TypeError('Failed to fetch');
    return new Promise<Response>(() => undefined);
  };
}

/** What somebody else does at their desk meanwhile. */
function elsewhere(token: string, method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', host: 'demo.localhost' };
    const sent = request({ host: '127.0.0.1', port: inject('port'), method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

test('offline changes survive closing the browser, arrive once, and the application starts offline', async ({
  task,
}) => {
  const type = `site_visit_${task.result?.retryCount ?? 0}`;
  const file = join(inject('schemasDir'), 'organisation', `${type}.json`);
  const profile = mkdtempSync(join(tmpdir(), 'phone-'));
  onTestFinished(() => {
    rmSync(file, { force: true });
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const first = await phone(profile);
  await signIn(first.page, 'admin', '/show_list');
  const descriptor = readFileSync(join(import.meta.dirname, '../fixtures/site_visit.json'), 'utf8');
  writeFileSync(file, descriptor.replace('"TYPE"', JSON.stringify(type)));
  type Answer = { data: { id: number; place: string }[] };
  const call = (page: Page, method: string, path: string, body?: object) =>
    page.evaluate(
      async ([way, to, sent]) => {
        const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const answer = await fetch(to, { method: way, headers, ...(sent && { body: sent }) });
        return { ok: answer.ok, body: (await answer.json()) as unknown };
      },
      [method, path, body && JSON.stringify(body)] as const,
    );
  let north = 0;
  // The file that was just written becomes a type.
  await expect
    .poll(
      async () => {
        const { ok, body } = await call(first.page, 'POST', `/tapi/${type}`, { place: 'North' });
        if (ok) north = (body as { data: { id: number } }).data.id;
        return ok;
      },
      { timeout: 60_000 },
    )
    .toBe(true);

  // Without a network: a photo and words on one record, a step that asks, and a new record.
  const { page } = first;
  await page.goto(address(`/${type}/edit/${north}`));
  await page.getByLabel('Found').waitFor();
  // What the page fetches when it is needed is there from the program that is kept.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.context().setOffline(true);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'rope.png', mimeType: 'image/png', buffer: PNG });
  await page.getByRole('button', { name: 'rope.png', exact: true }).waitFor();
  await page.getByLabel('Found').fill('a worn rope');
  await page.keyboard.press('Control+s');
  await page.getByText('1 change waits on this device to be sent.').waitFor();
  await picture(page, 'offline-waits');
  await first.kill();

  // It sends; the server has done it and its answer is lost with the browser.
  const second = await phone(profile);
  await second.page.addInitScript(loseAnswers, ['/tapi/offline', 'POST', false] as const);
  await signIn(second.page, 'admin', '/show_list');
  await second.page.waitForFunction(() => document.documentElement.dataset.lost === '1', null, { timeout: 60_000 });
  await second.kill();

  const third = await phone(profile);
  await signIn(third.page, 'admin', `/${type}/add`);
  const here = third.page;
  const list = async () => ((await call(here, 'GET', `/tapi/${type}`)).body as Answer).data;
  await expect
    .poll(list, { timeout: 60_000 })
    .toEqual([expect.objectContaining({ place: 'North', found: 'a worn rope', status: 'planned' })]);
  await expect.poll(() => here.getByText(/waits? on this device to be sent/).count()).toBe(0);
  expect((await call(here, 'GET', `/tapi/${type}/${north}`)).body).toMatchObject({
    data: { picture: expect.any(Number) },
  });

  // A new record whose first try was done and not answered is one record.
  await here.evaluate(loseAnswers, [`/tapi/${type}`, 'POST', true] as const);
  await here.getByLabel('Place').fill('South');
  await here.keyboard.press('Control+s');
  // The server has done it.
  await here.waitForFunction(() => document.documentElement.dataset.lost === '1', null, { timeout: 60_000 });
  await here.getByText('1 change waits on this device to be sent.').waitFor();
  expect((await list()).map(({ place }) => place).toSorted()).toEqual(['North', 'South']);
  // Not the half minute until it tries again by itself.
  await here.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => here.getByText(/waits? on this device to be sent/).count(), { timeout: 60_000 }).toBe(0);
  expect((await list()).filter(({ place }) => place === 'South')).toHaveLength(1);

  // The program starts without a network, with the records of its packet, and what is done with them waits.
  await here.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const packet = here.waitForResponse((answer) => answer.url().endsWith('/tapi/offline/packet') && answer.ok());
  await here.goto(address('/show_list'));
  await packet;
  const kept = () =>
    here.evaluate(
      (of) =>
        new Promise<number>((resolve) => {
          const open = indexedDB.open('packet', 1);
          open.onsuccess = () => {
            const all = open.result.transaction('packets').objectStore('packets').getAll();
            all.onsuccess = () => {
              const [found] = all.result as { types: { type: string; records: unknown[] }[] }[];
              open.result.close();
              resolve(found?.types.find((part) => part.type === of)?.records.length ?? 0);
            };
          };
        }),
      type,
    );
  await expect.poll(kept, { timeout: 60_000 }).toBe(2);
  await here.context().setOffline(true);
  await here.goto(address(`/${type}`));
  await here
    .getByText(/You are offline!/)
    .first()
    .waitFor();
  await here.getByText(/These are the records on this device, as of/).waitFor();
  await here.getByText('South').first().waitFor();
  await picture(here, 'offline-list');
  await here.goto(address(`/${type}/edit/${north}`));
  await here.getByLabel('Found').fill('a new rope');
  await here.keyboard.press('Control+s');
  await here.getByText('1 change waits on this device to be sent.').waitFor();
  await here.goto(address(`/${type}/edit/${north}`));
  await expect.poll(() => here.getByLabel('Found').inputValue()).toBe('a new rope');
  await picture(here, 'offline-record');

  // Whoever signs out with unsent work is told so, and finds it when they come back.
  const token = await here.evaluate(() => JSON.parse(localStorage.getItem('token') ?? '""') as string);
  const leave = async (answer: string) => {
    await here.getByRole('button', { name: /: account$/ }).click();
    await here.getByRole('menuitem', { name: 'Logout' }).click();
    const asked = here.getByRole('alertdialog', { name: '1 change is not sent yet' });
    await asked.getByRole('button', { name: answer, exact: true }).click();
    await asked.waitFor({ state: 'hidden' });
  };
  await leave('Stay');
  await here.getByText('1 change waits on this device to be sent.').waitFor();
  await leave('Sign out');
  await here.waitForURL((url) => url.pathname === '/login');

  // Somebody has changed the same field: when it arrives, its person decides.
  const read = (await elsewhere(token, 'GET', `/tapi/${type}/${north}`)) as { data: { version: number } };
  const theirs = { version: read.data.version, found: 'two new ropes' };
  await elsewhere(token, 'PUT', `/tapi/${type}/${north}`, theirs);
  await here.context().setOffline(false);
  await signIn(here, 'admin', '/show_list');
  const needed = here.getByText('1 change made offline needs your decision.');
  await needed.waitFor();

  // A newer version of the program is announced, taken when the person agrees, and loses nothing.
  await here.evaluate(() => navigator.serviceWorker.register('/service-worker.js?newer').then(() => undefined));
  await here.getByText('A new version is ready. Unsent work on this device is kept.').waitFor();
  await picture(here, 'offline-version');
  await here.evaluate(() => (document.documentElement.dataset.before = '1'));
  await here.getByRole('button', { name: 'Use it now' }).click();
  await here.waitForFunction(
    () =>
      document.documentElement.dataset.before === undefined &&
      navigator.serviceWorker.controller?.scriptURL.endsWith('?newer') === true,
  );
  await needed.waitFor();
  await here.getByRole('button', { name: 'Decide' }).click();
  const act = here.getByRole('region', { name: 'North: changed' });
  await act.getByText('two new ropes').waitFor();
  await act.getByRole('button', { name: 'Edit first' }).click();
  await act.getByLabel('Found').fill('three new ropes');
  await picture(here, 'offline-edit');
  await act.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(async () => (await list()).find(({ place }) => place === 'North'))
    .toMatchObject({ found: 'three new ropes' });
});
