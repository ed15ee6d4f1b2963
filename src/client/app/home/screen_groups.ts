import type { MenuNode, ScreenRef } from '../../../descriptor/types.ts';

export interface ScreenGroup {
  title: string;
  screens: ScreenRef[];
}

/** Every screen the user may open, once, under the menu group that holds it; the rest under "Other". */
export function screenGroups(tree: MenuNode[], screens: ScreenRef[], hidden: string[] = []): ScreenGroup[] {
  const left = new Map(
    screens
      .filter((ref) => ref.rights.landing && !hidden.includes(ref.routes.landing))
      .map((ref) => [ref.routes.landing, ref]),
  );
  const groups: ScreenGroup[] = [];
  const walk = (nodes: MenuNode[], title: string, top: boolean) => {
    const own: ScreenRef[] = [];
    for (const node of nodes) {
      const ref = node.route ? left.get(node.route) : undefined;
      if (ref && node.route && !node.disabled) {
        own.push(ref);
        left.delete(node.route);
      }
    }
    if (own.length > 0) groups.push({ title, screens: own });
    for (const node of nodes)
      if (node.children) walk(node.children, top ? node.name : `${title} · ${node.name}`, false);
  };
  walk(tree, 'Pages', true);
  if (left.size > 0) groups.push({ title: groups.length > 0 ? 'Other' : 'Pages', screens: [...left.values()] });
  return groups;
}
