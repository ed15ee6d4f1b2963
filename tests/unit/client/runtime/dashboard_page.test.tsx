import { act, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { SWRConfig, mutate } from 'swr';
import { afterEach, expect, test } from 'vitest';
import type { Dashboard, DashboardAnswer } from '../../../../src/domain/dashboard.ts';
import type { Field } from '../../../../src/descriptor/types.ts';
import { toasts } from '../../../../src/client/app/feedback.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import DashboardPage from '../../../../src/client/runtime/dashboard/DashboardPage.tsx';
import { fakeFetch } from '../app/fetch_fake.ts';
import './patience.ts';

// The page of a dashboard: what its reader loses while it is open, and of which day its figures are.

const N = { name: 'n', type: 'integer', title: 'Seats', required: false, schema: {}, secret: false, readOnly: true };
const dashboard = (more: Partial<Dashboard> = {}): Dashboard =>
  ({
    name: 'seats',
    title: 'Seats',
    route: '/seats',
    filters: [],
    tiles: [
      {
        name: 'vacant',
        title: 'Vacant seats',
        kind: 'figure',
        refresh: ['seat'],
        list: null,
        span: null,
        narrow: [],
        choice: [],
        report: { from: null, columns: [N as Field] },
      },
    ],
    ...more,
  }) as unknown as Dashboard;
const answer: DashboardAnswer = {
  filters: {},
  at: '2026-11-29T08:00:00Z',
  tiles: [
    { name: 'vacant', figures: { columns: [N as Field], rows: [{ n: 4 }], totals: null, more: false, figures: [] } },
  ],
};
const REFUSED = { status: 403, body: { error: { code: 'forbidden', message: 'No.', reason: 'screen' } } };

function Address() {
  return <output>{useLocation().pathname}</output>;
}
const at = () => screen.getByRole('status').textContent;

/** Opens the page on a server that refuses the figures once `refuses` says so. */
function open(shown: Dashboard, refuses: () => boolean, says: DashboardAnswer = answer): void {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  toasts.set([]);
  fakeFetch({
    'GET /tapi/dashboard/at': () => ({ body: { data: shown } }),
    'POST /tapi/dashboard/seats': () => (refuses() ? REFUSED : { body: { data: says } }),
  });
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <MemoryRouter initialEntries={['/seats']}>
        <Address />
        <Routes>
          <Route path="/seats" element={<DashboardPage route="/seats" />} />
          <Route path="*" element={<p>Elsewhere</p>} />
        </Routes>
      </MemoryRouter>
    </SWRConfig>,
  );
}
const fetchAgain = () => act(() => mutate((key) => Array.isArray(key) && key[0] === '/tapi/dashboard/seats'));

afterEach(async () => {
  forgetSession();
  await mutate(() => true, undefined, { revalidate: false });
});

test('a reader who loses the dashboard while it is open returns to the page that it names', async () => {
  let lost = false;
  open(dashboard({ otherwise: '/scorecard_new' }), () => lost);
  await screen.findByText('4');
  lost = true;
  await fetchAgain();
  await waitFor(() => expect(at()).toBe('/scorecard_new'));
  expect(screen.queryByText('4')).toBeNull();
  expect(toasts.get().map(({ text }) => text)).toEqual(['You do not have access to that page any more.']);
});

test('of an earlier month the page names its last day, and tiles that know no earlier figures say so', async () => {
  const [vacant] = answer.tiles as [DashboardAnswer['tiles'][number]];
  const tiles = ['vacant', 'risks'].map((name) => ({ ...dashboard().tiles[0]!, name, title: name }));
  open(dashboard({ companies: 'one', tiles }), () => false, {
    ...answer,
    day: '2026-08-31',
    tiles: [vacant, { ...vacant, name: 'risks', now: true }],
  });
  expect((await screen.findByText(/^As of 31 Aug 2026, read at/)).textContent).toContain('2026');
  const said = screen.getAllByText('As of today');
  expect(said.map((one) => one.closest('[data-tile]')?.getAttribute('data-tile'))).toEqual(['risks']);
});

test('an address with another’s records opens nothing', async () => {
  open(dashboard({ otherwise: '/scorecard_new' }), () => true);
  await waitFor(() => expect(at()).toBe('/show_list'));
  expect(toasts.get().map(({ text }) => text)).toEqual(['You do not have access to that page.']);
});
