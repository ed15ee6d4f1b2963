import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { act, render, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dialogs, toasts } from '../../../../../src/client/app/feedback.ts';
import LandingPage from '../../../../../src/client/runtime/landing/LandingPage.tsx';
import { forgetRows } from '../../../../../src/client/runtime/landing/use_rows.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { screenSample } from '../../app/screens_sample.ts';
import { depotScreen } from '../screen_fixture.ts';

const screen = depotScreen();
const record = (id: number, name: string) => ({ id, version: 1, active: true, code: `D${id}`, name, status: 'open' });
const end = { has_next: false, more: false };

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + decodeURIComponent(search)}</output>;
}

function show(address = '/depot') {
  const access = screenSample('depot', {}, { routes: screen.routes });
  return render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter initialEntries={[address]}>
        <Address />
        <Routes>
          <Route path="/depot" element={<LandingPage screen={screen} access={access} page="landing" query={new URLSearchParams()} />} />
          <Route path="*" element={null} />
        </Routes>
      </MemoryRouter>
    </FluentProvider>,
  );
}
const address = () => page.getByTestId('address').textContent;

/** A phone, where the list is cards: jsdom has no layout for a grid. */
function phone() {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('max-width'), addEventListener: () => undefined, removeEventListener: () => undefined }));
}

describe('a landing page', () => {
  beforeEach(() => {
    forgetRows();
    toasts.set([]);
    dialogs.set([]);
    phone();
  });

  it('asks for rows without their count, and counts beside', async () => {
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 1000, capped: true } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
    });
    show();
    expect(await page.findByRole('link', { name: 'North' })).toBeTruthy();
    expect(await page.findByText('1,000+')).toBeTruthy();
    expect(calls.find((call) => call.path === '/tapi/depot')?.query.get('count')).toBe('none');
  });

  it('searches from the key "/", keeps the search in the address and says when nothing is found', async () => {
    fakeFetch({
      'GET /tapi/depot': (call) => ({ body: { data: call.query.get('q') ? [] : [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': (call) => ({ body: { count: call.query.get('q') ? 0 : 1 } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
    });
    show();
    await page.findByRole('link', { name: 'North' });
    await userEvent.keyboard('/');
    await userEvent.type(document.activeElement as Element, 'south');
    await waitFor(() => expect(address()).toBe('/depot?q=south'));
    expect(await page.findByText('No depots match')).toBeTruthy();
    await userEvent.click(page.getByRole('button', { name: 'Clear search and filters' }));
    expect(await page.findByRole('link', { name: 'North' })).toBeTruthy();
    expect(address()).toBe('/depot');
  });

  it('adds from the key "n", but not while something is typed', async () => {
    fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 1 } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
    });
    show();
    await page.findByRole('link', { name: 'North' });
    await userEvent.type(page.getByRole('searchbox'), 'n');
    expect(address()).toMatch(/^\/depot(\?q=n)?$/);
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.keyboard('n');
    expect(address()).toBe('/depot/add');
  });

  it('says what an empty list is for', async () => {
    fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: [], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 0 } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
    });
    show();
    expect(await page.findByText('No depots yet')).toBeTruthy();
    expect(page.getByText('Where stock is kept.')).toBeTruthy();
  });

  it('says what went wrong and tries again', async () => {
    let turns = 0;
    fakeFetch({
      'GET /tapi/depot': () => (++turns === 1 ? { status: 500, body: {} } : { body: { data: [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 1 } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
    });
    show();
    await userEvent.click(await page.findByRole('button', { name: 'Try again' }));
    expect(await page.findByRole('link', { name: 'North' })).toBeTruthy();
  });

  it('opens the view the person opens first', async () => {
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 1 } }),
      'GET /tapi/depot/views': () => ({
        body: { data: [{ id: 8, name: 'Open ones', shared: false, mine: true, state: { filter: ['status', 'in', ['open']], isDefault: true } }] },
      }),
    });
    show();
    await waitFor(() => expect(address()).toBe('/depot?view=8&filter=["status","in",["open"]]'));
    expect(page.getByRole('tab', { name: 'Open ones' }).getAttribute('aria-selected')).toBe('true');
    await waitFor(() => expect(calls.some((call) => call.path === '/tapi/depot' && call.query.get('filter') === '["status","in",["open"]]')).toBe(true));
  });

  it('offers to deactivate what cannot be deleted', async () => {
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: [record(1, 'North')], pagination: end } }),
      'GET /tapi/depot/count': () => ({ body: { count: 1 } }),
      'GET /tapi/depot/views': () => ({ body: { data: [] } }),
      'DELETE /tapi/depot/1': () => ({ status: 409, body: { error: { code: 'in_use', message: 'Used.', used_by: [{ type: 'employee', title: 'Employees', count: 12, route: '/employee' }] } } }),
      'POST /tapi/depot/1/deactivate': () => ({ body: { data: { ...record(1, 'North'), version: 2, active: false } } }),
      'POST /tapi/depot/1/activate': () => ({ body: { data: { ...record(1, 'North'), version: 3 } } }),
    });
    show();
    await userEvent.click(await page.findByRole('button', { name: 'Actions for North' }));
    await userEvent.click(await page.findByRole('menuitem', { name: 'Delete' }));
    const question = dialogs.get()[0];
    expect(question).toMatchObject({ title: 'Delete North?', danger: true });
    act(() => question?.resolve(true));
    expect(await page.findByText('12 in Employees')).toBeTruthy();
    await userEvent.click(page.getByRole('button', { name: 'Deactivate instead' }));
    await waitFor(() => expect(toasts.get()[0]?.text).toBe('North is inactive now.'));
    act(() => toasts.get()[0]?.action?.onClick());
    await waitFor(() => expect(calls.find((call) => call.path.endsWith('/activate'))?.body).toMatchObject({ version: 2 }));
  });
});
