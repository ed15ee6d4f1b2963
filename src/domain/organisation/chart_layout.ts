import type { ChartTree } from './chart_tree.ts';

/** Size of a card and of what lies between cards, in units of the drawing. */
export const CARD = { width: 208, height: 72, gap: 20, level: 56, indent: 24, stack: 14 } as const;

/** Where reports stand from their manager. */
export type Direction = 'down' | 'up' | 'right' | 'left';

const isVertical = (direction: Direction) => direction === 'down' || direction === 'up';

/** Where each shown card stands. */
export interface ChartLayout {
  ids: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** Place of a card by its id. */
  placeOf: Map<number, number>;
  /** Pairs of places: manager, report. */
  links: Int32Array;
  width: number;
  height: number;
}

interface Box {
  id: number;
  /** Across the levels, from the left edge of the box to its card. */
  card: number;
  across: number;
  children: Box[];
  /** Children stand below each other, indented. */
  stacked: boolean;
}

/**
 * Places the open part of a tree, without the unplaced: managers stand in the middle above their reports. Reports who all
 * have nobody below them stand below each other, so that a department is a column and not a mile wide.
 */
export function layOutChart(tree: ChartTree, open: ReadonlySet<number>, direction: Direction): ChartLayout {
  const down = isVertical(direction);
  const size = down ? CARD.width : CARD.height;
  const depth = down ? CARD.height : CARD.width;
  const shownBelow = (id: number) => (open.has(id) ? tree.below(id) : []);

  const boxOf = (id: number): Box => {
    const children = shownBelow(id);
    if (children.length === 0) return { id, card: 0, across: size, children: [], stacked: false };
    const stacked = down && children.length > 1 && children.every((one) => tree.below(one).length === 0);
    const boxes = children.map(boxOf);
    if (stacked) return { id, card: 0, across: size + CARD.indent, children: boxes, stacked };
    const across = boxes.reduce((sum, box) => sum + box.across + CARD.gap, -CARD.gap);
    const first = boxes[0]!;
    const last = boxes.at(-1)!;
    const middle = (first.card + (across - last.across + last.card)) / 2;
    const card = Math.max(0, middle);
    return { id, card, across: Math.max(across, card + size), children: boxes, stacked };
  };

  const ids: number[] = [];
  const xs: number[] = [];
  const ys: number[] = [];
  const links: number[] = [];
  let width = 0;
  let height = 0;
  const place = (box: Box, across: number, along: number, above: number): void => {
    const at = ids.length;
    const [x, y] = down ? [across + box.card, along] : [along, across + box.card];
    ids.push(box.id);
    xs.push(x);
    ys.push(y);
    if (above >= 0) links.push(above, at);
    width = Math.max(width, x + CARD.width);
    height = Math.max(height, y + CARD.height);
    let next = across;
    for (const [index, child] of box.children.entries()) {
      if (box.stacked) {
        place(child, across + box.card + CARD.indent, along + (depth + CARD.stack) * (index + 1), at);
      } else {
        place(child, next, along + depth + CARD.level, at);
        next += child.across + CARD.gap;
      }
    }
  };
  let next = 0;
  for (const root of tree.roots) {
    const box = boxOf(root);
    place(box, next, 0, -1);
    next += box.across + CARD.gap * 3;
  }
  // The opposite direction is the mirror image.
  if (direction === 'up') for (let at = 0; at < ys.length; at++) ys[at] = height - CARD.height - ys[at]!;
  if (direction === 'left') for (let at = 0; at < xs.length; at++) xs[at] = width - CARD.width - xs[at]!;
  return {
    ids: Int32Array.from(ids),
    x: Float64Array.from(xs),
    y: Float64Array.from(ys),
    placeOf: new Map(ids.map((id, at) => [id, at])),
    links: Int32Array.from(links),
    width,
    height,
  };
}

/** The line that joins a card to its manager's, as points. */
export function linkPoints(layout: ChartLayout, at: number, direction: Direction): number[] {
  const [from, to] = [layout.links[at]!, layout.links[at + 1]!];
  const [px, py, cx, cy] = [layout.x[from]!, layout.y[from]!, layout.x[to]!, layout.y[to]!];
  const [halfWidth, halfHeight] = [CARD.width / 2, CARD.height / 2];
  if (!isVertical(direction)) {
    const isRight = direction === 'right';
    const start = isRight ? px + CARD.width : px;
    const middle = isRight ? start + CARD.level / 2 : start - CARD.level / 2;
    const end = isRight ? cx : cx + CARD.width;
    return [start, py + halfHeight, middle, py + halfHeight, middle, cy + halfHeight, end, cy + halfHeight];
  }
  const isDown = direction === 'down';
  const start = isDown ? py + CARD.height : py;
  if (cx === px + CARD.indent) {
    const rail = px + CARD.indent / 2;
    return [rail, start, rail, cy + halfHeight, cx, cy + halfHeight];
  }
  const middle = isDown ? start + CARD.level / 2 : start - CARD.level / 2;
  const end = isDown ? cy : cy + CARD.height;
  return [px + halfWidth, start, px + halfWidth, middle, cx + halfWidth, middle, cx + halfWidth, end];
}
