import { randomBytes } from 'node:crypto';
import type { MenuNode, PageType, Screen, ScreenRef } from '../../../descriptor/types.ts';
import type { Pages } from '../../access/rights/pages.ts';
import { lookNames } from '../../../descriptor/words/looks.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import { importPages } from '../../engine/excel/sheet_columns.ts';
import { PAGE_TYPES, productSuffix } from '../../access/rights/rights.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** The environment: production hides unreleased entries. */
export type Environment = 'production' | 'development' | 'lan' | 'lan_secure' | 'local';

/** One entry of schemas/menu.json. Missing flags are taken from the access of the screen at its route. */
export interface MenuItem {
  code: string;
  name?: string;
  subtitle?: string;
  board_name?: string;
  icon?: string;
  icon_board?: string;
  route?: string;
  folders?: string[];
  product_codes?: string[];
  module_flags?: string[];
  screen_flags?: string[];
  screen_code?: string;
  common_screen_flags?: string[];
  isnonadmintoshow?: boolean;
  iscommontoshow?: boolean;
  iscommononly?: boolean;
  hidden?: boolean;
  hide_in_production?: boolean;
  domains?: string[];
  needs_flag?: ('chairman' | 'ceo' | 'secretary')[];
  needs_branch?: string;
  new_tab?: boolean;
  children?: MenuItem[];
}

export interface MenuFile {
  items: MenuItem[];
  /** Shortcuts to one's own work. */
  my_zone?: MenuItem[];
}

interface Node extends Omit<MenuItem, 'children'> {
  id: string;
  screen: Screen | null;
  children: Node[];
}

/** The menu with every screen in its place, computed once for a set of screens. */
export interface Menu {
  roots: Node[];
  /** Addresses served by coded pages of the client; an item may lead there without a screen. */
  pages: Pages;
  zone: Node[];
}

