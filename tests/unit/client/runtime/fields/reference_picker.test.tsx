import { act, cleanup, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { screenRefs } from '../../../../../src/client/api/screens.ts';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession, rememberSession } from '../../../../../src/client/app/session.ts';
import { noteChoice, recentChoices } from '../../../../../src/client/runtime/fields/reference/recent_choices.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { screenSample } from '../../app/screens_sample.ts';
import { compile, sample } from '../../../descriptor/fixtures/compile_sample.ts';
import { agreementScreen, forgetForm } from '../form/open_form.tsx';
import { renderFields } from './render_field.tsx';

const screen = agreementScreen();
const branches = [
  { id: 3, label: 'Chennai', detail: 'CHN', fetch: { address: '4 Mount Road' } },
  { id: 4, label: 'Salem', detail: 'SLM', fetch: { address: '1 Fort Main Road' } },
];
const towns = [
  { id: 11, label: 'Adyar', branch: 3 },
  { id: 12, label: 'Omalur', branch: 4 },
];

function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  toasts.set([]);
  return fakeFetch({
    'GET /tapi/branch/options': ({ query }) => {
      const ids = query.get('ids')?.split(',').map(Number);
      const q = (query.get('q') ?? '').toLowerCase();
      return {
        body: { data: branches.filter(({ id, label }) => (ids ? ids.includes(id) : label.toLowerCase().includes(q))) },
      };
    },
    'GET /tapi/town/options': ({ query }) => {
      const where = JSON.parse(query.get('where') ?? '{}') as { branch_id?: number | null };
      return {
        body: {
          data: towns.filter(
            ({ branch }) => where.branch_id === undefined || where.branch_id === null || branch === where.branch_id,
          ),
        },
      };
    },
    ...more,
  });
}

