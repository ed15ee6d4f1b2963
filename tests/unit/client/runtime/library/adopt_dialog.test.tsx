import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import AdoptDialog from '../../../../../src/client/runtime/library/AdoptDialog.tsx';
import type { Adopted, Offer, Offered } from '../../../../../src/domain/adoption.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import '../patience.ts';
import { depotScreen } from '../screen_fixture.ts';

const row = (id: number, label: string, more: Partial<Offered> = {}): Offered => ({
  id,
  code: `C${id}`,
  label,
  detail: null,
  above: null,
  state: 'new',
  own_id: null,
  own_label: null,
  clashes: [],
  changes: [],
  ...more,
});
const offered = [
  row(1, 'Accounts', { state: 'taken', own_id: 9, own_label: 'Accounts' }),
  row(2, 'Service'),
  row(3, 'Repairs', { above: 'Service' }),
  row(4, 'Sales', { state: 'same', own_id: 8, own_label: 'Selling' }),
];
const adopted = vi.fn();
const closed = vi.fn();

function open(answer: () => Partial<Adopted>, rows = offered, withdrawn: Offer['withdrawn'] = []) {
  const none: Adopted = { added: [], linked: [], updated: [], errors: [] };
  const calls = fakeFetch({
    'GET /tapi/depot/library': () => ({ body: { data: rows, industry: 'Lifts', withdrawn } }),
    'POST /tapi/depot/library': () => ({ body: { data: { ...none, ...answer() } } }),
  });
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <AdoptDialog screen={depotScreen()} onAdopted={adopted} onClose={closed} />
      </SWRConfig>
    </FluentProvider>,
  );
  return calls;
}
const box = (name: RegExp) => page.getByRole('checkbox', { name }) as HTMLInputElement;

beforeEach(() => {
  toasts.set([]);
  adopted.mockClear();
  closed.mockClear();
});

describe('adding from the library', () => {
  it('marks existing records, finds by name, code or place, and adds several at once', async () => {
    const calls = open(() => ({
      added: [
        { id: 20, label: 'Service' },
        { id: 21, label: 'Repairs' },
      ],
      linked: [{ id: 8, label: 'Selling' }],
    }));
    await page.findByText('Service');
    expect([box(/^Accounts/).disabled, box(/^Accounts/).checked]).toEqual([true, true]);
    expect(page.getByText('Already here')).toBeDefined();
    expect(page.getByText('Links to yours')).toBeDefined();
    expect(page.getByText('C4 · yours: Selling')).toBeDefined();
    await userEvent.type(page.getByRole('textbox', { name: 'Search the library' }), 'service');
    expect(within(page.getByRole('list', { name: 'Library' })).getAllByRole('checkbox')).toHaveLength(2);
    await userEvent.clear(page.getByRole('textbox', { name: 'Search the library' }));
    await userEvent.click(box(/^All/));
    await userEvent.click(page.getByRole('button', { name: 'Add 2, link 1' }));
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ ids: [2, 3, 4] });
    expect(adopted).toHaveBeenCalledOnce();
    expect(toasts.get()[0]?.text).toBe('2 added, 1 linked.');
  });

  it('adds a record with an existing key under another one', async () => {
    const clash = (value: string, own: string) => [{ field: 'code', title: 'Code', value, own_label: own }];
    const calls = open(
      () => ({
        added: [
          { id: 30, label: 'Sales' },
          { id: 31, label: 'Stores' },
        ],
      }),
      [
        row(4, 'Sales', { state: 'same', own_id: 8, own_label: 'Salaries', clashes: clash('C4', 'Salaries') }),
        row(5, 'Stores', { clashes: clash('C5', 'Storms') }),
        row(6, 'Fleet'),
      ],
    );
    await page.findByText('Needs another key');
    // What needs a word is not among all.
    await userEvent.click(box(/^All/));
    expect([box(/^Sales/).checked, box(/^Stores/).checked, box(/^Fleet/).checked]).toEqual([true, false, true]);
    await userEvent.click(box(/^Fleet/));
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'What becomes of Sales' }), 'Add it beside yours');
    expect(page.queryByText('Links to yours')).toBeNull();
    await userEvent.click(box(/^Stores/));
    const [sales, stores] = ['Sales', 'Stores'].map((name) =>
      within(page.getByRole('group', { name })).getByRole('textbox', { name: /^Code/ }),
    );
    expect(page.getByText('C4 is in use here, by Salaries. Enter another one.')).toBeDefined();
    await userEvent.type(sales!, 'SAL2');
    await userEvent.click(page.getByRole('button', { name: 'Add 2' }));
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.type(stores!, 'STO2');
    await userEvent.click(page.getByRole('button', { name: 'Add 2' }));
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ids: [4, 5],
      as: [
        { id: 4, set: { code: 'SAL2' } },
        { id: 5, set: { code: 'STO2' } },
      ],
    });
  });

  it('gives a reason for each record that could not be added, and stays open', async () => {
    open(() => ({ errors: [{ id: 3, label: 'Repairs', message: 'Code is taken.' }] }));
    await page.findByText('Service');
    await userEvent.click(box(/^Repairs/));
    await userEvent.click(page.getByRole('button', { name: 'Add 1' }));
    expect((await page.findByRole('alert')).textContent).toBe('Repairs: Code is taken.');
    expect(adopted).not.toHaveBeenCalled();
    expect(closed).not.toHaveBeenCalled();
  });

  it('shows updates in the library field by field, and adopts them on request; withdrawn records are reported', async () => {
    const rows = [
      row(1, 'Accounts and tax', {
        state: 'taken',
        own_id: 9,
        own_label: 'Accounts',
        changes: [
          { title: 'Name', from: 'Accounts', to: 'Accounts and tax' },
          { title: 'Part of', from: 'Office', to: null },
        ],
      }),
      row(2, 'Service', { state: 'taken', own_id: 10, own_label: 'Service' }),
    ];
    const calls = open(() => ({ updated: [{ id: 9, label: 'Accounts and tax' }] }), rows, [
      { id: 11, label: 'Typing pool', code: 'TYP' },
    ]);
    await page.findByText('Update available');
    expect(page.getByText(/^Name:/).textContent).toBe('Name: Accounts → Accounts and tax');
    expect(page.getByText(/^Part of:/).textContent).toBe('Part of: Office → empty');
    expect(page.getByText('Withdrawn from the library, here they stay: Typing pool.')).toBeDefined();
    expect([box(/^Accounts/).disabled, box(/^Accounts/).checked, box(/^Service/).disabled]).toEqual([
      false,
      false,
      true,
    ]);
    await userEvent.click(box(/^Accounts/));
    await userEvent.click(page.getByRole('button', { name: 'Update 1' }));
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ ids: [1] });
    expect(toasts.get()[0]?.text).toBe('1 updated.');
  });
});
