import { act, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { isBlank, totals, withoutTail } from '../../../../../src/client/runtime/fields/rows/sheet_values.ts';
import { matchOption } from '../../../../../src/client/runtime/fields/rows/resolve_names.ts';
import { rememberSession } from '../../../../../src/client/app/session.ts';
import type { Screen } from '../../../../../src/descriptor/types.ts';
import { screenOf } from '../../../descriptor/fixtures/compile_sample.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { renderFields } from './render_field.tsx';

const order: Screen = screenOf(
  {},
  {
    lines: {
      type: 'array',
      title: 'Lines',
      items: {
        type: 'object',
        required: ['item'],
        properties: {
          item: { $ref: 'types#text', title: 'Item' },
          thing_id: { $ref: 'types#ref', 'x-ref': 'thing', title: 'Thing' },
          due: { $ref: 'types#date', title: 'Due' },
          qty: { $ref: 'types#quantity', title: 'Quantity' },
          rate: { $ref: 'types#money', title: 'Rate' },
          amount: { $ref: 'types#money', title: 'Amount', 'x-formula': 'qty * rate' },
          urgent: { $ref: 'types#boolean', title: 'Urgent' },
        },
      },
    },
    total: { $ref: 'types#money', title: 'Total', 'x-formula': 'sum(lines.amount)' },
  },
);
const columns = order.fields.find(({ name }) => name === 'lines')!.rows!;
const [ITEM, THING, DUE, QTY, AMOUNT, URGENT] = [0, 1, 2, 3, 5, 6];

async function open(lines: Record<string, unknown>[] = []) {
  const store = renderFields(order, ['lines', 'total'], { lines });
  const grid = await page.findByRole('grid', { name: /^Lines/ });
  return { store, grid, lines: () => store.values().lines as Record<string, unknown>[] };
}
const cell = (row: number, column: number) =>
  within(page.getAllByRole('row')[row + 1]!).getAllByRole('gridcell')[column]!;
const select = (row: number, column: number) => fireEvent.mouseDown(cell(row, column), { button: 0 });
function paste(grid: HTMLElement, text: string): void {
  fireEvent.paste(grid, { clipboardData: { getData: () => text } });
}

beforeEach(() => {
  localStorage.clear();
  rememberSession({ token: 'tok', user_id: 7, entity_id: 1 });
});

describe('typing in the sheet', () => {
  it('fills a row cell by cell with Tab, and adds the next row after the last', async () => {
    const { lines, store } = await open();
    await userEvent.click(page.getByRole('button', { name: 'Add row' }));
    await userEvent.keyboard('Rope{Tab}{ArrowRight}1/4/26{Tab}3{Tab}₹1,250.50{Tab}');
    expect(lines()).toEqual([
      { item: 'Rope', thing_id: null, due: '2026-04-01', qty: '3', rate: '1250.50', amount: '3751.50', urgent: null },
    ]);
    expect(store.values().total).toBe('3751.50');
    expect(cell(0, AMOUNT).textContent).toBe('3,751.50');
    expect(cell(0, AMOUNT).getAttribute('aria-readonly')).toBe('true');
  });

  it('moves down with Enter and adds a row after the last', async () => {
    const { lines } = await open([{ id: 1, item: 'One' }]);
    select(0, ITEM);
    await userEvent.keyboard('First{Enter}Second{Enter}');
    expect(lines().map(({ item }) => item)).toEqual(['First', 'Second']);
    expect(page.getAllByRole('row')).toHaveLength(4);
    expect(lines()).toHaveLength(2);
  });

  it('restores the old value on Escape', async () => {
    const { lines } = await open([{ id: 1, item: 'One' }]);
    select(0, ITEM);
    await userEvent.keyboard('New');
    await waitFor(() => expect(lines()[0]?.item).toBe('New'));
    await userEvent.keyboard('{Escape}');
    expect(lines()[0]?.item).toBe('One');
    expect(cell(0, ITEM).textContent).toBe('One');
  });

  it('edits a value with Enter or F2, and keeps it when another cell is clicked', async () => {
    const { lines } = await open([
      { id: 1, item: 'One' },
      { id: 2, item: 'Two' },
    ]);
    select(0, ITEM);
    await userEvent.keyboard('{F2}');
    await userEvent.keyboard(' more');
    select(1, ITEM);
    expect(lines()[0]?.item).toBe('One more');
  });

  it('leaves out a column that nobody enters while it applies in no row', async () => {
    const text = { $ref: 'types#text', title: 'Item' };
    const remark = { $ref: 'types#text', title: 'Only', readOnly: true, 'x-when': 'remark != null' };
    const noted = screenOf(
      {},
      {
        lines: {
          type: 'array',
          title: 'Lines',
          items: { type: 'object', properties: { item: text, remark } },
        },
      },
    );
    const store = renderFields(noted, ['lines'], { lines: [{ id: 1, item: 'One' }] });
    await page.findByRole('grid', { name: /^Lines/ });
    expect(page.queryByRole('columnheader', { name: 'Only' })).toBeNull();
    act(() => store.set({ lines: [{ id: 1, item: 'One', remark: 'Online' }] }));
    expect(await page.findByRole('columnheader', { name: 'Only' })).toBeTruthy();
  });

  it('turns a switch with the space bar and clears cells with Delete', async () => {
    const { lines } = await open([{ id: 1, item: 'One', qty: '2', urgent: false }]);
    select(0, URGENT);
    await userEvent.keyboard(' ');
    expect(lines()[0]?.urgent).toBe(true);
    select(0, QTY);
    await userEvent.keyboard('{Delete}');
    expect(lines()[0]?.qty).toBeNull();
    select(0, AMOUNT);
    await userEvent.keyboard('5');
    expect(lines()[0]?.amount).toBeNull();
  });

  it('keeps unreadable input in its cell with a message, and blocks saving', async () => {
    const { store, lines } = await open([{ id: 1, item: 'One' }]);
    select(0, DUE);
    await userEvent.keyboard('32-13-2026{Tab}');
    expect(cell(0, DUE).textContent).toContain('32-13-2026');
    expect(cell(0, DUE).getAttribute('aria-invalid')).toBe('true');
    expect(store.check()).toBe(false);
    select(0, DUE);
    await userEvent.keyboard('31-12-2026{Tab}');
    expect(cell(0, DUE).getAttribute('aria-invalid')).toBeNull();
    expect(lines()[0]?.due).toBe('2026-12-31');
    expect(store.check()).toBe(true);
  });
});

describe('rows', () => {
  it('are added with Ctrl+Enter, deleted with Ctrl+Delete, and restored with Ctrl+Z', async () => {
    const { lines } = await open([
      { id: 1, item: 'One' },
      { id: 2, item: 'Two' },
    ]);
    select(0, ITEM);
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    expect(lines()).toHaveLength(3);
    await userEvent.keyboard('Between{Enter}');
    expect(lines().map(({ item }) => item)).toEqual(['One', 'Between', 'Two']);
    select(1, ITEM);
    await userEvent.keyboard('{Control>}{Delete}{/Control}');
    expect(lines().map(({ id }) => id)).toEqual([1, 2]);
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(lines().map(({ item }) => item)).toEqual(['One', 'Between', 'Two']);
  });

  it('that only an action adds keep their keys; none is added, deleted or pasted', async () => {
    const given = screenOf(
      { fills: [{ run: 'test.known', on: ['lines.code'], sets: ['lines.name'] }] },
      {
        lines: {
          type: 'array',
          title: 'Lines',
          'x-unique': ['code'],
          'x-given-rows': true,
          items: {
            type: 'object',
            properties: {
              code: { $ref: 'types#text', title: 'Code' },
              take: { $ref: 'types#text', title: 'Take' },
              name: { $ref: 'types#text', title: 'Name' },
            },
          },
        },
      },
    );
    const store = renderFields(given, ['lines'], { lines: [{ id: 1, code: 'A', take: 'x' }] });
    const grid = await page.findByRole('grid', { name: /^Lines/ });
    expect(page.queryByRole('button', { name: /Add row|Delete row/ })).toBeNull();
    select(0, 0);
    paste(grid, 'B\ty\nC\tz');
    fireEvent.keyDown(grid, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(grid, { key: 'Delete', ctrlKey: true });
    expect(store.values().lines).toMatchObject([{ code: 'A', take: 'y' }]);
    expect(store.values().lines).toHaveLength(1);
  });

  it('are filled down over a selection, and from the cell above', async () => {
    const { lines } = await open([
      { id: 1, item: 'One', qty: '4', thing_id: 9, thing_id__label: 'Nine' },
      { id: 2, item: 'Two' },
      { id: 3, item: 'Three' },
    ]);
    select(0, THING);
    await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}');
    expect(lines().map(({ thing_id: id, thing_id__label: label }) => [id, label])).toEqual([
      [9, 'Nine'],
      [9, 'Nine'],
      [9, 'Nine'],
    ]);
    select(1, QTY);
    await userEvent.keyboard('{Control>}d{/Control}');
    expect(lines().map(({ qty }) => qty ?? null)).toEqual(['4', '4', null]);
  });

  it('have totals of summable columns', async () => {
    await open([
      { id: 1, item: 'One', qty: '1.5', rate: '10.10' },
      { id: 2, item: 'Two', qty: '2', rate: '0.20' },
    ]);
    const foot = page.getAllByRole('row').at(-1)!;
    expect(
      within(foot)
        .getAllByRole('gridcell')
        .map((one) => one.textContent),
    ).toEqual(['', '', '', '3.5', '10.30', '15.55', '']);
  });

  it('open as a form, whose input appears in the sheet at once', async () => {
    const { lines } = await open([{ id: 1, item: 'One' }]);
    await userEvent.click(page.getByRole('button', { name: 'Open row 1' }));
    const dialog = await page.findByRole('dialog', { name: 'Lines: row 1 of 1' });
    const item = within(dialog).getByLabelText(/^Item/);
    await userEvent.clear(item);
    await userEvent.type(item, 'From the form');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
    expect(lines()[0]?.item).toBe('From the form');
  });
});

describe('rows with more columns than their table shows', () => {
  const wide = screenOf(
    {},
    {
      lines: {
        type: 'array',
        title: 'Lines',
        'x-columns': ['qty', 'item'],
        'x-sections': [{ fields: ['item', 'qty'] }, { title: 'Tax', help: 'As on the bill.', fields: ['hsn'] }],
        items: {
          type: 'object',
          properties: {
            item: { $ref: 'types#text', title: 'Item' },
            hsn: { $ref: 'types#text', title: 'HSN' },
            qty: { $ref: 'types#integer', title: 'Quantity' },
            note: { $ref: 'types#text', title: 'Note' },
          },
        },
      },
    },
  );

  it('are pasted into the shown columns; the form of a row has all of them, in sections', async () => {
    const store = renderFields(wide, ['lines'], { lines: [{ id: 1, item: 'Rope', hsn: '7312' }] });
    const grid = await page.findByRole('grid', { name: /^Lines/ });
    expect(page.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '',
      'Quantity',
      'Item',
      '',
    ]);
    select(0, 0);
    paste(grid, '5\tWire\n');
    expect(store.values().lines).toEqual([{ id: 1, item: 'Wire', hsn: '7312', qty: 5 }]);
    await userEvent.click(page.getByRole('button', { name: 'Open row 1' }));
    const dialog = await page.findByRole('dialog', { name: 'Lines: row 1 of 1' });
    expect(await within(dialog).findByRole('heading', { name: 'Tax' })).toBeTruthy();
    await userEvent.type(within(dialog).getByLabelText(/^Note/), 'Ends fray');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
    expect(store.values().lines).toMatchObject([{ hsn: '7312', note: 'Ends fray' }]);
  });
});

