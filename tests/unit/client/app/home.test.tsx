import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home } from '../../../../src/client/app/home/Home.tsx';
import { panel } from '../../../../src/client/app/layout/panels.ts';
import { noteRecentPlace, recentPlaces } from '../../../../src/client/app/recent_places.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { menu } from '../../../../src/client/api/screens.ts';
import { today } from '../../../../src/descriptor/place.ts';
import type { HomeAnswer, WaitingItem } from '../../../../src/domain/home.ts';
import { fakeFetch } from './fetch_fake.ts';
import { screenSample } from './screens_sample.ts';

beforeEach(() => {
  // What other files opened is no recent place here.
  localStorage.clear();
  recentPlaces.set([]);
  rememberSession({ token: 't', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  const screens = [screenSample('branch')];
  const tree = [{ code: 'a', id: 'a', name: 'Branches', route: '/branch' }];
  menu.set((old) => ({ ...old, tree, screens, pages: [], loaded: true }));
});
afterEach(() => forgetSession());

const nothing: HomeAnswer = {
  waiting: [],
  counts: {},
  zone: [],
  notices: { unread: 0, items: [] },
  announcements: [],
  tiles: [],
  figures: null,
};

function show(answer: Partial<HomeAnswer>) {
  const calls = fakeFetch({ 'GET /tapi/home': () => ({ body: { data: { ...nothing, ...answer } } }) });
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <MemoryRouter>
          <Home />
        </MemoryRouter>
      </SWRConfig>
    </FluentProvider>,
  );
  return calls;
}

const item = (kind: WaitingItem['kind'], label: string, day: string | null = null): WaitingItem => ({
  kind,
  label,
  what: 'Inspection is planned',
  day,
  route: `/tis/view/${label}`,
});

it('shows open work by urgency, in one call, with links', async () => {
  const calls = show({
    waiting: [item('late', 'T1', '2026-03-01'), item('decide', 'Q1'), item('due', 'T2', today())],
    counts: { late: { count: 1, more: false }, decide: { count: 1, more: true }, due: { count: 1, more: false } },
  });
  const waits = await screen.findByRole('region', { name: 'Waiting for you' });
  expect(
    within(waits)
      .getAllByRole('region')
      .map((one) => one.getAttribute('aria-label')),
  ).toEqual(['Late: 1', 'To decide: 1+', 'Due soon: 1']);
  expect(
    within(waits)
      .getAllByRole('link', { name: /Inspection/ })
      .map((one) => one.textContent),
  ).toEqual([
    'T1Inspection is planned · was due 01-03-2026',
    'Q1Inspection is planned',
    'T2Inspection is planned · today',
  ]);
  expect(within(waits).getByRole('link', { name: /^Q1/ }).getAttribute('href')).toBe('/tis/view/Q1');
  expect(within(waits).getByRole('link', { name: 'Approvals' }).getAttribute('href')).toBe('/approval');
  expect(calls.filter(({ path }) => path === '/tapi/home')).toHaveLength(1);
});

it('shows five of each kind, then the number of others', async () => {
  show({
    waiting: Array.from({ length: 7 }, (_, at) => item('draft', `D${at}`)),
    counts: { draft: { count: 7, more: false } },
  });
  const more = await screen.findByRole('button', { name: 'Show 2 more' });
  expect(screen.getAllByRole('link', { name: /^D\d/ })).toHaveLength(5);
  fireEvent.click(more);
  expect(screen.getAllByRole('link', { name: /^D\d/ })).toHaveLength(7);
});

it('explains an empty page; the menu has all pages', async () => {
  show({});
  expect(await screen.findByText(/Nothing is waiting for you/)).toBeTruthy();
  expect(screen.getByText(/that you open appear here/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'All pages' }));
  expect(panel.get()).toBe('menu');
  panel.set(null);
});

it('links to recently opened pages of this company that are still permitted', async () => {
  noteRecentPlace({ to: '/closed/view/3', title: 'Gone' });
  noteRecentPlace({ to: '/branch/view/3', title: 'Adyar', what: 'Branch' });
  noteRecentPlace({ to: '/branch', title: 'Branches' });
  noteRecentPlace({ to: '/branch/view/3', title: 'Adyar (new)', what: 'Branch' });
  rememberSession({ token: 't', user_id: 7, entity_id: 2 });
  noteRecentPlace({ to: '/branch/view/9', title: 'Elsewhere' });
  rememberSession({ token: 't', user_id: 7, entity_id: 1 });
  show({});
  const recent = await screen.findByRole('region', { name: 'Recent' });
  expect(
    within(recent)
      .getAllByRole('link')
      .map((one) => one.textContent),
  ).toEqual(['Adyar (new)Branch', 'Branches']);
});
