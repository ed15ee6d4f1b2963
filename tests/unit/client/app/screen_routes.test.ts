import { describe, expect, it } from 'vitest';
import { matchScreen } from '../../../../src/client/app/screen_routes.ts';
import { screenSample } from './screens_sample.ts';

const screens = [
  screenSample('branch', {}, { sameAs: { '/old_branch': 'landing', '/old_branch/:id/change': 'edit_screen' } }),
  screenSample(
    'outlet',
    {},
    { routes: { landing: '/outlet/landing', add: '/outlet/add', edit: '/outlet/:id', view: null } },
  ),
];

describe('matchScreen', () => {
  it('finds page type and id', () => {
    expect(matchScreen(screens, '/branch/edit/12')).toMatchObject({ page: 'edit_screen', params: { id: '12' } });
    expect(matchScreen(screens, '/branch/')).toMatchObject({ page: 'landing' });
  });

  it('prefers fixed segments to parameters', () => {
    expect(matchScreen(screens, '/outlet/add')?.page).toBe('add_screen');
    expect(matchScreen(screens, '/outlet/7')?.page).toBe('edit_screen');
  });

  it('redirects older addresses with their parameters', () => {
    expect(matchScreen(screens, '/old_branch')?.redirect).toBe('/branch');
    expect(matchScreen(screens, '/old_branch/9/change')?.redirect).toBe('/branch/edit/9');
  });

  it('adds and edits at one address: with an id it edits', () => {
    const site = screenSample(
      'site',
      {},
      { routes: { landing: '/site', add: '/site/add_edit', edit: '/site/add_edit', view: '/site/view/:id' } },
    );
    expect(matchScreen([site], '/site/add_edit')?.page).toBe('add_screen');
    expect(matchScreen([site], '/site/add_edit', '?branch_id=3')?.page).toBe('add_screen');
    expect(matchScreen([site], '/site/add_edit', '?id=5')).toMatchObject({ page: 'edit_screen', params: {} });
    expect(matchScreen([screenSample('branch')], '/branch/add', '?id=5')?.page).toBe('add_screen');
  });

  it('starts a copy, a print, a transition or a follow-up document from an address', () => {
    const lift = screenSample(
      'lift',
      {},
      {
        sameAs: {
          '/lift/copy/:id': 'copy',
          '/lift/pdf/:id': 'print:label',
          '/lift/stop/:id': 'step:shut_down',
          '/lift/of/:id': 'make:offer/lift',
          '/lift/approval/:id': 'inbox:approve',
        },
      },
    );
    const leads = (path: string) => {
      const found = matchScreen([lift], path);
      return [found?.page, found?.redirect];
    };
    expect(leads('/lift/copy/7')).toEqual(['add_screen', '/lift/add?copy=7']);
    expect(leads('/lift/pdf/7')).toEqual(['view_screen', '/lift/view/7?print=label']);
    expect(leads('/lift/stop/7')).toEqual(['view_screen', '/lift/view/7?step=shut_down']);
    expect(leads('/lift/of/7')).toEqual(['add_screen', '/lift/add?from=offer/7&make=lift']);
    expect(leads('/lift/approval/7')).toEqual(['view_screen', '/lift/view/7']);
    // 0 is no record: an empty form, and the list of those that wait for the step.
    expect(leads('/lift/of/0')).toEqual(['add_screen', '/lift/add']);
    expect(leads('/lift/approval/0')).toEqual(['landing', '/lift?step=approve']);
    const request = screenSample(
      'request',
      {},
      {
        routes: { landing: '/request', add: '/request_add', edit: '/request_edit', view: '/request/view' },
        sameAs: { '/request_approval/:id': 'inbox:approve', '/request_pdf/:id': 'print:letter' },
      },
    );
    expect(matchScreen([request], '/request_approval/7')?.redirect).toBe('/request/view?id=7');
    expect(matchScreen([request], '/request_pdf/7')?.redirect).toBe('/request/view?id=7&print=letter');
  });

  it('opens the import of a list at its own address', () => {
    const item = screenSample('item', {}, { sameAs: { '/item_upload': 'import' } });
    expect(matchScreen([item], '/item_upload')?.redirect).toBe('/item?import=1');
  });

  it('knows the page of a hierarchy beside the list', () => {
    const site = screenSample('site', {}, { hierarchy: { route: '/warehouse', title: 'Warehouse' } });
    expect(matchScreen([site], '/warehouse')).toMatchObject({ page: 'landing', hierarchy: true });
    expect(matchScreen([site], '/site')?.hierarchy).toBeUndefined();
  });

  it('filters the list by the parameters of an older address, which are fields', () => {
    const price = screenSample(
      'price',
      {},
      { sameAs: { '/price/of/:item_id': 'landing', '/price/of/:item_id/:branch_id': 'landing' } },
    );
    const filter = (path: string) =>
      JSON.parse(
        new URLSearchParams(matchScreen([price], path)?.redirect?.split('?')[1]).get('filter') ?? 'null',
      ) as unknown;
    expect(filter('/price/of/7')).toEqual(['item_id', 'eq', 7]);
    expect(filter('/price/of/7/3')).toEqual(['and', ['item_id', 'eq', 7], ['branch_id', 'eq', 3]]);
    expect(filter('/price/of/7/0')).toEqual(['and', ['item_id', 'eq', 7], ['branch_id', 'empty']]);
  });

  it('ignores other addresses', () => {
    expect(matchScreen(screens, '/branches')).toBeNull();
    expect(matchScreen(screens, '/Branch')).toBeNull();
  });
});
