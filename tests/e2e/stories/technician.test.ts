import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { address, openBrowser, picture, signIn, visit } from '../browser.ts';
import { phone } from '../phone.ts';
import { ask, listOf } from '../record_pages.ts';

openBrowser();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const AT_THE_HOSPITAL = { latitude: 13.0827, longitude: 80.2416 };

/** A record as the server has it, read by the page itself. */
const read = (page: Page, path: string) =>
  page.evaluate(async (to) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
    const answer = await fetch(to, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as { data: Record<string, unknown> };
  }, path);

/** Records of a list as the server has them. */
const list = (page: Page, type: string, filter: unknown) =>
  read(page, `/tapi/${type}?filter=${encodeURIComponent(JSON.stringify(filter))}`).then(
    ({ data }) => data as unknown as Record<string, unknown>[],
  );

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

/** The technician's phone at a place. */
async function atThePhone(profile: string) {
  const { page, kill } = await phone(profile);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.context().grantPermissions(['geolocation'], { origin: address('/') });
  await page.context().setGeolocation(AT_THE_HOSPITAL);
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  const photo = async (name: string) => {
    await press(/Photos/);
    await page.locator('input[type=file]').nth(1).setInputFiles({ name, mimeType: 'image/png', buffer: PNG });
  };
  /** Answers the checklist, one question after the other, and adds a photo to the first. */
  const answerChecklist = async (questions: number) => {
    await press(/Checklist/);
    for (let done = 1; done <= questions; done++) {
      await page.getByRole('radio', { name: /^(Done|Works)$/ }).check();
      await page.getByText(`${done} of ${questions} answered`).waitFor();
      if (done === 1) {
        const plate = { name: 'plate.png', mimeType: 'image/png', buffer: PNG };
        await page.locator('input[type=file][aria-label=Photo]').first().setInputFiles(plate);
        await page.getByRole('button', { name: 'File', exact: true }).waitFor();
        await picture(page, 'technician-checklist');
      }
      await press(done < questions ? 'Next' : 'Review');
    }
    await page.getByRole('heading', { name: 'All questions are answered' }).waitFor();
    await press(/Checklist/);
  };
  return {
    page,
    kill,
    press,
    photo,
    answerChecklist,
    offline: (isOff: boolean) => page.context().setOffline(isOff),
    waiting: (n: number) =>
      page
        .getByText(
          n === 1 ? '1 change waits on this device to be sent.' : `${n} changes wait on this device to be sent.`,
        )
        .waitFor(),
    allSent: () =>
      expect.poll(() => page.getByText(/waits? on this device to be sent/).count(), { timeout: 60_000 }).toBe(0),
  };
}

/** The day is played at any hour: the hospital has its quiet hours at night. */
async function withoutQuietHours(): Promise<void> {
  const { page, context } = await visit();
  await signIn(page, 'admin', '/show_list');
  for (const { id, version } of await listOf(page, 'building_type_mstr', ['code', 'notempty']))
    await ask(page, 'PUT', `/tapi/building_type_mstr/${id}`, { version, quiet_from: null, quiet_to: null });
  await context.close();
}

