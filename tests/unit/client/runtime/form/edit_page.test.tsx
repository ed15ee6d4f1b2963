import { act, cleanup, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import type { FakeCall, fakeFetch } from '../../app/fetch_fake.ts';
import { agreementScreen, findsIn, forgetForm, openForm, screenAnswer, serveAgreements } from './open_form.tsx';

const screen = agreementScreen();
const serve = (more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] => serveAgreements(screen, more);

const sent = (calls: FakeCall[], method: string) =>
  calls.filter(
    (call) => call.method === method && call.path.startsWith('/tapi/agreement') && !call.path.endsWith('/check'),
  );
const box = (name: string | RegExp) => page.findByRole('textbox', { name });
const texts = () => toasts.get().map(({ text }) => text);
const ctrlS = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 's', ctrlKey: true });

// Drafts of the test before.
beforeEach(() => localStorage.clear());
afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('adding', () => {
  it('keeps recent input when the page crashes, and offers it at the next opening', async () => {
    serve();
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Name/), 'Goods lift');
    fireEvent.blur(await box(/^Name/));
    // At once, before the pause after which drafts are kept.
    cleanup();
    openForm(FormPage, screen);
    await userEvent.click(await page.findByRole('button', { name: /Restore|Take|Use/ }));
    expect(((await box(/^Name/)) as HTMLInputElement).value).toBe('Goods lift');
  });

  it('saves the latest input by the shortcut, without waiting for the pause', async () => {
    const calls = serve();
    const router = openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'ag9');
    await userEvent.type(await box(/^Name/), 'Escalator');
    ctrlS();
    await waitFor(() => expect(sent(calls, 'POST')).toHaveLength(1));
    expect(sent(calls, 'POST')[0]?.body).toMatchObject({ name: 'Escalator', status: 'draft' });
    expect(String((sent(calls, 'POST')[0]!.body as { code: string }).code).toLowerCase()).toBe('ag9');
    await waitFor(() => expect(router.state.location.pathname).not.toBe('/agreement/add'));
    expect(texts()[0]).toMatch(/^Agreement .*saved\.$/);
  });

  it('sends the form by Enter in a field', async () => {
    const calls = serve();
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp{Enter}');
    await waitFor(() => expect(sent(calls, 'POST')[0]?.body).toMatchObject({ name: 'Ramp' }));
  });

  it('shows no error before leaving a field, and all of them after trying to save, with the first in focus', async () => {
    const calls = serve();
    openForm(FormPage, screen);
    const code = await box(/^Code/);
    const name = await box(/^Name/);
    expect(page.queryByText(/required/i)).toBeNull();
    // Only the field that was left.
    await userEvent.click(code);
    await userEvent.click(name);
    await page.findByText('Code is required.');
    expect(page.queryByText('Name is required.')).toBeNull();
    await userEvent.click(page.getByRole('button', { name: /Save agreement/ }));
    // At its field and in the summary.
    expect(await page.findAllByText('Name is required.')).toHaveLength(2);
    await waitFor(() => expect(document.activeElement).toBe(code));
    expect(sent(calls, 'POST')).toHaveLength(0);
  });

  it('starts in the first editable field; read-only ones are no tab stops', async () => {
    serve();
    openForm(FormPage, screen);
    const code = await box(/^Code/);
    await waitFor(() => expect(document.activeElement).toBe(code));
    expect(document.querySelector('[data-field="balance"] output')?.getAttribute('tabindex')).toBe('-1');
  });

  it('reports missing fields together with a duplicate key, also in the summary', async () => {
    const taken = 'Code A1 already exists.';
    const calls = serve({
      'POST /tapi/agreement/check': () => ({ body: { data: [{ field: 'code', message: taken }] } }),
    });
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    ctrlS();
    await waitFor(() => expect(page.getAllByText('Name is required.')).toHaveLength(2));
    expect(page.getAllByText(taken)).toHaveLength(2);
    expect(calls.find(({ path }) => path.endsWith('/check'))?.body).toMatchObject({ id: null, values: { code: 'A1' } });
    expect(sent(calls, 'POST')).toHaveLength(0);
    await page.findByText('2 things to correct');
    await userEvent.click(page.getByRole('button', { name: 'Name is required.' }));
    const name = await box(/^Name/);
    await waitFor(() => expect(document.activeElement).toBe(name));
    await userEvent.type(name, 'Ramp');
    await userEvent.tab();
    await page.findByText('1 of 2 left to correct');
  });

  it('checks rules across fields and shows their message', async () => {
    const calls = serve();
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    await userEvent.type(await box('Value'), '10,00,001');
    ctrlS();
    await page.findByText('More than ten lakh needs two agreements.');
    expect(sent(calls, 'POST')).toHaveLength(0);
  });

  it('shows the server’s findings under their fields and opens the tab of the first', async () => {
    serve(findsIn('address', 'This address is not known.'));
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    ctrlS();
    await page.findByText('This address is not known.');
    const tab = page.getByRole('tab', { name: /Place/ });
    await waitFor(() => expect(tab.getAttribute('aria-selected')).toBe('true'));
    expect(tab.textContent).toContain('1');
    const address = await box('Address');
    await waitFor(() => expect(document.activeElement).toBe(address));
    expect(address.getAttribute('aria-invalid')).toBe('true');
    // It goes when the field is put right; what was typed elsewhere stays.
    await userEvent.type(address, 'Mount Road');
    await userEvent.tab();
    await waitFor(() => expect(page.queryByText('This address is not known.')).toBeNull());
    expect((await page.findByDisplayValue('Ramp')).tagName).toBe('INPUT');
  });

  it('reports a duplicate under its field', async () => {
    serve({
      'POST /tapi/agreement': () => ({
        status: 409,
        body: { error: { code: 'duplicate', message: 'Code A1 is in use already.', field: 'code' } },
      }),
    });
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    ctrlS();
    await page.findByText('Code A1 is in use already.');
    expect((await box(/^Code/)).getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps all input when the server cannot be reached', async () => {
    serve({ 'POST /tapi/agreement': 'fail' });
    const router = openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    ctrlS();
    await waitFor(() => expect(texts().join()).toContain('Nothing is lost'));
    expect(router.state.location.pathname).toBe('/agreement/add');
    expect(await page.findByDisplayValue('Ramp')).toBeTruthy();
  });

  it('takes values from the address, and a copy from the server', async () => {
    serve({ 'GET /tapi/agreement/5/copy': () => ({ body: { data: { name: 'Lift service', value: '1000.00' } } }) });
    openForm(FormPage, screen, { query: '?name=Preset&value=2500' });
    expect(await page.findByDisplayValue('Preset')).toBeTruthy();
    expect(await page.findByDisplayValue('2,500.00')).toBeTruthy();
    cleanup();
    openForm(FormPage, screen, { query: '?copy=5' });
    expect(await page.findByDisplayValue('Lift service')).toBeTruthy();
  });

  it('saves a record made from another although Save was pressed before its values had arrived', async () => {
    const made = { code: 'AG7', name: 'Made from an offer', branch_id: 3, branch_id__label: 'Chennai' };
    for (const press of [ctrlS, () => fireEvent.click(page.getByRole('button', { name: 'Save agreement' }))]) {
      let arrive = () => {};
      const values = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const calls = serve({
        'GET /tapi/agreement/new': async () => {
          await values;
          return { body: { data: made } };
        },
      });
      const router = openForm(FormPage, screen, { query: '?from=offer/4&make=agreement' });
      await page.findByRole('heading', { name: 'Add agreement' });
      press();
      // It is seen that the save has begun.
      await page.findByRole('button', { name: 'Saving', busy: true });
      expect(sent(calls, 'POST')).toHaveLength(0);
      arrive();
      await waitFor(() => expect(sent(calls, 'POST')).toHaveLength(1));
      expect(sent(calls, 'POST')[0]?.body).toMatchObject({ code: 'AG7', name: 'Made from an offer', branch_id: 3 });
      await waitFor(() => expect(router.state.location.pathname).not.toBe('/agreement/add'));
      cleanup();
    }
  });

  it('copies dependent values of a record named in the address, without counting as unsaved input', async () => {
    const fetch = { address: '12 Mount Road' };
    serve({ 'GET /tapi/branch/options': () => ({ body: { data: [{ id: 3, label: 'Chennai', fetch }] } }) });
    const router = openForm(FormPage, screen, { query: '?branch_id=3' });
    await userEvent.click(await page.findByRole('tab', { name: 'Place' }));
    expect(await page.findByDisplayValue('12 Mount Road')).toBeTruthy();
    expect(page.getByDisplayValue('Chennai')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.pathname).not.toBe('/agreement/add'));
  });
});

