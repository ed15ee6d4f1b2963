import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { menu } from '../../../../src/client/api/screens.ts';
import { host, readHost } from '../../../../src/client/app/brand.ts';
import BottomBar from '../../../../src/client/app/layout/BottomBar.tsx';
import { cardGroup } from '../../../../src/client/app/layout/card_group.ts';
import { panel } from '../../../../src/client/app/layout/panels.ts';
import { SideMenu } from '../../../../src/client/app/layout/SideMenu.tsx';
import { BoardShortcuts } from '../../../../src/client/app/layout/TopTools.tsx';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';

const leaf = (code: string, more: object = {}) => ({
  code,
  id: code,
  name: `Entry ${code}`,
  route: `/${code}`,
  ...more,
});
const group = (code: string, name: string, children: object[]) => ({ code, id: code, name, children });
const tree = [
  group('home', 'Home', [leaf('a')]),
  group('strategy', 'Performance', [leaf('b', { disabled: 'Choose a company first.' })]),
  group('fms', 'FMS', [leaf('c')]),
  { ...group('act', 'Act', [leaf('d')]), subtitle: 'Governance' },
];

function show(what: React.ReactNode) {
  menu.set({ tree: tree as never, screens: [], pages: [], hidden: [], problems: 0, loaded: true, error: null });
  return render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter initialEntries={['/d']}>{what}</MemoryRouter>
    </FluentProvider>,
  );
}

beforeEach(() => rememberSession({ token: 't', user_id: 7, entity_id: 1 }));
afterEach(() => {
  forgetSession();
  menu.set({ tree: [], screens: [], pages: [], hidden: [], problems: 0, loaded: false, error: null });
});

describe('the side bar', () => {
  it('shows another name of a group', () => {
    show(<SideMenu />);
    fireEvent.pointerEnter(screen.getByRole('navigation', { name: 'Menu' }));
    expect(screen.getByRole('treeitem', { name: /^Act/ }).textContent).toBe('ActGovernance');
  });

  it('is collapsed, opens under the pointer and by focus, and closes again', async () => {
    show(<SideMenu />);
    const bar = screen.getByRole('navigation', { name: 'Menu' });
    const isOpen = () => bar.dataset.open === 'true';
    expect(isOpen()).toBe(false);
    fireEvent.pointerEnter(bar);
    await expect.poll(isOpen).toBe(true);
    fireEvent.pointerLeave(bar);
    await expect.poll(isOpen).toBe(false);
    fireEvent.focus(screen.getAllByRole('treeitem')[0]!);
    await expect.poll(isOpen).toBe(true);
  });

  it('moves no icon as it opens: groups are closed until one is opened, and close with the menu', async () => {
    show(<SideMenu />);
    const bar = screen.getByRole('navigation', { name: 'Menu' });
    const rows = () => screen.getAllByRole('treeitem').map((row) => row.dataset.code);
    const closed = rows();
    fireEvent.pointerEnter(bar);
    await expect.poll(() => bar.dataset.open).toBe('true');
    expect(rows()).toEqual(closed);
    fireEvent.click(screen.getByRole('treeitem', { name: /FMS/ }));
    expect(rows()).toEqual(['home', 'strategy', 'fms', 'c', 'act']);
    fireEvent.pointerLeave(bar);
    await expect.poll(() => bar.dataset.open).toBeUndefined();
    expect(rows()).toEqual(closed);
  });

  it('shows an unavailable entry greyed, with the reason, and without a link', async () => {
    show(<SideMenu />);
    fireEvent.pointerEnter(screen.getByRole('navigation', { name: 'Menu' }));
    fireEvent.click(screen.getByRole('treeitem', { name: /Performance/ }));
    const entry = await screen.findByRole('treeitem', { name: /Entry b/ });
    expect(entry.getAttribute('aria-disabled')).toBe('true');
    expect(entry.getAttribute('title') ?? entry.textContent).toContain('Choose a company first.');
    expect(entry.getAttribute('href')).toBeNull();
  });
});

describe('the top bar', () => {
  const names = () => ['Performance', 'Act'].filter((name) => screen.queryByRole('button', { name }));

  it('shows the board’s groups to its members, on hosts of such a brand', () => {
    host.set(readHost(200, { brand: { menu_variant: 'board' } }));
    const { unmount } = show(<BoardShortcuts />);
    expect(names()).toEqual([]);
    unmount();
    rememberSession({ secretary_flag: true });
    const second = show(<BoardShortcuts />);
    expect(names()).toEqual(['Performance', 'Act']);
    fireEvent.click(screen.getByRole('button', { name: 'Performance' }));
    expect([panel.get(), cardGroup.get()]).toEqual(['menu', 'strategy']);
    second.unmount();
    host.set(readHost(200, {}));
    show(<BoardShortcuts />);
    expect(names()).toEqual([]);
    panel.set(null);
  });
});

describe('the bar of the phone', () => {
  it('shows FMS only with the product, and omits a group without visible entries', () => {
    const { unmount } = show(<BottomBar />);
    const names = () => screen.getAllByRole('button').map((button) => button.textContent);
    expect(names()).toEqual(['Home', 'Performance', 'Act', 'Menu']);
    unmount();
    rememberSession({ product_list: ['MS_FMS'] });
    show(<BottomBar />);
    expect(names()).toEqual(['Home', 'FMS', 'Performance', 'Act', 'Menu']);
  });
});
