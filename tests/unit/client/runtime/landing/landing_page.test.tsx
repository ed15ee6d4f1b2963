import { act, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WireRecord } from '../../../../../src/descriptor/types.ts';
import { menu } from '../../../../../src/client/api/screens.ts';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import LandingPage from '../../../../../src/client/runtime/landing/LandingPage.tsx';
import { forgetRows } from '../../../../../src/client/runtime/landing/use_rows.ts';
import { screenSample } from '../../app/screens_sample.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { contractRow, contractScreen } from '../contract_screen.ts';
import '../patience.ts';
import { asPhone, openPage } from '../page_harness.tsx';

const screen = contractScreen();
let stored: WireRecord[] = [];

/** A server with three contracts, which it filters by status and finds by name. */
function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  stored = [contractRow(1), contractRow(2, { status: 'draft' }), contractRow(3)];
  const chosen = (query: URLSearchParams) => {
    const filter = JSON.parse(query.get('filter') ?? 'null') as [string, string, string[]] | null;
    return stored
      .filter((row) => filter?.[0] !== 'status' || filter[2].includes(String(row.status)))
      .filter((row) => String(row.name).includes(query.get('q') ?? ''))
      .filter((row) => query.get('active') === 'all' || row.active);
  };
  return fakeFetch({
    'GET /tapi/contract': ({ query }) => ({
      body: { data: chosen(query), pagination: { count: null, has_next: false, more: false, page: 1 }, cursor: null },
    }),
    'GET /tapi/contract/count': ({ query }) => ({ body: { count: chosen(query).length, capped: false } }),
    'GET /tapi/contract/views': () => ({ body: { data: [] } }),
    'GET /tapi/branch/options': () => ({ body: { data: [{ id: 3, label: 'Chennai' }] } }),
    ...more,
  });
}

type Dialog = ReturnType<typeof within>;
const lists = (calls: FakeCall[]) => calls.filter(({ path }) => path === '/tapi/contract');
const texts = () => toasts.get().map(({ text }) => text);
const cards = () => page.findAllByRole('link', { name: /^Contract \d/ });

beforeEach(() => forgetRows());
afterEach(() => forgetSession());