describe('fields that depend on others', () => {
  it('shows and requires a field by its conditions', async () => {
    const calls = serve();
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    expect(page.queryByRole('textbox', { name: /^Reason/ })).toBeNull();
    await userEvent.selectOptions(page.getByRole('combobox', { name: /^Status/ }), 'ended');
    const reason = await box(/^Reason/);
    expect(reason.getAttribute('aria-required')).toBe('true');
    ctrlS();
    await page.findByText('Reason is required.');
    expect(sent(calls, 'POST')).toHaveLength(0);
    await userEvent.type(reason, 'Sold');
    ctrlS();
    await waitFor(() => expect(sent(calls, 'POST')[0]?.body).toMatchObject({ status: 'ended', reason: 'Sold' }));
  });

  it('computes formulas as values come in', async () => {
    serve();
    openForm(FormPage, screen);
    await userEvent.type(await box('Value'), '123456.50');
    await userEvent.type(await box('Advance'), '456.5');
    await userEvent.tab();
    await waitFor(() =>
      expect(
        document.querySelector('[data-field="balance"]')?.textContent +
          (document.querySelector<HTMLInputElement>('[data-field="balance"] input')?.value ?? ''),
      ).toContain('1,23,000.00'),
    );
  });
});

describe('fields that functions fill in', () => {
  it('show the server’s values for the latest input, and saving waits for them', async () => {
    const filling = { ...screen, fills: [{ run: 'test.mail', on: ['name'], sets: ['email'], over: 'value == 1' }] };
    const release = new Map<string, () => void>();
    const calls = serve({
      'GET /tapi/screens/agreement': () => screenAnswer(filling),
      'POST /tapi/agreement/fill': async ({ body }) => {
        const { name } = (body as { values: { name: string } }).values;
        await new Promise<void>((resolve) => release.set(name, resolve));
        return { body: { data: { email: `${name}@lift.example` } } };
      },
    });
    openForm(FormPage, filling);
    await userEvent.type(await box(/^Code/), 'AG9');
    const type = async (text: string) => {
      fireEvent.change(await box(/^Name/), { target: { value: text } });
      fireEvent.blur(await box(/^Name/));
    };
    await type('old');
    await waitFor(() => expect(release.has('old')).toBe(true));
    await type('new');
    ctrlS();
    await waitFor(() => expect(release.has('new')).toBe(true));
    release.get('new')!();
    await waitFor(() => expect(sent(calls, 'POST').at(-1)).toMatchObject({ path: '/tapi/agreement' }));
    // The answer to what was typed before comes last, and changes nothing.
    await act(async () => release.get('old')!());
    expect(sent(calls, 'POST').at(-1)!.body).toMatchObject({ name: 'new', email: 'new@lift.example' });
    expect(sent(calls, 'POST').filter(({ path }) => path === '/tapi/agreement/fill')).toHaveLength(2);
  });
});

