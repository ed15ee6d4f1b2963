import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inSentence } from '../../src/descriptor/in_sentence.ts';
import type { Screen } from '../../src/descriptor/types.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { freshValue } from '../api/masters/sample_record.ts';
import { DESK, PHONE, address, openBrowser, picture, signIn, visit } from './browser.ts';

/**
 * A sample of the lists, each used as a person uses one: found in the list, added (what is missing is said, then it is
 * right), its double refused, changed while somebody else changes it too, read with its history, retired, exported and
 * imported again. All lists are driven the same way over HTTP in tests/api/masters.
 */
const SAMPLE = 6;
const { screens } = await loadScreens(join(import.meta.dirname, '../../schemas'));

/** Lists whose key is a code, typed by hand; the same ones each time, from every folder. */
function sample(): Screen[] {
  const fit = [...screens.values()]
    .filter(
      ({ kind, scope, routes, unique, uniqueWhen, fields, name, number, ranges, menu }) =>
        kind === 'master' &&
        scope !== 'platform' &&
        routes.add !== null &&
        routes.edit !== null &&
        !menu.hidden &&
        number === undefined &&
        ranges === undefined &&
        uniqueWhen === undefined &&
        name !== 'users' &&
        name !== 'entity' &&
        unique.length > 0 &&
        unique.every((key) =>
          key.some((one) => ['code', 'name', 'text'].includes(fields.find((field) => field.name === one)?.type ?? '')),
        ) &&
        unique.some((key) => key.length === 1 && key[0] === 'code') &&
        fields.some((field) => field.name === 'name' && field.formula === undefined),
    )
    .sort((a, b) => `${a.folder}/${a.name}`.localeCompare(`${b.folder}/${b.name}`));
  const step = fit.length / Math.min(SAMPLE, fit.length);
  return Array.from({ length: Math.min(SAMPLE, fit.length) }, (_, at) => fit[Math.floor(at * step)]!);
}
const chosen = sample();

openBrowser();
let page: Page;
let complaints: string[];

beforeAll(async () => {
  ({ page, complaints } = await visit(DESK));
  page.on('dialog', (dialog) => void dialog.accept());
  await signIn(page, 'admin', '/show_list');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await picture(page, `failed-${task.suite?.name.replace('/', '-') ?? task.name}`);
});
afterAll(() => page.context().close());

/** What the server answers, asked by the open page's own session. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; json: T }> {
  return page.evaluate(
    async ([verb, to, content]) => {
      const token = JSON.parse(localStorage.getItem('token') ?? '""') as string;
      const answer = await fetch(to as string, {
        method: verb as string,
        headers: { authorization: `Bearer ${token}`, ...(content !== null && { 'content-type': 'application/json' }) },
        ...(content !== null && { body: JSON.stringify(content) }),
      });
      return { status: answer.status, json: (await answer.json().catch(() => ({}))) as never };
    },
    [method, path, body ?? null] as const,
  );
}

/** Goes to another address as a link of the product does, without loading everything again. */
async function go(path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
}

const title = (screen: Screen, name: string) => screen.fields.find((field) => field.name === name)!.title;
const textbox = (screen: Screen, name: string) =>
  page
    .getByRole('textbox', { name: new RegExp(`^${title(screen, name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\b`) })
    .first();
const save = () => page.keyboard.press('Control+s');

test('the sample includes every part of the product', () => {
  expect(chosen).toHaveLength(SAMPLE);
  expect(new Set(chosen.map(({ folder }) => folder)).size).toBeGreaterThanOrEqual(5);
});

