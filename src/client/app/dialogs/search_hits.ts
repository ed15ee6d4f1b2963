import type { MenuNode, ScreenRef } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { OpenPlace } from '../open_places.ts';
import { menuEntries } from '../layout/menu_tree.ts';

/** One result of GET /tapi/search. */
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

/** The number of recently opened places shown while nothing is typed. */
const RECENT = 6;

/**
 * 0 = starts with it, 1 = a word starts with it, 2 = contains it, 3 = contains each of its words, in any order, 4 =
 * contains similar words, allowing typing errors; null = no match.
 */
function rank(text: string, query: string): number | null {
  const known = text.toLowerCase();
  const at = known.indexOf(query);
  if (at === 0) return 0;
  if (at > 0) return /\W/.test(known[at - 1] ?? '') ? 1 : 2;
  const asked = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = known.match(/[\p{L}\p{N}]+/gu) ?? [];
  const each = (isLike: (word: string, one: string) => boolean) =>
    asked.length > 0 && asked.every((one) => words.some((word) => isLike(word, one)));
  if (asked.length > 1 && each((word, one) => word.startsWith(one))) return 3;
  if (each((word, one) => word.startsWith(one) || isMistyped(word, one))) return 4;
  return null;
}

/** Whether a partly typed word differs from the beginning of a word by one typing error, or two from 8 letters on. */
function isMistyped(word: string, typed: string): boolean {
  if (typed.length < 4) return false;
  const most = typed.length < 8 ? 1 : 2;
  return [-1, 0, 1].some((more) => edits(word.slice(0, typed.length + more), typed) <= most);
}

/**
 * The edit distance between two words: letters omitted, added, changed or swapped with their neighbour (optimal string
 * alignment).
 */
function edits(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}

/**
 * Menu entries, "New …" pages and screens without a menu entry whose name matches the query; without a query, recently
 * opened pages and records come first.
 */
export function pageHits(
  tree: MenuNode[],
  screens: ScreenRef[],
  query: string,
  recent: readonly OpenPlace[] = [],
): Hit[] {
  const wanted = query.toLowerCase();
  const found: { hit: Hit; rank: number }[] = [];
  const seen = new Set<string>();
  const consider = (hit: Hit, text: string, behind = 0) => {
    const place = wanted === '' ? 0 : rank(text, wanted);
    if (place === null || seen.has(hit.to)) return;
    seen.add(hit.to);
    found.push({ hit, rank: place + behind });
  };
  if (wanted === '')
    for (const { to, title, what, icon } of recent.slice(0, RECENT))
      consider(
        {
          key: `recent ${to}`,
          group: 'Recent',
          label: title,
          to,
          ...(what !== undefined && { detail: what }),
          ...(icon && { icon }),
        },
        title,
        -1,
      );
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
        5,
      );
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, wanted === '' ? 8 : 10)
    .map(({ hit }) => hit);
}

/** The server's maximum number of records per type: there may be more. */
const MAX_OF_TYPE = 5;

/** Records as ranked by the server, under the name of their list, which shows the others. */
export function recordHits(records: FoundRecord[], screens: ScreenRef[], query = ''): Hit[] {
  const wanted = query.toLowerCase();
  return [...Map.groupBy(records, ({ type }) => type)].flatMap(([type, found]) => {
    const ref = screens.find(({ name }) => name === type);
    const group = ref?.plural ?? found[0]!.title;
    const icon = ref?.icon ? { icon: ref.icon } : {};
    const hits: Hit[] = found.map((record) => ({
      key: `${type} ${record.id}`,
      group,
      label: record.label,
      to: record.route,
      ...(record.detail && { detail: record.detail }),
      ...icon,
    }));
    // A list searches for the exact text: if the search used other words, it would be empty.
    const inList = found.some(({ label, detail }) => `${label} ${detail ?? ''}`.toLowerCase().includes(wanted));
    if (wanted !== '' && found.length >= MAX_OF_TYPE && ref?.rights.landing && inList)
      hits.push({
        key: `all ${type}`,
        group,
        label: `Show all in ${group}`,
        to: `${ref.routes.landing}?q=${encodeURIComponent(query)}`,
        ...icon,
      });
    return hits;
  });
}
