import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen as page, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import { fieldsInCells } from '../../../../../src/client/runtime/landing/cell_edit.ts';
import CellEditor from '../../../../../src/client/runtime/landing/CellEditor.tsx';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { contractRow, contractScreen } from '../contract_screen.ts';
import '../patience.ts';
import { accessOf } from '../page_harness.tsx';
import { withoutSizes } from '../resize_observer.ts';

const screen = contractScreen();
const field = screen.fields.find(({ name }) => name === 'floors')!;
const onSaved = vi.fn();
const onClose = vi.fn();

beforeEach(() => {
  withoutSizes();
  toasts.set([]);
  onSaved.mockClear();
  onClose.mockClear();
});
afterEach(() => forgetSession());

async function openCell(answers: Parameters<typeof fakeFetch>[0]) {
  const row = contractRow(1, { floors: 4, version: 7 });
  const calls = fakeFetch({ 'GET /tapi/contract/1': () => ({ body: { data: row } }), ...answers });
  const target = document.body.appendChild(document.createElement('div'));
  render(
    <FluentProvider theme={webLightTheme}>
      <CellEditor screen={screen} field={field} row={row} target={target} onSaved={onSaved} onClose={onClose} />
    </FluentProvider>,
  );
  const box = (await page.findByRole('textbox', { name: /^Floors/, hidden: true })) as HTMLInputElement;
  const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { box, puts };
}

/** Types. What a person does next is never in the same task, in which React has not drawn yet. */
async function type(box: HTMLInputElement, text: string): Promise<void> {
  fireEvent.change(box, { target: { value: text } });
  await new Promise((done) => setTimeout(done));
}

/** Types and sends the form: this DOM shows no layer, so nothing in it takes the focus. */
async function enter(box: HTMLInputElement, text: string): Promise<void> {
  await type(box, text);
  fireEvent.submit(box.form!);
}

it('saves one field with the version by Enter, and the toast undoes it', async () => {
  let floors = 9;
  const { box, puts } = await openCell({
    'PUT /tapi/contract/1': () => ({ body: { data: contractRow(1, { floors, version: 8 }) } }),
  });
  await enter(box, '9');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(puts()).toHaveLength(1);
  expect(puts()[0]).toMatchObject({ floors: 9, version: 7 });
  expect(puts()[0]).not.toHaveProperty('name');
  expect(onSaved).toHaveBeenCalledTimes(1);
  floors = 4;
  toasts.get()[0]!.action!.onClick();
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(2));
  expect(puts()[1]).toMatchObject({ floors: 4, version: 8 });
});

it('saves the input when the user clicks elsewhere, and sends nothing without a change', async () => {
  const { box, puts } = await openCell({
    'PUT /tapi/contract/1': () => ({ body: { data: contractRow(1, { floors: 6, version: 8 }) } }),
  });
  await type(box, '6');
  fireEvent.pointerDown(document.body);
  await waitFor(() => expect(puts()).toMatchObject([{ floors: 6, version: 7 }]));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  cleanup();
  onClose.mockClear();
  const untouched = await openCell({});
  fireEvent.pointerDown(document.body);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(untouched.puts()).toEqual([]);
});

it('shows the server’s refusal at the cell, and Esc restores the value', async () => {
  const { box, puts } = await openCell({
    'PUT /tapi/contract/1': () => ({
      status: 422,
      body: {
        error: { code: 'invalid', message: 'No.', details: [{ field: 'floors', message: 'At most 60 floors.' }] },
      },
    }),
  });
  await enter(box, '99');
  await page.findByText('At most 60 floors.');
  expect(puts()).toHaveLength(1);
  expect(onSaved).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: 'Escape' });
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it('shows a conflict with both values, and overwrites the newer version on request', async () => {
  let sent = 0;
  const { box, puts } = await openCell({
    'PUT /tapi/contract/1': () =>
      sent++ === 0
        ? {
            status: 409,
            body: {
              error: {
                code: 'stale_version',
                message: 'Changed.',
                theirs: contractRow(1, { floors: 5, version: 8 }),
                changed_by: 'Ravi',
              },
            },
          }
        : { body: { data: contractRow(1, { floors: 9, version: 9 }) } },
  });
  await enter(box, '9');
  await page.findByText(/^Ravi has changed this record meanwhile\. Floors is now 5; you entered 9\.$/);
  fireEvent.click(page.getByRole('button', { name: 'Save mine', hidden: true }));
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(puts()[1]).toMatchObject({ floors: 9, version: 8 });
});

it('is for fields that people may edit', () => {
  const fixed = {
    ...screen,
    fields: screen.fields.map((one) => (one.name === 'value' ? { ...one, readOnly: true } : one)),
  };
  const all = accessOf(screen, { edit_screen: true, write: true });
  expect(fieldsInCells(fixed, all).has('floors')).toBe(true);
  expect(fieldsInCells(fixed, all).has('value')).toBe(false);
  expect(fieldsInCells({ ...screen, subject: { contract: 'id' } }, all).size).toBe(0);
  expect(fieldsInCells(screen, accessOf(screen, { edit_screen: false })).size).toBe(0);
});
