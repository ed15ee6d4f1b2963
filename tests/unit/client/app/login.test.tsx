import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { host, readHost } from '../../../../src/client/app/brand.ts';
import DialogHost from '../../../../src/client/app/dialogs/dialog_host.tsx';
import { dialogs, toasts } from '../../../../src/client/app/feedback.ts';
import ForgotPage from '../../../../src/client/app/login/ForgotPage.tsx';
import LoginPage from '../../../../src/client/app/login/LoginPage.tsx';
import { landingAfterSignIn, prefixFor, safeNext } from '../../../../src/client/app/login/sign_in.ts';
import { currentSession, forgetSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from './fetch_fake.ts';

const companies = [
  { id: 1, name: 'Acme Lifts', financial_year: '2026-2027' },
  { id: 2, name: 'Acme Retail', financial_year: '2026-2027' },
];

function server(
  entities: unknown[] = companies.slice(0, 1),
  reason: string | null = null,
  more: Parameters<typeof fakeFetch>[0] = {},
) {
  return fakeFetch({
    ...more,
    'POST /api/sessions/login': ({ body }) =>
      (body as { password: string }).password === 'right'
        ? {
            body: {
              result: 'success',
              token: 't',
              user_id: 7,
              user_email: 'a@b.in',
              user_name: 'Asha Rao',
              expires_at: '2026-11-28T09:00:00Z',
            },
          }
        : { body: { result: 'failure', message: 'Invalid credentails' } },
    'GET /tapi/get_features_by_role/7': () => ({
      body: { data: [{ entity_list: entities, product_list: ['MS_TKT'], reason }], is_admin: true },
    }),
    'PUT /tapi/session/entity': ({ body }) => ({
      body: {
        entity_id: (body as { entity_id: number }).entity_id,
        entity_name: 'Chosen',
        financial_year: '2026-2027',
      },
    }),
    'GET /tapi/get_email_by_entity': () => ({ body: { data: [] } }),
    'GET /tapi/menu': () => ({ body: { data: { tree: [], screens: [], problems: 0 } } }),
    'PUT /update_user_logged_data/7/cmp_demo': () => ({ body: {} }),
    'GET /version.json': () => ({ body: { version: 'v1' } }),
  });
}

function open(address = '/login', answer: object = { sub_domain: 'demo' }) {
  host.set(readHost(200, answer));
  const router = createMemoryRouter(
    [
      { path: '/login', Component: LoginPage },
      { path: '/forgotpassword', Component: ForgotPage },
      { path: '*', element: <p>another page</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <FluentProvider theme={webLightTheme}>
      <RouterProvider router={router} />
      <DialogHost />
    </FluentProvider>,
  );
  return router;
}

const email = () => screen.getByRole('textbox', { name: /E-mail or username/ });
const password = () => screen.getByLabelText(/^Password/);

beforeEach(() => forgetSession());
afterEach(() => {
  forgetSession();
  dialogs.set([]);
  toasts.set([]);
});

describe('sign in', () => {
  it('trims, moves from field to field by Enter, stores the session and opens Home', async () => {
    const calls = server();
    const router = open();
    await userEvent.type(email(), '  asha  {Enter}');
    expect(document.activeElement).toBe(password());
    await userEvent.keyboard(' right {Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/show_list'));
    expect(calls.find((call) => call.path === '/api/sessions/login')?.body).toEqual({
      email: 'asha',
      password: 'right',
      prefix: 'cmp_demo',
    });
    expect(currentSession()).toMatchObject({
      token: 't',
      userId: 7,
      entityId: 1,
      domain: 'demo',
      expiryDate: '2026-11-28',
      isAdmin: true,
    });
  });

  it('accepting an invitation signs in at once; resetting a password too', async () => {
    for (const invited of [true, false]) {
      forgetSession();
      const calls = server(undefined, null, {
        'POST /api/password/reset': () => ({ body: { result: 'success', username: 'asha', invited } }),
      });
      const router = open('/forgotpassword#token=abc');
      for (const field of screen.getAllByLabelText(/^New password/).filter(({ tagName }) => tagName === 'INPUT'))
        await userEvent.type(field, 'umbrella river 42');
      await userEvent.click(screen.getByRole('button', { name: 'Save password' }));
      if (invited)
        await waitFor(() =>
          expect(calls.find((call) => call.path === '/api/sessions/login')?.body).toEqual({
            email: 'asha',
            password: 'umbrella river 42',
            prefix: 'cmp_demo',
          }),
        );
      else await screen.findByRole('heading', { name: 'Your new password is set' });
      expect([invited, calls.some((call) => call.path === '/api/sessions/login')]).toEqual([invited, invited]);
      expect(router.state.location.pathname).toBe('/forgotpassword');
      cleanup();
    }
  });

  it('shows Invalid credentails and removes the overlay', async () => {
    server();
    open();
    await userEvent.type(email(), 'asha{Enter}wrong{Enter}');
    expect(await screen.findByText('Invalid credentails')).toBeTruthy();
    expect(screen.queryByText('Signing in…')).toBeNull();
    expect(currentSession().signedIn).toBe(false);
  });

  it('shows a server error when there is no answer', async () => {
    fakeFetch({ 'POST /api/sessions/login': 'fail' });
    open();
    await userEvent.type(email(), 'asha{Enter}right{Enter}');
    await waitFor(() => expect(toasts.get()[0]?.text).toBe('server error'));
  });

  it('shows how long a locked account must wait', async () => {
    fakeFetch({ 'POST /api/sessions/login': () => ({ body: { result: 'locked', retry_after_s: 110 } }) });
    open();
    await userEvent.type(email(), 'asha{Enter}right{Enter}');
    expect(await screen.findByText('Too many attempts. Try again in 2 minutes.')).toBeTruthy();
  });

  it('treats a client without companies as deactivated and clears storage', async () => {
    server([], 'client_deactivated');
    localStorage.setItem('left', 'over');
    open();
    await userEvent.type(email(), 'asha{Enter}right{Enter}');
    expect(await screen.findByText('Client is Deactivated')).toBeTruthy();
    expect(localStorage.length).toBe(0);
  });

  it('asks for the company when there are several; Proceed waits for a choice; no Cancel', async () => {
    const calls = server(companies);
    const router = open('/login?next=/show_list%3Fa%3D1');
    await userEvent.type(email(), 'asha{Enter}right{Enter}');
    const proceed = await screen.findByRole('button', { name: 'Proceed' });
    expect(proceed.hasAttribute('disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: /Acme Retail/ }));
    await userEvent.click(proceed);
    await waitFor(() => expect(router.state.location.search).toBe('?a=1'));
    expect(calls.find((call) => call.path === '/tapi/session/entity')?.body).toMatchObject({ entity_id: 2 });
  });

  it('has a Sub Domain field only if the host has none; if it is empty, the button does nothing', async () => {
    const calls = server();
    open('/login', { sub_domain: null });
    const field = screen.getByLabelText(/Sub Domain/);
    await userEvent.type(email(), 'asha{Enter}right{Enter}');
    expect(document.activeElement).toBe(field);
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(calls.some((call) => call.path === '/api/sessions/login')).toBe(false);
    await userEvent.type(field, 'DEMO{Enter}');
    await waitFor(() =>
      expect(calls.find((call) => call.path === '/api/sessions/login')?.body).toMatchObject({ prefix: 'cmp_demo' }),
    );
  });

  it('shows and hides the password', async () => {
    server();
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password().getAttribute('type')).toBe('text');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(password().getAttribute('type')).toBe('password');
  });

  it('marks both fields required in the board variant', () => {
    server();
    open('/login', { sub_domain: 'demo', brand: { login_variant: 'board' } });
    expect((email() as HTMLInputElement).required).toBe(true);
    expect((password() as HTMLInputElement).required).toBe(true);
  });

  it('an unknown host shows a message and nothing else', () => {
    host.set(readHost(404, {}));
    render(
      <FluentProvider theme={webLightTheme}>
        <RouterProvider router={createMemoryRouter([{ path: '/', Component: LoginPage }])} />
      </FluentProvider>,
    );
    expect(screen.getByText('This address is not in use')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('after sign-in', () => {
  it('accepts only paths of this product as next', () => {
    expect(safeNext('/branch?page=2')).toBe('/branch?page=2');
    for (const bad of [
      '//evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\\evil.example',
      '/login',
      null,
    ]) {
      expect(safeNext(bad)).toBeNull();
    }
  });

  it('follows the variant', () => {
    expect(landingAfterSignIn({ domain: 'demo', chairman_flag: true }, 'board', false)).toBe('/BoardDashBoard');
    expect(landingAfterSignIn({ domain: 'demo', secretary_flag: true }, 'board', false)).toBe('/SecretaryBoard');
    expect(landingAfterSignIn({ domain: 'demo' }, 'board', false)).toBe('/scorecard_new');
    expect(landingAfterSignIn({ domain: 'demo', product_list: ['MS_FMS'] }, 'classic', true)).toBe('/welcome_page');
    expect(landingAfterSignIn({ domain: 'demo', product_list: ['MS_FMS'] }, 'classic', false)).toBe('/show_list');
    expect(landingAfterSignIn({ domain: 'public' }, 'classic', false)).toBe('/admin_landing');
    const roles_list = [
      { id: 1, role_name: 'Staff' },
      { id: 2, role_name: 'Planner', landing_route: '/calendar' },
    ];
    expect(landingAfterSignIn({ domain: 'demo', roles_list }, 'classic', true)).toBe('/calendar');
    const further = [...roles_list, { id: 3, role_name: 'Desk', landing_route: '/ticket' }];
    expect(landingAfterSignIn({ domain: 'demo', roles_list: further }, 'classic', true)).toBe('/show_list');
    for (const variant of ['board', 'classic'] as const) {
      const to = (flags: object) => landingAfterSignIn({ domain: 'demo', roles_list, ...flags }, variant, false);
      expect([to({ chairman_flag: true }), to({ ceo_flag: true })]).toEqual(['/BoardDashBoard', '/BoardDashBoard']);
      expect(to({ secretary_flag: true })).toBe('/SecretaryBoard');
    }
  });

  it('derives the prefix from the input', () => {
    expect(prefixFor(' Acme ')).toBe('cmp_acme');
    expect(prefixFor('cmp_acme')).toBe('cmp_acme');
    expect(prefixFor('north-star')).toBe('cmp_north_star');
    expect(prefixFor('admin')).toBe('public');
  });
});
