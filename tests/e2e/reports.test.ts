import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { openBrowser, picture, signIn, visit } from './browser.ts';

// A report as a person uses it, at a desk and on a narrow phone. What each tells, and to whom, is shown by tests/api/reports.

openBrowser();

test('a report is opened from the menu, filtered, sorted, followed to a record and exported to Excel', async () => {
  const { page, complaints } = await visit();
  await signIn(page);
  const entry = (name: string) => page.getByRole('treeitem', { name, exact: true });
  // Under the pointer the menu opens, and none of its rows moves.
  await entry('Settings').hover();
  const before = await entry('Settings').boundingBox();
  await page.locator('nav[aria-label="Menu"][data-open]').waitFor();
  expect((await entry('Settings').boundingBox())?.y).toBe(before?.y);
  await entry('Settings').click();
  // Another group of that name holds all reports; it stands below.
  await entry('Reports').first().click();
  await entry('Escalation report').click();
  const rows = page.getByRole('region', { name: 'Escalation report' }).locator('tbody tr');
  await rows.first().waitFor();
  await page.getByRole('img', { name: /^Escalation report: / }).waitFor();
  await picture(page, 'report');
  const all = await rows.count();

  await page.getByRole('group', { name: 'What the report shows' }).getByLabel('Level').fill('1');
  await expect.poll(() => rows.count()).toBeLessThan(all);
  expect(new URL(page.url()).searchParams.get('level')).toBe('1');
  const column = () => rows.locator('td:nth-child(7)').allTextContents();
  const names = await column();
  await page.getByRole('columnheader', { name: 'To', exact: true }).getByRole('button').click();
  const sorted = names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect(sorted.length).toBeGreaterThan(1);
  await expect.poll(column).toEqual(sorted);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Excel' }).click(),
  ]);
  const book = XLSX.read(readFileSync(await download.path()));
  const sheet = XLSX.utils.sheet_to_json<{ To: string }>(book.Sheets[book.SheetNames[0]!]!);
  expect(sheet.map(({ To }) => To).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))).toEqual(sorted);

  const link = rows.first().getByRole('link').nth(1);
  const record = (await link.textContent())!;
  await link.click();
  await page.getByRole('heading', { name: record, level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(names.length);
  expect(complaints).toEqual([]);
});

test('on a narrow phone a level expands, and only the table scrolls sideways', async () => {
  const { page, complaints } = await visit({ width: 360, height: 760 });
  await signIn(page, 'admin', '/weeklycountreport');
  const table = page.getByRole('region', { name: 'Weekly activity' });
  const rows = table.locator('tbody tr');
  await rows.first().waitFor();
  const before = await rows.count();
  await rows
    .first()
    .getByRole('button', { name: /^Open / })
    .click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByLabel('Weeks').fill('2');
  await expect.poll(() => table.locator('thead [scope="colgroup"]').count()).toBeLessThanOrEqual(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await picture(page, 'report-phone');
  await page.getByRole('button', { name: /^More/ }).first().click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Weekly activity.xlsx');
  expect(complaints).toEqual([]);
});

test('Ctrl+P prints the whole list in words, all fields of a record and the table of a report, without buttons', async () => {
  const { page, complaints } = await visit(undefined, { colorScheme: 'dark' });
  // The dialog of the printer stays closed; what would be on the paper is read below.
  await page.addInitScript(() => (window.print = () => undefined));
  const paper = async () => {
    await page.keyboard.press('Control+p');
    await page.locator('#print-sheet').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    const text = await page.evaluate(() => document.body.innerText);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    return text;
  };
  const filter = encodeURIComponent(JSON.stringify(['first_name', 'contains', 'a']));
  await signIn(page, 'admin', `/employee?filter=${filter}`);
  const link = page.getByRole('grid').getByRole('link').first();
  await link.waitFor();
  const name = (await link.textContent())!;
  const list = await paper();
  expect(list).toMatch(/First name contains a/);
  const count = Number(/^ *(\d+) records/m.exec(list)?.[1]);
  // More than fit on a screen.
  expect(count).toBeGreaterThan(25);
  expect(list).toContain('Printed by');
  expect(list).not.toMatch(/Export|Row actions|Dashboard/);

  await link.click();
  await page.getByRole('tab').first().waitFor();
  const record = await paper();
  expect(record).toContain(name);
  expect(record).not.toMatch(/Deactivate|Copy/);

  await page.goto(new URL('/weeklycountreport', page.url()).href);
  await page.getByRole('region', { name: 'Weekly activity' }).locator('tbody tr').first().waitFor();
  expect(await paper()).toMatch(/Weekly activity[\s\S]*Weeks: \d/);

  await page.locator('main canvas').waitFor();
  // The chart is on the paper too; 12 weeks of three figures fit across it, no word broken.
  await page.keyboard.press('Control+p');
  const sheet = page.locator('#print-sheet');
  await sheet.waitFor({ state: 'attached' });
  const chart = await sheet.locator('img').evaluate((image: HTMLImageElement) => [image.alt, image.naturalWidth]);
  expect(chart).toEqual([expect.stringMatching(/^Weekly activity: Created/), 1360]);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 1000, height: 700 });
  expect(await sheet.evaluate((element) => [element.scrollWidth <= 1000, 'across' in element.dataset])).toEqual([
    true,
    true,
  ]);
  expect(complaints).toEqual([]);
});

