import { render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetScreens, menu } from '../../../../src/client/api/screens.ts';
import { lazyPage } from '../../../../src/client/app/lazy_page.ts';
import { preloadNextPages } from '../../../../src/client/app/preload.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from './fetch_fake.ts';
import { screenSample } from './screens_sample.ts';

let stop: () => void;
beforeEach(() => {
  rememberSession({ token: 't', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  menu.set((old) => ({
    ...old,
    screens: [screenSample('branch'), screenSample('salary', { landing: false })],
    pages: ['/branch/map'],
    loaded: true,
  }));
});
afterEach(() => {
  stop?.();
  forgetScreens();
  forgetSession();
});

it('renders a page with a loaded script without the placeholder, and keeps the state of one loaded later', async () => {
  const drawn = () => (
    <Suspense fallback="grey">
      <page.Kind name="list" />
    </Suspense>
  );
  const page = lazyPage<{ name: string }>(() => Promise.resolve({ default: ({ name }) => <p>The {name}</p> }));
  await page.preload();
  render(drawn());
  expect(screen.getByText('The list')).toBeTruthy();

  const later = lazyPage<{ name: string }>(() => Promise.resolve({ default: () => <input aria-label="Typed" /> }));
  const show = () => (
    <Suspense fallback="grey">
      <later.Kind name="list" />
    </Suspense>
  );
  const { rerender } = render(show());
  const box = await screen.findByLabelText('Typed');
  rerender(show());
  expect(screen.getByLabelText('Typed')).toBe(box);
});

it('fetches the descriptor of a list when its link is focused, once, and only if it may be opened', async () => {
  const calls = fakeFetch({
    'GET /tapi/screens/branch': () => ({ body: { data: { screen: { hash: 'h' }, validator: '/v.js' } } }),
  });
  stop = preloadNextPages();
  render(
    <>
      <a href="/branch">Branches</a>
      <a href="/salary">Salaries</a>
      <a href="/branch/map">Map</a>
      <a href="/branch" target="_blank" rel="noreferrer">
        Elsewhere
      </a>
      <button type="button">Nothing</button>
    </>,
  );
  for (const name of ['Salaries', 'Map', 'Elsewhere']) screen.getByText(name).focus();
  screen.getByText('Nothing').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  screen.getByText('Branches').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await waitFor(() => expect(calls.map(({ path }) => path)).toEqual(['/tapi/screens/branch']));
  screen.getByText('Branches').focus();
  await new Promise((done) => setTimeout(done, 0));
  expect(calls).toHaveLength(1);
});