const asked = (calls: FakeCall[], type: string) => calls.filter(({ path }) => path === `/tapi/${type}/options`);
/** A changed field says so in its name. */
const picker = (name: string) => page.findByRole('combobox', { name: new RegExp(`^${name}`) });
/** The list is a popover, which jsdom keeps out of the tree of roles. */
const options = () => page.findAllByRole('option', { hidden: true });

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('a reference', () => {
  it('sends its screen and field, searches while typing, and is selected by keyboard', async () => {
    const calls = serve();
    const store = renderFields(screen, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'sal');
    await waitFor(async () => expect(await options()).toHaveLength(1));
    expect(asked(calls, 'branch').at(-1)?.query.get('for')).toBe('agreement.branch_id');
    expect(asked(calls, 'branch').at(-1)?.query.get('q')).toBe('sal');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(store.values()).toMatchObject({ branch_id: 4, branch_id__label: 'Salem' }));
    expect(await page.findByDisplayValue('Salem')).toBeTruthy();
    expect(recentChoices('branch')).toEqual([4]);
  });

  it('does not search at every key', async () => {
    const calls = serve();
    renderFields(screen, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'salem');
    await waitFor(async () => expect(await options()).toHaveLength(1));
    const searches = asked(calls, 'branch').filter(({ query }) => query.has('q'));
    expect(searches.length).toBeLessThan(3);
  });

  it('shows name and code, recent choices first', async () => {
    serve();
    noteChoice('branch', 4);
    renderFields(screen, ['branch_id']);
    await userEvent.click(await picker('Branch'));
    await waitFor(async () =>
      expect((await options()).map(({ textContent }) => textContent)).toEqual(['SalemSLM', 'ChennaiCHN']),
    );
  });

  it('copies values to dependent fields', async () => {
    serve();
    const store = renderFields(screen, ['branch_id', 'address']);
    await userEvent.click(await picker('Branch'));
    await userEvent.click((await options())[0]!);
    await waitFor(() => expect(store.values().address).toBe('4 Mount Road'));
    expect(await page.findByDisplayValue('4 Mount Road')).toBeTruthy();
  });

  it('updates a field that still has the copied value, and keeps one that somebody changed', async () => {
    serve();
    const chennai = { branch_id: 3, branch_id__label: 'Chennai' };
    const followed = renderFields(screen, ['branch_id'], { ...chennai, address: '4 Mount Road' });
    await userEvent.click(await picker('Branch'));
    await userEvent.click((await options())[1]!);
    await waitFor(() => expect(followed.values()).toMatchObject({ branch_id: 4, address: '1 Fort Main Road' }));
    await userEvent.clear(await picker('Branch'));
    await userEvent.tab();
    await waitFor(() => expect(followed.values()).toMatchObject({ branch_id: null, address: null }));
    cleanup();
    const calls = serve();
    const changed = renderFields(screen, ['branch_id'], { ...chennai, address: 'By hand' });
    await userEvent.click(await picker('Branch'));
    await userEvent.click((await options()).find(({ textContent }) => textContent === 'SalemSLM')!);
    await waitFor(() => expect(asked(calls, 'branch').some(({ query }) => query.get('ids') === '3')).toBe(true));
    await waitFor(() => expect(changed.values()).toMatchObject({ branch_id: 4, address: 'By hand' }));
  });

  it('is cleared when its text is erased', async () => {
    serve();
    const store = renderFields(screen, ['branch_id'], { branch_id: 3, branch_id__label: 'Chennai' });
    await userEvent.clear(await picker('Branch'));
    await userEvent.tab();
    await waitFor(() => expect(store.values()).toMatchObject({ branch_id: null, branch_id__label: null }));
  });

  it('loads the label of a stored choice without one', async () => {
    serve();
    renderFields(screen, ['branch_id'], { branch_id: 3 });
    expect(await page.findByDisplayValue('Chennai')).toBeTruthy();
  });

  it('shows that nothing matches', async () => {
    serve();
    renderFields(screen, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'zzz');
    expect(await page.findByText('Nothing matches “zzz”.')).toBeTruthy();
  });

  it('shows why a list did not load', async () => {
    serve({
      'GET /tapi/branch/options': () => ({
        status: 403,
        body: { error: { code: 'forbidden', message: 'You may not see branches.' } },
      }),
    });
    renderFields(screen, ['branch_id']);
    await userEvent.click(await picker('Branch'));
    expect(await page.findByText('You may not see branches.')).toBeTruthy();
  });
});