describe('amounts in the record’s currency', () => {
  const amount = { $ref: 'types#money', 'x-currency': 'paid_in' };
  const bill = screenOf(
    {},
    {
      paid_in: { $ref: 'types#text', pattern: '^[A-Z]{3}$' },
      rate: { ...amount, title: 'Rate' },
      lines: {
        type: 'array',
        title: 'Lines',
        items: { type: 'object', properties: { price: { ...amount, title: 'Price' } } },
      },
      total: { ...amount, title: 'Total', 'x-formula': 'sum(lines.price)' },
    },
  );

  it('have its symbol in cells, sums, controls and computed fields, and follow a change', async () => {
    const store = renderFields(bill, ['rate', 'lines', 'total'], {
      rate: '5.00',
      lines: [
        { id: 1, price: '100000.00' },
        { id: 2, price: '1.50' },
      ],
    });
    await page.findByRole('grid', { name: /^Lines/ });
    const shown = () => [cell(0, 0).textContent, page.getByRole('status', { name: /^Total/ }).textContent];
    expect(shown()).toEqual(['₹1,00,000.00', '₹1,00,001.50']);
    act(() => store.set({ paid_in: 'USD' }));
    expect(shown()).toEqual(['$100,000.00', '$100,001.50']);
    expect(page.getByText('$')).toBeTruthy();
    expect(document.body.textContent).not.toContain('₹');
  });
});

