import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import ExportDialog from '../../../../../src/client/runtime/excel/ExportDialog.tsx';
import ImportDialog from '../../../../../src/client/runtime/excel/ImportDialog.tsx';
import type { FoundColumns } from '../../../../../src/client/runtime/excel/column_choices.ts';
import type { ImportRun } from '../../../../../src/client/runtime/excel/run_calls.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { contractScreen } from '../contract_screen.ts';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { fakeUpload } from './upload_fake.ts';

const screen = contractScreen();
const run = (state: ImportRun['state'], more: Partial<ImportRun> = {}): ImportRun => ({
  id: 5,
  state,
  done: 0,
  total: 1000,
  insert: 940,
  update: 40,
  unchanged: 20,
  errors: [],
  error_count: 0,
  ...more,
});
const answer = (data: unknown, status = 200) => ({ status, body: { data } });
const imported = vi.fn();
const closed = vi.fn();

function openImport() {
  render(
    <FluentProvider theme={webLightTheme}>
      <ImportDialog screen={screen} onClose={closed} onImported={imported} />
    </FluentProvider>,
  );
}
const chooseFile = (name = 'contracts.xlsx') =>
  userEvent.upload(page.getByLabelText('Excel file'), new File(['rows'], name), { applyAccept: false });
const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }));

beforeEach(() => {
  withoutSizes();
  imported.mockClear();
  closed.mockClear();
  toasts.set([]);
});
afterEach(() => toasts.set([]));