describe('a reference filtered by another field', () => {
  it('sends the filter value, and clears a choice that no longer matches', async () => {
    const calls = serve();
    const store = renderFields(screen, ['branch_id', 'city_id'], { branch_id: 3, branch_id__label: 'Chennai' });
    await userEvent.click(await picker('City'));
    await waitFor(async () => expect((await options()).map(({ textContent }) => textContent)).toEqual(['Adyar']));
    expect(JSON.parse(asked(calls, 'town').at(-1)?.query.get('where') ?? '{}')).toEqual({ branch_id: 3 });
    await userEvent.click((await options())[0]!);
    await waitFor(() => expect(store.values().city_id).toBe(11));
    store.set({ branch_id: 4, branch_id__label: 'Salem' });
    await waitFor(() => expect(store.values().city_id).toBeNull());
    expect(toasts.get()[0]?.text).toContain('City “Adyar” was cleared');
  });

  it('keeps a choice that still matches', async () => {
    const calls = serve();
    const store = renderFields(screen, ['branch_id', 'city_id'], {
      branch_id: null,
      city_id: 11,
      city_id__label: 'Adyar',
    });
    await picker('City');
    store.set({ branch_id: 3, branch_id__label: 'Chennai' });
    await waitFor(() => expect(asked(calls, 'town').length).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(store.values().city_id).toBe(11);
  });
});

describe('a reference filtered by a fixed value', () => {
  const narrowed = {
    ...screen,
    fields: screen.fields.map((field) =>
      field.name === 'branch_id'
        ? { ...field, ref: { type: 'branch', fixed: { state: 'open', uses: 'sale' } } }
        : field,
    ),
  };

  it('offers no recent choices, because they might not match', async () => {
    const calls = serve();
    noteChoice('branch', 4);
    renderFields(narrowed, ['branch_id']);
    await userEvent.click(await picker('Branch'));
    await waitFor(async () =>
      expect((await options()).map(({ textContent }) => textContent)).toEqual(['ChennaiCHN', 'SalemSLM']),
    );
    expect(asked(calls, 'branch').some(({ query }) => query.has('ids'))).toBe(false);
  });

  it('sets that value in a new record, as a list if the field takes several', async () => {
    const { compile, sample } = await import('../../../descriptor/fixtures/compile_sample.ts');
    const fields = { state: { enum: ['draft', 'open'], default: 'draft' }, uses: { $ref: 'types#tags' } };
    const branch = compile({
      branch: sample({ title: 'Branch', access: { screen: 'SCN_BRANCH' } }, fields),
    }).screens.get('branch')!;
    const { screenAnswer } = await import('../form/open_form.tsx');
    let saved: unknown;
    serve({
      'GET /tapi/screens/branch': () => screenAnswer(branch),
      'POST /tapi/branch': ({ body }) => {
        saved = body;
        return { status: 201, body: { data: { id: 8, version: 1, active: true, ...(body as object) } } };
      },
    });
    screenRefs.set([screenSample('branch', {}, { title: 'Branch' })]);
    renderFields(narrowed, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'Madurai');
    await waitFor(async () => expect(await options()).toHaveLength(1));
    await userEvent.keyboard('{Enter}');
    const dialog = await page.findByRole('alertdialog', { name: 'Add branch' });
    await userEvent.type(await within(dialog).findByRole('textbox', { name: /^Code/, hidden: true }), 'MDU');
    fireEvent.keyDown(document.activeElement!, { key: 's', ctrlKey: true });
    await waitFor(() => expect(saved).toMatchObject({ name: 'Madurai', state: 'open', uses: ['sale'] }));
  });
});

describe('a record of a type that another field names', () => {
  const { screens } = compile({
    paper: sample(
      {},
      {
        about: { enum: ['branch', 'town'] },
        about_id: { $ref: 'types#record', title: 'Which one', 'x-ref-by': 'about' },
      },
    ),
    branch: sample(),
    town: sample(),
  });

  it('is selected from that type, and cleared when the type changes', async () => {
    const calls = serve();
    const store = renderFields(screens.get('paper')!, ['about_id']);
    expect(await page.findByPlaceholderText('Choose About first')).toBeTruthy();
    act(() => store.set({ about: 'branch' }));
    await userEvent.type(await picker('Which one'), 'sal');
    await waitFor(async () => expect(await options()).toHaveLength(1));
    expect(asked(calls, 'branch').at(-1)?.query.get('for')).toBe('paper.about_id');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(store.values()).toMatchObject({ about_id: 4, about_id__label: 'Salem' }));
    act(() => store.set({ about: 'town' }));
    await waitFor(() => expect(store.values()).toMatchObject({ about_id: null, about_id__label: null }));
  });
});

