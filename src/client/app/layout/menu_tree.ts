import type { MenuNode } from '../../../descriptor/types.ts';

/** An entry with an address, with the groups above it. */
export interface MenuEntry {
  node: MenuNode & { route: string };
  groups: string[];
}

/** Every entry with a route, in menu order. */
export function menuEntries(tree: MenuNode[], groups: string[] = []): MenuEntry[] {
  return tree.flatMap((node) => [
    ...(node.route ? [{ node: { ...node, route: node.route }, groups }] : []),
    ...(node.children ? menuEntries(node.children, [...groups, node.name]) : []),
  ]);
}

/** Addresses of Home. */
const HOME = ['/show_list', '/welcome_page'];

/** True if the path is the entry's page or below it: /branch/edit/3 is in /branch. */
export function isActive(route: string | undefined, path: string): boolean {
  if (!route) return false;
  const base = route.split('?')[0] ?? route;
  if (HOME.includes(base) && HOME.includes(path)) return true;
  return path === base || path.startsWith(`${base.replace(/\/landing$/, '')}/`);
}

export function holdsActive(node: MenuNode, path: string): boolean {
  return isActive(node.route, path) || (node.children ?? []).some((child) => holdsActive(child, path));
}

/** The groups of the bottom bar, by the codes of the menu. */
export const barGroups = ['HOME', 'FMS', 'STRATEGY', 'TEAM', 'ACT', 'REVIEW', 'REWARD'] as const;

/** A group by its code or, if the menu has its own codes, by its standard name. */
export function findGroup(tree: MenuNode[], group: string): MenuNode | undefined {
  const plain = (text: string) => text.replace(/[^a-z]/gi, '').toUpperCase();
  return tree.find((node) => plain(node.code).replace(/^(MENU|GROUP|GRP)/, '') === group || plain(node.name) === group);
}
