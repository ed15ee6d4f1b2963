import { fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
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
    schema: { required: ['prefix'], properties: { prefix: { $ref: 'types#text', title: 'Prefix' }, days: { $ref: 'types#integer', title: 'Days to pay' } } },
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

const puts = (calls: FakeCall[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as Record<string, unknown>);
const save = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 's', ctrlKey: true });

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('settings', () => {
  it('begin with their defaults, are saved whole the first time and by what changed after that', async () => {
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

  it('are only shown to somebody who may not change them', async () => {
    serve({ id: 1, version: 2, active: true, prefix: 'INV', days: 30 });
    openForm(SettingsPage, screen, { page: 'landing', rights: { write: false } });
    expect((await page.findByDisplayValue('INV')).hasAttribute('readonly')).toBe(true);
    expect(page.queryByRole('button', { name: /Save/ })).toBeNull();
  });
});
