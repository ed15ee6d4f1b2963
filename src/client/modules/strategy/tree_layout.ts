import { hierarchy, tree } from 'd3-hierarchy';

/** Width of a card, and the distance between two levels. */
export const CARD = { width: 232, level: 312, gap: 16 } as const;

export interface Placed {
  no: number;
  parent: number | null;
  x: number;
  y: number;
  height: number;
}

/**
 * Places the open part of a tree from left to right: a parent stands in the middle of its children, and no two cards
 * overlap, whatever their heights.
 */
export function layOutTree(
  root: number,
  shownBelow: (no: number) => readonly number[],
  heightOf: (no: number) => number,
): Placed[] {
  const placed = tree<number>()
    .nodeSize([1, CARD.level])
    .separation((a, b) => (heightOf(a.data) + heightOf(b.data)) / 2 + CARD.gap)(
    hierarchy(root, (no) => [...shownBelow(no)]),
  );
  return placed.descendants().map(({ data, parent, x, y }) => ({
    no: data,
    parent: parent?.data ?? null,
    x: y,
    y: x - heightOf(data) / 2,
    height: heightOf(data),
  }));
}
