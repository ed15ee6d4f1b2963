import { CARD, linkPoints } from '../../../domain/organisation/chart_layout.ts';
import type { Direction } from '../../../domain/organisation/chart_layout.ts';
import { cardLines } from '../../../domain/organisation/chart_card.ts';
import type { ChartPage } from '../../../domain/organisation/chart_pages.ts';
import { pagesOfChart } from '../../../domain/organisation/chart_pages.ts';
import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import { treeWithMoves } from '../../../domain/organisation/reorganisation.ts';
import type { ContentBlock, PrintContent } from './print_content.ts';
import { DRAWING_ROOM } from './print_content.ts';

/** Points of a unit of the chart: its names have 8 points. */
const SCALE = 0.6;
const MAX_PAGES = 1_500;
/** The managers that the title of a page names. */
const NAMED = 4;

/** An organisation chart to be printed, as data. */
export interface ChartPrint {
  people: readonly ChartPerson[];
  /** New managers of a plan, by person. */
  moves: ReadonlyMap<number, number | null>;
  /** The people whose reports are shown; null = everybody. */
  open: ReadonlySet<number> | null;
  direction: Direction;
  title: string;
  by: string;
  /** ISO time written into the file. */
  at: string;
}

/** The open part of a chart on A3 pages, with links between the pages of managers and their reports; or the reason why not. */
export function chartPaper({
  people,
  moves,
  open,
  direction,
  title,
  by,
  at,
}: ChartPrint): { content: PrintContent } | { refused: string } {
  const tree = treeWithMoves(new ChartTree(people), moves);
  const pages = pagesOfChart(tree, open ?? new Set(tree.people.keys()), direction, {
    width: DRAWING_ROOM.width / SCALE,
    height: DRAWING_ROOM.height / SCALE,
  });
  if (pages.length > MAX_PAGES)
    return {
      refused: `The open part of the chart needs ${pages.length} pages; a PDF has ${MAX_PAGES} at most. Collapse some people.`,
    };
  return {
    content: {
      title,
      paper: 'A3',
      landscape: true,
      at,
      watermark: null,
      foot: `${title} · ${by}`,
      blocks: pages.map((page) => drawingOf(tree, page, direction, title)),
    },
  };
}

function drawingOf(
  tree: ChartTree,
  { tops, part, parts, tree: own, layout, continued, from }: ChartPage,
  direction: Direction,
  title: string,
): ContentBlock {
  const points = (list: readonly number[]) => list.map((value) => value * SCALE);
  const names = tops.map((id) => tree.people.get(id)!.name);
  const more = names.length - NAMED;
  const head =
    names.length === 0 ? title : `Reports of ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return {
    kind: 'drawing',
    title: parts > 1 ? `${head}, part ${part} of ${parts}` : head,
    back: from,
    lines: Array.from({ length: layout.links.length / 2 }, (_, at) => points(linkPoints(layout, at * 2, direction))),
    boxes: Array.from(layout.ids, (id, at) => {
      const person = own.people.get(id)!;
      const [name, post, place] = cardLines(person);
      return {
        x: layout.x[at]! * SCALE,
        y: layout.y[at]! * SCALE,
        width: CARD.width * SCALE,
        height: CARD.height * SCALE,
        isDashed: person.wanted > 0,
        name,
        lines: [post, place],
        more: tree.below(id).length > 0 && own.below(id).length === 0 ? `${tree.headCount(id) - 1} below` : null,
        page: continued.get(id) ?? null,
      };
    }),
  };
}