test('a day on a 360 px phone arrives once and in order, with two interruptions and a killed browser', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'technician-'));
  onTestFinished(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  await withoutQuietHours();
  const first = await atThePhone(profile);
  {
    const { page, press, photo, answerChecklist, offline, waiting, allSent } = first;
    await signIn(page, 'technician', '/fms_home');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await expect.poll(() => page.evaluate(ticketsKept), { timeout: 120_000 }).toBeGreaterThan(4);
    await press('Begin my day');
    await page.getByText(/Day begun/).waitFor();
    const stops = page.getByRole('link', { name: /Accept or decline/ });
    expect(await stops.count()).toBeGreaterThan(4);
    await picture(page, 'technician-day');

    // The first lift: one reads its label before the line goes.
    await page.getByRole('link', { name: /Sarvana Hospital.*L00011.*Accept or decline/ }).click();
    await press('Accept');
    await page.getByRole('button', { name: 'Go', exact: true }).waitFor();
    await picture(page, 'technician-accepted');

    // In the basement.
    await offline(true);
    await press('Go');
    await page.getByText('You are at the building (0 m).').waitFor();
    await page.getByLabel('Number on the label').fill('L00011');
    await press('Arrived');
    for (const point of [/Barricades/, /Main switch/, /where the car stands/]) await press(point);
    await press('It is safe: begin');
    await page.getByRole('button', { name: 'Leave the lift' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Leave the lift' }).waitFor();
    await waiting(3);
    await picture(page, 'technician-work');

    // The line is back for a moment, then gone again: the device still knows how far the visit is.
    await offline(false);
    await allSent();
    await offline(true);
    // Nobody completes without what the visit needs.
    await press('Leave the lift');
    await page.getByRole('radio', { name: 'Running', exact: true }).click();
    const missing = page.getByRole('status', { name: 'Still missing' }).getByRole('listitem');
    await expect
      .poll(() => missing.allTextContents())
      .toEqual([
        'Add a photo from after the work.',
        'Enter "Machine and motor: Oil level" under "Found and done".',
        'Enter "Car and fixtures: Level at the landing" under "Found and done".',
        'Answer the checklist first: 9 questions are still open.',
      ]);
    expect(await page.getByRole('button', { name: 'Complete', exact: true }).isDisabled()).toBe(true);
    await picture(page, 'technician-leave');
    await press('Back');
    await answerChecklist(9);
    await photo('after.png');
    await waiting(1);
    await picture(page, 'technician-photo');
    await press('Pause');
    await page.getByRole('radio', { name: /Customer does not let us in/ }).click();
    await page.getByLabel(/Remark/).fill('The machine room is locked.');
    await press('Pause');
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await waiting(2);
    // The battery is empty.
    await first.kill();
  }

  const { page, press, waiting, offline, allSent } = await atThePhone(profile);
  await signIn(page, 'technician', '/fms_home');
  await allSent();
  await page.getByRole('link', { name: /L00011.*Paused/ }).click();
  await press('Resume');
  await page.getByRole('button', { name: 'Leave the lift' }).waitFor();
  const ticket = Number(/\d+$/.exec(page.url())![0]);
  await offline(true);
  await press('Leave the lift');
  await page.getByRole('radio', { name: 'Running', exact: true }).click();
  await page.getByLabel('In words').fill('Cleaned and oiled.');
  await page.getByLabel('Machine and motor: Oil level').selectOption({ label: 'Right' });
  await page.getByLabel('Car and fixtures: Level at the landing in mm').fill('4');
  await press('Complete');
  await page.getByRole('heading', { name: 'Sign-off' }).waitFor();
  await picture(page, 'technician-sign-off');
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
  await waiting(4);

  // The next lift of the same building, accepted without a network too.
  await page.getByRole('link', { name: 'Back to my day' }).click();
  await page.getByRole('link', { name: /Sarvana Hospital.*L00012.*Accept or decline/ }).click();
  await press('Accept');
  await page.getByRole('button', { name: 'Go', exact: true }).waitFor();
  await waiting(5);
  await offline(false);
  await allSent();

  // The checklist with its photo came once, though the browser was killed before it was sent.
  const { data: sheet } = await read(page, `/tapi/fms_ticket/${ticket}/answers/answers`);
  const answers = sheet.answers as { code: string; value: unknown }[];
  expect(answers.filter(({ code }) => code.endsWith('_photo'))).toEqual([
    expect.objectContaining({ code: 'pmbasic_01_photo', value: [expect.any(Number)] }),
  ]);
  expect(answers).toHaveLength(10);
  const recorded = await list(page, 'job_history', ['fms_ticket_id', 'eq', ticket]);
  expect(recorded).toHaveLength(2);
  expect(recorded).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ attribute_lookup_id__label: expect.stringContaining('Right') }),
      expect.objectContaining({ value: '4' }),
    ]),
  );

  const { data } = await read(page, `/tapi/fms_ticket/${ticket}`);
  expect(data).toMatchObject({
    status: 'signed_off',
    rating: 5,
    running_after: 'running',
    work_done: 'Cleaned and oiled.',
  });
  expect(data.photos).toHaveLength(1);
  expect(data.pauses).toEqual([expect.objectContaining({ remark: 'The machine room is locked.' })]);
  expect(data.assignments).toHaveLength(1);
  const [work] = data.assignments as Record<string, string>[];
  const [pause] = data.pauses as Record<string, string>[];
  const times = [work!.accepted_at, work!.travel_at, work!.arrived_at, pause!.from, pause!.to, work!.left_at].map(
    (at) => Date.parse(at!),
  );
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
