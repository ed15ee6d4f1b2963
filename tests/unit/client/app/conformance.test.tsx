import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, RouterProvider, createMemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../../../src/client/api/http.ts';
import { menu } from '../../../../src/client/api/screens.ts';
import { noteServerTime } from '../../../../src/client/api/session_events.ts';
import { host, readHost } from '../../../../src/client/app/brand.ts';
import CompanyDialog from '../../../../src/client/app/dialogs/company_dialog.tsx';
import { quickTiles } from '../../../../src/client/app/dialogs/quick_tiles.ts';
import { answerDialog, dialogs, toasts } from '../../../../src/client/app/feedback.ts';
import { endForNewVersion } from '../../../../src/client/app/end_for_new_version.ts';
import { firstPage } from '../../../../src/client/app/first_page.ts';
import ProfileMenu from '../../../../src/client/app/layout/ProfileMenu.tsx';
import { panel } from '../../../../src/client/app/layout/panels.ts';
import { TopBar } from '../../../../src/client/app/layout/TopBar.tsx';
import { RefreshButton } from '../../../../src/client/app/layout/TopTools.tsx';
import { chunkTime, loadInTime } from '../../../../src/client/app/lazy_page.ts';
import { lostCompany } from '../../../../src/client/app/lost_company.ts';
import HelpDialog from '../../../../src/client/app/login/help_dialog.tsx';
import LoginPage from '../../../../src/client/app/login/LoginPage.tsx';
import { fromFeatures, signIn, updateLoggedData } from '../../../../src/client/app/login/sign_in.ts';
import { router } from '../../../../src/client/app/router.tsx';
import { currentSession, forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { cookieToken, readStoredSession } from '../../../../src/client/app/stored_session.ts';
import { afterNewVersion, checkVersion, reloadForNewVersion } from '../../../../src/client/app/version_check.ts';
import { fakeFetch } from './fetch_fake.ts';
import { screenSample } from './screens_sample.ts';

// The test browser scrolls nothing.
Element.prototype.scrollTo ??= () => undefined;

// Each test is the proof of one line of docs/conformance.md that no other test is about.

const dayFromNow = (days: number) => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
};
const companies = [
  { id: 1, name: 'Acme Lifts' },
  { id: 2, name: 'Acme Retail' },
];

function show(what: React.ReactNode) {
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>{what}</MemoryRouter>
    </FluentProvider>,
  );
}

beforeEach(() => forgetSession());
afterEach(() => {
  vi.useRealTimers();
  forgetSession();
  dialogs.set([]);
  toasts.set([]);
});

describe('the list of customers', () => {
  it('is stored with the session; its absence for a visiting user is logged to the console without a message', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const some = [{ id: 1, code: 'ARUN', name: 'Arun Stores' }];
    expect(fromFeatures({ data: [{ product_list: ['MS_VISITS'] }], customer: some }).customers).toEqual(some);
    expect(fromFeatures({ data: [{ product_list: ['MS_FMS'] }], customer: [] }).customers).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    expect(fromFeatures({ data: [{ product_list: ['MS_VISITS'] }], customer: [] }).customers).toEqual([]);
    expect(warn).toHaveBeenCalledOnce();
    expect(toasts.get()).toEqual([]);
    warn.mockRestore();
  });
});

