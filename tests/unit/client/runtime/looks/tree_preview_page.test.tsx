import { act, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetScreens, screenRefs } from '../../../../../src/client/api/screens.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import TreePreviewPage from '../../../../../src/client/runtime/looks/tree_preview/TreePreviewPage.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { accessOf, asPhone, openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const bare = { card: [], filters: [], label: ['name'], sort: ['name'] };
const screen = depotScreen({
  ...bare,
  fields: [field('name', 'name')],
  form: { tabs: [{ title: 'Details', sections: [{ fields: ['name'] }] }] },
  looks: { tree_preview: { levels: [{ type: 'rack', parent: 'depot_id' }] } },
});
const rack = depotScreen({
  ...bare,
  name: 'rack',
  title: 'Rack',
  plural: 'Racks',
  fields: [field('name', 'name'), field('holds', 'text', { title: 'Holds' })],
  form: { tabs: [{ title: 'Details', sections: [{ fields: ['name', 'holds'] }] }] },
});
const row = (id: number, name: string, more: object = {}) => ({ id, version: 1, active: true, name, ...more });
const page_ = (data: object[]) => ({ body: { data, pagination: { has_next: false, more: false }, cursor: null } });

function serve(): FakeCall[] {
  return fakeFetch({
    'GET /tapi/screens/depot': () => ({ body: { data: { screen, validator: null } } }),
    'GET /tapi/screens/rack': () => ({ body: { data: { screen: rack, validator: null } } }),
    'GET /tapi/depot': () => page_([row(1, 'North'), row(2, 'South')]),
    'GET /tapi/depot/1': () => ({ body: { data: row(1, 'North') } }),
    'GET /tapi/rack': () => page_([row(7, 'Rack A')]),
    'GET /tapi/rack/7': () => ({ body: { data: row(7, 'Rack A', { holds: 'Ropes' }) } }),
  });
}
const open = (mayOpenRacks = true) => {
  openPage(TreePreviewPage, screen, '?as=tree_preview');
  act(() => screenRefs.set([accessOf(screen), accessOf(rack, { landing: mayOpenRacks })]));
};

beforeEach(() => withoutSizes());
afterEach(() => {
  vi.unstubAllGlobals();
  forgetScreens();
  forgetSession();
});

describe('the tree with a preview', () => {
  it('loads children on opening, also by keyboard, and previews the selected one', async () => {
    const calls = serve();
    open();
    const north = await page.findByRole('button', { name: 'North' });
    const preview = within(await page.findByRole('region', { name: 'Preview' }));
    await preview.findByRole('heading', { name: /^North/ });
    expect(calls.some(({ path }) => path === '/tapi/rack')).toBe(false);
    act(() => north.focus());
    await userEvent.keyboard('{ArrowRight}');
    await page.findByRole('button', { name: 'Rack A' });
    expect(JSON.parse(calls.find(({ path }) => path === '/tapi/rack')!.query.get('filter')!)).toEqual([
      'depot_id',
      'eq',
      1,
    ]);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(preview.getByRole('heading', { level: 2, name: /^Rack A/ })).toBeTruthy());
    preview.getByText('Ropes');
    expect(preview.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe('/depot/edit/7');
  });

  it('ends at forbidden records, and shows tree or preview on a phone', async () => {
    asPhone();
    serve();
    open(false);
    const north = await page.findByRole('button', { name: 'North' });
    expect(page.queryByRole('button', { name: 'Open North' })).toBeNull();
    await userEvent.click(north);
    await page.findByRole('heading', { name: /^North/ });
    expect(page.queryByRole('button', { name: 'South' })).toBeNull();
    await userEvent.click(page.getByRole('button', { name: 'All' }));
    await page.findByRole('button', { name: 'South' });
  });
});
