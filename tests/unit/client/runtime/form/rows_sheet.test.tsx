import { createEvent, fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { withoutSizes } from '../resize_observer.ts';
import { agreementScreen, forgetForm, openForm, screenAnswer } from './open_form.tsx';

const screen = agreementScreen();
const stored = {
  id: 5,
  version: 3,
  active: true,
  code: 'AG5',
  name: 'Lift service',
  status: 'active',
  lines: [
    { id: 51, item: 'Rope', qty: 2, rate: '100.00', amount: '200.00', due: '2026-04-01' },
    { id: 52, item: 'Motor', qty: 1, rate: '5000.50', amount: '5000.50', due: null },
  ],
  total: '5200.50',
};

function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  withoutSizes();
  return fakeFetch({
    'GET /tapi/screens/agreement': () => screenAnswer(screen),
    'GET /tapi/agreement/5': () => ({ body: { data: stored } }),
    'PUT /tapi/agreement/5': ({ body }) => ({ body: { data: { ...stored, ...(body as object), version: 4 } } }),
    ...more,
  });
}

/** Opens the record at its rows. */
async function openRows(): Promise<HTMLElement> {
  openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
  await userEvent.click(await page.findByRole('tab', { name: /Rows/ }));
  return page.findByRole('grid', { name: 'Lines' });
}

const cell = (grid: HTMLElement, row: number, column: number) =>
  grid.querySelectorAll(`[data-row="${row}"] [role="gridcell"]`)[column] as HTMLElement;
const texts = (grid: HTMLElement, row: number) => [0, 1, 2, 3, 4].map((column) => cell(grid, row, column).textContent);
const rows = (grid: HTMLElement) => grid.querySelectorAll('[data-row]').length;

async function go(grid: HTMLElement, row: number, column: number): Promise<void> {
  fireEvent.mouseDown(cell(grid, row, column), { button: 0 });
  await waitFor(() => expect(cell(grid, row, column).hasAttribute('data-active')).toBe(true));
}

function paste(grid: HTMLElement, text: string): void {
  const event = createEvent.paste(grid, { clipboardData: { getData: () => text } });
  fireEvent(grid, event);
}

