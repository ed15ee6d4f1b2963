import { describe, expect, it } from 'vitest';
import { matchScreen } from '../../../../src/client/app/screen_routes.ts';
import { screenSample } from './screens_sample.ts';

const screens = [
  screenSample('branch', {}, { sameAs: { '/old_branch': 'landing', '/old_branch/:id/change': 'edit_screen' } }),
  screenSample('outlet', {}, { routes: { landing: '/outlet/landing', add: '/outlet/add', edit: '/outlet/:id', view: null } }),
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

  it('knows nothing of other addresses', () => {
    expect(matchScreen(screens, '/branches')).toBeNull();
    expect(matchScreen(screens, '/Branch')).toBeNull();
  });
});
