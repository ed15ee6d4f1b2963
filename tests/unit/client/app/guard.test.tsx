import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen, waitFor } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetScreens, menu, screenRefs } from '../../../../src/client/api/screens.ts';
import { breadcrumbs } from '../../../../src/client/app/breadcrumbs.ts';
import { toasts } from '../../../../src/client/app/feedback.ts';
import ScreenPage from '../../../../src/client/app/screen_page.tsx';
import { daysLeft, forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { shortName } from '../../../../src/client/app/short_name.ts';
import { fakeFetch } from './fetch_fake.ts';
import { screenSample } from './screens_sample.ts';

const screens = [
  screenSample('branch', { add_screen: false }, { sameAs: { '/old_branch': 'landing' } }),
  screenSample('region', { landing: false }),
];

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/show_list', element: <p>Home</p> },
      { path: '/welcome_page', element: <p>Welcome</p> },
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

beforeEach(() => {
  toasts.set([]);
  rememberSession({ token: 'tok', user_id: 7, entity_id: 1 });
  menu.set({ tree: [], screens, pages: [], hidden: [], problems: 0, loaded: true, error: null });
  screenRefs.set(screens);
});
afterEach(() => {
  forgetSession();
  forgetScreens();
  toasts.set([]);
});

describe('guard', () => {
  it('redirects from a page type without the right, with a message', async () => {
    const router = open('/branch/add');
    await waitFor(() => expect(router.state.location.pathname).toBe('/show_list'));
    expect(toasts.get().map((item) => item.text)).toEqual(['You do not have access to that page.']);
  });

  it('leads to the welcome page with product FMS', async () => {
    rememberSession({ product_list: ['MS_FMS'] });
    const router = open('/region');
    await waitFor(() => expect(router.state.location.pathname).toBe('/welcome_page'));
  });

  it('treats a screen refused by the server like one without the right', async () => {
    fakeFetch({
      'GET /tapi/screens/users': () => ({ status: 403, body: { error: { code: 'forbidden', message: 'No.' } } }),
    });
    const router = open('/users');
    await waitFor(() => expect(router.state.location.pathname).toBe('/show_list'));
  });

  it('reports an unknown address, with a way back', async () => {
    fakeFetch({});
    open('/nowhere');
    expect(await screen.findByText('There is no page at this address')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go home' })).toBeTruthy();
  });

  it('redirects an older address and keeps its query', async () => {
    fakeFetch({ 'GET /tapi/screens/branch': () => ({ status: 500, body: {} }) });
    const router = open('/old_branch?q=che');
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/branch', search: '?q=che' }));
  });

  it('offers a retry when the screen could not be loaded', async () => {
    fakeFetch({ 'GET /tapi/screens/branch': () => ({ status: 500, body: {} }) });
    open('/branch');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('frame', () => {
  it('builds the breadcrumb from the menu and the record’s list', () => {
    const tree = [
      { code: 'm', id: '1', name: 'Masters', children: [{ code: 'b', id: '2', name: 'Branches', route: '/branch' }] },
    ];
    expect(breadcrumbs(tree, screens, '/branch')).toEqual([{ label: 'Masters' }]);
    expect(breadcrumbs(tree, screens, '/branch/edit/3')).toEqual([
      { label: 'Masters' },
      { label: 'branchs', to: '/branch' },
    ]);
  });

  it('counts the days of a session', () => {
    // The design's own: ends on 17-06, 09:15 in India.
    const at = (time: string) => Date.parse(`${time}+05:30`);
    expect(daysLeft('2025-06-17', at('2025-06-14T23:59'), 330)).toBe(3);
    expect(daysLeft('2025-06-17', at('2025-06-15T00:01'), 330)).toBe(2);
    expect(daysLeft('2025-06-17', at('2025-06-17T09:00'), 330)).toBe(0);
    expect(daysLeft('', at('2025-06-17T09:00'), 330)).toBe(Number.POSITIVE_INFINITY);
  });

  it('cuts names after 15 characters', () => {
    expect(shortName('Asha Raghunathan')).toBe('Asha Raghunatha…');
    expect(shortName('Asha Rao')).toBe('Asha Rao');
  });
});