describe.each(chosen.map((screen, index) => [`${screen.folder}/${screen.name}`, screen, index] as const))(
  '%s',
  (_, screen, index) => {
    const key = {
      code: String(
        freshValue(
          screen.fields.find((field) => field.name === 'code')!,
          700 + index,
        ) ?? '',
      ),
      name: `Browser test ${index}`,
    };

    test('is listed, searched, added, checked for duplicates, changed by two people, read, deactivated, exported and imported', async () => {
      complaints.length = 0;
      await go(screen.routes.landing);
      await page.getByRole('heading', { name: screen.plural, level: 1, exact: true }).waitFor();
      const list = await ask<{ data: { id: number; version: number; code: string; name: string }[] }>(
        'GET',
        `/tapi/${screen.name}?columns=*&size=50`,
      );
      const first = list.json.data[0]!;
      await page.getByText(String(first.code), { exact: true }).first().waitFor();
      await page
        .getByLabel(/^Search/)
        .last()
        .fill(String(first.name));
      await page.waitForURL(/[?&]q=/);
      await page.getByText(String(first.code), { exact: true }).first().waitFor();

      // What is missing is said at its field.
      await go(screen.routes.add!);
      await page.getByRole('heading', { name: `Add ${inSentence(screen.title)}`, level: 1, exact: true }).waitFor();
      await textbox(screen, 'code').waitFor();
      await save();
      await page
        .getByText(`${title(screen, 'code')} is required.`, { exact: true })
        .first()
        .waitFor();

      const atList = async () => {
        await go(screen.routes.landing);
        await page.getByRole('heading', { name: screen.plural, level: 1, exact: true }).waitFor();
      };
      // After the model of the first one; the key is new.
      const add = async () => {
        await atList();
        await go(`${screen.routes.add}?copy=${first.id}`);
        await textbox(screen, 'code').fill(key.code);
        await textbox(screen, 'name').fill(key.name);
        for (const other of screen.unique.flat()) {
          const field = screen.fields.find((one) => one.name === other)!;
          if (other !== 'code' && other !== 'name' && ['text', 'name', 'code'].includes(field.type) && !field.readOnly)
            await textbox(screen, other).fill(String(freshValue(field, 800 + index)));
        }
        await save();
      };
      await add();
      await page
        .getByText(`${screen.title} ${key.name} saved.`)
        .or(page.getByText(`${screen.title} ${key.code} saved.`))
        .first()
        .waitFor();
      const made = await ask<{ data: { id: number; version: number }[] }>(
        'GET',
        `/tapi/${screen.name}?filter=${encodeURIComponent(JSON.stringify(['code', 'eq', key.code]))}`,
      );
      expect(made.json.data, 'the record is stored').toHaveLength(1);
      const { id, version } = made.json.data[0]!;
      await add();
      await page
        .getByText(/already exists/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      await page.getByRole('heading', { name: screen.plural, level: 1, exact: true }).waitFor();

      // Two people change its name: the second is asked.
      await go(
        screen.routes.edit!.includes(':id')
          ? screen.routes.edit!.replace(':id', String(id))
          : `${screen.routes.edit}?id=${id}`,
      );
      await textbox(screen, 'name').waitFor();
      await textbox(screen, 'name').fill(`${key.name} of mine`);
      const other = await ask('PUT', `/tapi/${screen.name}/${id}`, { version, name: `${key.name} of somebody` });
      expect(other.status).toBe(200);
      await save();
      const merge = page.getByRole('alertdialog').filter({ hasText: /changed this/ });
      await merge.waitFor();
      await merge.getByRole('button', { name: 'Take all theirs' }).click();
      await merge.waitFor({ state: 'detached' });

      // Read, with what happened to it.
      await go(
        screen.routes.view === null
          ? screen.routes.edit!.replace(':id', String(id))
          : screen.routes.view.replace(':id', String(id)),
      );
      await page.getByText(`${key.name} of somebody`).first().waitFor();
      if (screen.routes.view !== null) {
        await page.getByText(new RegExp(`added this`)).first().waitFor();
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Deactivate' }).click();
        await page.getByText('Inactive', { exact: true }).first().waitFor();
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByRole('button', { name: 'Yes', exact: true }).click();
        await page
          .getByText(/is deleted\.$/)
          .first()
          .waitFor();
      } else {
        const now = await ask<{ data: { version: number } }>('GET', `/tapi/${screen.name}/${id}`);
        await atList();
        expect(
          (await ask('POST', `/tapi/${screen.name}/${id}/deactivate`, { version: now.json.data.version })).status,
        ).toBe(200);
        expect((await ask('DELETE', `/tapi/${screen.name}/${id}`)).status).toBe(204);
      }

      // Out to Excel and in again: nothing changes.
      await go(screen.routes.landing);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export', exact: true }).click(),
      ]);
      const path = await file.path();
      expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK');
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Import…' }).click();
      await page.getByLabel('Excel file').setInputFiles({
        name: 'again.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: readFileSync(path),
      });
      await page.getByRole('button', { name: 'Check the file' }).click();
      const facts = page.getByRole('dialog').locator('dl');
      await facts.waitFor();
      expect((await facts.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
        /New 0 To change 0 Unchanged [1-9][\d,]* Errors 0/i,
      );
      await page.keyboard.press('Escape');
      // 409 and 422 are what this test asks for, and what the page of the record asks while it goes finds it gone.
      const gone = `404 GET ${new URL(page.url()).origin}/tapi/${screen.name}/${id}/`;
      expect(complaints.filter((text) => !/^(409|422) /.test(text) && !text.startsWith(gone))).toEqual([]);
    });
  },
);

test('a record in use cannot be deleted, and the dialog says where it is used', async () => {
  await go('/employee_grade');
  const { json } = await ask<{ data: { id: number }[] }>('GET', '/tapi/employee_grade?size=1');
  await go(`/employee_grade/view/${json.data[0]!.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByText(/employee/i)
    .first()
    .waitFor();
  await picture(page, 'in-use');
});

test('on a phone each list shows cards without sideways scrolling', async () => {
  const { page: phone } = await visit(PHONE);
  await signIn(phone, 'admin', '/show_list');
  for (const screen of chosen) {
    await phone.goto(address(screen.routes.landing));
    await phone.getByRole('heading', { name: screen.plural, level: 1, exact: true }).waitFor();
    await phone.locator('main li, main article').first().waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), screen.name).toBe(true);
  }
  await phone.context().close();
});
