import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import * as XLSX from 'xlsx';
import { address, picture, signIn, openBrowser, visit } from './browser.ts';

openBrowser();

const descriptor = (title: string, required: string[], more: object = {}) =>
  JSON.stringify(
    {
      $schema: '../meta/screen.schema.json',
      kind: 'master',
      title,
      access: { screen: 'SCN_FMS_LIFT_MAKE', product: 'FMS', module: 'FMS' },
      schema: {
        required,
        properties: {
          code: { $ref: 'types#code' },
          name: { $ref: 'types#name' },
          warranty_months: { $ref: 'types#integer', minimum: 0 },
          list_price: { $ref: 'types#money' },
          launched_on: { $ref: 'types#date' },
          spares_available: { $ref: 'types#boolean', default: true },
          ...more,
        },
      },
      unique: [['code'], ['name']],
    },
    null,
    2,
  );

test('a new descriptor file becomes a screen while the product runs, and a changed one too', async ({ task }) => {
  const { page, complaints } = await visit();
  // A second try finds the table of the first, so it has a name of its own.
  const again = task.result?.retryCount ?? 0;
  const name = again === 0 ? 'lift_make' : `lift_make_${again}`;
  const title = again === 0 ? 'Lift make' : `Lift make no ${again}`;
  const file = join(inject('schemasDir'), 'organisation', `${name}.json`);
  onTestFinished(() => rmSync(file, { force: true }));
  await signIn(page, 'admin', '/show_list');

  // The file is written; the open browser learns of it without a reload.
  writeFileSync(file, descriptor(title, ['code', 'name']));
  await expect
    .poll(
      async () =>
        (
          await page.evaluate(async () => {
            const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
            const answer = await fetch('/tapi/menu', { headers: { authorization: `Bearer ${token}` } });
            return JSON.stringify(await answer.json());
          })
        ).includes(`"/${name}"`),
      { timeout: 10_000 },
    )
    .toBe(true);
  await page.keyboard.press('Control+k');
  await page
    .getByRole('dialog')
    .getByRole('combobox')
    .or(page.getByRole('dialog').getByRole('textbox'))
    .first()
    .fill(`${title}s`);
  await page
    .getByRole('option', { name: `${title}s` })
    .first()
    .click();
  await page.getByRole('heading', { name: `${title}s`, level: 1 }).waitFor();
  await picture(page, 'live-empty-list');

  // A record by hand.
  await page.goto(address(`/${name}/add`));
  await page.getByRole('textbox', { name: /^Code/ }).fill('JOHN');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Johnson Lifts');
  await page.keyboard.press('Control+s');
  await page
    .getByText(/saved|added/i)
    .first()
    .waitFor();

  // A sheet that LibreOffice made.
  await page.goto(address(`/${name}`));
  await page.getByRole('link', { name: 'JOHN' }).waitFor();
  await page.getByRole('button', { name: /More/ }).first().click();
  await page.getByRole('menuitem', { name: /Import/ }).click();
  await page.locator('input[type=file]').setInputFiles(join(import.meta.dirname, 'fixtures/lift_makes.xlsx'));
  await page.getByRole('button', { name: 'Check the file' }).click();
  const commit = page.getByRole('dialog').getByRole('button', { name: /^(Import|Save) / });
  await commit.waitFor();
  await picture(page, 'live-import-checked');
  await commit.click();
  await page
    .getByRole('dialog')
    .getByText(/imported|saved|done/i)
    .first()
    .waitFor();
  await picture(page, 'live-imported');

  // What was imported is exact, and the export carries it.
  await page.goto(address(`/${name}`));
  await page.getByRole('link', { name: 'MITS' }).waitFor();
  expect(await page.getByText('24,55,000.25').count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).first().click();
  const sheet = XLSX.read(readFileSync(await (await download).path()), { cellDates: true }).Sheets.Sheet1!;
  const rows = XLSX.utils.sheet_to_json<Record<string, unknown>>(sheet);
  expect(rows).toHaveLength(6);
  expect(rows.find((row) => row.Code === 'OTIS')).toMatchObject({ Name: 'Otis Lifts', 'List price (₹)': 2_100_000 });

  // The descriptor gets a field that must be filled; the records that exist stay.
  writeFileSync(
    file,
    descriptor(title, ['code', 'name', 'origin'], { origin: { $ref: 'types#text', title: 'Country of origin' } }),
  );
  await expect
    .poll(
      async () => {
        await page.goto(address(`/${name}/add`));
        return page
          .getByRole('textbox', { name: /Country of origin/ })
          .waitFor({ timeout: 4000 })
          .then(
            () => true,
            () => false,
          );
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await page.getByRole('textbox', { name: /^Code/ }).fill('FUJI');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Fujitec');
  await page.getByRole('button', { name: /^Save lift make/ }).click();
  await page.getByText('Country of origin is required.').waitFor();
  await page.getByRole('textbox', { name: /Country of origin/ }).fill('Japan');
  await page.getByRole('button', { name: /^Save lift make/ }).click();
  await page
    .getByText(/saved|added/i)
    .first()
    .waitFor();

  // A wrong file is refused: the old screen stays, and the administrator is told where and why.
  writeFileSync(file, descriptor(title, ['code', 'nme']));
  await page.goto(address('/show_list'));
  await page.getByRole('button', { name: 'Show problems' }).click();
  await page.getByRole('dialog', { name: 'Problems in screen files' }).getByText(`${name}.json`).first().waitFor();
  await picture(page, 'live-problem');
  await page.goto(address(`/${name}`));
  await page.getByRole('link', { name: 'FUJI' }).waitFor();
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
});