describe('pasting from a spreadsheet', () => {
  it('reads a block with the columns’ types and adds the necessary rows', async () => {
    const { grid, lines } = await open([{ id: 1, item: 'Old' }]);
    select(0, ITEM);
    paste(grid, 'Rope\t\t31/3/26\t1,200\t₹ 2.50\t\tYes\r\nOil\t\t1 Apr 2026\t3\t(4)\t\tno\r\n');
    expect(lines()).toHaveLength(2);
    expect(lines()[0]).toMatchObject({
      id: 1,
      item: 'Rope',
      due: '2026-03-31',
      qty: '1200',
      rate: '2.50',
      amount: '3000.00',
      urgent: true,
    });
    expect(lines()[1]).toMatchObject({ item: 'Oil', due: '2026-04-01', rate: '-4.00', urgent: false });
    expect(lines()[1]).not.toHaveProperty('id');
  });

  it('marks every unreadable cell and keeps its text', async () => {
    const { grid, store, lines } = await open([{ id: 1, item: 'Old' }]);
    select(0, DUE);
    paste(grid, 'someday\tmany\n01-02-2026\t2');
    expect(cell(0, DUE).textContent).toContain('someday');
    expect(cell(0, QTY).getAttribute('aria-invalid')).toBe('true');
    expect(lines()[1]).toMatchObject({ due: '2026-02-01', qty: '2' });
    expect(store.field('lines').message).toBe('2 cells could not be read.');
    expect(page.getByRole('button', { name: /^Row 1: “?.*many/ })).toBeTruthy();
  });

  it('finds records by name, each name once, and marks unknown ones', async () => {
    const calls = fakeFetch({
      'GET /tapi/thing/options': ({ query }) => ({
        body: {
          data:
            query.get('q') === 'Nine'
              ? [
                  { id: 9, label: 'Nine', detail: 'N' },
                  { id: 10, label: 'Nineteen', detail: 'NN' },
                ]
              : [],
        },
      }),
    });
    const { grid, lines } = await open([{ id: 1, item: 'Old' }]);
    select(0, THING);
    paste(grid, 'Nine\nNine\nNobody');
    await waitFor(() => expect(lines()[1]).toMatchObject({ thing_id: 9, thing_id__label: 'Nine' }));
    expect(lines()[0]?.thing_id).toBe(9);
    expect(cell(2, THING).textContent).toContain('Nobody');
    expect(cell(2, THING).getAttribute('aria-invalid')).toBe('true');
    expect(calls.filter(({ query }) => query.get('q') === 'Nine')).toHaveLength(1);
    expect(calls[0]?.query.get('for')).toBe('thing.lines.thing_id');
  });

  it('accepts a thousand rows, and renders the visible ones', async () => {
    const { grid, lines } = await open([{ id: 1, item: 'Old' }]);
    select(0, ITEM);
    const text = Array.from({ length: 1000 }, (_, row) => `Item ${row}\t\t01-04-2026\t${row}\t2.50`).join('\n');
    paste(grid, text);
    expect(lines()).toHaveLength(1000);
    expect(lines()[999]).toMatchObject({ item: 'Item 999', amount: '2497.50' });
    expect(page.getAllByRole('row').length).toBeLessThan(100);
  });

  it('copies the selection in spreadsheet format', async () => {
    const { grid } = await open([
      { id: 1, item: 'One', qty: '1' },
      { id: 2, item: 'Two', qty: '2' },
    ]);
    select(0, ITEM);
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    let copied = '';
    fireEvent.copy(grid, { clipboardData: { setData: (_: string, text: string) => (copied = text) } });
    expect(copied).toBe('One\nTwo');
  });
});

