import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

// What people do on the pages of records, and what the server answers to the session of a page.

export type Row = Record<string, unknown> & { id: number; version: number; status: string };

/** What the server answers the session of a page. */
export async function ask<T = Row>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await page.evaluate(
    async ([verb, to, content]) => {
      const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
      const answer = await fetch(to!, {
        method: verb!,
        headers: {
          authorization: `Bearer ${token}`,
          'x-entity-id': '1',
          ...(content !== null && { 'content-type': 'application/json' }),
        },
        ...(content !== null && { body: content! }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  );
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return (JSON.parse(text) as { data: T }).data;
}

/** A step of a record, taken by the session of a page without its screens. */
export async function stepBy(page: Page, type: string, id: number, name: string, more: object = {}): Promise<Row> {
  const { version } = await ask(page, 'GET', `/tapi/${type}/${id}`);
  return ask(page, 'POST', `/tapi/${type}/${id}/${name}`, { version, ...more });
}

/** Records of a type that the session of a page may see. */
export function listOf(page: Page, type: string, filter: unknown, more = ''): Promise<Row[]> {
  return ask<Row[]>(page, 'GET', `/tapi/${type}?columns=*&filter=${encodeURIComponent(JSON.stringify(filter))}${more}`);
}

/** Brings rows into a sheet of the form as from a spreadsheet. */
export async function pasteRows(page: Page, name: RegExp, rows: string): Promise<void> {
  const grid = page.getByRole('grid', { name });
  await page.getByRole('button', { name: 'Add row' }).first().click();
  await grid.locator('[data-active]').first().waitFor();
  await grid.evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, rows);
}

/** Saves a new record by `press`, as a rule by one key. @returns its number */
export async function save(
  page: Page,
  press: () => Promise<unknown> = () => page.keyboard.press('Control+s'),
): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (one) =>
        one.request().method() === 'POST' &&
        /^\/tapi\/\w+$/.test(new URL(one.url()).pathname) &&
        !one.url().endsWith('/tapi/offline'),
    ),
    press(),
  ]);
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = ((await answer.json()) as { data: Row }).data;
  await page.waitForURL((url) => url.pathname.endsWith(`/${id}`) || !/add/i.test(url.pathname));
  return id;
}

/** Takes a step of a record, from its buttons or the menu behind them, and what is asked with it. */
export async function step(page: Page, name: string, fill?: (dialog: Locator) => Promise<void>): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const more = page.getByRole('button', { name: 'More actions' });
  await button.or(more).first().waitFor();
  const taken = page.waitForResponse(
    (one) => one.request().method() === 'POST' && /^\/tapi\/\w+\/\d+\/\w+$/.test(new URL(one.url()).pathname),
  );
  if ((await button.count()) > 0) await button.first().click();
  else {
    await more.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await Promise.race([taken, dialog.first().waitFor()]);
  if (await dialog.isVisible()) {
    await fill?.(dialog);
    await dialog.getByRole('button', { name, exact: true }).click();
  }
  const answer = await taken;
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Follows a link or presses a button of a record, or an entry of the menu behind them. */
export async function act(page: Page, name: string): Promise<void> {
  const shown = page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .first();
  const more = page.getByRole('button', { name: 'More actions' });
  await shown.or(more).first().waitFor();
  if (await shown.isVisible()) await shown.click();
  else {
    await more.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
}

/** Chooses a record by a few letters of its name. */
export async function choose(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).first().fill(text);
  await page
    .getByRole('option', { name: new RegExp(text.replace(/[/()]/g, '.')) })
    .first()
    .click();
}

/** Waits until a field stands on the page of its record with this value. */
export async function shows(page: Page, field: string, value: string | RegExp): Promise<void> {
  const text = () => page.locator(`#view-${field}-label + dd`).first().textContent();
  await expect.poll(text, { message: field }).toMatch(value);
}

/** A day as people write it. */
export const written = (date: string): string => date.split('-').toReversed().join('-');
