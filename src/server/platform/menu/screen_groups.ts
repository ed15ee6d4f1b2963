import type { Menu } from './menu.ts';
import type { ScreenOfMatrix } from '../../access/rights/role_rights.ts';

type Node = Menu['roots'][number];

/** Groups of the screen codes of masters, by the menu's groups below Masters. */
const MASTER_GROUPS: Record<string, string> = {
  'masters.organisation': 'Global',
  'masters.other': 'Global',
  'masters.performance': 'Performance',
  'masters.ticket': 'Ticket',
  'masters.walkins': 'Walk-in',
  'masters.visits': 'Visits',
  'masters.planning': 'Business plan',
};

function* below(nodes: Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node;
    yield* below(node.children);
  }
}

const codesOf = ({ screen_flags: flags, screen }: Node): string[] => flags ?? screen?.access.screens ?? [];

/** The group of masters of each screen code; other screens have none. */
export function groupsOfMasters({ roots }: Pick<Menu, 'roots'>): Map<string, string> {
  const groups = new Map<string, string>();
  for (const node of below(roots)) {
    const name = MASTER_GROUPS[node.code];
    for (const entry of name === undefined ? [] : below(node.children))
      for (const code of codesOf(entry)) if (!groups.has(code)) groups.set(code, name!);
  }
  return groups;
}

/** Codes of menu entries that no page serves: roles can tick them, so that they hold when the page comes. */
export function notServed({ roots }: Pick<Menu, 'roots'>, known: ReadonlySet<string>): ScreenOfMatrix[] {
  const found = new Map<string, ScreenOfMatrix>();
  for (const node of below(roots)) {
    if (node.hidden || node.route === undefined || node.screen !== null || node.iscommononly) continue;
    for (const code of codesOf(node))
      if (!known.has(code) && !found.has(code) && !code.startsWith('COMMON_'))
        found.set(code, {
          screen_code: code,
          name: node.name ?? code,
          route: null,
          modules: node.module_flags ?? [],
          products: node.product_codes ?? [],
          has: ['landing', 'add_screen', 'edit_screen', 'view_screen'],
          released: false,
        });
  }
  return [...found.values()];
}
