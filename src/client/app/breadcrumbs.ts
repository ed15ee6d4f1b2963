import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import type { MenuNode, ScreenRef } from '../../descriptor/types.ts';
import { menu } from '../api/screens.ts';
import { matchScreen } from './screen_routes.ts';

export interface Crumb {
  label: string;
  to?: string;
}

/** Groups and entries from the top of the menu down to the one with this route. */
function menuPath(tree: MenuNode[], route: string): MenuNode[] {
  for (const node of tree) {
    if (node.route === route) return [node];
    const below = node.children ? menuPath(node.children, route) : [];
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** A page's place: the menu groups above it and, on a record's pages, the list it belongs to. */
export function breadcrumbs(tree: MenuNode[], screens: ScreenRef[], path: string): Crumb[] {
  const match = matchScreen(screens, path);
  const landing = match && !match.hierarchy ? match.ref.routes.landing : path;
  const groups = menuPath(tree, landing).slice(0, -1);
  const crumbs: Crumb[] = groups.map((group) => ({ label: group.name }));
  if (match && match.page !== 'landing' && match.ref.kind !== 'settings') {
    // A list that is alone in a group with its name is shown once.
    if (crumbs.at(-1)?.label === match.ref.plural) crumbs.pop();
    crumbs.push(match.ref.rights.landing ? { label: match.ref.plural, to: landing } : { label: match.ref.plural });
  }
  return crumbs;
}

export function useBreadcrumbs(): Crumb[] {
  const { tree, screens } = menu.use();
  const { pathname } = useLocation();
  return useMemo(() => breadcrumbs(tree, screens, pathname), [tree, screens, pathname]);
}