async function saved(calls: FakeCall[]): Promise<Record<string, unknown>[]> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 's', ctrlKey: true });
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  return (calls.find(({ method }) => method === 'PUT')!.body as { lines: Record<string, unknown>[] }).lines;
}

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('the sheet', () => {
  it('shows rows formatted, with totals', async () => {
    serve();
    const grid = await openRows();
    expect(texts(grid, 1)).toEqual(['Motor', '1', '5,000.50', '5,000.50', '']);
    expect(grid.textContent).toContain('5,200.50');
  });

  it('accepts input in a cell, computes the row and the total, and moves down on Enter', async () => {
    const calls = serve();
    const grid = await openRows();
    await go(grid, 0, 1);
    await userEvent.keyboard('7{Enter}');
    await waitFor(() => expect(texts(grid, 0)).toEqual(['Rope', '7', '100.00', '700.00', '01-04-2026']));
    await waitFor(() => expect(cell(grid, 1, 1).hasAttribute('data-active')).toBe(true));
    const lines = await saved(calls);
    expect(lines[0]).toMatchObject({ id: 51, item: 'Rope', qty: 7 });
    expect(lines[0]).not.toHaveProperty('amount');
    expect(lines[1]).toMatchObject({ id: 52 });
  });

  it('restores a cell on Escape', async () => {
    serve();
    const grid = await openRows();
    await go(grid, 0, 0);
    await userEvent.keyboard('Belt{Escape}');
    await waitFor(() => expect(texts(grid, 0)[0]).toBe('Rope'));
  });

  it('pastes a block, adds the necessary rows, and marks unreadable cells', async () => {
    const calls = serve();
    const grid = await openRows();
    await go(grid, 1, 0);
    paste(grid, 'Guide\t3\t1,200.50\t\t05-04-2026\nBuffer\tmany\t₹50\t\t31-02-2026\nDoor\t1\t9\n');
    await waitFor(() => expect(rows(grid)).toBe(4));
    expect(texts(grid, 1)).toEqual(['Guide', '3', '1,200.50', '3,601.50', '05-04-2026']);
    expect(texts(grid, 3).slice(0, 4)).toEqual(['Door', '1', '9.00', '9.00']);
    expect(cell(grid, 2, 1).getAttribute('aria-invalid')).toBe('true');
    expect(cell(grid, 2, 1).textContent).toContain('many');
    expect(page.getAllByRole('button', { name: /^Row 3: / })).toHaveLength(2);
    // Nothing is saved while a cell cannot be read.
    fireEvent.keyDown(grid, { key: 's', ctrlKey: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    await go(grid, 2, 1);
    paste(grid, '4\t50\t\t30-04-2026');
    await waitFor(() => expect(page.queryAllByRole('button', { name: /^Row 3: / })).toHaveLength(0));
    const lines = await saved(calls);
    expect(lines.map(({ id, item, qty, rate }) => [id, item, qty, rate])).toEqual([
      [51, 'Rope', 2, '100.00'],
      [52, 'Guide', 3, '1200.50'],
      [undefined, 'Buffer', 4, '50.00'],
      [undefined, 'Door', 1, '9.00'],
    ]);
  });

  it('fills down, clears, deletes and undoes', async () => {
    serve();
    const grid = await openRows();
    await go(grid, 0, 2);
    fireEvent.keyDown(grid, { key: 'ArrowDown', shiftKey: true });
    await waitFor(() => expect(cell(grid, 1, 2).hasAttribute('data-active')).toBe(true));
    fireEvent.keyDown(grid, { key: 'd', ctrlKey: true });
    await waitFor(() => expect(texts(grid, 1).slice(2, 4)).toEqual(['100.00', '100.00']));
    fireEvent.keyDown(grid, { key: 'z', ctrlKey: true });
    await waitFor(() => expect(texts(grid, 1)[2]).toBe('5,000.50'));
    await go(grid, 0, 0);
    fireEvent.keyDown(grid, { key: 'Delete' });
    await waitFor(() => expect(texts(grid, 0)[0]).toBe(''));
    await userEvent.click(page.getByRole('button', { name: 'Delete row 1' }));
    await waitFor(() => expect(rows(grid)).toBe(1));
    expect(texts(grid, 0)[0]).toBe('Motor');
  });

  it('adds a row by Ctrl+Enter, and sends no empty row', async () => {
    const calls = serve();
    const grid = await openRows();
    await go(grid, 1, 0);
    fireEvent.keyDown(grid, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(rows(grid)).toBe(3));
    await go(grid, 0, 0);
    await userEvent.keyboard('Belt{Enter}');
    const lines = await saved(calls);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ id: 51, item: 'Belt' });
  });

  it('saves pasted names once they are resolved, in one call', async () => {
    let answer: () => void = () => {};
    const looked = new Promise<void>((resolve) => (answer = resolve));
    const calls = serve({
      'GET /tapi/branch/options': async ({ query }) => {
        await looked;
        return { body: { data: query.get('q') === 'Chennai' ? [{ id: 3, label: 'Chennai' }] : [] } };
      },
    });
    const grid = await openRows();
    await go(grid, 0, 5);
    paste(grid, 'Chennai');
    fireEvent.keyDown(grid, { key: 's', ctrlKey: true });
    fireEvent.keyDown(grid, { key: 's', ctrlKey: true });
    expect(await page.findByRole('button', { name: 'Saving' })).toBeTruthy();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    answer();
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1));
    expect((calls.find(({ method }) => method === 'PUT')!.body as { lines: object[] }).lines[0]).toMatchObject({
      id: 51,
      site_id: 3,
    });
  });

  it('does not save an unknown pasted name', async () => {
    const calls = serve({ 'GET /tapi/branch/options': () => ({ body: { data: [] } }) });
    const grid = await openRows();
    await go(grid, 0, 5);
    paste(grid, 'Atlantis');
    fireEvent.keyDown(grid, { key: 's', ctrlKey: true });
    expect(await page.findByRole('button', { name: 'Row 1: “Atlantis” is not known.' })).toBeTruthy();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('shows a finding of the server at its cell', async () => {
    serve({
      'PUT /tapi/agreement/5': () => ({
        status: 422,
        body: {
          error: {
            code: 'invalid',
            message: 'Not saved.',
            details: [{ field: 'lines.1.item', message: 'Motor is not sold any more.' }],
          },
        },
      }),
    });
    const grid = await openRows();
    await go(grid, 0, 0);
    await userEvent.keyboard('Belt{Enter}');
    fireEvent.keyDown(grid, { key: 's', ctrlKey: true });
    await waitFor(() => expect(cell(grid, 1, 0).getAttribute('aria-invalid')).toBe('true'));
    expect(page.getByRole('button', { name: 'Row 2: Motor is not sold any more.' })).toBeTruthy();
    expect(page.getByRole('tab', { name: /Rows/ }).textContent).toContain('1');
  });
});
