import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import * as XLSX from 'xlsx';
import { address, picture, signIn, openBrowser, visit } from './browser.ts';

openBrowser();

const PHONE_360 = { width: 360, height: 780 };

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

test('a new or changed descriptor file takes effect while the product runs', async ({ task }) => {
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
    .poll(async () =>
      (
        await page.evaluate(async () => {
          const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
          const answer = await fetch('/tapi/menu', { headers: { authorization: `Bearer ${token}` } });
          return JSON.stringify(await answer.json());
        })
      ).includes(`"/${name}"`),
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
          .waitFor({ timeout: 15_000 })
          .then(
            () => true,
            () => false,
          );
      },
      { timeout: 90_000 },
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

/** A contract with lines that are records, which have prices as rows and stops as parts of their own. */
const contractTypes = (suffix: string): Record<string, object> => {
  const [contract, line, stop] = ['care_contract', 'care_line', 'care_stop'].map((name) => name + suffix);
  const common = { $schema: '../meta/screen.schema.json', kind: 'document' };
  return {
    [contract!]: {
      ...common,
      title: 'Care contract',
      access: { screen: 'SCN_FMS_LIFT_MAKE', product: 'FMS', module: 'FMS' },
      schema: {
        required: ['customer', 'lines'],
        properties: {
          customer: { $ref: 'types#name' },
          starts_on: { $ref: 'types#date' },
          lines: { type: 'array', title: 'Lines', minItems: 1, 'x-part': line },
          total: { $ref: 'types#money', 'x-formula': 'sum(lines.yearly)' },
        },
      },
      label: ['customer'],
    },
    [line!]: {
      ...common,
      title: 'Care line',
      part: { of: contract, by: 'contract_id' },
      schema: {
        required: ['contract_id', 'lift'],
        properties: {
          contract_id: { $ref: 'types#ref', 'x-ref': contract },
          lift: { $ref: 'types#text' },
          floors: { $ref: 'types#integer', minimum: 2 },
          note: { $ref: 'types#long_text' },
          prices: {
            type: 'array',
            title: 'Prices',
            'x-unique': ['month'],
            items: {
              required: ['month', 'amount'],
              properties: { month: { $ref: 'types#month' }, amount: { $ref: 'types#money', minimum: 0 } },
            },
          },
          stops: { type: 'array', title: 'Stops', 'x-part': stop },
          yearly: { $ref: 'types#money', 'x-formula': 'sum(prices.amount)' },
        },
      },
      label: ['lift'],
      workflow: {
        states: { running: { edit: true }, stopped: { is: 'closed' } },
        transitions: { stop: { from: ['running'], to: 'stopped', title: 'Stop' } },
      },
      form: {
        sections: [
          { title: 'Lift', fields: ['lift', 'floors', 'note'] },
          { title: 'Prices', fields: ['prices', 'yearly'] },
          { title: 'Stops', fields: ['stops'] },
        ],
      },
      grid: ['lift', 'floors', 'yearly', 'status'],
    },
    [stop!]: {
      ...common,
      title: 'Stop',
      part: { of: line, by: 'line_id' },
      schema: {
        required: ['line_id', 'floor'],
        properties: {
          line_id: { $ref: 'types#ref', 'x-ref': line },
          floor: { $ref: 'types#text' },
          door: { enum: ['Left', 'Right'] },
        },
      },
      label: ['floor'],
    },
  };
};

test('rows stored as records have a form with their own rows, on a desktop and on a phone', async ({ task }) => {
  const suffix = (task.result?.retryCount ?? 0) === 0 ? '' : `_${task.result!.retryCount}`;
  const types = contractTypes(suffix);
  const files = Object.keys(types).map((name) => join(inject('schemasDir'), 'organisation', `${name}.json`));
  onTestFinished(() => files.forEach((file) => rmSync(file, { force: true })));
  Object.values(types).forEach((type, at) => writeFileSync(files[at]!, JSON.stringify(type, null, 2)));
  const route = `/care_contract${suffix}`;
  const { page, complaints } = await visit();
  await signIn(page, 'admin', '/show_list');
  const customer = page.getByRole('textbox', { name: /^Customer/ });
  await expect
    .poll(
      async () => {
        await page.goto(address(`${route}/add`));
        return customer.waitFor({ timeout: 15_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  await customer.fill('Marina Towers');
  await page.getByRole('button', { name: 'Add row' }).click();
  await page.getByRole('button', { name: /^Open row 1/ }).click();
  const form = page.getByRole('dialog', { name: /^Lines: row 1/ });
  await form.getByRole('textbox', { name: /^Lift/ }).fill('North lift');
  // A row of the row: typed in its sheet, counted at once.
  await form.getByRole('button', { name: 'Add row' }).first().click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('04-2026');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('1500');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Add row' }).last().click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ground');
  await page.keyboard.press('Tab');
  await picture(page, 'part-form-1440');
  await form.getByRole('button', { name: 'Done' }).click();
  await picture(page, 'part-rows-1440');
  await page.keyboard.press('Control+s');
  await page
    .getByText(/saved|added/i)
    .first()
    .waitFor();
  const id = Number(/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);
  expect(id).toBeGreaterThan(0);
  await page.getByText('North lift').first().waitFor();
  await picture(page, 'part-view-1440');

  // On a phone a row is a card; its form has the rows within it as cards too.
  const phone = await visit(PHONE_360);
  await signIn(phone.page, 'admin', `${route}/edit/${id}`);
  await phone.page.getByRole('button', { name: /^North lift/ }).click();
  const small = phone.page.getByRole('dialog', { name: /^Lines: row 1/ });
  await small.getByRole('button', { name: /Ground/ }).waitFor();
  await picture(phone.page, 'part-form-360');
  await small.getByRole('button', { name: /Ground/ }).click();
  const inner = phone.page.getByRole('dialog', { name: /^Stops: row 1/ });
  await inner.getByRole('textbox', { name: /^Floor/ }).fill('Lobby');
  await picture(phone.page, 'part-of-part-360');
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await inner.getByRole('button', { name: 'Done' }).click();
  await small.getByRole('button', { name: 'Done' }).click();
  await phone.page.getByRole('button', { name: /^Save/ }).click();
  await phone.page.getByText(/saved/i).first().waitFor();
  const stored = await phone.page.evaluate(async (url) => {
    const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
    return (await (await fetch(url, { headers })).json()) as { data: Record<string, unknown> };
  }, `/tapi${route}/${id}`);
  expect(stored.data).toMatchObject({
    total: '1500.00',
    lines: [{ lift: 'North lift', prices: [{ month: '2026-04' }], stops: [{ floor: 'Lobby' }] }],
  });

  // Its own page shows its steps; what is done there is a change of the contract.
  const [{ id: line }] = stored.data.lines as [{ id: number }];
  await page.goto(address(`/care_line${suffix}/view/${line}`));
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped').first().waitFor();
  await picture(page, 'part-page-1440');
  await page.goto(address(`${route}/view/${id}`));
  await page.getByText('Stopped').first().waitFor();
  await page.getByRole('button', { name: 'Open row 1' }).click();
  await page
    .getByRole('dialog', { name: /^Lines: row 1/ })
    .getByText('Lobby')
    .waitFor();
  await picture(page, 'part-read-1440');
  expect([...complaints, ...phone.complaints]).toEqual([]);
});
