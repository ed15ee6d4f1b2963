import type { ChartLayout, Direction } from './chart_layout.ts';
import { layOutChart } from './chart_layout.ts';
import { ChartTree } from './chart_tree.ts';

/** A page of the printed chart: managers with the people below, as deep as the page has room. */
export interface ChartPage {
  /** The managers at its top; none = it begins with people who report to nobody. */
  tops: number[];
  /** Several pages share the reports of one manager. */
  part: number;
  parts: number;
  tree: ChartTree;
  layout: ChartLayout;
  /** The page on which the reports of a person stand, by person. */
  continued: Map<number, number>;
  /** The page that has these managers among others; null for the first pages. */
  from: number | null;
}

/** A manager with reports for whom their page has no room. */
interface Branch {
  top: number | null;
  below: readonly number[];
  part: number;
  parts: number;
  from: number | null;
}

/**
 * The open part of a chart on pages of a size. What does not fit stands on pages of its own, whole branches together, and
 * each manager names the page on which their reports stand.
 */
export function pagesOfChart(
  tree: ChartTree,
  open: ReadonlySet<number>,
  direction: Direction,
  size: { width: number; height: number },
): ChartPage[] {
  const shownBelow = (id: number) => (open.has(id) ? tree.below(id) : []);

  /** Branches so many levels deep, laid out; the people on the last level have nobody below them here. */
  const drawn = (branches: readonly Pick<Branch, 'top' | 'below'>[], levels: number) => {
    const ids = new Set(branches.flatMap(({ top }) => (top === null ? [] : [top])));
    let level = branches.flatMap(({ below }) => below);
    let isWhole = true;
    for (let depth = 1; level.length > 0; depth++) {
      for (const id of level) ids.add(id);
      const next = level.flatMap(shownBelow);
      if (depth === levels) {
        isWhole = next.length === 0;
        break;
      }
      level = next;
    }
    const part = new ChartTree(
      [...ids].map((id) => {
        const person = tree.people.get(id)!;
        return { ...person, parent: person.parent !== null && ids.has(person.parent) ? person.parent : null };
      }),
    );
    const layout = layOutChart(part, ids, direction);
    return { tree: part, layout, isWhole, fits: layout.width <= size.width && layout.height <= size.height };
  };
  /** As many levels as a page has room for, at least one. */
  const deepest = (branches: readonly Branch[]) => {
    let page = drawn(branches, 1);
    for (let levels = 2; page.fits && !page.isWhole; levels++) {
      const deeper = drawn(branches, levels);
      if (!deeper.fits) break;
      page = deeper;
    }
    return page;
  };

  /** The reports of a manager by pages: halves, until a page has room for them. */
  const split = (top: number | null, below: readonly number[]): (readonly number[])[] => {
    if (below.length <= 1 || drawn([{ top, below }], 1).fits) return [below];
    const half = Math.ceil(below.length / 2);
    return [...split(top, below.slice(0, half)), ...split(top, below.slice(half))];
  };
  const branchesOf = (top: number | null, below: readonly number[], from: number | null): Branch[] => {
    const lists = split(top, below);
    return lists.map((list, at) => ({ top, below: list, part: at + 1, parts: lists.length, from }));
  };

  const pages: ChartPage[] = [];
  const waiting = branchesOf(null, tree.roots, null);
  for (let at = 0; at < waiting.length;) {
    const first = waiting[at++]!;
    const { from, part, parts } = first;
    const together = [first];
    let page = deepest(together);
    // Branches that are whole on the page are joined by the next ones of the same page.
    while (page.isWhole && parts === 1 && at < waiting.length) {
      const next = waiting[at]!;
      if (next.from !== from || next.parts > 1) break;
      const wider = drawn([...together, next], Infinity);
      if (!wider.fits) break;
      together.push(next);
      page = wider;
      at++;
    }
    const tops = together.flatMap(({ top }) => (top === null ? [] : [top]));
    for (const top of tops) if (part === 1) pages[from!]!.continued.set(top, pages.length);
    for (const id of page.layout.ids) {
      const below = tops.includes(id) || page.tree.below(id).length > 0 ? [] : shownBelow(id);
      if (below.length > 0) waiting.push(...branchesOf(id, below, pages.length));
    }
    pages.push({ tops, part, parts, tree: page.tree, layout: page.layout, continued: new Map(), from });
  }
  return pages;
}
