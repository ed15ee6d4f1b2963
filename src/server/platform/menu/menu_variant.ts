import type { FieldError, MenuNode, ScreenRef } from '../../../descriptor/types.ts';
import { didYouMean } from '../../../descriptor/source.ts';
import type { MenuChange, Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Menu } from './menu.ts';

type Node = Menu['roots'][number];

/** Moves first, then renames, then additions, hiding last: the entries of a hidden group are hidden with it. */
const ORDER: MenuChange['change'][] = ['move', 'rename', 'add', 'hide'];

/** The segments of a "group > entry" path. */
const pathWords = (text: string) =>
  text
    .split('>')
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);

const addressOf = (route: string) => route.split(/[?#]/)[0]!;

/** The menu changes of a client that apply to a company; null = none. */
export async function menuChanges({ db, schema }: Tenant, company: number | null): Promise<MenuChange[]> {
  const table = `${quoted(schema)}.menu_setting`;
  // The table comes with its first use.
  const [found] = await db.query<{ there: boolean }>({
    name: 'menu_setting_there',
    text: 'select to_regclass($1) is not null as there',
    values: [table],
  });
  if (!found?.there) return [];
  return db.query<MenuChange>(
    `select change, entry, name, under, position from ${table}
     where active and (coalesce(cardinality(companies), 0) = 0 or $1::bigint = any(companies)) order by position nulls last, id`,
    [company],
  );
}

/** All paths to entries that the text may refer to. */
function waysTo(menu: Menu, text: string): Node[][] {
  const wanted = text.trim();
  const words = pathWords(wanted);
  const found: Node[][] = [];
  const walk = (nodes: Node[], above: Node[]) => {
    for (const node of nodes) {
      const way = [...above, node];
      if (
        wanted.startsWith('/')
          ? addressOf(node.route ?? '') === addressOf(wanted)
          : node.code === wanted || endsWith(way, words)
      )
        found.push(way);
      walk(node.children, way);
    }
  };
  walk(menu.roots, []);
  return found;
}

const nameOf = (node: Node) => node.name ?? node.screen?.plural ?? node.code;

function endsWith(way: Node[], words: string[]): boolean {
  if (words.length === 0 || words.length > way.length) return false;
  return words.every((word, index) => {
    const node = way[way.length - words.length + index]!;
    return [nameOf(node), node.board_name, node.subtitle].some((name) => name?.toLowerCase() === word);
  });
}

/** The group, if a group is expected: "Strategy" is both a group and an entry. */
function wayTo(menu: Menu, text: string, kind: 'group' | 'entry'): Node[] | null {
  const ways = waysTo(menu, text);
  const groups = ways.filter((way) => way.at(-1)!.children.length > 0);
  if (kind === 'group') return groups[0] ?? null;
  // The higher one: the lower one must be given with its parent.
  return ways.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** The errors in a change, before it is stored. */
export function changeErrors(menu: Menu, change: MenuChange, isPage: (address: string) => boolean): FieldError[] {
  const errors: FieldError[] = [];
  const names = () => {
    const all: string[] = [];
    const walk = (nodes: Node[]) =>
      nodes.forEach((node) => {
        all.push(nameOf(node), ...(node.route ? [node.route] : []));
        walk(node.children);
      });
    walk(menu.roots);
    return all;
  };
  const { entry, under } = change;
  const way = change.change === 'add' ? null : wayTo(menu, entry, 'entry');
  if (change.change === 'add') {
    if (entry.startsWith('https://')) {
      if (!URL.canParse(entry)) errors.push({ field: 'entry', message: `"${entry}" is not an address.` });
      else if (!change.name) errors.push({ field: 'name', message: 'Enter a name for the entry.' });
    } else if (!entry.startsWith('/') || !isPage(addressOf(entry)))
      errors.push({
        field: 'entry',
        message: `There is no page "${entry}". Copy the address of a page from the browser, from the "/" on, or give one that begins with https://.`,
      });
  } else if (!way) errors.push({ field: 'entry', message: `The menu has no "${entry}". ${near(entry, names())}` });
  if (under) {
    const group = wayTo(menu, under, 'group');
    if (!group) errors.push({ field: 'under', message: `The menu has no group "${under}". ${near(under, names())}` });
    else if (way && group.includes(way.at(-1)!))
      errors.push({ field: 'under', message: `"${entry}" cannot stand below itself. Choose another group.` });
  }
  return errors;
}

function near(text: string, names: string[]): string {
  const word = text.startsWith('/') ? text : (text.split('>').at(-1)?.trim() ?? text);
  const guess = didYouMean(word, names);
  return guess.startsWith('Did') ? guess : 'Copy its name as the menu shows it, or its address.';
}

/**
 * The menu as customised by a client. It starts from the menu visible to the person, so that no change can show more
 * than the guard allows; `hidden` are the removed addresses.
 */
export function variantOf(
  tree: MenuNode[],
  changes: MenuChange[],
  menu: Menu,
  { screens, pages, board }: { screens: ScreenRef[]; pages: string[]; board: boolean },
): { tree: MenuNode[]; hidden: string[] } {
  const hidden: string[] = [];

  const place = (code: string, nodes: MenuNode[] = tree): { node: MenuNode; siblings: MenuNode[] } | null => {
    for (const node of nodes) {
      if (node.code === code) return { node, siblings: nodes };
      const inside = place(code, node.children ?? []);
      if (inside) return inside;
    }
    return null;
  };
  /** The group's entries, created with its ancestors if the person saw none of them. */
  const groupOf = (way: Node[]): MenuNode[] =>
    way.reduce<MenuNode[]>((nodes, { code, id, icon, icon_board: iconBoard, ...node }) => {
      let group = nodes.find((one) => one.code === code);
      if (!group)
        nodes.push(
          (group = {
            code,
            id,
            name: (board ? node.board_name : undefined) ?? node.name ?? code,
            ...((board && iconBoard) || icon ? { icon: (board ? iconBoard : undefined) ?? icon! } : {}),
          }),
        );
      return (group.children ??= []);
    }, tree);
  const put = (nodes: MenuNode[], node: MenuNode, position: number | null) =>
    void nodes.splice(position === null ? nodes.length : position - 1, 0, node);

  for (const change of changes.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change))) {
    const group = change.under ? wayTo(menu, change.under, 'group') : null;
    if (change.change === 'add') {
      const node = group && added(change);
      if (node) put(groupOf(group), node, change.position);
      continue;
    }
    const way = wayTo(menu, change.entry, 'entry');
    const found = way && place(way.at(-1)!.code);
    if (!found) continue;
    const { node, siblings } = found;
    if (change.change === 'rename') {
      node.name = change.name ?? node.name;
      // The client's name replaces the default completely.
      delete node.subtitle;
    } else if (change.change === 'hide') {
      siblings.splice(siblings.indexOf(node), 1);
      hidden.push(...routesIn(node));
    } else if (!group?.includes(way.at(-1)!)) {
      siblings.splice(siblings.indexOf(node), 1);
      put(group ? groupOf(group) : siblings, node, change.position);
    }
  }
  const left = withoutEmpty(tree);
  const shown = new Set(left.flatMap(routesIn));
  return { tree: left, hidden: hidden.filter((route) => !shown.has(route)) };

  /** Added entries are visible to people who may open their target. */
  function added({ entry, name }: MenuChange): MenuNode | null {
    const code = `own.${entry}`;
    if (!entry.startsWith('/'))
      return { code, id: code, name: name ?? entry, icon: 'Globe', route: entry, newTab: true };
    const address = addressOf(entry);
    const screen = screens.find(
      ({ routes, sameAs, hierarchy }) =>
        routes.landing === address || hierarchy?.route === address || sameAs[address] === 'landing',
    );
    if (screen ? !screen.rights.landing : !pages.includes(address)) return null;
    const icon = screen?.icon;
    return { code, id: code, name: name ?? screen?.plural ?? entry, ...(icon && { icon }), route: entry };
  }
}

const routesIn = (node: MenuNode): string[] => [
  ...(node.route ? [node.route] : []),
  ...(node.children ?? []).flatMap(routesIn),
];

/** A group whose entries were all removed is removed too. */
function withoutEmpty(nodes: MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => {
    const children = withoutEmpty(node.children ?? []);
    if (children.length === 0 && node.route === undefined) return [];
    const { children: _all, ...rest } = node;
    return [children.length > 0 ? { ...rest, children } : rest];
  });
}