describe('an action in a form', () => {
  it('asks in a dialog, shows errors at its fields, and fills the form without saving it', async () => {
    const asking = {
      ...screen,
      actions: [
        {
          title: 'Set value',
          run: 'test.set_value',
          on: 'record',
          when: "status != 'ended'",
          params: [
            { ...screen.fields.find(({ name }) => name === 'email')!, name: 'to', title: 'For whom', required: true },
          ],
        },
      ],
    };
    let tries = 0;
    const calls = serve({
      'GET /tapi/screens/agreement': () => screenAnswer(asking),
      'POST /tapi/agreement/action/test.set_value': () =>
        ++tries === 1
          ? {
              status: 422,
              body: { error: { code: 'validation', details: [{ field: 'to', message: 'Nobody there.' }] } },
            }
          : { body: { data: { set: { email: 'it@lift.example' }, done: 'Set.' } } },
    });
    openForm(FormPage, asking, { page: 'edit_screen', id: '5' });
    await userEvent.type(await box(/^Name/), ' new');
    await userEvent.click(await page.findByRole('button', { name: 'Set value' }));
    const dialog = await page.findByRole('alertdialog', { name: 'Set value' });
    const send = () => userEvent.click(within(dialog).getByRole('button', { name: 'Set value' }));
    await send();
    expect(tries).toBe(0);
    await userEvent.type(within(dialog).getByRole('textbox', { name: /For whom/ }), 'a@lift.example');
    await send();
    await within(dialog).findByText('Nobody there.');
    await send();
    await waitFor(() => expect(page.queryByRole('alertdialog')).toBeNull());
    expect(((await box(/^Email/)) as HTMLInputElement).value).toBe('it@lift.example');
    expect(sent(calls, 'POST').at(-1)!.body).toMatchObject({
      on: 'record',
      id: 5,
      params: { to: 'a@lift.example' },
      values: { name: 'Lift service new' },
    });
    expect(sent(calls, 'PUT')).toEqual([]);
  });

  it('is waited for by a save, which sends what it has computed', async () => {
    const computing = { ...screen, actions: [{ title: 'Fill', run: 'test.fill', on: 'record' as const }] };
    let answer!: () => void;
    const computed = new Promise<void>((resolve) => (answer = resolve));
    const calls = serve({
      'GET /tapi/screens/agreement': () => screenAnswer(computing),
      'POST /tapi/agreement/action/test.fill': () =>
        computed.then(() => ({ body: { data: { set: { email: 'it@lift.example' }, done: 'Filled.' } } })),
    });
    openForm(FormPage, computing, { page: 'edit_screen', id: '5' });
    await userEvent.type(await box(/^Name/), ' new');
    await userEvent.click(await page.findByRole('button', { name: 'Fill' }));
    ctrlS();
    await page.findByRole('button', { name: 'Saving' });
    expect(sent(calls, 'PUT')).toEqual([]);
    answer();
    await waitFor(() => expect(sent(calls, 'PUT')).toHaveLength(1));
    expect(sent(calls, 'PUT')[0]!.body).toMatchObject({ email: 'it@lift.example', name: 'Lift service new' });
  });
});

