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

it('columns of periods have the names of the months, and a sum that is entered is spread over them', async () => {
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

  await userEvent.click(page.getByRole('button', { name: 'Save budget' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  const { body } = calls.find(({ method }) => method === 'PUT')!;
  expect((body as { lines: unknown }).lines).toMatchObject([
    { id: 51, m01: '250.00', m02: '500.00', m03: '250.00', m04: null },
    { id: 52, m01: '33.33', m02: '33.34', m03: '33.33', m04: null },
  ]);
});