/** Path without query, as routes are compared. */
function pathOf(route: string): string {
  return route.split(/[?#]/)[0] ?? route;
}

/**
 * The screen that serves an address: with its list, its hierarchy, or an older address. Where the platform has the same
 * address as its clients, the menu means the clients'.
 */
function screensByRoute(all: Map<string, Screen>): Map<string, Screen> {
  const byRoute = new Map<string, Screen>();
  const screens = [...all.values()].sort((a, b) => Number(b.scope === 'platform') - Number(a.scope === 'platform'));
  for (const screen of screens) {
    if (screen.hierarchy) byRoute.set(screen.hierarchy.route, screen);
    for (const [route, page] of Object.entries(screen.sameAs)) if (page === 'landing') byRoute.set(route, screen);
  }
  for (const screen of screens) byRoute.set(screen.routes.landing, screen);
  return byRoute;
}

/**
 * Combines screens and the menu file. Items whose address nobody serves are left out, so that no menu entry is dead.
 * Unlisted screens go to the group in their `menu.under`, otherwise to the group that lists their folder, otherwise
 * below Masters in a group named after the folder.
 */
export function buildMenu(file: MenuFile, screens: Map<string, Screen>, pages: Pages = new Map()): Menu {
  const byRoute = screensByRoute(screens);
  const placed = new Set<string>();
  const listed = new Set<string>();
  const groups = new Map<string, Node>();
  const byFolder = new Map<string, Node>();

  const make = (item: MenuItem): Node => {
    const screen = item.route === undefined ? null : (byRoute.get(pathOf(item.route)) ?? null);
    const hierarchy = screen?.hierarchy?.route === pathOf(item.route ?? '') ? screen.hierarchy : null;
    // A dashboard or report that the file lists without a name has its own.
    const page = screen || item.route === undefined ? undefined : pages.get(pathOf(item.route));
    if (screen && !hierarchy) placed.add(screen.name);
    if (item.route !== undefined) listed.add(pathOf(item.route));
    const node: Node = {
      ...(hierarchy && { name: hierarchy.title }),
      ...(page?.menu && { name: page.menu.name, ...(page.menu.icon !== undefined && { icon: page.menu.icon }) }),
      ...item,
      id: menuId(),
      screen,
      children: (item.children ?? []).map(make),
    };
    groups.set(item.code, node);
    for (const folder of item.folders ?? []) byFolder.set(folder, node);
    return node;
  };
  const roots = file.items.map(make);

  const group = (code: string, name: string, icon: string, parent: Node | null): Node => {
    const known = groups.get(code);
    if (known) return known;
    const node: Node = { code, id: menuId(), name, icon, screen: null, children: [] };
    groups.set(code, node);
    (parent ? parent.children : roots).push(node);
    return node;
  };

  const left = [...screens.values()]
    .filter((screen) => !placed.has(screen.name) && !screen.menu.hidden)
    .sort((a, b) => (a.menu.order ?? 1000) - (b.menu.order ?? 1000) || a.plural.localeCompare(b.plural));
  for (const screen of left) {
    const named = screen.menu.under === undefined ? undefined : groups.get(screen.menu.under);
    const home =
      named ??
      byFolder.get(screen.folder) ??
      group(
        `masters.${screen.folder}`,
        folderTitle(screen.folder),
        'Folder',
        group('masters', 'Masters', 'Table', null),
      );
    home.children.push({
      code: `screen.${screen.name}`,
      id: menuId(),
      name: screen.menu.name ?? screen.plural,
      route: screen.routes.landing,
      screen,
      children: [],
      ...(screen.icon && { icon: screen.icon }),
    });
  }
  const figures = [...pages]
    .filter(([route, { menu }]) => menu !== undefined && !listed.has(route))
    .sort(
      ([, { menu: a }], [, { menu: b }]) => (a!.order ?? 1000) - (b!.order ?? 1000) || a!.name.localeCompare(b!.name),
    );
  for (const [route, { menu, screen = [], product = [], module = [], common, report }] of figures) {
    const { name, icon, under } = menu!;
    const home =
      (under === undefined ? undefined : groups.get(under)) ??
      (report ? group('reports', 'Reports', 'DataTrending', null) : group('dashboards', 'Dashboards', 'Board', null));
    home.children.push({
      code: `${report ? 'report' : 'dashboard'}.${route.slice(1)}`,
      id: menuId(),
      name,
      route,
      screen: null,
      children: [],
      screen_flags: screen,
      product_codes: product,
      module_flags: module,
      ...(common && {
        common_screen_flags: screen.map((code) => (code.startsWith('COMMON_') ? code : `COMMON_${code}`)),
      }),
      ...(icon !== undefined && { icon }),
    });
  }
  const zone = (file.my_zone ?? []).map((item): Node => ({
    ...item,
    id: menuId(),
    screen: byRoute.get(pathOf(item.route ?? '')) ?? null,
    children: [],
  }));
  return { roots, pages, zone };
}

/** 10 random characters, as the specification says. */
function menuId(): string {
  return randomBytes(8).toString('base64url').replace(/[-_]/g, 'x').slice(0, 10);
}

function folderTitle(folder: string): string {
  const words = folder.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface MenuViewer {
  session: LiveSession;
  environment: Environment;
  menuVariant: 'standard' | 'board';
}

/** The part of the menu visible to a session. */
export function menuOf(menu: Menu, viewer: MenuViewer): MenuNode[] {
  return menu.roots.flatMap((node) => visible(node, viewer, menu.pages) ?? []);
}

/** An entry of My Zone; `screen` = the records to count. */
export interface ZoneEntry {
  code: string;
  name: string;
  icon?: string;
  route: string;
  screen: Screen | null;
}

/** The shortcuts to one's own records visible to a session, by the rules of the menu. */
export function zoneOf(menu: Menu, viewer: MenuViewer): ZoneEntry[] {
  return menu.zone.flatMap((node) => {
    if (
      node.hidden ||
      node.route === undefined ||
      !leadsSomewhere(node, viewer, menu.pages) ||
      !maySee(node, viewer) ||
      disabledBecause(node, viewer)
    )
      return [];
    return [
      {
        code: node.code,
        name: node.name ?? node.screen?.plural ?? node.code,
        ...(node.icon !== undefined && { icon: node.icon }),
        route: node.route,
        screen: node.screen,
      },
    ];
  });
}

function visible(node: Node, viewer: MenuViewer, pages: Pages): MenuNode | null {
  if (node.hidden) return null;
  const children = node.children.flatMap((child) => visible(child, viewer, pages) ?? []);
  const offered = (to: MenuViewer) => node.route !== undefined && leadsSomewhere(node, to, pages) && maySee(node, to);
  const now = offered(viewer);
  const { beforeEnd } = viewer.session;
  const over =
    !now && beforeEnd !== undefined && offered({ ...viewer, session: { ...viewer.session, rights: beforeEnd } })
      ? endedBecause(node, viewer, pages)
      : null;
  const own = now || over !== null;
  // A group is visible if one of its children is; a group disabled for a host hides its children.
  if (!own && (children.length === 0 || !mayShowGroup(node, viewer))) return null;
  const board = viewer.menuVariant === 'board';
  const icon = (board ? node.icon_board : undefined) ?? node.icon ?? node.screen?.icon;
  return {
    code: node.code,
    id: node.id,
    name: (board ? node.board_name : undefined) ?? node.name ?? node.screen?.plural ?? node.code,
    // The name of the group on board hosts.
    ...(!board && node.subtitle !== undefined && { subtitle: node.subtitle }),
    ...(icon !== undefined && { icon }),
    ...(own && node.route !== undefined && { route: node.route }),
    ...(own && node.new_tab && { newTab: true }),
    ...(own && (over ?? disabledBecause(node, viewer))),
    ...(children.length > 0 && { children }),
  };
}

function leadsSomewhere(node: Node, { session }: MenuViewer, pages: Pages): boolean {
  if (node.screen !== null) return true;
  const page = pages.get(pathOf(node.route ?? ''));
  return page !== undefined && mayOpen(session, page);
}

/** Conditions on the host, for groups and items. */
function mayShowGroup(node: Node, { session, environment }: MenuViewer): boolean {
  if (session.tenant.schema === 'public') return node.iscommononly !== false;
  if (node.iscommononly || (node.hide_in_production && environment === 'production')) return false;
  if (node.domains && !domainMatches(node.domains, session.tenant.subDomain)) return false;
  return node.needs_flag === undefined || node.needs_flag.some((flag) => session.flags[flag]);
}

function domainMatches(domains: string[], subDomain: string): boolean {
  const barred = domains.filter((domain) => domain.startsWith('!')).map((domain) => domain.slice(1));
  const wanted = domains.filter((domain) => !domain.startsWith('!'));
  return !barred.includes(subDomain) && (wanted.length === 0 || wanted.includes(subDomain));
}

/** The visibility rules, in the order of the design; then the server's own: a screen requires its right. */
function maySee(node: Node, viewer: MenuViewer): boolean {
  const { session } = viewer;
  const { rights } = session;
  if (session.tenant.schema === 'public') {
    if (node.screen) return rights.refuse(node.screen, 'landing') === null;
    return (
      node.iscommontoshow === true ||
      (node.common_screen_flags !== undefined && rights.holds(node.common_screen_flags, 'landing'))
    );
  }
  if (!mayShowGroup(node, viewer)) return false;
  if (node.screen && rights.refuse(node.screen, 'landing') !== null) return false;
  // A deputy sees what they decide on behalf of others.
  if (node.screen && (rights.delegatedBy?.(node.screen, 'landing').length ?? 0) > 0) return true;
  if (node.isnonadmintoshow) return true;
  const access = node.screen?.access;
  if (node.screen && rights.everyone(node.screen)) return true;
  return (
    rights.holdsProduct(node.product_codes ?? access?.products ?? []) &&
    rights.holdsModule(node.module_flags ?? access?.modules ?? []) &&
    rights.holds(node.screen_flags ?? access?.screens ?? [], 'landing')
  );
}

function disabledBecause(node: Node, { session }: MenuViewer): { disabled: string } | null {
  if (node.needs_branch !== undefined && session.branchId === null) return { disabled: node.needs_branch };
  if (node.screen?.scope === 'entity' && session.entityId === null && session.tenant.schema !== 'public')
    return { disabled: 'Choose a company first.' };
  return null;
}

/** Why an entry of an expired product cannot be used. */
function endedBecause(node: Node, { session: { tenant } }: MenuViewer, pages: Pages): { disabled: string } | null {
  const { ended } = tenant;
  const codes =
    node.product_codes ?? node.screen?.access.products ?? pages.get(pathOf(node.route ?? ''))?.product ?? [];
  const reason =
    ended?.all ?? codes.map((code) => ended?.products[productSuffix(code)]).find((one) => one !== undefined);
  return reason === undefined ? null : { disabled: reason };
}

const WRITE_PAGES: PageType[] = ['add_screen', 'edit_screen'];

/** The session's access to a screen; null = none. */
export function screenRef(session: LiveSession, screen: Screen): ScreenRef | null {
  const { rights } = session;
  const pages = Object.fromEntries(PAGE_TYPES.map((page) => [page, rights.refuse(screen, page) === null])) as Record<
    PageType,
    boolean
  >;
  // A view only has its list.
  if (screen.kind === 'view') for (const page of PAGE_TYPES) pages[page] &&= page === 'landing';
  if (screen.written) for (const page of WRITE_PAGES) pages[page] = false;
  if (!PAGE_TYPES.some((page) => pages[page])) return null;
  const may = (action: string | null) => rights.refuseAction(action) === null;
  const write = may(screen.access.action);
  // A page that the user could open but never save is not offered.
  for (const page of WRITE_PAGES) pages[page] &&= write;
  return {
    name: screen.name,
    title: screen.title,
    plural: session.tenant.catalogue?.names.get(screen.routes.landing) ?? screen.plural,
    kind: screen.kind,
    ...(screen.icon && { icon: screen.icon }),
    hash: screen.hash,
    routes: screen.routes,
    sameAs: screen.sameAs,
    tree: screen.tree !== undefined,
    ...(screen.looks && { looks: lookNames(screen) }),
    ...(screen.library && { library: true as const }),
    ...(screen.hierarchy && { hierarchy: { route: screen.hierarchy.route, title: screen.hierarchy.title } }),
    rights: {
      ...pages,
      write,
      remove: pages.edit_screen && may('DELETE_RECORDS'),
      import: importPages(screen).every((page) => pages[page]) && may('IMPORT_DATA') && screen.part === undefined,
      export: pages.landing && may('EXPORT_DATA'),
    },
  };
}