describe('the list', () => {
  beforeEach(() => asPhone());

  it('loads rows without their count, and counts separately', async () => {
    const calls = serve();
    openPage(LandingPage, screen);
    expect(await cards()).toHaveLength(3);
    expect(lists(calls)[0]?.query.get('count')).toBe('none');
    await waitFor(() => expect(page.getByLabelText('3 records')).toBeTruthy());
    expect(page.getByRole('link', { name: 'Contract 2' }).getAttribute('href')).toBe('/contract/view/2');
  });

  it('rows show the first action that has its values, and a tab leads to another list, as far as one may open them', async () => {
    serve();
    menu.set({
      ...menu.get(),
      loaded: true,
      screens: [screenSample('bill', { add_screen: false }), screenSample('order'), screenSample('contract')],
    });
    const withSteps = {
      ...screen,
      actions: [
        { title: 'Bill', to: '/bill/add?contract=:id', inRow: true },
        { title: 'Order', to: '/order/add?of=:note', inRow: true },
        { title: 'Reorder', to: '/order/add?from=contract/:id', inRow: true },
      ],
      views: [
        { name: 'Orders', opens: 'order' },
        { name: 'Hidden', opens: 'secret' },
      ],
    };
    const router = openPage(LandingPage, withSteps);
    await cards();
    const steps = page.getAllByRole('link', { name: /^(Bill|Order|Reorder): / });
    expect(steps.map((link) => link.getAttribute('href'))).toEqual(
      [1, 2, 3].map((id) => `/order/add?from=contract/${id}`),
    );
    expect(page.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['All', 'Orders']);
    await userEvent.click(page.getByRole('tab', { name: 'Orders' }));
    expect(router.state.location.pathname).toBe('/order');
    menu.set({ ...menu.get(), loaded: false, screens: [] });
  });

  it('is grouped by the address, with sums, and a group opens its rows', async () => {
    const group = (value: string, label: string, count: number, sum: string) => ({
      value,
      label,
      count,
      sums: { value: sum },
      filter: ['status', 'in', [value]],
    });
    const groups = [group('draft', 'Draft', 1, '1250000.50'), group('active', 'Active', 2, '0')];
    const calls = serve({ 'GET /tapi/contract/groups': () => ({ body: { data: { groups, more: true } } }) });
    const router = openPage(LandingPage, screen, '?group=status&q=Contract');
    const draft = await page.findByRole('button', { name: /^Draft Value 12,50,000\.50 1$/ });
    const asked = calls.find(({ path }) => path === '/tapi/contract/groups')!.query;
    expect([asked.get('by'), asked.get('sums'), asked.get('q')]).toEqual(['status', 'value', 'Contract']);
    expect(page.getByText(/^There are more than 500 groups/)).toBeTruthy();
    expect(page.queryByRole('link', { name: /^Contract/ })).toBeNull();
    await userEvent.click(draft);
    expect((await cards()).map(({ textContent }) => textContent)).toEqual(['Contract 2']);
    await userEvent.click(page.getByRole('button', { name: 'Show as a list' }));
    const query = () => Object.fromEntries(new URLSearchParams(router.state.location.search));
    expect(query()).toEqual({ q: 'Contract', filter: '["status","in",["draft"]]' });
    await userEvent.click(page.getByRole('button', { name: /more/i }));
    await userEvent.click(await page.findByRole('menuitem', { name: 'Group by…' }));
    await userEvent.selectOptions(await page.findByRole('combobox', { name: 'Column' }), 'Starts on, by month');
    await userEvent.click(page.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(query().group).toBe('starts_on'));
    await userEvent.click(await page.findByRole('button', { name: 'Show without groups' }));
    expect(query()).not.toHaveProperty('group');
  });

  it('opens the import for such an address, once', async () => {
    serve();
    const router = openPage(LandingPage, screen, '?import=1&q=Contract');
    expect(await page.findByRole('dialog', { name: /^Import contracts/ })).toBeTruthy();
    expect(router.state.location.search).toBe('?q=Contract');
    await userEvent.keyboard('{Escape}');
    // Hidden while it goes, then gone.
    await waitFor(() => expect(page.queryByRole('dialog', { hidden: true })).toBeNull());
    await act(() => router.navigate('/contract?import=1'));
    expect(await page.findByText('Import contracts')).toBeTruthy();
  });

  it('saves the export named in the address', async () => {
    const calls = serve({
      'GET /tapi/export/9': () => ({
        body: { data: { state: 'failed', done: 0, total: 0, message: 'The disk is full.' } },
      }),
    });
    const router = openPage(LandingPage, screen, '?export=9&q=Contract');
    await waitFor(() => expect(texts()).toContain('The disk is full.'));
    expect(router.state.location.search).toBe('?q=Contract');
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('searches while typing, updates the address, and shows the number of matches', async () => {
    serve();
    const router = openPage(LandingPage, screen);
    await cards();
    await userEvent.type(page.getByRole('searchbox'), 'Contract 2');
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('q')).toBe('Contract 2'));
    await waitFor(() => expect(page.queryByRole('link', { name: 'Contract 1' })).toBeNull());
    await waitFor(() => expect(page.getByLabelText('1 of 3 records')).toBeTruthy());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(await cards()).toHaveLength(3);
  });

  it('applies a link’s filter, and offers to clear it when nothing matches', async () => {
    serve();
    const router = openPage(LandingPage, screen, `?filter=${encodeURIComponent('["status","in",["ended"]]')}`);
    await page.findByText('No contracts match');
    await userEvent.click(page.getByRole('button', { name: 'Clear search and filters' }));
    expect(await cards()).toHaveLength(3);
    expect(router.state.location.search).toBe('');
  });

  it('explains an empty list, and how to start', async () => {
    serve({
      'GET /tapi/contract': () => ({ body: { data: [], pagination: { has_next: false, more: false }, cursor: null } }),
    });
    const router = openPage(LandingPage, screen);
    await page.findByText('No contracts yet');
    expect(page.getByText('What was agreed with a customer.')).toBeTruthy();
    const [first] = page.getAllByText('Add contract');
    await userEvent.click(first!);
    expect(router.state.location.pathname).toBe('/contract/add');
  });

  it('offers to load a failed list again', async () => {
    let fails = true;
    serve({
      'GET /tapi/contract': () =>
        fails
          ? { status: 500, body: { error: { code: 'internal', message: 'Server Error' } } }
          : { body: { data: [contractRow(1)], pagination: { has_next: false, more: false } } },
    });
    openPage(LandingPage, screen);
    await page.findByText('The list of contracts could not be loaded.');
    fails = false;
    await userEvent.click(page.getByRole('button', { name: 'Try again' }));
    expect(await cards()).toHaveLength(1);
  });

  it('offers only permitted actions', async () => {
    serve();
    openPage(LandingPage, screen, '', { add_screen: false, write: false, remove: false, import: false, export: false });
    await cards();
    expect(page.queryByText('Add contract')).toBeNull();
    await userEvent.click(page.getByRole('button', { name: 'Actions for Contract 1' }));
    await page.findByRole('menuitem', { name: 'Open' });
    expect(page.queryAllByRole('menuitem', { name: /Edit|Copy|Deactivate|Delete/ })).toEqual([]);
  });

  it('adds with "n", but not while typing', async () => {
    serve();
    const router = openPage(LandingPage, screen);
    await cards();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(page.getByRole('searchbox'));
    await userEvent.keyboard('n');
    expect(router.state.location.pathname).toBe('/contract');
    act(() => page.getByRole('searchbox').blur());
    await userEvent.keyboard('n');
    expect(router.state.location.pathname).toBe('/contract/add');
  });
});

