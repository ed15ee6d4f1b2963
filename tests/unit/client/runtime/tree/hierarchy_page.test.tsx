import { fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetScreens, screenRefs } from '../../../../../src/client/api/screens.ts';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import HierarchyPage from '../../../../../src/client/runtime/tree/HierarchyPage.tsx';
import type { Screen } from '../../../../../src/descriptor/types.ts';
import { compile, sample } from '../../../descriptor/fixtures/compile_sample.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import '../patience.ts';
import { accessOf, openPage } from '../page_harness.tsx';

const { screens } = compile({
  store: sample({
    title: 'Store',
    hierarchy: { route: '/warehouse', title: 'Warehouse', levels: { rack: 'store_id', bin: 'rack_id' } },
  }),
  rack: sample(
    { title: 'Rack', routes: { add: '/rack/add_edit', edit: '/rack/add_edit' } },
    { store_id: { $ref: 'types#ref', 'x-ref': 'store' } },
  ),
  bin: sample({ title: 'Bin' }, { rack_id: { $ref: 'types#ref', 'x-ref': 'rack' } }),
});
const store = screens.get('store')!;

// Two types have a record 7: nodes tell them apart.
const nodes = [
  { id: 112, parent: null, type: 'store', record: 7, label: 'Chennai', detail: 'CHN', children_count: 2 },
  { id: 113, parent: 112, type: 'rack', record: 7, label: 'Cards', detail: 'R1', children_count: 1 },
  { id: 129, parent: 112, type: 'rack', record: 8, label: 'Ropes', detail: 'R2', children_count: 0 },
  { id: 114, parent: 113, type: 'bin', record: 7, label: 'Top shelf', detail: 'B1', children_count: 0 },
];
const line = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

/** What this person may open, and what the server answers. */
function open(may: string[] = ['store', 'rack', 'bin']) {
  const calls = fakeFetch({
    'GET /tapi/store/hierarchy': () => ({ body: { data: nodes.filter(({ type }) => may.includes(type)) } }),
    'GET /tapi/bin/7': () => ({
      body: { data: { id: 7, version: 3, active: true, code: 'B1', name: 'Top shelf', rack_id: 7 } },
    }),
    'PUT /tapi/bin/7': () => ({
      body: { data: { id: 7, version: 4, active: true, code: 'B1', name: 'Top shelf', rack_id: 8 } },
    }),
    'GET /tapi/screens/bin': () => ({ body: { data: { screen: screens.get('bin') as Screen, validator: '/v.js' } } }),
  });
  screenRefs.set(may.map((name) => accessOf(screens.get(name)!)));
  return { calls, router: openPage(HierarchyPage, store) };
}

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
afterEach(() => {
  vi.restoreAllMocks();
  forgetSession();
  forgetScreens();
  toasts.set([]);
});

it('shows the types below each other, labelled by type', async () => {
  open();
  await page.findByRole('tree', { name: 'Warehouse' });
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Warehouse');
  await waitFor(() => expect(line('Cards').getAttribute('aria-level')).toBe('2'));
  expect(within(line('Cards')).getByText('Rack')).toBeTruthy();
  fireEvent.click(within(line('Cards')).getByRole('button', { name: 'Open Cards' }));
  expect(line('Top shelf').getAttribute('aria-level')).toBe('3');
});

it('opens a record by its own type, and adds the next type below it', async () => {
  const { router } = open();
  await page.findByRole('tree');
  fireEvent.click(await page.findByRole('button', { name: 'Add rack below Chennai' }));
  await waitFor(() =>
    expect(router.state.location).toMatchObject({ pathname: '/rack/add_edit', search: '?store_id=7' }),
  );
  await router.navigate('/store');
  fireEvent.click(await page.findByRole('link', { name: 'Ropes' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/rack/view/8'));
});

it('adds nothing below the last type', async () => {
  open();
  await page.findByRole('tree');
  fireEvent.click(await page.findByRole('button', { name: 'Open Cards' }));
  expect(within(line('Top shelf')).queryByRole('button', { name: /^Add/ })).toBeNull();
});

it('moves a record only to another parent of the type above', async () => {
  const { calls } = open();
  await page.findByRole('tree');
  fireEvent.click(await page.findByRole('button', { name: 'Open Cards' }));
  const carry = { dataTransfer: { setData: () => undefined, effectAllowed: '' } };
  fireEvent.dragStart(line('Top shelf'), carry);
  fireEvent.drop(line('Chennai'), carry);
  expect(page.queryByRole('alertdialog')).toBeNull();
  fireEvent.dragStart(line('Top shelf'), carry);
  fireEvent.drop(line('Ropes'), carry);
  await userEvent.click(await page.findByRole('button', { name: 'Move' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/tapi/bin/7',
      body: { rack_id: 8, version: 3 },
    }),
  );
  await waitFor(() => expect(toasts.get().map(({ text }) => text)).toEqual(['Top shelf is now under Ropes.']));
});

it('offers the record’s own actions', async () => {
  open();
  await page.findByRole('tree');
  fireEvent.click(await page.findByRole('button', { name: 'Open Cards' }));
  fireEvent.click(within(line('Top shelf')).getByRole('button', { name: 'Actions for Top shelf' }));
  expect(await page.findByRole('menuitem', { name: 'Deactivate' })).toBeTruthy();
});

it('ends at records that the person may not see', async () => {
  open(['store']);
  await page.findByRole('tree');
  expect(within(await page.findByRole('treeitem')).queryByRole('button', { name: /^Add/ })).toBeNull();
});