describe('late checks', () => {
  // Parsed, because an object with `then` in the code looks like a promise.
  const conditional = agreementScreen(
    JSON.parse(
      '{ "if": { "properties": { "status": { "const": "draft" } }, "required": ["status"] }, "then": { "required": ["value"] } }',
    ) as Record<string, unknown>,
  );

  it('delay a save', async () => {
    const calls = serve({ 'GET /tapi/screens/agreement': () => screenAnswer(screen, 1_000) });
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'A1');
    await userEvent.type(await box(/^Name/), 'Ramp');
    await userEvent.type(await box(/^Email/), 'nobody');
    ctrlS();
    await page.findByRole('button', { name: 'Saving' });
    await page.findByText(/must be valid/, {}, { timeout: 20_000 });
    expect(sent(calls, 'POST')).toHaveLength(0);
  });

  it('keep focus and input, and their conditions apply from then on', async () => {
    let arrive!: () => void;
    const wait = new Promise<void>((resolve) => (arrive = resolve));
    const calls = serve({ 'GET /tapi/screens/agreement': () => wait.then(() => screenAnswer(conditional)) });
    openForm(FormPage, conditional);
    const name = await box(/^Name/);
    await userEvent.type(name, 'Ra');
    arrive();
    await waitFor(() =>
      expect(page.getByRole('textbox', { name: /^Value/ }).getAttribute('aria-required')).toBe('true'),
    );
    expect(document.activeElement).toBe(name);
    await userEvent.keyboard('mp');
    expect(name).toHaveProperty('value', 'Ramp');
    await userEvent.type(await box(/^Code/), 'A1');
    ctrlS();
    await page.findByText('Value is required.');
    await userEvent.type(await box(/^Value/), '100');
    ctrlS();
    await waitFor(() => expect(sent(calls, 'POST')[0]?.body).toMatchObject({ name: 'Ramp', value: '100.00' }));
  });
});

