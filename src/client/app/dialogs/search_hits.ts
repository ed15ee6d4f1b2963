import type { MenuNode, ScreenRef } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { menuEntries } from '../layout/menu_tree.ts';

/** One answer of GET /tapi/search. */
export interface FoundRecord {
  type: string;
  title: string;
  id: number;
  label: string;
  detail?: string | null;
  route: string;
}

export interface Hit {
  key: string;
  group: string;
  label: string;
  detail?: string;
  icon?: string;
  to: string;
  newTab?: boolean;
}

/** 0 = starts with it, 1 = a word starts with it, 2 = contains it, null = does not. */
function rank(text: string, query: string): number | null {
  const at = text.toLowerCase().indexOf(query);
  if (at < 0) return null;
  if (at === 0) return 0;
  return /\W/.test(text[at - 1] ?? '') ? 1 : 2;
}

/** Menu entries, "New …" pages and screens without a menu entry whose name holds the query. */
export function pageHits(tree: MenuNode[], screens: ScreenRef[], query: string): Hit[] {
  const wanted = query.toLowerCase();
  const found: { hit: Hit; rank: number }[] = [];
  const seen = new Set<string>();
  const consider = (hit: Hit, text: string, behind = 0) => {
    const place = wanted === '' ? 0 : rank(text, wanted);
    if (place === null || seen.has(hit.to)) return;
    seen.add(hit.to);
    found.push({ hit, rank: place + behind });
  };
  for (const { node, groups } of menuEntries(tree)) {
    if (node.disabled) continue;
    consider(
      {
        key: `menu ${node.code}`,
        group: 'Pages',
        label: node.name,
        to: node.route,
        ...(groups.length > 0 && { detail: groups.join(' / ') }),
        ...(node.icon && { icon: node.icon }),
        ...(node.newTab && { newTab: true }),
      },
      node.name,
    );
  }
  for (const ref of screens) {
    const icon = ref.icon ? { icon: ref.icon } : {};
    if (ref.rights.landing) {
      consider(
        { key: `screen ${ref.name}`, group: 'Pages', label: ref.plural, to: ref.routes.landing, ...icon },
        ref.plural,
        0.5,
      );
    }
    if (wanted !== '' && ref.routes.add !== null && ref.rights.add_screen) {
      const label = `Add ${inSentence(ref.title)}`;
      consider(
        { key: `add ${ref.name}`, group: 'Pages', label, to: ref.routes.add, icon: 'PersonAdd', ...icon },
        `${ref.title} ${label}`,
        3,
      );
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, wanted === '' ? 8 : 10)
    .map(({ hit }) => hit);
}

/** Records as the server ranked them, under the name of their list. */
export function recordHits(records: FoundRecord[], screens: ScreenRef[]): Hit[] {
  const groups = new Map<string, Hit[]>();
  for (const record of records) {
    const ref = screens.find(({ name }) => name === record.type);
    const group = ref?.plural ?? record.title;
    const hit: Hit = {
      key: `${record.type} ${record.id}`,
      group,
      label: record.label,
      to: record.route,
      ...(record.detail && { detail: record.detail }),
      ...(ref?.icon && { icon: ref.icon }),
    };
    groups.set(group, [...(groups.get(group) ?? []), hit]);
  }
  return [...groups.values()].flat();
}