describe('sign in', () => {
  it('sends the date to the server three seconds later, and nothing before', async () => {
    const calls = fakeFetch({
      'POST /api/sessions/login': () => ({
        body: { result: 'success', token: 't', user_id: 7, user_name: 'Asha Rao', expires_at: '2026-11-28T09:00:00Z' },
      }),
      'GET /tapi/get_features_by_role/7': () => ({ body: { data: [{ entity_list: companies.slice(0, 1) }] } }),
      'PUT /tapi/session/entity': () => ({ body: { entity_id: 1 } }),
      'GET /tapi/get_email_by_entity': () => ({ body: { data: [] } }),
      'GET /tapi/menu': () => ({ body: { data: { tree: [], screens: [], pages: [], hidden: [], problems: 0 } } }),
      'PUT /update_user_logged_data/7/cmp_demo': () => ({ status: 503, body: {} }),
      'GET /version.json': () => ({ body: { version: 'v1' } }),
    });
    host.set(readHost(200, { sub_domain: 'demo' }));
    const waits = vi.spyOn(globalThis, 'setTimeout');
    const memory = createMemoryRouter(
      [
        { path: '/login', Component: LoginPage },
        { path: '*', element: <p>Inside</p> },
      ],
      { initialEntries: ['/login'] },
    );
    render(
      <FluentProvider theme={webLightTheme}>
        <RouterProvider router={memory} />
      </FluentProvider>,
    );
    await userEvent.type(screen.getByRole('textbox', { name: /E-mail or username/ }), 'asha{Enter}right{Enter}');
    await waitFor(() => expect(memory.state.location.pathname).toBe('/show_list'));
    const logged = () => calls.filter((call) => call.path.startsWith('/update_user_logged_data'));
    expect(logged()).toEqual([]);
    const [later] = waits.mock.calls.find(([, after]) => after === 3000) ?? [];
    waits.mockRestore();
    expect(later).toBeTypeOf('function');
    later?.();
    await waitFor(() =>
      expect(logged()[0]?.body).toMatchObject({ user_dataset: { expiry_date: '2026-11-28' }, from_user: 7 }),
    );
    // A failure is told with the status.
    await waitFor(() => expect(toasts.get()[0]?.text).toMatch(/^503/));
  });

  it('names the platform’s own schema public', async () => {
    const calls = fakeFetch({ 'PUT /update_user_logged_data/1/public': () => ({ body: {} }) });
    expect(
      await updateLoggedData(
        { token: 't', user_id: 1, domain: 'public', expiry_date: '2026-11-28' },
        new Date(2026, 10, 21),
      ),
    ).toBeNull();
    expect(calls[0]?.body).toMatchObject({ user_dataset: { logged_date: '2026-11-21' } });
  });

  it('missing rights of the platform count as wrong credentials', async () => {
    fakeFetch({
      'POST /api/sessions/login': () => ({ body: { result: 'success', token: 't', user_id: 1 } }),
      'GET /api/get_screen_and_user_data_by_role/': () => ({ status: 500, body: {} }),
    });
    expect(
      await signIn(
        { email: 'root', password: 'right', subDomain: '' },
        readHost(200, { sub_domain: 'admin', admin: true }),
      ),
    ).toEqual({ result: 'refused' });
  });

  it('Forgot Password leads to the page for it, on the platform’s host to its own', async () => {
    for (const [admin, path] of [
      [false, '/forgotpassword'],
      [true, '/forgotpassword_admin'],
    ] as const) {
      fakeFetch({ 'GET /version.json': () => ({ body: { version: 'v1' } }) });
      host.set(readHost(200, { sub_domain: admin ? 'admin' : 'demo', admin }));
      const memory = createMemoryRouter(
        [
          { path: '/login', Component: LoginPage },
          { path: '*', element: <p>Another page</p> },
        ],
        { initialEntries: ['/login'] },
      );
      const { unmount } = render(
        <FluentProvider theme={webLightTheme}>
          <RouterProvider router={memory} />
        </FluentProvider>,
      );
      await userEvent.click(screen.getByRole('link', { name: 'Forgot Password' }));
      await waitFor(() => expect(memory.state.location.pathname).toBe(path));
      unmount();
    }
  });

  it('the bare address leads to the page after signing in, if it is permitted', async () => {
    const board = {
      ...screenSample('board'),
      routes: { landing: '/BoardDashBoard', add: null, edit: null, view: null },
    };
    host.set(readHost(200, { sub_domain: 'demo', brand: { login_variant: 'board' } }));
    for (const [screens, path] of [
      [[board], '/BoardDashBoard'],
      [[], '/show_list'],
    ] as const) {
      fakeFetch({ 'GET /tapi/menu': () => ({ body: { data: { tree: [], screens } } }) });
      rememberSession({ token: 't', user_id: 7, entity_id: 1, chairman_flag: true });
      menu.set({ tree: [], screens: [...screens], pages: [], hidden: [], problems: 0, loaded: true, error: null });
      const memory = createMemoryRouter(router.routes as Parameters<typeof createMemoryRouter>[0], {
        initialEntries: ['/'],
      });
      const { unmount } = render(
        <FluentProvider theme={webLightTheme}>
          <RouterProvider router={memory} />
        </FluentProvider>,
      );
      await waitFor(() => expect(memory.state.location.pathname).toBe(path));
      unmount();
    }
    host.set(readHost(200, {}));
  });

  it('users with no account are told to contact their administrator', () => {
    show(<HelpDialog brand={{ ...readHost(200, {}).brand, supportEmail: 'help@acme.in' }} onClose={() => undefined} />);
    expect(screen.getByText('Users without an account: contact your administrator.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'help@acme.in' })).toBeTruthy();
  });

  it('a signed-in person who opens it goes to the welcome page with product FMS, otherwise to the first page', async () => {
    fakeFetch({});
    for (const [products, path] of [
      [['MS_FMS'], '/welcome_page'],
      [['MS_TKT'], '/show_list'],
    ] as const) {
      rememberSession({ token: 't', user_id: 7, entity_id: 1, product_list: [...products] });
      const memory = createMemoryRouter(router.routes as Parameters<typeof createMemoryRouter>[0], {
        initialEntries: ['/login'],
      });
      const { unmount } = render(
        <FluentProvider theme={webLightTheme}>
          <RouterProvider router={memory} />
        </FluentProvider>,
      );
      await waitFor(() => expect(memory.state.location.pathname).toBe(path), { timeout: 20_000 });
      unmount();
    }
  });

  it('/login and /show_list open for everybody; a forbidden page leads back to them', async () => {
    const branch = screenSample('branch', { landing: false });
    fakeFetch({ 'GET /tapi/menu': () => ({ body: { data: { tree: [], screens: [branch], pages: [] } } }) });
    const open = (address: string) => {
      const memory = createMemoryRouter(router.routes as Parameters<typeof createMemoryRouter>[0], {
        initialEntries: [address],
      });
      const shown = render(
        <FluentProvider theme={webLightTheme}>
          <RouterProvider router={memory} />
        </FluentProvider>,
      );
      return { memory, ...shown };
    };
    forgetSession();
    host.set(readHost(200, { sub_domain: 'demo', brand: { title: 'Acme' } }));
    const outside = open('/login');
    expect(await screen.findByRole('heading', { level: 1, name: /Sign in to/ })).toBeTruthy();
    outside.unmount();

    rememberSession({ token: 't', user_id: 7, entity_id: 1 });
    toasts.set([]);
    const home = open('/show_list');
    expect(await screen.findByRole('heading', { level: 1, name: 'Home' })).toBeTruthy();
    expect(home.memory.state.location.pathname).toBe('/show_list');
    expect(toasts.get()).toEqual([]);
    home.unmount();

    const refused = open('/branch');
    await waitFor(() => expect(refused.memory.state.location.pathname).toBe('/show_list'));
    expect(toasts.get().map(({ text }) => text)).toContain('You do not have access to that page.');
    refused.unmount();
    host.set(readHost(200, {}));
  });

  it('opens the requested page written in code like a screen, if the user may', async () => {
    fakeFetch({
      'GET /tapi/menu': () => ({
        body: {
          data: {
            tree: [],
            screens: [screenSample('branch')],
            pages: ['/notifications', '/screen_rights/:id'],
            problems: 0,
          },
        },
      }),
    });
    expect(await firstPage('/notifications')).toBe('/notifications');
    expect(await firstPage('/screen_rights/3?tab=a')).toBe('/screen_rights/3?tab=a');
    expect(await firstPage('/branch')).toBe('/branch');
    expect(await firstPage('/jobs')).toBe('/show_list');
    menu.set({ tree: [], screens: [], pages: [], hidden: [], problems: 0, loaded: false, error: null });
  });

  it('ignores values in the browser’s storage that somebody changed', () => {
    rememberSession({ token: 't', user_id: 7 });
    localStorage.setItem('is_admin', '"yes"');
    localStorage.setItem('entity_list', '{"id":1}');
    localStorage.setItem('user_name', 'not json');
    expect(readStoredSession()).toMatchObject({
      token: 't',
      user_id: 7,
      is_admin: false,
      entity_list: [],
      user_name: '',
    });
  });
});

describe('the company dialog', () => {
  it('has Cancel only when a company is chosen already', () => {
    show(<CompanyDialog companies={companies} current={2} onApplied={() => undefined} onClose={() => undefined} />);
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    expect((screen.getByRole('radio', { name: 'Acme Retail' }) as HTMLInputElement).checked).toBe(true);
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
  });

  it('shows its icon only with more than one company', () => {
    fakeFetch({});
    rememberSession({
      token: 't',
      user_id: 7,
      entity_id: 1,
      entity_list: companies.slice(0, 1),
      expiry_date: dayFromNow(7),
    });
    show(<TopBar />);
    expect(screen.queryByRole('button', { name: 'Switch company' })).toBeNull();
    act(() => rememberSession({ entity_list: companies }));
    expect(screen.getByRole('button', { name: 'Switch company' })).toBeTruthy();
  });
});

describe('the profile menu', () => {
  it('shows the initials when a picture fails to load', async () => {
    rememberSession({
      token: 't',
      user_id: 7,
      entity_id: 1,
      user_name: 'Asha Rao',
      profile_image: 'data:image/png;base64,broken',
    });
    show(<ProfileMenu />);
    const picture = screen.getByRole('button', { name: /account/ }).querySelector('img')!;
    expect(picture.getAttribute('src')).toBe('data:image/png;base64,broken');
    act(() => void picture.dispatchEvent(new Event('error')));
    expect(screen.getByText('AR')).toBeTruthy();
    expect(screen.getByRole('button', { name: /account/ }).querySelector('img:not([hidden])')).toBeNull();
  });
});

describe('companies', () => {
  it('that are removed meanwhile are asked again: another one is chosen, and without any the person is signed out', async () => {
    for (const left of [companies.slice(1), []]) {
      rememberSession({ token: 't', user_id: 7, entity_id: 1, entity_list: companies });
      const calls = fakeFetch({
        'GET /tapi/get_features_by_role/7': () => ({ body: { data: [{ entity_list: left }] } }),
      });
      const out = vi.fn();
      const done = lostCompany(out);
      if (left.length === 0) {
        await waitFor(() =>
          expect(dialogs.get()[0]).toMatchObject({ text: 'Your account has no company. Contact your administrator.' }),
        );
        answerDialog(dialogs.get()[0]!.id, true);
      }
      await done;
      expect(calls[0]!.headers.get('x-entity-id')).toBeNull();
      expect([currentSession().signedIn, currentSession().entityId, out.mock.calls.length, panel.get()]).toEqual(
        left.length > 0 ? [true, null, 0, 'company'] : [false, null, 1, null],
      );
      panel.set(null);
    }
  });
});

describe('logout', () => {
  it('ends the analytics tokens and the session, even if a call fails', async () => {
    const calls = fakeFetch({
      'POST /api/analytics_token_update': () => ({ status: 500, body: {} }),
      'POST /api/sessions/logout': () => ({ status: 204 }),
    });
    rememberSession({
      token: 't',
      user_id: 7,
      user_name: 'Asha Rao',
      user_email: 'asha@acme.in',
      domain: 'acme',
      product_list: ['MS_ANALYTICS'],
    });
    show(<ProfileMenu />);
    await userEvent.click(screen.getByRole('button', { name: 'AR Asha Rao: account' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(currentSession().signedIn).toBe(false));
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/analytics_token_update',
      '/api/sessions/logout',
    ]);
    expect(calls[0]!.body).toMatchObject({
      token: null,
      email: 'asha@acme.in',
      product_code: 'MS_ANALYTICS',
      sub_domain: 'acme',
    });
    expect(toasts.get()).toEqual([]);
  });
});

describe('the end of a session', () => {
  it('shows a button to extend the session below three days, and hides it afterwards', async () => {
    const calls = fakeFetch({
      'POST /api/update_refresh_token/~': () => ({ body: { new_token: 't2', expiry_date: dayFromNow(8) } }),
    });
    rememberSession({ token: 't', user_id: 7, entity_id: 1, expiry_date: dayFromNow(3) });
    show(<RefreshButton />);
    expect(screen.queryByRole('button', { name: /Your session ends/ })).toBeNull();
    act(() => rememberSession({ expiry_date: dayFromNow(2) }));
    await userEvent.click(screen.getByRole('button', { name: 'Your session ends in 2 days. Extend it' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Your session ends/ })).toBeNull());
    expect(currentSession()).toMatchObject({ token: 't2', expiryDate: dayFromNow(8) });
    expect(calls.some((call) => call.path === '/api/update_refresh_token/~')).toBe(true);
  });

  it('is noticed in a tab that stays open for days', () => {
    // In the morning, so that 49 hours are two days at whatever time this runs.
    vi.useFakeTimers({ now: new Date(2026, 5, 10, 9) });
    rememberSession({ token: 't', user_id: 7, entity_id: 1, expiry_date: dayFromNow(4) });
    show(<RefreshButton />);
    expect(screen.queryByRole('button', { name: /Your session ends/ })).toBeNull();
    act(() => void vi.advanceTimersByTime(49 * 3_600_000));
    expect(screen.getByRole('button', { name: 'Your session ends in 2 days. Extend it' })).toBeDefined();
  });

  it('is counted by the server’s clock and the client’s day, whatever the browser’s clock says', async () => {
    rememberSession({ token: 't', user_id: 7, entity_id: 1, expiry_date: dayFromNow(5) });
    show(<RefreshButton />);
    expect(screen.queryByRole('button', { name: /Your session ends/ })).toBeNull();
    // This browser is four days behind.
    fakeFetch({
      'GET /tapi/menu': () => ({ body: {}, headers: { date: new Date(Date.now() + 4 * 86_400_000).toUTCString() } }),
    });
    await act(async () => void (await api.get('/tapi/menu')));
    expect(screen.getByRole('button', { name: 'Your session ends in 1 day. Extend it' })).toBeDefined();
    noteServerTime(new Date().toUTCString());
  });

  it('keeps the session where scripts cannot read it', async () => {
    fakeFetch({ 'POST /api/update_refresh_token/~': () => ({ body: { new_token: '', expiry_date: dayFromNow(8) } }) });
    rememberSession({ token: cookieToken, user_id: 7, entity_id: 1, expiry_date: dayFromNow(1) });
    show(<RefreshButton />);
    await userEvent.click(screen.getByRole('button', { name: /Your session ends/ }));
    await waitFor(() => expect(currentSession()).toMatchObject({ token: cookieToken, expiryDate: dayFromNow(8) }));
  });

  it('hides a failed refresh, and keeps the button', async () => {
    const calls = fakeFetch({ 'POST /api/update_refresh_token/~': () => ({ status: 500, body: {} }) });
    rememberSession({ token: 't', user_id: 7, entity_id: 1, expiry_date: dayFromNow(0) });
    show(<RefreshButton />);
    await userEvent.click(screen.getByRole('button', { name: 'Your session ends today. Extend it' }));
    await waitFor(() =>
      expect(calls.filter((call) => call.path.startsWith('/api/update_refresh_token'))).toHaveLength(1),
    );
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /Your session ends/ }).hasAttribute('disabled')).toBe(false),
    );
    expect(toasts.get()).toEqual([]);
  });
});

