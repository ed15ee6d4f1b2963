import { createEvent, fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import { compile, sample } from '../../../descriptor/fixtures/compile_sample.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { withoutSizes } from '../resize_observer.ts';
import { forgetForm, openForm, screenAnswer } from './open_form.tsx';

afterEach(forgetForm);

const budget = sample(
  { title: 'Budget', access: { screen: 'SCN_BUDGET' } },
  {
    fy: { $ref: 'types#financial_year', title: 'Year' },
    lines: {
      type: 'array',
      title: 'Lines',
      'x-periods': { start: 'fy', unit: 'month', count: 4, field: 'm', type: 'money', totals: ['quarter', 'all'] },
      items: {
        type: 'object',
        required: ['account'],
        properties: { account: { $ref: 'types#text', title: 'Account' } },
      },
    },
  },
);
const { screens, problems } = compile({ budget });
const screen = screens.get('budget')!;
const line = (at: number, m01: string | null, m02: string | null) => ({
  id: at,
  account: `Account ${at}`,
  m01,
  m02,
  m03: m01,
  m04: null,
  m_q1: '0.00',
  m_all: '0.00',
});
const stored = {
  id: 5,
  version: 3,
  active: true,
  code: 'B5',
  name: 'Plan',
  fy: '2025-2026',
  lines: [line(51, '100.00', '200.00'), line(52, null, null)],
};

it('columns of periods have the names of the months, and an entered sum is spread over them', async () => {
  expect(problems).toEqual([]);
  withoutSizes();
  const calls = fakeFetch({
    'GET /tapi/screens/budget': () => screenAnswer(screen),
    'GET /tapi/budget/5': () => ({ body: { data: stored } }),
    'PUT /tapi/budget/5': ({ body }) => ({ body: { data: { ...stored, ...(body as object), version: 4 } } }),
  });
  openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
  const grid = await page.findByRole('grid');
  const heads = () =>
    [...grid.querySelectorAll('[role="columnheader"]')]
      .map((head) => head.textContent?.replace(' \u20b9', '') ?? '')
      .filter((text) => text !== '');
  expect(heads()).toEqual(
    expect.arrayContaining(['Apr 2025', 'May 2025', 'Jun 2025', 'Apr – Jun 2025', 'Jul 2025', 'Apr – Jul 2025']),
  );
  const column = heads().indexOf('Apr – Jun 2025');
  const cell = (row: number, at: number) =>
    grid.querySelectorAll(`[data-row="${row}"] [role="gridcell"]`)[at] as HTMLElement;
  const texts = (row: number) => [-3, -2, -1, 0].map((step) => cell(row, column + step).textContent);

  fireEvent.mouseDown(cell(0, column), { button: 0 });
  await waitFor(() => expect(cell(0, column).hasAttribute('data-active')).toBe(true));
  await userEvent.keyboard('5{Escape}1000{Enter}');
  await waitFor(() => expect(texts(0)).toEqual(['250.00', '500.00', '250.00', '1,000.00']));
  // Enter has led to the cell below.
  await waitFor(() => expect(cell(1, column).hasAttribute('data-active')).toBe(true));
  fireEvent(grid, createEvent.paste(grid, { clipboardData: { getData: () => '100' } }));
  await waitFor(() => expect(texts(1)).toEqual(['33.33', '33.34', '33.33', '100.00']));

  // Right from the second month: what stands in it goes into the third and the fourth, and not into the sum between.
  const area = async (row: number, from: number, steps: number) => {
    fireEvent.mouseDown(cell(row, from), { button: 0 });
    for (let step = 1; step <= steps; step++) {
      fireEvent.keyDown(grid, { key: 'ArrowRight', shiftKey: true });
      await waitFor(() => expect(cell(row, from + step).hasAttribute('data-active')).toBe(true));
    }
  };
  await area(1, column - 2, 3);
  fireEvent.keyDown(grid, { key: 'r', ctrlKey: true });
  await waitFor(() => expect(texts(1)).toEqual(['33.33', '33.34', '33.34', '100.01']));
  expect(cell(1, column + 1).textContent).toBe('33.34');
  fireEvent.keyDown(grid, { key: 'z', ctrlKey: true });
  await waitFor(() => expect(texts(1)[2]).toBe('33.33'));
  // A single cell takes what stands before it.
  await area(0, column + 1, 0);
  fireEvent.keyDown(grid, { key: 'ArrowDown' });
  await waitFor(() => expect(cell(1, column + 1).hasAttribute('data-active')).toBe(true));
  fireEvent.keyDown(grid, { key: 'r', ctrlKey: true });
  await waitFor(() => expect(cell(1, column + 1).textContent).toBe('33.33'));
  // A text takes no amount.
  await area(1, column - 4, 1);
  fireEvent.keyDown(grid, { key: 'r', ctrlKey: true });
  expect(texts(1)[0]).toBe('33.33');

  await userEvent.click(page.getByRole('button', { name: 'Save budget' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'PUT')!;
  expect((body as { lines: unknown }).lines).toMatchObject([
    { id: 51, m01: '250.00', m02: '500.00', m03: '250.00', m04: null },
    { id: 52, m01: '33.33', m02: '33.34', m03: '33.33', m04: '33.33' },
  ]);
});

const plan = sample(
  { title: 'Plan', access: { screen: 'SCN_PLAN' } },
  {
    fy: { $ref: 'types#financial_year', title: 'Year' },
    lines: {
      type: 'array',
      title: 'Lines',
      'x-periods': { start: 'fy', unit: 'month', count: 3, field: 'm', type: 'money', totals: ['all'] },
      'x-tree': { by: 'account_id' },
      items: {
        type: 'object',
        required: ['account_id'],
        properties: { account_id: { $ref: 'types#ref', 'x-ref': 'plan', title: 'Account' } },
      },
    },
  },
);

it('rows form the tree of their references; groups add up, open and close, and spread typed totals', async () => {
  withoutSizes();
  const compiled = compile({ plan });
  expect(compiled.problems).toEqual([]);
  const of = compiled.screens.get('plan')!;
  const row = (id: number, account: number, m01: string | null, m02: string | null = null) => ({
    id,
    account_id: account,
    account_id__label: ['', 'Salaries', 'Bonus', 'Rent'][account - 10],
    m01,
    m02,
    m03: null,
    m_all: '0.00',
  });
  const record = { ...stored, lines: [row(1, 13, '50.00'), row(2, 11, '100.00', '1.00'), row(3, 12, '200.00')] };
  const calls = fakeFetch({
    'GET /tapi/screens/plan': () => screenAnswer(of),
    'GET /tapi/plan/5': () => ({ body: { data: record } }),
    'POST /tapi/plan/rows/lines/above': () => ({
      body: {
        data: {
          account_id: [
            { id: 20, above: null, label: 'Expenses' },
            { id: 21, above: 20, label: 'Personnel' },
            { id: 11, above: 21, label: 'Salaries' },
            { id: 12, above: 21, label: 'Bonus' },
            { id: 13, above: 20, label: 'Rent' },
          ],
        },
      },
    }),
    'PUT /tapi/plan/5': ({ body }) => ({ body: { data: { ...record, ...(body as object), version: 4 } } }),
  });
  openForm(FormPage, of, { page: 'edit_screen', id: '5' });
  const grid = await page.findByRole('treegrid');
  const lines = () =>
    [...grid.querySelectorAll('[data-row]')].map((line) =>
      [...line.querySelectorAll('[role="gridcell"]')].slice(0, 3).map((cell) => cell.textContent),
    );
  await waitFor(() =>
    expect(lines()).toEqual([
      ['Expenses', '350.00', '1.00'],
      ['Rent', '50.00', ''],
      ['Personnel', '300.00', '1.00'],
      ['Salaries', '100.00', '1.00'],
      ['Bonus', '200.00', ''],
    ]),
  );
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ account_id: [11, 12, 13] });
  expect([...grid.querySelectorAll('[data-row]')].map((line) => line.getAttribute('aria-level'))).toEqual([
    '1',
    '2',
    '2',
    '3',
    '3',
  ]);

  // Closed and opened by its button, and by the keyboard.
  await userEvent.click(page.getByRole('button', { name: 'Close Personnel' }));
  await waitFor(() => expect(lines()).toHaveLength(3));
  expect(page.getByRole('row', { name: 'Personnel' }).getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard('{ArrowRight}');
  await waitFor(() => expect(lines()).toHaveLength(5));

  // 1,000 on a group of 100 and 200.
  const cell = (line: number, at: number) =>
    grid.querySelectorAll(`[data-row="${line}"] [role="gridcell"]`)[at] as HTMLElement;
  fireEvent.mouseDown(cell(2, 1), { button: 0 });
  await waitFor(() => expect(cell(2, 1).hasAttribute('data-active')).toBe(true));
  await userEvent.keyboard('1000{Enter}');
  await waitFor(() =>
    expect(lines()).toEqual([
      ['Expenses', '1,050.00', '1.00'],
      ['Rent', '50.00', ''],
      ['Personnel', '1,000.00', '1.00'],
      ['Salaries', '333.33', '1.00'],
      ['Bonus', '666.67', ''],
    ]),
  );
  // One step back takes back all of it.
  fireEvent.mouseDown(cell(2, 0), { button: 0 });
  await userEvent.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(lines()[3]).toEqual(['Salaries', '100.00', '1.00']));
  // The sum of all periods of a group goes to the cells of its rows.
  fireEvent.mouseDown(cell(2, 4), { button: 0 });
  await waitFor(() => expect(cell(2, 4).hasAttribute('data-active')).toBe(true));
  await userEvent.keyboard('602{Enter}');
  await waitFor(() =>
    expect([lines()[2], lines()[3], lines()[4]]).toEqual([
      ['Personnel', '600.00', '2.00'],
      ['Salaries', '200.00', '2.00'],
      ['Bonus', '400.00', '0.00'],
    ]),
  );

  await userEvent.click(page.getByRole('button', { name: 'Save plan' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'PUT')!;
  expect((body as { lines: unknown[] }).lines).toMatchObject([
    { id: 1, m01: '50.00' },
    { id: 2, m01: '200.00', m02: '2.00' },
    { id: 3, m01: '400.00' },
  ]);
});

it('cells of closed periods accept nothing: not typed, pasted, cleared or spread', async () => {
  withoutSizes();
  const closing = sample(
    { title: 'Closing', access: { screen: 'SCN_CLOSING' } },
    {
      fy: { $ref: 'types#financial_year', title: 'Year' },
      over: { $ref: 'types#month', title: 'Closed until' },
      lines: {
        type: 'array',
        title: 'Lines',
        'x-periods': {
          start: 'fy',
          unit: 'month',
          count: 3,
          field: 'm',
          type: 'money',
          totals: ['all'],
          closed: { until: 'over' },
        },
        items: { type: 'object', properties: { account: { $ref: 'types#text', title: 'Account' } } },
      },
    },
  );
  const compiled = compile({ closing });
  expect(compiled.problems).toEqual([]);
  const of = compiled.screens.get('closing')!;
  const row = { id: 1, account: 'Rent', m01: '10.00', m02: '20.00', m03: '30.00', m_all: '60.00' };
  // May is closed by another record, April by what the record says itself.
  const record = { ...stored, over: '2025-04', lines: [row], _closed: { lines: ['m02'] } };
  const calls = fakeFetch({
    'GET /tapi/screens/closing': () => screenAnswer(of),
    'GET /tapi/closing/5': () => ({ body: { data: record } }),
    'PUT /tapi/closing/5': ({ body }) => ({ body: { data: { ...record, ...(body as object), version: 4 } } }),
  });
  openForm(FormPage, of, { page: 'edit_screen', id: '5' });
  const grid = await page.findByRole('grid');
  expect(page.getByRole('columnheader', { name: /^Apr 2025, closed/ })).toBeTruthy();
  expect(page.queryByRole('columnheader', { name: /^Jun 2025, closed/ })).toBeNull();
  const cell = (at: number) => grid.querySelectorAll('[data-row="0"] [role="gridcell"]')[at] as HTMLElement;
  const texts = () => [0, 1, 2, 3, 4].map((at) => cell(at).textContent);
  expect([1, 2, 3].map((at) => cell(at).getAttribute('aria-readonly'))).toEqual(['true', 'true', null]);
  fireEvent.mouseDown(cell(1), { button: 0 });
  await waitFor(() => expect(cell(1).hasAttribute('data-active')).toBe(true));
  await userEvent.keyboard('5{F2}7{Delete}{Control>}{Delete}{/Control}');
  fireEvent(grid, createEvent.paste(grid, { clipboardData: { getData: () => '1\t2\t3' } }));
  await waitFor(() => expect(texts()).toEqual(['Rent', '10.00', '20.00', '3.00', '33.00']));
  // What is left of a sum goes to the open month.
  fireEvent.mouseDown(cell(4), { button: 0 });
  await waitFor(() => expect(cell(4).hasAttribute('data-active')).toBe(true));
  await userEvent.keyboard('100{Enter}');
  await waitFor(() => expect(texts()).toEqual(['Rent', '10.00', '20.00', '70.00', '100.00']));
  await userEvent.click(page.getByRole('button', { name: 'Save closing' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'PUT')!;
  expect((body as { lines: unknown[] }).lines).toMatchObject([{ id: 1, m01: '10.00', m02: '20.00', m03: '70.00' }]);
});
