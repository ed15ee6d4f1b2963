import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openBrowser, picture, signIn, visit } from './browser.ts';

openBrowser();

test('two browsers in one sheet see each other’s cells, and conflicts are resolved', async ({ task }) => {
  const name = `month_plan_${task.result?.retryCount ?? 0}`;
  const file = join(inject('schemasDir'), 'organisation', `${name}.json`);
  onTestFinished(() => rmSync(file, { force: true }));
  const [one, two] = [await visit(), await visit()];
  await signIn(one.page, 'admin', '/show_list');
  await signIn(two.page, 'admin', '/show_list');
  writeFileSync(file, readFileSync(join(import.meta.dirname, 'fixtures/month_plan.json'), 'utf8'));
  const make = () =>
    one.page.evaluate(async (type) => {
      const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const lines = ['Salaries', 'Rent', 'Spares'].map((account) => ({ account, m01: '100', m02: '200' }));
      const body = JSON.stringify({ name: 'Plan of the year', lines });
      const answer = await fetch(`/tapi/${type}`, { method: 'POST', headers, body });
      return answer.ok ? ((await answer.json()) as { data: { id: number } }).data.id : await answer.text();
    }, name);
  let id: number | string = 0;
  // The file that was just written becomes a type.
  await expect.poll(async () => (id = await make()), { timeout: 60_000 }).toEqual(expect.any(Number));
  for (const { page } of [one, two]) {
    await page.goto(new URL(`/${name}/edit/${id}`, page.url()).href);
    await page.getByText('All cells are saved.').waitFor();
  }
  const cell = (page: typeof one.page, row: number, month: number) =>
    page.locator(`[role=row][aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${month + 1}"]`);
  const type = async (page: typeof one.page, row: number, month: number, text: string) => {
    await cell(page, row, month).click();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  await type(one.page, 1, 1, '150');
  await expect.poll(() => cell(two.page, 1, 1).textContent(), { timeout: 60_000 }).toContain('150.00');
  await type(two.page, 1, 2, '250');
  await expect.poll(() => cell(one.page, 1, 2).textContent(), { timeout: 60_000 }).toContain('250.00');

  // Both change one cell: the second works without a line meanwhile, and is asked when it is back.
  await two.page.context().setOffline(true);
  await type(two.page, 3, 1, '310');
  await two.page.getByText('No connection: cells are saved when it is back.').waitFor();
  await type(one.page, 3, 1, '320');
  await one.page.getByText('All cells are saved.').waitFor();
  await two.page.context().setOffline(false);
  await two.page.getByText(/changed .+ in row 3 \(Spares\) to .*320.*Yours is .*310/).waitFor();
  await picture(two.page, 'rows-apart-conflict');
  await two.page.getByRole('button', { name: 'Use mine' }).click();
  await expect.poll(() => cell(one.page, 3, 1).textContent(), { timeout: 60_000 }).toContain('310.00');

  await picture(one.page, 'rows-apart');
  expect(
    [...one.complaints, ...two.complaints].filter((text) => !/^404|409|ERR_INTERNET_DISCONNECTED/.test(text)),
  ).toEqual([]);
});