describe('values of rows', () => {
  it('add up exactly', () => {
    const rows = [{ rate: '0.10' }, { rate: '0.20' }, { rate: null }];
    expect(totals(rows, columns).get('rate')).toBe('0.30');
    expect(totals([{ rate: null }], columns).size).toBe(0);
    // A balance has no sum.
    const balances = columns.map((column) => ({ ...column, noTotal: true as const }));
    expect(totals(rows, balances).size).toBe(0);
  });

  it('are added up only in one unit, which the row or the record has', () => {
    const measured = columns.map((column) => (column.name === 'rate' ? { ...column, unitFrom: 'uom_id' } : column));
    const total = (units: unknown[], around?: () => Record<string, unknown>) =>
      totals(
        units.map((uom_id, at) => ({ rate: `${at + 1}.00`, ...(uom_id !== undefined && { uom_id }) })),
        measured,
        around,
      ).get('rate');
    expect([total([3, 3]), total([3, 4]), total([3, null]), total([3])]).toEqual([
      '3.00',
      undefined,
      undefined,
      '1.00',
    ]);
    expect([total([undefined, undefined]), total([undefined, undefined], () => ({ uom_id: 3 }))]).toEqual([
      undefined,
      '3.00',
    ]);
  });

  it('are blank when nothing was entered; blank ones at the end are not sent', () => {
    expect(isBlank({ item: '', qty: null }, columns)).toBe(true);
    expect(isBlank({ id: 3 }, columns)).toBe(false);
    expect(withoutTail([{ item: 'a' }, {}, { item: 'b' }, {}, {}], columns)).toHaveLength(3);
  });

  it('name a record by its name or code, if it is unique', () => {
    const options = [
      { id: 1, label: 'Chennai', detail: 'CHN' },
      { id: 2, label: 'Chennai', detail: 'CH2' },
      { id: 3, label: 'Pune', detail: 'PUN' },
    ];
    expect(matchOption(options, 'pune')?.id).toBe(3);
    expect(matchOption(options, 'ch2')?.id).toBe(2);
    expect(matchOption(options, 'Chennai')).toBeNull();
    expect(matchOption(options, 'Chen')).toBeNull();
  });
});
