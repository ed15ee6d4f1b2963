import { fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import { merge, withTheirs } from '../../../../../src/client/runtime/form/merge.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { withoutSizes } from '../resize_observer.ts';
import { agreementScreen, forgetForm, openForm, screenAnswer } from './open_form.tsx';

const screen = agreementScreen();
const base = {
  id: 5,
  version: 3,
  active: true,
  code: 'AG5',
  name: 'Lift service',
  status: 'active',
  value: '1000.00',
  email: null,
  lines: [],
};

/** A server on which somebody else has saved meanwhile. */
function serve(theirs: Record<string, unknown>): FakeCall[] {
  withoutSizes();
  const stored = { ...base, ...theirs, version: 4 };
  return fakeFetch({
    'GET /tapi/screens/agreement': () => screenAnswer(screen),
    'GET /tapi/agreement/5': () => ({ body: { data: base } }),
    'PUT /tapi/agreement/5': ({ body }) => {
      const values = body as { version: number };
      if (values.version === 4) return { body: { data: { ...stored, ...values, version: 5 } } };
      return {
        status: 409,
        body: {
          error: {
            code: 'stale_version',
            message: 'Changed meanwhile.',
            theirs: stored,
            base,
            changed_by: 'Ravi',
            changed_at: '2026-04-01T05:00:00Z',
          },
        },
      };
    },
  });
}

const puts = (calls: FakeCall[]) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as Record<string, unknown>);
const save = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 's', ctrlKey: true });

async function rename(to: string): Promise<void> {
  const name = await page.findByDisplayValue('Lift service');
  await userEvent.clear(name);
  await userEvent.type(name, to);
}

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('three-way merge', () => {
  it('keeps changes of one side and asks about the rest', () => {
    const mine = { ...base, name: 'Mine', email: 'me@a.in' };
    const theirs = { ...base, version: 4, name: 'Theirs', value: '2000.00' };
    const { values, taken, conflicts } = merge(screen, base, mine, theirs);
    expect(values).toMatchObject({ name: 'Mine', email: 'me@a.in', value: '2000.00' });
    expect(taken.map(({ name }) => name)).toEqual(['value']);
    expect(conflicts.map(({ field, mine: a, theirs: b }) => [field.name, a, b])).toEqual([['name', 'Mine', 'Theirs']]);
    expect(withTheirs(values, theirs, new Set(['name']))).toMatchObject({ name: 'Theirs', email: 'me@a.in' });
  });

  it('sees no conflict if both values are equal, however they are written', () => {
    const { conflicts } = merge(screen, base, { ...base, value: '2000' }, { ...base, value: '2000.00' });
    expect(conflicts).toEqual([]);
  });

  it('keeps a reference together with its label', () => {
    const theirs = { ...base, branch_id: 4, branch_id__label: 'Chennai' };
    const mine = { ...base, branch_id: 6, branch_id__label: 'Salem' };
    expect(merge(screen, base, mine, theirs).values).toMatchObject({ branch_id: 6, branch_id__label: 'Salem' });
    expect(withTheirs({ branch_id: 6, branch_id__label: 'Salem' }, base, new Set(['branch_id']))).toEqual({
      branch_id: null,
      branch_id__label: null,
    });
  });
});

describe('a record that somebody else saved meanwhile', () => {
  it('is saved with both changes without a question if they touch different fields', async () => {
    const calls = serve({ value: '2000.00' });
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await rename('Lift care');
    save();
    await waitFor(() => expect(puts(calls)).toHaveLength(2));
    expect(puts(calls)[1]).toMatchObject({ name: 'Lift care', version: 4 });
    expect(puts(calls)[1]).not.toHaveProperty('value');
    await waitFor(() =>
      expect(toasts.get().some(({ text }) => text.includes('Also taken from Ravi: Value'))).toBe(true),
    );
  });

  it('asks about fields changed by both, and saves the choice on the new version', async () => {
    const calls = serve({ name: 'Elevator', value: '2000.00' });
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await rename('Lift care');
    save();
    const dialog = await page.findByRole('alertdialog');
    expect(within(dialog).getByText(/You both changed one field/)).toBeTruthy();
    const choices = within(dialog).getAllByRole('radio');
    expect(choices).toHaveLength(2);
    expect(dialog.textContent).toContain('Lift care');
    expect(dialog.textContent).toContain('Elevator');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(puts(calls)[1]).toMatchObject({ name: 'Lift care', version: 4 }));
  });

  it('needs no second call if all stored values are accepted', async () => {
    const calls = serve({ name: 'Elevator' });
    const router = openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await rename('Lift care');
    save();
    await userEvent.click(await page.findByRole('button', { name: 'Take all theirs' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/agreement/view/5'));
    expect(puts(calls)).toHaveLength(1);
  });

  it('returns to the form with all input', async () => {
    const calls = serve({ name: 'Elevator' });
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await rename('Lift care');
    save();
    await userEvent.click(await page.findByRole('button', { name: 'Back to the form' }));
    expect(await page.findByDisplayValue('Lift care')).toBeTruthy();
    expect(puts(calls)).toHaveLength(1);
  });
});
