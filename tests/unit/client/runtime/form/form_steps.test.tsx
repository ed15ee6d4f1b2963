import { cleanup, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import type { Screen } from '../../../../../src/descriptor/types.ts';
import type { FakeCall, fakeFetch } from '../../app/fetch_fake.ts';
import { agreementScreen, findsIn, forgetForm, openForm, serveAgreements } from './open_form.tsx';

const tabs = agreementScreen();
const screen: Screen = { ...tabs, form: { ...tabs.form, steps: true } };
const serve = (more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] => serveAgreements(screen, more);
const box = (name: string | RegExp) => page.findByRole('textbox', { name });
const value = async (name: string | RegExp) => ((await box(name)) as HTMLInputElement).value;
const press = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }));
const heading = (name: RegExp) => page.findByRole('heading', { level: 2, name });

beforeEach(() => localStorage.clear());
afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('a form of steps', () => {
  it('checks each step before the next, goes back without loss, shows a summary and saves it', async () => {
    const calls = serve();
    openForm(FormPage, screen);
    await heading(/^Main Step 1 of 3/);
    expect(page.queryByRole('button', { name: /^Save/ })).toBeNull();
    expect(page.getByRole('button', { name: /Place/, expanded: undefined }).closest('li')!.ariaCurrent).toBeNull();
    await press('Next');
    // Still here: two names are missing.
    await waitFor(() => expect(page.getByRole('button', { name: /^Main/ }).textContent).toContain('2 errors'));
    await userEvent.type(await box(/^Code/), 'ag9');
    await userEvent.type(await box(/^Name/), 'Escalator');
    await press('On to place');
    await heading(/^Place Step 2/);
    await userEvent.type(await box(/^Address/), 'Mount Road');
    await press('Back');
    await heading(/^Main/);
    expect(await value(/^Name/)).toBe('Escalator');
    await press('Next');
    await heading(/^Place/);
    expect(await value(/^Address/)).toBe('Mount Road');
    await press('On to rows');
    await heading(/^Rows/);
    await press('On to the summary');
    await heading(/^Summary/);
    expect(within(page.getByRole('region', { name: 'Main' })).getByText('Escalator')).toBeTruthy();
    expect(within(page.getByRole('region', { name: 'Place' })).getByText('Mount Road')).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    await press('Save agreement');
    await waitFor(() =>
      expect(calls.find(({ method, path }) => method === 'POST' && path === '/tapi/agreement')?.body).toMatchObject({
        name: 'Escalator',
        address: 'Mount Road',
      }),
    );
  });

  it('returns to the step with the server’s finding, and keeps the input', async () => {
    serve(findsIn('code', 'There is an agreement with this code.'));
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Code/), 'ag9');
    await userEvent.type(await box(/^Name/), 'Escalator');
    await press('Next');
    await heading(/^Place/);
    await press('Next');
    await heading(/^Rows/);
    await press('Next');
    await heading(/^Summary/);
    await press('Save agreement');
    await heading(/^Main/);
    await page.findByText('There is an agreement with this code.');
    expect(await value(/^Name/)).toBe('Escalator');
    // A step that was reached is open; the summary is one press away again.
    await userEvent.clear(await box(/^Code/));
    await userEvent.type(await box(/^Code/), 'ag10');
    await press(/Summary/);
    await heading(/^Summary/);
  });

  it('offers the input again after leaving the page', async () => {
    serve();
    openForm(FormPage, screen);
    await userEvent.type(await box(/^Name/), 'Goods lift');
    fireEvent.blur(await box(/^Name/));
    cleanup();
    openForm(FormPage, screen);
    await userEvent.click(await page.findByRole('button', { name: /Restore|Take|Use/ }));
    expect(await value(/^Name/)).toBe('Goods lift');
  });

  it('has free tabs for an existing record', async () => {
    serve();
    openForm(FormPage, screen, { page: 'edit_screen', id: '5' });
    await page.findByRole('tab', { name: 'Place' });
    expect(page.getByRole('button', { name: 'Save agreement' })).toBeTruthy();
    expect(page.queryByText(/Step 1/)).toBeNull();
  });
});