describe('the import', () => {
  it('checks, shows a preview, writes after confirmation, and reloads the list', async () => {
    const states = [run('checking', { done: 400 }), run('checked'), run('writing', { done: 100 }), run('imported')];
    const sent = fakeUpload({ status: 202, body: { data: { id: 5 } } });
    const calls = fakeFetch({
      'GET /tapi/import/5': () => answer(states.shift()),
      'POST /tapi/import/5/commit': () => answer({ id: 5 }, 202),
    });
    openImport();
    expect(page.getByRole('button', { name: 'Check the file' })).toHaveProperty('disabled', true);
    await chooseFile();
    await press('Check the file');
    await page.findByText('Checking: 400 of 1,000 rows');
    await page.findByText('No errors found. Nothing has been saved yet.');
    expect(sent[0]?.address).toBe('/tapi/contract/import?mode=all_or_nothing&ask=columns');
    expect(sent[0]?.form.get('file')).toHaveProperty('name', 'contracts.xlsx');
    expect(calls.some(({ path }) => path.endsWith('/commit'))).toBe(false);
    await press('Import 980 rows');
    await page.findByText('980 rows imported.');
    expect(imported).toHaveBeenCalledOnce();
    await press('View contracts');
    expect(closed).toHaveBeenCalledOnce();
  });

  it('names invalid rows and imports none', async () => {
    fakeUpload({ status: 202, body: { data: { id: 5 } } });
    fakeFetch({
      'GET /tapi/import/5': () =>
        answer(
          run('checked', { error_count: 1, errors: [{ row: 12, column: 'Value', message: 'Value is not a number.' }] }),
        ),
    });
    openImport();
    await chooseFile();
    await press('Check the file');
    await page.findByRole('cell', { name: 'Value is not a number.' });
    expect(page.getByRole('button', { name: /^Import 980/ })).toHaveProperty('disabled', true);
    await press('Choose another file');
    expect(page.getByText('Drop an Excel file here, or choose one')).toBeTruthy();
  });

  it('lists unknown records once, with their rows, and checks the file again when they were added', async () => {
    fakeUpload({ status: 202, body: { data: { id: 5 } } });
    const unknown = { type: 'city_mstr', name: 'Ooty' };
    const error = { column: 'City', message: 'City "Ooty" is not known.', unknown };
    const errors = [2, 3, 4, 5, 6, 7].map((row) => ({ row, ...error }));
    const calls = fakeFetch({
      'GET /tapi/import/5': () => answer(run('checked', { error_count: 6, errors })),
      'POST /tapi/import/5/columns': () => answer({}),
    });
    openImport();
    await chooseFile();
    await press('Check the file');
    expect((await page.findByText(/“Ooty”/)).textContent).toBe('Record “Ooty”, rows 2, 3, 4, 5, 6 and 1 more');
    await press('Check the file again');
    expect(calls.filter(({ path }) => path.includes('/columns'))).toHaveLength(1);
  });

  it('imports the valid rows if the person chose so', async () => {
    const sent = fakeUpload({ status: 202, body: { data: { id: 5 } } });
    fakeFetch({
      'GET /tapi/import/5': () =>
        answer(run('checked', { error_count: 1, errors: [{ row: 12, column: 'Value', message: 'No number.' }] })),
    });
    openImport();
    await chooseFile();
    await userEvent.click(page.getByRole('radio', { name: 'Import the right ones, leave out the others' }));
    await press('Check the file');
    await page.findByText('The rows below will be left out.');
    expect(sent[0]?.address).toContain('mode=good_rows');
    expect(page.getByRole('button', { name: 'Import 980 rows' })).toHaveProperty('disabled', false);
  });

  it('shows why the server refused the file', async () => {
    fakeUpload({ status: 422, body: { error: { code: 'invalid', message: 'There is no column "Nmae".' } } });
    fakeFetch({});
    openImport();
    await chooseFile();
    await press('Check the file');
    await page.findByText('There is no column "Nmae".');
    expect(toasts.get()).toEqual([]);
  });

  it('asks about unclear headings, sends the choice, and shows it again with the findings', async () => {
    const columns: FoundColumns = {
      sheet: 'Contracts',
      sheets: ['Contracts', 'Old'],
      remembered: false,
      fields: [
        { name: 'name', title: 'Name', required: true },
        { name: 'value', title: 'Value', required: false },
        { name: 'status', title: 'Status', required: false },
      ],
      columns: [
        { heading: 'Name', column: 'A', field: 'name', state: 'matched', guess: null, sample: 'Lift' },
        { heading: 'Amount', column: 'B', field: null, state: 'unknown', guess: 'value', sample: '500' },
        { heading: 'Colour', column: 'C', field: null, state: 'unknown', guess: null, sample: 'red' },
      ],
    };
    const chosen = columns.columns.map((column) =>
      column.heading === 'Name' ? column : { ...column, state: 'chosen' as const, field: column.guess },
    );
    let now = run('columns', { columns });
    fakeUpload({ status: 202, body: { data: { id: 5 } } });
    let refuse = true;
    const calls = fakeFetch({
      'GET /tapi/import/5': () => answer(now),
      'POST /tapi/import/5/columns': () => {
        if (refuse) return { status: 422, body: { error: { code: 'invalid', message: 'Both go to Value.' } } };
        now = run('checked', { columns: { ...columns, remembered: true, columns: chosen } });
        return answer({ id: 5 }, 202);
      },
    });
    openImport();
    await chooseFile();
    await press('Check the file');
    const amount = await page.findByRole<HTMLSelectElement>('combobox', { name: 'Amount' });
    expect(amount.value).toBe('value');
    expect(page.getByText('Suggested. Please check.')).toBeTruthy();
    // A field that another column brings cannot be chosen twice.
    expect(amount.querySelector<HTMLOptionElement>('option[value="name"]')).toMatchObject({
      text: 'Name * (from “Name”)',
      disabled: true,
    });
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Colour' }), 'Status');
    await press('Check the file');
    await page.findByText('Both go to Value.');
    // What was chosen is not lost.
    const colour = page.getByRole<HTMLSelectElement>('combobox', { name: 'Colour' });
    expect(colour.value).toBe('status');
    await userEvent.selectOptions(colour, 'Leave out');
    refuse = false;
    await press('Check the file');
    await page.findByText(
      /As you chose last time: The sheet "Contracts" is read. "Amount" goes to Value. "Colour" is left out./,
    );
    expect(calls.filter(({ path }) => path.endsWith('/columns')).at(-1)?.body).toEqual({
      sheet: 'Contracts',
      columns: [
        { heading: 'Amount', field: 'value' },
        { heading: 'Colour', field: null },
      ],
    });
    await press('Change the columns');
    await userEvent.selectOptions(await page.findByRole('combobox', { name: 'Sheet to import' }), 'Old');
    await waitFor(() =>
      expect(calls.filter(({ path }) => path.endsWith('/columns')).at(-1)?.body).toEqual({ sheet: 'Old' }),
    );
    await press('Reset');
    await waitFor(() =>
      expect(calls.filter(({ path }) => path.endsWith('/columns')).at(-1)?.body).toEqual({ reset: true }),
    );
  });

  it('accepts no other file', async () => {
    openImport();
    await chooseFile('letter.docx');
    expect(page.getByText('Choose an Excel file (.xlsx).')).toBeTruthy();
    expect(page.getByRole('button', { name: 'Check the file' })).toHaveProperty('disabled', true);
  });

  it('can be stopped while it works', async () => {
    fakeUpload({ status: 202, body: { data: { id: 5 } } });
    let stopped = false;
    fakeFetch({
      'GET /tapi/import/5': () => answer(run(stopped ? 'cancelled' : 'checking')),
      'POST /tapi/import/5/cancel': () => {
        stopped = true;
        return answer({}, 202);
      },
    });
    openImport();
    await chooseFile();
    await press('Check the file');
    await page.findByText(/^Checking/);
    await press('Cancel the import');
    await page.findByText('The import was cancelled. Nothing was saved.');
    expect(imported).not.toHaveBeenCalled();
  });
});

