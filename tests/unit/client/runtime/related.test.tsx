import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, render, screen as shown, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetScreens, screenRefs } from '../../../../src/client/api/screens.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import type { Screen, ScreenRef, WireRecord } from '../../../../src/descriptor/types.ts';
import RecordPanel from '../../../../src/client/runtime/related/RecordPanel.tsx';
import RelatedRecords from '../../../../src/client/runtime/related/RelatedRecords.tsx';
import { fakeFetch } from '../app/fetch_fake.ts';
import { contractRow, contractScreen } from './contract_screen.ts';
import { accessOf, asPhone } from './page_harness.tsx';
import './patience.ts';
import { depotScreen } from './screen_fixture.ts';

const contract = contractScreen();
const branch = depotScreen({ name: 'branch', title: 'Branch', referredBy: [{ type: 'contract', field: 'branch_id' }] });
const group = { type: 'contract', title: 'Contracts', field: 'branch_id', by: 'Branch', count: 86, capped: false };

function open(groups: object[], rights: Partial<ScreenRef['rights']> = {}) {
  screenRefs.set([accessOf(contract, rights)]);
  const calls = fakeFetch({
    'GET /tapi/branch/5/related': () => ({ body: { data: groups } }),
    'GET /tapi/screens/contract': () => ({ body: { data: { screen: contract, validator: '' } } }),
    'GET /tapi/contract': () => ({
      body: { data: [contractRow(1), contractRow(2)], pagination: { has_next: true, more: true }, cursor: null },
    }),
  });
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <RelatedRecords screen={branch} id="5" />
      </MemoryRouter>
    </FluentProvider>,
  );
  return calls;
}
const filter = JSON.stringify(['branch_id', 'in', [5]]);
const line = () => shown.findByRole('button', { name: 'Contracts 86' });

beforeEach(() => {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  forgetScreens();
  forgetSession();
});

it('opens a group in place, with links to all its records and to a new one', async () => {
  const calls = open([group]);
  await userEvent.click(await line());
  const table = await shown.findByRole('table', { name: 'Contracts' });
  // The branch is the same in all of them.
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Name', 'Code', 'Status', 'Value', 'Starts on']);
  expect(within(table).getByRole('link', { name: 'Contract 2' }).getAttribute('href')).toBe('/contract/view/2');
  expect(calls.find(({ path }) => path === '/tapi/contract')?.query.get('filter')).toBe(filter);
  const all = shown.getByRole('link', { name: 'Show all Contracts' });
  expect(all.textContent).toBe('Show all 86');
  expect(new URL(all.getAttribute('href')!, 'http://x').searchParams.get('filter')).toBe(filter);
  expect(shown.getByRole('link', { name: 'Add contract' }).getAttribute('href')).toBe('/contract/add?branch_id=5');
  await userEvent.click(await line());
  expect(shown.queryByRole('table')).toBeNull();
});

it('offers no adding without the right, and shows cards on a phone', async () => {
  asPhone();
  open([group], { add_screen: false });
  await userEvent.click(await line());
  await shown.findByRole('link', { name: 'Contract 1' });
  expect(shown.queryByRole('table')).toBeNull();
  expect(shown.queryByRole('link', { name: /^Add/ })).toBeNull();
});

it('loads nothing before it is visible, and shows nothing without references', async () => {
  let come: () => void = () => undefined;
  class Watch {
    constructor(told: (entries: object[]) => void) {
      come = () => told([{ isIntersecting: true }]);
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Watch);
  const calls = open([]);
  expect(calls).toEqual([]);
  come();
  await expect.poll(() => calls.map(({ path }) => path)).toEqual(['/tapi/branch/5/related']);
  expect(shown.queryByRole('heading')).toBeNull();
});

it('shows the other revisions of a record as links', async () => {
  const one = (id: number, revision: number) => ({
    type: 'depot',
    title: 'Depot',
    id,
    label: 'D-1',
    state: null,
    address: `/depot/view/${id}`,
    revision,
  });
  fakeFetch({
    'GET /tapi/depot/5/links': () => ({ body: { data: { from: [], to: [], revisions: [one(4, 0), one(5, 1)] } } }),
  });
  render(
    <MemoryRouter>
      <RelatedRecords screen={depotScreen({ madeOf: [] })} id="5" />
    </MemoryRouter>,
  );
  await shown.findByText('Revision 1');
  shown.getByText('Revision 0');
  expect(shown.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/depot/view/4']);
});

it('shows the figures and the totals of a report about the record; without the right it shows nothing', async () => {
  const money = (name: string, title: string) => ({ name, title, type: 'money', of: 'outstanding' });
  const answer = {
    figures: [
      { title: 'Outstanding', value: '₹54,280.00' },
      { title: 'Overdue', value: '₹27,140.00', tone: 'danger' },
    ],
    columns: [
      { name: 'customer_id', title: 'Customer', type: 'ref' },
      money('.total.outstanding', 'Total'),
      money('Not due.outstanding', 'Not due'),
      money('61–90.outstanding', '61–90'),
    ],
    rows: [],
    totals: {
      '.total.outstanding': '54280.00',
      'Not due.outstanding': '27140.00',
      '61–90.outstanding': '27140.00',
    },
  };
  const panel = { title: 'Money', report: 'outstanding', with: { customer_id: 'id' }, to: '/reports/dues?of=:id' };
  const record = { id: 5, version: 1 } as WireRecord;
  const open = (screen: Screen) => render(<RecordPanel screen={screen} record={record} />, { wrapper: MemoryRouter });
  const calls = fakeFetch({ 'GET /tapi/report/outstanding/rows': () => ({ body: { data: answer } }) });
  open(depotScreen({ panel }));
  const part = await shown.findByRole('region', { name: 'Money' });
  expect(calls[0]!.query.get('customer_id')).toBe('5');
  expect(within(part).getByRole('link', { name: 'Money' }).getAttribute('href')).toBe('/reports/dues?of=5');
  const shownParts = within(part)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(shownParts).toEqual([
    ['Outstanding', '₹54,280.00'],
    ['Overdue', '₹27,140.00'],
    ['Not due', '27,140.00'],
    ['61–90', '27,140.00'],
  ]);
  cleanup();
  const refused = fakeFetch({ 'GET /tapi/report/kept/rows': () => ({ status: 403, body: { error: {} } }) });
  open(depotScreen({ panel: { ...panel, report: 'kept' } }));
  await expect.poll(() => refused.length).toBe(1);
  expect(shown.queryByRole('region')).toBeNull();
});