describe('one record', () => {
  beforeEach(() => asPhone());
  const choose = async (name: string) => {
    await userEvent.click(await page.findByRole('button', { name: 'Actions for Contract 1' }));
    await userEvent.click(await page.findByRole('menuitem', { name }));
  };

  it('is deactivated with its version; the toast undoes it', async () => {
    const calls = serve({
      'POST /tapi/contract/1/deactivate': () => {
        stored = stored.map((row) => (row.id === 1 ? { ...row, active: false, version: 2 } : row));
        return { body: { data: stored[0] } };
      },
      'POST /tapi/contract/1/activate': () => ({ body: { data: contractRow(1, { version: 3 }) } }),
    });
    openPage(LandingPage, screen);
    await choose('Deactivate');
    await waitFor(() => expect(texts()).toEqual(['Contract 1 is inactive now.']));
    await waitFor(() => expect(page.queryByRole('link', { name: 'Contract 1' })).toBeNull());
    act(() => toasts.get()[0]?.action?.onClick());
    await waitFor(() =>
      expect(calls.find(({ path }) => path.endsWith('/activate'))?.body).toMatchObject({ version: 2 }),
    );
    expect(calls.find(({ path }) => path.endsWith('/deactivate'))?.body).toMatchObject({ version: 1 });
  });

  it('is deleted only after Yes', async () => {
    const calls = serve({ 'DELETE /tapi/contract/1': () => ({ status: 204 }) });
    openPage(LandingPage, screen);
    await choose('Delete');
    const asked = await page.findByRole('alertdialog');
    await userEvent.click(within(asked).getByRole('button', { name: 'Cancel' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    await choose('Delete');
    await userEvent.click(within(await page.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(texts()).toContain('Contract 1 is deleted.'));
  });

  it('that is in use shows where, and can be deactivated instead', async () => {
    const calls = serve({
      'DELETE /tapi/contract/1': () => ({
        status: 409,
        body: {
          error: {
            code: 'in_use',
            message: 'In use',
            used_by: [{ type: 'order', title: 'Orders', count: 12, route: '/order' }],
          },
        },
      }),
      'POST /tapi/contract/1/deactivate': () => ({ body: { data: contractRow(1, { active: false, version: 2 }) } }),
    });
    openPage(LandingPage, screen);
    await choose('Delete');
    await userEvent.click(within(await page.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }));
    await page.findByText('Contract 1 is in use');
    expect(page.getByText('12 in Orders').closest('a')?.getAttribute('href')).toBe('/order');
    await userEvent.click(page.getByRole('button', { name: 'Deactivate instead' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/1/deactivate'))).toBe(true));
  });
});

/** Ticks the box of a row; the first box is the head's. */
const tick = async (row: number) => userEvent.click(page.getAllByRole('checkbox')[row + 1]!);
const bulkDialog = async (field: string) => {
  const bar = await page.findByRole('toolbar', { name: 'Selected records' });
  await userEvent.click(within(bar).getByRole('button', { name: 'Edit field…' }));
  const dialog = await page.findByRole('dialog');
  await userEvent.selectOptions(within(dialog).getAllByRole('combobox')[0]!, field);
  return within(dialog);
};

describe('in a wide window', () => {
  it('shows the grid with headings, links and badges, and loads only the shown columns', async () => {
    const calls = serve();
    openPage(LandingPage, screen);
    expect(await page.findByRole('link', { name: 'Contract 1' })).toBeTruthy();
    expect(page.getByRole('columnheader', { name: /Status/ })).toBeTruthy();
    const columns = lists(calls)[0]?.query.get('columns')?.split(',') ?? [];
    expect(new Set(columns)).toEqual(new Set(['name', 'code', 'status', 'value', 'starts_on', 'branch_id', 'renewed']));
    await waitFor(() => expect(page.getAllByText('1,25,000.00').length).toBeGreaterThan(0));
  });

  it('also loads fields that decide which bulk actions are offered', async () => {
    const calls = serve();
    const hidden = screen.fields.find(
      ({ name, rows }) =>
        !rows && !['name', 'code', 'status', 'value', 'starts_on', 'branch_id', 'renewed'].includes(name),
    )!;
    openPage(LandingPage, {
      ...screen,
      actions: [{ title: 'Agree', call: 'agree', bulk: true, when: `${hidden.name} != null` }],
    });
    await page.findByRole('link', { name: 'Contract 1' });
    expect(lists(calls)[0]?.query.get('columns')?.split(',')).toContain(hidden.name);
  });

  it('sets, changes and clears a filter by its chip', async () => {
    const calls = serve();
    const router = openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await userEvent.click(page.getByRole('button', { name: 'Status' }));
    await userEvent.click(await page.findByRole('checkbox', { name: 'Draft' }));
    await userEvent.click(page.getByRole('button', { name: 'Apply' }));
    await waitFor(() =>
      expect(new URLSearchParams(router.state.location.search).get('filter')).toBe('["status","in",["draft"]]'),
    );
    await waitFor(() => expect(page.queryByRole('link', { name: 'Contract 1' })).toBeNull());
    expect(lists(calls).at(-1)?.query.get('filter')).toBe('["status","in",["draft"]]');
    await userEvent.click(await page.findByRole('button', { name: 'Clear Status' }));
    await page.findByRole('link', { name: 'Contract 1' });
    expect(router.state.location.search).toBe('');
  });

  it('sorts by a column on the server, and by two with shift', async () => {
    const calls = serve();
    const router = openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await userEvent.click(page.getByText('Status', { selector: '[role=columnheader] *' }));
    await waitFor(() => expect(lists(calls).at(-1)?.query.get('sort')).toBe('status'));
    const user = userEvent.setup();
    await user.keyboard('{Shift>}');
    await user.click(page.getByText('Value (₹)', { selector: '[role=columnheader] *' }));
    await user.keyboard('{/Shift}');
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('sort')).toBe('status,value'));
  });

  it('opens a view of the screen as a tab', async () => {
    const calls = serve();
    const router = openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await userEvent.click(page.getByRole('tab', { name: 'Drafts' }));
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get('view')).toBe('own-0'));
    await waitFor(() => expect(lists(calls).at(-1)?.query.get('sort')).toBe('-starts_on'));
    await waitFor(() => expect(page.queryByRole('link', { name: 'Contract 1' })).toBeNull());
  });

  it('changes one field of the selected records and names the refused ones', async () => {
    const calls = serve({
      'PUT /tapi/contract/bulk': () => ({
        body: {
          data: {
            changed: [1],
            errors: [{ id: 2, message: 'An ended contract stays ended.' }],
            not_taken: [{ field: 'floors', message: 'Floors is filled in by the system.' }],
          },
        },
      }),
    });
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await tick(0);
    await tick(1);
    const bar = await page.findByRole('toolbar', { name: 'Selected records' });
    within(bar).getByText('2 selected');
    await userEvent.click(within(bar).getByRole('button', { name: 'Edit field…' }));
    const dialog = await page.findByRole('dialog');
    await userEvent.selectOptions(within(dialog).getAllByRole('combobox')[0]!, 'Floors');
    await userEvent.type(within(dialog).getByRole('textbox'), '12');
    await userEvent.click(within(dialog).getByRole('button', { name: /Change/ }));
    await page.findByText('An ended contract stays ended.');
    await page.findByText('Floors is filled in by the system.');
    expect(calls.find(({ path }) => path.endsWith('/bulk'))?.body).toMatchObject({ ids: [1, 2], set: { floors: 12 } });
  });

  it('selects the whole list by its heading, including rows not yet loaded', async () => {
    const all = Array.from({ length: 700 }, (_, at) => contractRow(at + 1));
    const calls = serve({
      'GET /tapi/contract': ({ query }) => {
        const from = Number(query.get('after') ?? (Number(query.get('page')) - 1) * Number(query.get('size')));
        const data = all.slice(from, from + Number(query.get('size')));
        const more = from + data.length < all.length;
        return {
          body: {
            data,
            pagination: { count: null, has_next: more, more, page: 1 },
            cursor: more ? String(from + data.length) : null,
          },
        };
      },
      'GET /tapi/contract/count': () => ({ body: { count: 700, capped: false } }),
      'POST /tapi/contract/bulk_delete': ({ body }) => ({
        body: { data: { changed: (body as { ids: number[] }).ids, errors: [] } },
      }),
    });
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    const head = () => page.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' });
    await tick(0);
    await waitFor(() => expect(head().indeterminate).toBe(true));
    await userEvent.click(head());
    const bar = await page.findByRole('toolbar', { name: 'Selected records' });
    await within(bar).findByText('700 selected');
    await waitFor(() => expect(head().checked).toBe(true));
    await waitFor(() =>
      expect(
        page
          .getAllByRole<HTMLInputElement>('checkbox')
          .filter((box) => !box.checked)
          .map((box) => box.closest('[role=row]')?.textContent),
      ).toEqual([]),
    );
    // One is taken back: the others stay, loaded or not.
    await tick(1);
    await within(bar).findByText('699 selected');
    await waitFor(() => expect(head().indeterminate).toBe(true));
    await userEvent.click(within(bar).getByRole('button', { name: 'Deactivate' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path.endsWith('/bulk_delete'))?.body).toMatchObject({ mode: 'deactivate' }),
    );
    const { ids } = calls.find(({ path }) => path.endsWith('/bulk_delete'))!.body as { ids: number[] };
    expect(ids).toHaveLength(699);
    expect(ids).not.toContain(2);
    await waitFor(() => expect(head().checked || head().indeterminate).toBe(false));
  });

  it('selects at most what one call accepts, with a message; another search clears the selection', async () => {
    const all = Array.from({ length: 1_200 }, (_, at) => contractRow(at + 1));
    serve({
      'GET /tapi/contract': ({ query }) => {
        const from = Number(query.get('after') ?? (Number(query.get('page')) - 1) * Number(query.get('size')));
        const found = all.filter((row) => String(row.name).includes(query.get('q') ?? ''));
        const data = found.slice(from, from + Number(query.get('size')));
        const more = from + data.length < found.length;
        return {
          body: {
            data,
            pagination: { count: null, has_next: more, more, page: 1 },
            cursor: more ? String(from + data.length) : null,
          },
        };
      },
      'GET /tapi/contract/count': () => ({ body: { count: 1_000, capped: true } }),
    });
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await userEvent.click(page.getByRole('checkbox', { name: 'Select all' }));
    await page.findByText('1,000 selected, the first of 1,000+');
    await userEvent.type(page.getByRole('searchbox'), 'Contract 77');
    await waitFor(() => expect(page.queryByRole('toolbar', { name: 'Selected records' })).toBeNull());
  });

  it.each([
    {
      field: 'Status',
      fill: async (dialog: Dialog) => userEvent.selectOptions(dialog.getAllByRole('combobox')[1]!, 'Ended'),
      set: { status: 'ended' },
    },
    {
      field: 'Renewed',
      fill: async (dialog: Dialog) => userEvent.selectOptions(dialog.getAllByRole('combobox')[1]!, 'Yes'),
      set: { renewed: true },
    },
    {
      field: 'Value',
      fill: async (dialog: Dialog) => userEvent.type(dialog.getByRole('textbox'), '1,25,000.50'),
      set: { value: '125000.50' },
    },
    {
      field: 'Starts on',
      fill: async (dialog: Dialog) => userEvent.type(dialog.getByRole('textbox'), '05-06-2026'),
      set: { starts_on: '2026-06-05' },
    },
    {
      field: 'Branch',
      fill: async (dialog: Dialog) => userEvent.click(await dialog.findByRole('button', { name: 'Chennai' })),
      set: { branch_id: 3 },
    },
    {
      field: 'Words',
      fill: async (dialog: Dialog) => userEvent.type(dialog.getByRole('textbox'), 'urgent, paid'),
      set: { words: ['urgent', 'paid'] },
    },
    { field: 'Floors', fill: async () => {}, set: { floors: null } },
  ])('changes many records by a value of the field’s type: $field', async ({ field, fill, set }) => {
    const calls = serve({ 'PUT /tapi/contract/bulk': () => ({ body: { data: { changed: [1], errors: [] } } }) });
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await tick(0);
    const dialog = await bulkDialog(field);
    await fill(dialog);
    await userEvent.click(dialog.getByRole('button', { name: 'Change 1 record' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path.endsWith('/bulk'))?.body).toMatchObject({ ids: [1], set }),
    );
  });

  it.each([
    { field: 'Starts on', text: '31-02-2026' },
    { field: 'Floors', text: 'many' },
    { field: 'Name', text: '' },
  ])('sends no invalid value of $field', async ({ field, text }) => {
    const calls = serve();
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await tick(0);
    const dialog = await bulkDialog(field);
    if (text !== '') await userEvent.type(dialog.getByRole('textbox'), text);
    await userEvent.click(dialog.getByRole('button', { name: 'Change 1 record' }));
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(calls.some(({ path }) => path.endsWith('/bulk'))).toBe(false);
  });

  it('continues beyond its counted end when the list has grown', async () => {
    let grown = false;
    const all = [1, 2, 3, 4, 5, 6].map((id) => contractRow(id));
    serve({
      'GET /tapi/contract': ({ query }) => {
        const rows = !grown ? all.slice(0, 3) : query.get('page') === '1' ? all : [];
        return {
          body: { data: rows, pagination: { has_next: grown && query.get('page') === '1', more: grown }, cursor: null },
        };
      },
      'GET /tapi/contract/count': () => ({ body: { count: grown ? 1000 : 3, capped: grown } }),
      'POST /tapi/contract/1/deactivate': () => {
        grown = true;
        return { body: { data: contractRow(1, { active: false, version: 2 }) } };
      },
    });
    openPage(LandingPage, screen);
    await page.findByRole('link', { name: 'Contract 1' });
    await userEvent.click(page.getAllByRole('button', { name: 'Row actions' })[0]!);
    await userEvent.click(await page.findByRole('menuitem', { name: 'Deactivate' }));
    await page.findByRole('link', { name: 'Contract 6' });
  });
});