describe('a new record in place', () => {
  it('is offered only where the person may add one', async () => {
    serve();
    screenRefs.set([screenSample('branch', { add_screen: false }, { title: 'Branch' })]);
    renderFields(screen, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'Madurai');
    await page.findByText('Nothing matches “Madurai”.');
    expect(page.queryAllByRole('option', { hidden: true })).toHaveLength(0);
    screenRefs.set([screenSample('branch', {}, { title: 'Branch' })]);
    await waitFor(async () => expect((await options())[0]?.textContent).toContain('Add branch “Madurai”'));
  });

  it('opens the form of that type with the typed name, and selects the saved record', async () => {
    const { compile, sample } = await import('../../../descriptor/fixtures/compile_sample.ts');
    const branch = compile({ branch: sample({ title: 'Branch', access: { screen: 'SCN_BRANCH' } }) }).screens.get(
      'branch',
    )!;
    const { screenAnswer } = await import('../form/open_form.tsx');
    const calls = serve({
      'GET /tapi/screens/branch': () => screenAnswer(branch),
      'POST /tapi/branch': ({ body }) => ({
        status: 201,
        body: { data: { id: 8, version: 1, active: true, ...(body as object) } },
      }),
    });
    screenRefs.set([screenSample('branch', {}, { title: 'Branch' })]);
    const store = renderFields(screen, ['branch_id']);
    await userEvent.type(await picker('Branch'), 'Madurai');
    await waitFor(async () => expect(await options()).toHaveLength(1));
    await userEvent.keyboard('{Enter}');
    const dialog = await page.findByRole('alertdialog', { name: 'Add branch' });
    expect(await within(dialog).findByDisplayValue('Madurai')).toBeTruthy();
    await userEvent.type(within(dialog).getByRole('textbox', { name: /^Code/, hidden: true }), 'MDU');
    // Esc asks first: what was entered here would be lost.
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    await userEvent.click(await page.findByRole('button', { name: 'Stay', hidden: true }));
    within(dialog).getByRole('textbox', { name: /^Code/, hidden: true }).focus();
    fireEvent.keyDown(document.activeElement!, { key: 's', ctrlKey: true });
    await waitFor(() => expect(store.values()).toMatchObject({ branch_id: 8, branch_id__label: 'Madurai' }));
    expect(calls.some(({ method }) => method === 'POST')).toBe(true);
  });
});

it('field names of a type chosen in another field are selected by title, and stored as names', async () => {
  const { screenAnswer } = await import('../form/open_form.tsx');
  const { screens } = compile({
    offer: sample(
      { title: 'Offer', access: { screen: 'SCN_OFFER' } },
      {
        discount: { $ref: 'types#percent', title: 'Discount given' },
        terms: { $ref: 'types#text', title: 'Terms' },
        printed: { $ref: 'types#text', title: 'Printed', readOnly: true },
        ends_on: { $ref: 'types#date', title: 'Valid until' },
        begins_on: { $ref: 'types#date', title: 'Valid from' },
        asked_on: { $ref: 'types#date', title: 'Asked on' },
        sent_on: { $ref: 'types#date', title: 'Sent on' },
      },
    ),
    process: sample(
      { title: 'Process', access: { screen: 'SCN_PROCESS' } },
      {
        kind: { enum: ['offer'], title: 'Document' },
        may_change: { $ref: 'types#tags', title: 'May change', 'x-fields-of': 'kind' },
        by_date: { $ref: 'types#text', title: 'Reminded by', 'x-fields-of': { of: 'kind', what: 'dates' } },
      },
    ),
  });
  serve({ 'GET /tapi/screens/offer': () => screenAnswer(screens.get('offer')!) });
  const store = renderFields(screens.get('process')!, ['kind', 'may_change', 'by_date']);
  await waitFor(() => expect(page.getAllByText('Choose what it is about first.')).toHaveLength(2));
  act(() => store.set({ kind: 'offer' }));
  const choice = await page.findByRole('combobox', { name: /May change/ });
  await waitFor(() => expect(within(choice).queryByText('Discount given')).not.toBeNull());
  expect(within(choice).queryByText('Printed')).toBeNull();
  const date = await page.findByRole('combobox', { name: /Reminded by/ });
  expect(within(date).queryByText('Terms')).toBeNull();
  await userEvent.selectOptions(date, 'Valid until');
  expect(store.values().by_date).toBe('ends_on');
  await userEvent.selectOptions(choice, 'Discount given');
  expect(store.values().may_change).toEqual(['discount']);
  expect(within(choice).queryByText('Discount given')).toBeNull();
  await userEvent.click(page.getByRole('button', { name: 'Remove Discount given' }));
  expect(store.values().may_change).toEqual([]);
});
