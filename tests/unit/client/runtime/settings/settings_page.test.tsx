import { fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession, rememberSession } from '../../../../../src/client/app/session.ts';
import SettingsPage from '../../../../../src/client/runtime/settings/SettingsPage.tsx';
import { compile, sample } from '../../../descriptor/fixtures/compile_sample.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { forgetForm, openForm, screenAnswer } from '../form/open_form.tsx';
import { withoutSizes } from '../resize_observer.ts';

const { screens, problems } = compile({
  billing: sample({
    kind: 'settings',
    title: 'Billing settings',
    access: { screen: 'SCN_BILLING' },
    schema: {
      required: ['prefix'],
      properties: {
        prefix: { $ref: 'types#text', title: 'Prefix' },
        days: { $ref: 'types#integer', title: 'Days to pay' },
      },
    },
    label: ['prefix'],
  }),
});
const screen = screens.get('billing')!;
if (problems.length > 0) throw new Error(JSON.stringify(problems));

function serve(stored: Record<string, unknown>): FakeCall[] {
  withoutSizes();
  let now = stored;
  return fakeFetch({
    'GET /tapi/screens/billing': () => screenAnswer(screen),
    'GET /tapi/billing/single': () => ({ body: { data: now } }),
    'PUT /tapi/billing/single': ({ body }) => {
      now = { ...now, ...(body as object), id: 1, version: Number(now.version) + 1 };
      return { body: { data: now } };
    },
  });
}

const puts = (calls: FakeCall[]) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as Record<string, unknown>);
const save = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 's', ctrlKey: true });

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('settings', () => {
  it('start with defaults, are saved completely the first time and by changes afterwards', async () => {
    const calls = serve({ id: 0, version: 0, active: true, prefix: 'INV', days: 30 });
    const router = openForm(SettingsPage, screen, { page: 'landing' });
    await userEvent.type(await page.findByDisplayValue('INV'), '/A');
    save();
    await waitFor(() => expect(puts(calls)[0]).toMatchObject({ prefix: 'INV/A', days: 30, version: 0 }));
    await waitFor(() => expect(toasts.get()[0]?.text).toBe('Billing settings saved.'));
    expect(router.state.location.pathname).toBe(screen.routes.landing);
    const days = await page.findByDisplayValue('30');
    await userEvent.clear(days);
    await userEvent.type(days, '45');
    save();
    await waitFor(() => expect(puts(calls)).toHaveLength(2));
    expect(puts(calls)[1]).toMatchObject({ days: 45, version: 1 });
    expect(puts(calls)[1]).not.toHaveProperty('prefix');
  });

  it('are read-only for somebody who may not change them', async () => {
    serve({ id: 1, version: 2, active: true, prefix: 'INV', days: 30 });
    openForm(SettingsPage, screen, { page: 'landing', rights: { write: false } });
    expect((await page.findByDisplayValue('INV')).hasAttribute('readonly')).toBe(true);
    expect(page.queryByRole('button', { name: /Save/ })).toBeNull();
  });
});

const guarded = compile({
  guard: sample({
    kind: 'settings',
    title: 'Guard settings',
    access: { screen: 'SCN_GUARD' },
    schema: {
      properties: {
        factor: {
          enum: ['off', 'all'],
          title: 'Second factor',
          default: 'off',
          'x-risk': { when: "factor != 'all'", safe: 'all', effect: 'Everybody sets one up.' },
        },
        kept: {
          enum: ['token', 'cookie'],
          title: 'Kept as',
          default: 'token',
          'x-risk': { when: "kept != 'cookie'", safe: 'cookie', effect: 'Scripts cannot read it.' },
        },
        age: { $ref: 'types#integer', title: 'Minimum age', default: 18, 'x-override': 'company' },
      },
    },
    label: ['factor'],
  }),
});
const guard = guarded.screens.get('guard')!;
if (guarded.problems.length > 0) throw new Error(JSON.stringify(guarded.problems));

describe('risky settings, or those of one company', () => {
  function serveGuard(
    stored: Record<string, unknown>,
    company: { version: number; values: Record<string, unknown> },
  ): FakeCall[] {
    withoutSizes();
    rememberSession({
      entity_list: [
        { id: 1, name: 'Acme Lifts' },
        { id: 4, name: 'Acme Retail' },
      ],
    });
    return fakeFetch({
      'GET /tapi/screens/guard': () => screenAnswer(guard),
      'GET /tapi/guard/single': () => ({ body: { data: stored } }),
      'GET /tapi/guard/single/sources': () => ({
        body: {
          data: {
            server: { kept: { by: 'SESSION_TRANSPORT', value: 'cookie' } },
            company: { entity_id: 1, name: 'Acme Lifts', ...company },
          },
        },
      }),
      'PUT /tapi/guard/single': ({ body }) => ({ body: { data: { ...stored, ...(body as object), version: 2 } } }),
      'PUT /tapi/guard/single/company': ({ body }) => ({
        body: {
          data: {
            entity_id: 1,
            name: 'Acme Lifts',
            version: company.version + 1,
            values: (body as { values: object }).values,
          },
        },
      }),
    });
  }
  const stored = { id: 1, version: 1, active: true, factor: 'off', kept: 'token', age: 21 };

  it('report insecure ones; Harden lists the changes and skips settings fixed by the server', async () => {
    const calls = serveGuard(stored, { version: 0, values: {} });
    openForm(SettingsPage, guard, { page: 'landing' });
    await page.findByText('One setting is less safe than it could be.');
    page.getByText('This server decides it (SESSION_TRANSPORT): Cookie');
    await userEvent.click(page.getByRole('button', { name: 'Harden' }));
    const dialog = await page.findByRole('dialog');
    expect(dialog.textContent).toContain('Second factorOffAll');
    expect(dialog.textContent).toContain('Everybody sets one up.');
    expect(dialog.textContent).toContain(
      'Cannot be changed here: it is set on this server (SESSION_TRANSPORT), Cookie.',
    );
    expect(puts(calls)).toEqual([]);
    await userEvent.click(page.getAllByRole('button', { name: 'Harden' }).at(-1)!);
    await waitFor(() => expect(puts(calls)).toHaveLength(1));
    expect(puts(calls)[0]).toMatchObject({ factor: 'all', version: 1 });
    expect(puts(calls)[0]).not.toHaveProperty('kept');
    await page.findByText('Every setting is as safe as it can be.');
  });

  it('show where a value comes from, and revert to it', async () => {
    const calls = serveGuard(stored, { version: 5, values: {} });
    openForm(SettingsPage, guard, { page: 'landing' });
    await page.findByText('Chosen for all companies');
    await userEvent.click(page.getByRole('radio', { name: 'Acme Lifts alone' }));
    const age = await page.findByDisplayValue('21');
    page.getByText('From all companies');
    expect(page.queryByLabelText('Second factor')).toBeNull();
    await userEvent.clear(age);
    await userEvent.type(age, '25');
    await userEvent.tab();
    await page.findByText('Chosen for Acme Lifts');
    save();
    await waitFor(() => expect(puts(calls)[0]).toMatchObject({ version: 5, values: { age: 25 } }));
    await userEvent.click(await page.findByRole('button', { name: 'Back to 21' }));
    save();
    await waitFor(() => expect(puts(calls)[1]).toMatchObject({ version: 6 }));
    expect(puts(calls)[1]!.values).toEqual({});
  });
});