test('a report is created from a list with its filter, previewed, saved, followed to its records, changed and deleted', async () => {
  const { page, complaints } = await visit();
  const filter = encodeURIComponent(JSON.stringify(['first_name', 'contains', 'a']));
  await signIn(page, 'admin', `/employee?filter=${filter}`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
  await page.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Make a report of this list' }).click();
  await page.getByRole('heading', { name: 'New report', level: 1 }).waitFor();
  const form = page.getByRole('region', { name: 'What the report shows' });
  const preview = page.getByRole('region', { name: 'Preview' });
  await form.getByText('contains "a"').waitFor();
  await preview.locator('tbody tr').first().waitFor();

  await form.getByRole('combobox', { name: 'Group', exact: true }).selectOption({ label: 'Date of joining' });
  await form.getByRole('combobox', { name: 'Period of group' }).selectOption({ label: 'by year' });
  await form.getByRole('combobox', { name: 'Order by' }).selectOption({ label: 'Employees' });
  await expect.poll(() => preview.locator('thead th').allTextContents()).toEqual(['Date of joining', 'Employees']);
  await preview.getByRole('img').first().waitFor();
  await picture(page, 'report-builder');

  await page.getByRole('button', { name: 'Save report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save report' });
  await dialog.getByLabel('Name').fill('Joined by year');
  await dialog.getByRole('radio', { name: 'Everybody' }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Joined by year', level: 1 }).waitFor();
  const rows = page.getByRole('region', { name: 'Joined by year' }).locator('tbody tr');
  await rows.first().waitFor();
  const count = (await rows.first().getByRole('link').textContent())!;
  await rows.first().getByRole('link').click();
  await page.getByRole('grid').waitFor();
  await page.getByText(new RegExp(`^${count} of `)).waitFor();
  await page.goBack();

  await page.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Change report' }).click();
  await form.getByRole('combobox', { name: 'Kind of chart' }).selectOption({ label: 'Bars' });
  await page.getByRole('button', { name: 'Save report' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('img', { name: /^Joined by year/ }).waitFor();

  await page.goto(new URL('/reports', page.url()).href);
  await page
    .getByRole('region', { name: 'My reports' })
    .getByRole('link', { name: /^Joined by year/ })
    .click();
  await rows.first().waitFor();
  await page.getByRole('button', { name: /^More/ }).first().click();
  await page.getByRole('menuitem', { name: 'Delete report…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete report' }).click();
  await page.getByRole('heading', { name: 'All reports', level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /^Joined by year/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