describe('a new bundle', () => {
  it('is announced once and remembered, but not on health-check pages or at the first visit', async () => {
    let version = 'v1';
    fakeFetch({ 'GET /version.json': () => ({ body: { version } }) });
    await checkVersion('/branch');
    expect(dialogs.get()).toEqual([]);
    version = 'v2';
    await checkVersion('/health_check_home_screen/1/a/b/2');
    expect(localStorage.getItem('bundle_version')).toBe('v1');
    void checkVersion('/branch');
    await waitFor(() => expect(dialogs.get()).toHaveLength(1));
    expect(JSON.stringify(dialogs.get()[0])).toContain('New version is out! Please logout and re-login to continue.');
    expect(localStorage.getItem('bundle_version')).toBe('v2');
    dialogs.set([]);
    await checkVersion('/branch');
    expect(dialogs.get()).toEqual([]);
  });

  it('reloads a page with missing files once for each new version, also if another tab has noted it, and never in a loop', async () => {
    let version = 'v2';
    fakeFetch({ 'GET /version.json': () => ({ body: { version } }) });
    const own = document.createElement('meta');
    own.name = 'app-version';
    own.content = 'v1';
    document.head.append(own);
    localStorage.setItem('bundle_version', 'v2');
    sessionStorage.removeItem('reloaded_for_bundle');
    const reload = vi.fn();
    await reloadForNewVersion(reload);
    expect(reload).toHaveBeenCalledTimes(1);
    // The file is missing in the new version too: no second time.
    await reloadForNewVersion(reload);
    expect(reload).toHaveBeenCalledTimes(1);
    version = 'v3';
    await reloadForNewVersion(reload);
    expect(reload).toHaveBeenCalledTimes(2);
    // A page of the newest version whose connection was cut is not loaded again.
    own.content = 'v4';
    version = 'v4';
    await reloadForNewVersion(reload);
    expect(reload).toHaveBeenCalledTimes(2);
    own.remove();
    sessionStorage.removeItem('reloaded_for_bundle');
  });

  it('ends the session if the client wants that, and keeps unsaved input', async () => {
    localStorage.setItem('bundle_version', 'v1');
    localStorage.setItem('a draft', 'typed');
    rememberSession({ token: 't', user_id: 1 });
    const calls = fakeFetch({
      'GET /version.json': () => ({ body: { version: 'v2' } }),
      'POST /api/sessions/logout': () => ({ body: null }),
    });
    expect([
      readHost(200, { data: { force_reload_on_new_version: true } }).endsOnUpdate,
      readHost(200, { data: {} }).endsOnUpdate,
    ]).toEqual([true, false]);
    const went: string[] = [];
    endForNewVersion((address) => went.push(address));
    const checked = checkVersion('/branch');
    await waitFor(() => expect(dialogs.get()).toHaveLength(1));
    expect(currentSession().signedIn).toBe(true);
    (dialogs.get()[0] as { resolve: (ok: boolean) => void }).resolve(true);
    await checked;
    expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/sessions/logout')).toBe(true);
    expect([currentSession().signedIn, localStorage.getItem('a draft')]).toEqual([false, 'typed']);
    expect(went).toEqual([expect.stringMatching(/^\/login\?ended&next=/)]);
    afterNewVersion(null);
    dialogs.set([]);
  });

  it('a script has 120 seconds to load, then it is a chunk load error', async () => {
    expect(chunkTime).toBe(120_000);
    vi.useFakeTimers();
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const late = loadInTime(() => new Promise(() => undefined));
    const failed = expect(late).rejects.toMatchObject({
      name: 'ChunkError',
      message: 'This page could not be loaded.',
    });
    await vi.advanceTimersByTimeAsync(chunkTime);
    await failed;
    await expect(
      loadInTime(() => Promise.reject(new Error('Unable to preload CSS for /assets/a.css'))),
    ).rejects.toMatchObject({ name: 'ChunkError' });
    expect(said.mock.calls.every(([first]) => first === 'Chunk load error')).toBe(true);
    said.mockRestore();
  });
});

