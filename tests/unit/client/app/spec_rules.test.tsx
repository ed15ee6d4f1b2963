import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, RouterProvider, createMemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetScreens, menu, screenRefs } from '../../../../src/client/api/screens.ts';
import { quickTiles } from '../../../../src/client/app/dialogs/quick_tiles.ts';
import { toasts } from '../../../../src/client/app/feedback.ts';
import HomePage from '../../../../src/client/app/home/HomePage.tsx';
import BottomBar from '../../../../src/client/app/layout/BottomBar.tsx';
import { OfflineBanner } from '../../../../src/client/app/layout/OfflineBanner.tsx';
import ProfileMenu from '../../../../src/client/app/layout/ProfileMenu.tsx';
import ScreenPage from '../../../../src/client/app/screen_page.tsx';
import { currentSession, forgetSession, isPhone, rememberSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from './fetch_fake.ts';
import { screenSample } from './screens_sample.ts';

// Each test proves one line of docs/conformance.md.

function open(address: string, home: React.ReactNode = <p>Home</p>) {
  const router = createMemoryRouter(
    [
      { path: '/show_list', element: home },
      { path: '/welcome_page', element: <p>Welcome</p> },
      { path: '/admin_landing', element: <p>Platform</p> },
      { path: '/checklist_Template_page', element: <p>Library</p> },
      { path: '*', Component: ScreenPage },
    ],
    { initialEntries: [address] },
  );
  render(
    <FluentProvider theme={webLightTheme}>
      <RouterProvider router={router} />
    </FluentProvider>,
  );
  return router;
}
const served = (pages: string[]) =>
  menu.set({ tree: [], screens: [], pages, hidden: [], problems: 0, loaded: true, error: null });

beforeEach(() => {
  toasts.set([]);
  screenRefs.set([]);
});
afterEach(() => {
  forgetSession();
  forgetScreens();
  toasts.set([]);
  vi.unstubAllGlobals();
});

describe('an administration host', () => {
  beforeEach(() => rememberSession({ token: 'tok', user_id: 7, domain: 'public', is_admin: true }));
  const refuse = () =>
    fakeFetch({
      'GET /tapi/screens/branch': () => ({ status: 403, body: { error: { code: 'forbidden', message: 'No.' } } }),
    });

  it('redirects from a page that is not common to the library, with a message', async () => {
    served(['/checklist_Template_page']);
    screenRefs.set([screenSample('branch', { landing: false })]);
    menu.set((old) => ({ ...old, screens: [screenSample('branch', { landing: false })] }));
    refuse();
    const router = open('/branch');
    await waitFor(() => expect(router.state.location.pathname).toBe('/checklist_Template_page'));
    expect(toasts.get().map(({ text }) => text)).toEqual(['You do not have access to that page.']);
  });

  it('leads to the welcome page with product FMS', async () => {
    rememberSession({ product_list: ['MS_FMS'] });
    served(['/checklist_Template_page']);
    menu.set((old) => ({ ...old, screens: [screenSample('branch', { landing: false })] }));
    const router = open('/branch');
    await waitFor(() => expect(router.state.location.pathname).toBe('/welcome_page'));
  });

  it('has its own home, for people who may see it; clients have theirs', async () => {
    served(['/admin_landing']);
    const router = open('/show_list', <HomePage />);
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin_landing'));
  });

  it('without the right to the platform’s figures, Home is named after the platform and lists the permitted pages', async () => {
    served([]);
    fakeFetch({});
    const router = open('/show_list', <HomePage />);
    expect(await screen.findByRole('heading', { level: 1, name: 'Platform home' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/show_list');
  });
});

it('a client’s Home is never the platform’s, whatever pages exist', async () => {
  rememberSession({ token: 'tok', user_id: 7, domain: 'acme' });
  served(['/admin_landing']);
  fakeFetch({});
  const router = open('/show_list', <HomePage />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Home' })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/show_list');
});

it('logout clears all local data', async () => {
  fakeFetch({ 'POST /api/sessions/logout': () => ({ status: 204 }) });
  rememberSession({ token: 't', user_id: 7, user_name: 'Asha Rao', user_email: 'asha@acme.in', domain: 'acme' });
  localStorage.setItem('draft /branch/add', '{"name":"half"}');
  localStorage.setItem('selected_params', '{}');
  sessionStorage.setItem('entity', '1');
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <ProfileMenu />
      </MemoryRouter>
    </FluentProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'AR Asha Rao: account' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(currentSession().signedIn).toBe(false));
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

describe('widths', () => {
  it.each([
    [576, true],
    [577, false],
  ])('of %i px: a phone is %s', (width, phone) => {
    vi.stubGlobal('matchMedia', (query: string) => {
      const max = Number(/^\(max-width: (\d+)px\)$/.exec(query)?.[1]);
      return { matches: width <= max, addEventListener: () => undefined, removeEventListener: () => undefined };
    });
    expect(isPhone()).toBe(phone);
  });

  it('every style ends the phone layout at 576 px', () => {
    const dir = join(import.meta.dirname, '../../../../src/client');
    const styles = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    const found = styles.flatMap((file) =>
      [...readFileSync(join(dir, file), 'utf8').matchAll(/\((max|min)-width: (57\d|58\d)(?:\.\d+)?px\)/g)].map(
        ([, side, width]) => [file, side, width],
      ),
    );
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(([, side, width]) => width !== (side === 'max' ? '576' : '577'))).toEqual([]);
  });
});

it('the offline message is shown once and explains what happens to unsaved changes; the banner disappears with it', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  render(<OfflineBanner />);
  expect(screen.queryByText(/You are offline!/)).toBeNull();
  online.mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
  expect(screen.getByText(/You are offline! Your input stays here/)).toBeTruthy();
  expect(toasts.get().map(({ text }) => text)).toEqual(['You are offline!']);
  online.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(screen.queryByText(/You are offline!/)).toBeNull();
  online.mockRestore();
});

it('the phone bar has Home, FMS with its product only, and the groups in order', () => {
  const tree = ['reward', 'team', 'fms', 'act', 'strategy', 'review'].map((code) => ({
    code,
    id: code,
    name: code.toUpperCase(),
    children: [{ code: `${code}.x`, id: `${code}x`, name: 'Page', route: `/${code}` }],
  }));
  rememberSession({ token: 't', user_id: 7, product_list: ['MS_PMS'] });
  menu.set({ tree, screens: [], pages: [], hidden: [], problems: 0, loaded: true, error: null });
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <BottomBar />
      </MemoryRouter>
    </FluentProvider>,
  );
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(names()).toEqual(['Home', 'STRATEGY', 'TEAM', 'ACT', 'REVIEW', 'REWARD', 'Menu']);
  act(() => rememberSession({ product_list: ['MS_FMS'] }));
  expect(names()).toEqual(['Home', 'FMS', 'STRATEGY', 'TEAM', 'ACT', 'REVIEW', 'REWARD', 'Menu']);
});

it('quick add has the nine shortcuts, each with the right to add', () => {
  const routes: [string, string, string][] = [
    ['employee', '/employee', '/employee_mstr/add'],
    ['service', '/service', '/service/add'],
    ['checklist', '/checklists', '/checklist_new'],
    ['kpi', '/kpi', '/kpi_addition_tenant'],
    ['visit', '/logvisit', '/logvisit/add'],
    ['ticket', '/ticket', '/ticket/add'],
    ['walkin', '/walkin/landing', '/walkin/add'],
    ['plan', '/business_plan', '/business_plan/add'],
    ['survey', '/survey', '/survey/add'],
  ];
  const refs = (may: boolean) =>
    routes.map(([name, landing, add]) => ({
      ...screenSample(name, { add_screen: may }),
      routes: { landing, add, edit: null, view: null },
    }));
  expect(quickTiles(refs(true), { branchId: 1 }).shortcuts.map(({ label }) => label)).toEqual([
    'Employee',
    'Service',
    'Checklist',
    'KPI',
    'Visit',
    'Ticket',
    'Walk-in',
    'Goal',
    'Survey',
  ]);
  expect(quickTiles(refs(false), { branchId: 1 }).shortcuts).toEqual([]);
});