describe('the export', () => {
  const wish = {
    parameters: { q: 'lift', filter: '["status","in",["draft"]]', sort: '-value', active: 'all' },
    columns: ['name', 'value'],
  };
  const open = (wanted: typeof wish | number = wish) =>
    render(
      <FluentProvider theme={webLightTheme}>
        <ExportDialog screen={screen} wish={wanted} onClose={closed} />
      </FluentProvider>,
    );

  it('requests exactly what the list shows, and saves the file', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const calls = fakeFetch({
      'POST /tapi/contract/export': () => answer({ id: 9 }, 202),
      'GET /tapi/export/9': () => answer({ state: 'done', done: 18_824, total: 18_824 }),
      'GET /tapi/export/9/link': () => ({ body: { url: '/files/signed' } }),
    });
    open();
    await waitFor(() => expect(closed).toHaveBeenCalled());
    const body = calls.find(({ path }) => path === '/tapi/contract/export')?.body as Record<string, unknown>;
    expect(body).toMatchObject({ q: 'lift', sort: '-value', active: 'all', columns: ['name', 'value'] });
    expect(JSON.stringify(body.filter)).toContain('draft');
    expect(saved).toHaveBeenCalledOnce();
    expect(toasts.get()[0]?.text).toBe('18,824 rows are exported.');
    saved.mockRestore();
  });

  it('shows its progress when it takes a while, and can be stopped', async () => {
    const calls = fakeFetch({
      'POST /tapi/contract/export': () => answer({ id: 9 }, 202),
      'GET /tapi/export/9': () => answer({ state: 'running', done: 3000, total: 18_824 }),
      'POST /tapi/export/9/cancel': () => answer({}, 202),
    });
    open();
    await page.findByText('3,000 of 18,824 rows', {}, { timeout: 20_000 });
    await press('Cancel the export');
    await waitFor(() => expect(calls.some(({ path }) => path === '/tapi/export/9/cancel')).toBe(true));
    expect(closed).toHaveBeenCalled();
  });

  it('continues in the background, and saves the file when it is ready', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    let ended = false;
    const calls = fakeFetch({
      'POST /tapi/contract/export': () => answer({ id: 9 }, 202),
      'GET /tapi/export/9': () => answer({ state: ended ? 'done' : 'running', done: 3000, total: 18_824 }),
      'GET /tapi/export/9/link': () => ({ body: { url: '/files/signed' } }),
    });
    open();
    await page.findByText('3,000 of 18,824 rows', {}, { timeout: 20_000 });
    await press('Continue working');
    expect(page.queryByRole('dialog')).toBeNull();
    expect(closed).not.toHaveBeenCalled();
    ended = true;
    await waitFor(() => expect(closed).toHaveBeenCalled(), { timeout: 20_000 });
    expect(saved).toHaveBeenCalledOnce();
    expect(calls.some(({ path }) => path.endsWith('/cancel'))).toBe(false);
    saved.mockRestore();
  });

  it('saves an export that was left in the background, without starting another', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const calls = fakeFetch({
      'GET /tapi/export/9': () => answer({ state: 'done', done: 5, total: 5 }),
      'GET /tapi/export/9/link': () => ({ body: { url: '/files/signed' } }),
    });
    open(9);
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    expect(calls.map(({ path }) => path)).toEqual(['/tapi/export/9', '/tapi/export/9/link']);
    saved.mockRestore();
  });

  it('shows why it failed', async () => {
    fakeFetch({
      'POST /tapi/contract/export': () => answer({ id: 9 }, 202),
      'GET /tapi/export/9': () => answer({ state: 'failed', done: 0, total: 0, message: 'The disk is full.' }),
    });
    open();
    await waitFor(() => expect(toasts.get()[0]?.text).toBe('The disk is full.'));
  });
});