describe('quick add', () => {
  const walkin = {
    ...screenSample('walkin'),
    routes: { landing: '/walkin/landing', add: '/walkin/landing', edit: null, view: null },
  };

  it('needs the add right on the screen; a walk-in needs a branch too', () => {
    const may = { ...walkin, rights: { ...walkin.rights, landing: true, add_screen: true } };
    const tile = (branchId: number | null, ref = may) =>
      quickTiles([ref], { branchId }).shortcuts.find(({ label }) => label === 'Walk-in');
    expect(tile(4)).toMatchObject({ to: '/walkin/landing?flag=add' });
    expect(tile(4)?.disabled).toBeUndefined();
    for (const none of [null, 0])
      expect(tile(none)?.disabled).toBe('To add a walkin - please map a branch to the user & re-login.');
    expect(tile(4, { ...may, rights: { ...may.rights, add_screen: false } })).toBeUndefined();
  });
});

describe('widths', () => {
  const css = (path: string) => readFileSync(join(import.meta.dirname, '../../../../src/client', path), 'utf8');

  it.each([
    ['app/dialogs/quick_add.module.css', 700],
    ['app/dialogs/company_dialog.module.css', 600],
    ['app/dialogs/dialog_host.module.css', 350],
    ['app/dialogs/dialog_host.module.css', 500],
  ])('%s: %i px and never wider than the screen less 16', (file, width) => {
    expect(css(file)).toContain(`width: min(${width}px, calc(100vw - 16px))`);
  });

  it('the picker of date and time has 340 px, companies stand two in a row, toasts top right', () => {
    expect(css('runtime/fields/calendar/calendar.module.css')).toMatch(/width: (min\()?340px/);
    expect(css('app/dialogs/company_dialog.module.css')).toMatch(/grid-template-columns: (1fr 1fr|repeat\(2,)/);
    expect(css('app/toaster.module.css')).toMatch(
      /^\.toaster \{\s+position: fixed;[^}]*top: calc\(\d+px \+ var\(--banners, 0px\)\);\s+right: \d+px;/,
    );
  });

  it('a phone is 576 px wide or less, for the styles as for the code', () => {
    expect(css('app/session.ts')).toContain("'(max-width: 576px)'");
    for (const file of ['app/login/login.module.css', 'app/toaster.module.css'])
      expect(css(file)).toContain('(max-width: 576px)');
  });
});
