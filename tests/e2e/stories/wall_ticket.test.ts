import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { address, openBrowser, picture, signIn, visit } from '../browser.ts';

openBrowser();

const SMALL = { width: 360, height: 740 };
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** Takes an action of a record: its main button, or the entry behind the other buttons. */
async function act(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const more = page.getByRole('button', { name: 'More actions' });
  await button.or(more).first().waitFor();
  if (await button.first().isVisible()) await button.first().click();
  else {
    await more.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
}

/** Answers what a step asks, and takes it. */
async function answer(page: Page, name: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await act(page, name);
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  await fill(dialog);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  // Where the pointer rests on a name, the facts of its record are fetched, which not everybody may see.
  await page.mouse.move(0, 0);
}

test('a ticket goes from a QR code on a wall to its rating, on 360 px phones', async () => {
  // The wall: whoever looks after places opens its code, which leads to a page that needs no account.
  const { page: office } = await visit();
  await signIn(office, 'admin', '/desk_point?q=LOBBY-CHN');
  await office.getByRole('link', { name: 'LOBBY-CHN', exact: true }).click();
  await act(office, 'Public link');
  const dialog = office.getByRole('dialog');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  const link = await dialog.getByRole('textbox').first().inputValue();
  await picture(office, 'wall-code');

  // Somebody in the lobby, without an account.
  const { page: guest, complaints } = await visit(SMALL);
  await guest.goto(new URL(new URL(link).pathname, address()).href);
  await guest.getByRole('heading', { name: 'Tell the service desk' }).waitFor();
  await guest.getByText('Lobby of the Chennai office, Chennai').waitFor();
  await guest.getByRole('button', { name: 'Send' }).click();
  await guest.getByText('This is required.').first().waitFor();
  const subject = `The lift door squeaks ${Date.now()}`;
  await guest.getByLabel('Subject').fill(subject);
  await guest.getByLabel('Description').fill('Since this morning, on the second floor.');
  await guest.getByLabel('Name').fill('Devi');
  expect(await fits(guest)).toBe(true);
  await picture(guest, 'wall-form');
  await guest.getByRole('button', { name: 'Send' }).click();
  await guest.getByText('Thank you. Your ticket has been raised.').waitFor();
  await guest.getByRole('link', { name: 'Follow its progress' }).click();
  await guest.getByText(subject).first().waitFor();
  const own = guest.url();

  // The desk, on a phone as well: what has just come is found by its subject.
  const { page: desk, complaints: ofDesk } = await visit(SMALL);
  await signIn(desk, 'manager', `/ticket?q=${encodeURIComponent(subject)}`);
  await desk.getByText(subject).first().waitFor();
  await desk.getByRole('link', { name: /^TKT\// }).click();
  await desk.mouse.move(0, 0);
  await desk.getByText('QR code').first().waitFor();
  expect(await fits(desk)).toBe(true);
  await picture(desk, 'wall-desk');
  await answer(desk, 'Assign', async (asked) => {
    await asked.getByRole('combobox').first().fill('Anand');
    await desk.getByRole('option', { name: /Anand Ramasamy/ }).click();
  });

  // The agent whom the lead has named, on a third phone.
  const { page: agent, complaints: ofAgent } = await visit(SMALL);
  await signIn(agent, 'dispatcher', new URL(desk.url()).pathname);
  await answer(agent, 'Reply', (asked) => asked.getByLabel('Your message').fill('A technician is on the way.'));
  await agent.getByText('In progress').first().waitFor();

  // Who asked reads it and writes back.
  await guest.reload();
  await guest.getByText('A technician is on the way.').waitFor();
  await guest.getByLabel('Your message').fill('Thank you, I wait in the lobby.');
  await guest.getByRole('button', { name: 'Reply' }).click();
  await guest.getByText('Thank you.', { exact: true }).waitFor();

  // How long each had it, as the clock of the ticket counts it.
  await desk.reload();
  const id = Number(/\d+$/.exec(desk.url())![0]);
  const resolution = await desk.evaluate(async (ticket) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
    const got = await fetch(`/tapi/ticket/${ticket}/clocks`, { headers: { authorization: `Bearer ${token}` } });
    const { data } = (await got.json()) as {
      data: { name: string; elapsed: number; by: { minutes: number; assignee_id: number | null }[] }[];
    };
    return data.find(({ name }) => name === 'resolution')!;
  }, id);
  expect(resolution.by.length).toBeGreaterThan(0);
  // Minutes are fractions: their sum differs from the whole in the last binary digit.
  expect(resolution.by.reduce((sum, { minutes }) => sum + minutes, 0)).toBeCloseTo(resolution.elapsed, 6);

  await answer(agent, 'Resolve', async (asked) => {
    await asked.getByRole('combobox', { name: /Outcome/ }).selectOption({ label: 'Fixed' });
    await asked.getByLabel(/What was done/).fill('The rollers are greased.');
  });
  await agent.getByText('Resolved').first().waitFor();
  await picture(agent, 'wall-resolved');

  // The rating.
  await guest.goto(own);
  await guest.getByText('The rollers are greased.').waitFor();
  await picture(guest, 'wall-rate');
  await guest
    .getByRole('form', { name: 'Rate' })
    .getByLabel(/^Rating/)
    .fill('5');
  await guest.getByRole('button', { name: 'Rate', exact: true }).click();
  await guest.getByText('Thank you.', { exact: true }).waitFor();
  expect(await fits(guest)).toBe(true);
  await desk.reload();
  await desk.getByRole('tab', { name: 'Course' }).click();
  await desk.getByText('Rating', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  expect([...ofDesk, ...ofAgent]).toEqual([]);
});