describe('editing', () => {
  it('sends only what changed, with the version', async () => {
    const calls = serve();
    const router = openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    const name = await page.findByDisplayValue('Lift service');
    expect(page.queryByRole('button', { name: 'Discard' })).toBeNull();
    await userEvent.clear(name);
    await userEvent.type(name, 'Lift care');
    await page.findByRole('button', { name: 'Discard' });
    ctrlS();
    await waitFor(() => expect(sent(calls, 'PUT')).toHaveLength(1));
    const { from_user: _by, ...values } = sent(calls, 'PUT')[0]!.body as Record<string, unknown>;
    expect(values).toEqual({ name: 'Lift care', version: 3 });
    await waitFor(() => expect(router.state.location.pathname).toBe('/agreement/view/5'));
  });

  it('discards after confirmation', async () => {
    serve();
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    const name = await page.findByDisplayValue('Lift service');
    await userEvent.type(name, ' and more');
    await userEvent.click(await page.findByRole('button', { name: 'Discard' }));
    const dialog = await page.findByRole('alertdialog').catch(() => page.findByRole('dialog'));
    await userEvent.click(page.getAllByRole('button', { name: 'Discard' }).find((button) => dialog.contains(button))!);
    expect(await page.findByDisplayValue('Lift service')).toBeTruthy();
    await waitFor(() => expect(page.queryByRole('button', { name: 'Discard' })).toBeNull());
  });

  it('asks before Escape discards anything', async () => {
    serve();
    const router = openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await userEvent.type(await page.findByDisplayValue('Lift service'), '!');
    await page.findByRole('button', { name: 'Discard' });
    await userEvent.keyboard('{Escape}');
    const stay = await page.findByRole('button', { name: /Stay/ });
    expect(router.state.location.pathname).toBe('/agreement/edit/5');
    await userEvent.click(stay);
    expect(await page.findByDisplayValue('Lift service!')).toBeTruthy();
  });

  it('asks even if Escape comes right after the last key', async () => {
    serve();
    const router = openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    const name = await page.findByDisplayValue('Lift service');
    fireEvent.focus(name);
    fireEvent.change(name, { target: { value: 'Lift service, new' } });
    fireEvent.keyDown(name, { key: 'Escape' });
    await userEvent.click(await page.findByRole('button', { name: /Stay/ }));
    expect(router.state.location.pathname).toBe('/agreement/edit/5');
  });

  it('offers unsaved input again', async () => {
    serve();
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await userEvent.type(await page.findByDisplayValue('Lift service'), ' today');
    act(() => {
      dispatchEvent(new Event('pagehide'));
    });
    const kept = Object.keys(localStorage).filter((key) => key.includes('agreement.5'));
    expect(kept).toHaveLength(1);
    expect(localStorage.getItem(kept[0]!)).toContain('Lift service today');
    cleanup();
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await userEvent.click(await page.findByRole('button', { name: 'Restore' }));
    expect(await page.findByDisplayValue('Lift service today')).toBeTruthy();
  });

  it('keeps nothing after leaving on purpose', async () => {
    serve();
    const router = openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await userEvent.type(await page.findByDisplayValue('Lift service'), ' today');
    await page.findByRole('button', { name: 'Discard' });
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await page.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).not.toBe('/agreement/edit/5'));
    expect(Object.keys(localStorage).filter((key) => key.includes('agreement.5'))).toEqual([]);
  });
});

describe('a field that the form does not change', () => {
  it('is a value, not a choice', async () => {
    const fixed = {
      ...screen,
      fields: screen.fields.map((field) => (field.name === 'status' ? { ...field, readOnly: true } : field)),
    };
    serve({ 'GET /tapi/screens/agreement': () => screenAnswer(fixed) });
    openForm(FormPage, fixed, { page: 'edit_screen', id: '5' });
    await page.findByDisplayValue('Lift service');
    expect(page.queryByRole('radio')).toBeNull();
    const shown = document.querySelector('[data-field="status"]')!;
    expect(shown.textContent + [...shown.querySelectorAll('input')].map(({ value }) => value).join()).toContain(
      'Active',
    );
  });
});

describe('a value whose fields another record describes', () => {
  it('is entered in separate fields, with errors at each', async () => {
    const shaped = {
      ...screen,
      fields: screen.fields.map((field) =>
        field.name === 'email'
          ? { ...field, type: 'json', title: 'Values', schema: {}, shape: { via: 'branch_id', field: 'asks' } }
          : field,
      ),
    };
    const schema = {
      type: 'object',
      properties: {
        days: { type: 'integer', title: 'Notice, days' },
        words: { type: 'array', title: 'Words', items: { type: 'string' } },
        odd: { type: 'object' },
      },
      required: ['days'],
    };
    const calls = serve({
      'GET /tapi/screens/agreement': () => screenAnswer({ ...shaped, schema: { type: 'object', properties: {} } }),
      'GET /tapi/agreement/5': () => ({
        body: {
          data: { id: 5, version: 3, active: true, name: 'A', branch_id: 4, email: { days: 30, odd: { a: 1 } } },
        },
      }),
      'GET /tapi/agreement/shape/email/4': () => ({ body: { data: schema } }),
      'PUT /tapi/agreement/5': () => ({
        status: 422,
        body: {
          error: { code: 'invalid', message: 'No.', details: [{ field: 'email.days', message: 'Days too few.' }] },
        },
      }),
    });
    openForm(FormPage, shaped, { page: 'edit_screen', id: '5' });
    const days = (await box(/^Notice, days/)) as HTMLInputElement;
    expect(days.value).toBe('30');
    expect(document.querySelector('textarea')).toBeNull();
    await userEvent.clear(days);
    await userEvent.type(days, '7');
    await userEvent.type(await box(/^Words/), 'water{Enter}');
    ctrlS();
    await waitFor(() =>
      expect(sent(calls, 'PUT')[0]?.body).toMatchObject({ email: { days: 7, words: ['water'], odd: { a: 1 } } }),
    );
    await waitFor(() => expect(days.getAttribute('aria-invalid')).toBe('true'));
  });
});
