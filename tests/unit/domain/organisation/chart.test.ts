import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CARD, layOutChart, linkPoints } from '../../../../src/domain/organisation/chart_layout.ts';
import { pagesOfChart } from '../../../../src/domain/organisation/chart_pages.ts';
import type { ChartPerson } from '../../../../src/domain/organisation/chart_tree.ts';
import { ChartTree } from '../../../../src/domain/organisation/chart_tree.ts';
import {
  orderOfMoves,
  planEffect,
  planProblems,
  treeWithMoves,
  withMove,
} from '../../../../src/domain/organisation/reorganisation.ts';

const person = (id: number, parent: number | null, more: Partial<ChartPerson> = {}): ChartPerson => ({
  id,
  parent,
  name: `P${id}`,
  empno: `E${id}`,
  designation: null,
  department: null,
  branch: null,
  joined: null,
  status: 'active',
  dotted: [],
  score: null,
  band: null,
  version: 1,
  wanted: 0,
  ...more,
});
// 1 heads 2 and 3; 2 heads 4 and 5; 3 heads 6, and an empty post; 9 stands alone at the top.
const TREE = [
  person(1, null),
  person(2, 1),
  person(3, 1),
  person(4, 2),
  person(5, 2),
  person(6, 3),
  person(-7, 3, { wanted: 2 }),
  person(9, null),
];
const tree = () => new ChartTree(TREE);

describe('the tree of the chart', () => {
  test('counts people, not vacant posts; the largest root is first', () => {
    const chart = tree();
    expect([chart.headCount(1), chart.headCount(3), chart.span(3), chart.span(1)]).toEqual([6, 2, 1, 2]);
    expect(chart.roots).toEqual([1, 9]);
    expect(chart.averageSpan()).toBe(1.67);
  });

  test('54 people with a manager by 9 managers are 6 on average', () => {
    const managers = Array.from({ length: 9 }, (_, at) => person(at + 1, at === 0 ? null : 1));
    const below = Array.from({ length: 46 }, (_, at) => person(100 + at, (at % 8) + 2));
    expect(new ChartTree([...managers, ...below]).averageSpan()).toBe(6);
  });

  test('people below an absent manager, and those in a cycle, are unplaced, and none is lost', () => {
    const chart = new ChartTree([
      person(1, null),
      person(2, 77),
      person(3, 4),
      person(4, 3),
      person(5, 4),
      person(6, 6),
    ]);
    expect(chart.unplaced).toEqual([2, 6, 3]);
    expect([chart.headCount(3), chart.level(5)]).toEqual([3, 2]);
    expect(chart.unplaced.map((id) => chart.whyUnplaced(id))).toEqual([
      'The manager is not in this chart.',
      'This person reports to themselves.',
      'A cycle: P3 → P4 → P3.',
    ]);
    // They stand in a tray beside the chart, never in it.
    expect([...layOutChart(chart, new Set([1, 2, 3, 4, 5, 6]), 'down').ids]).toEqual([1]);
  });

  test('refuses a cycle and names the people in it', () => {
    const chart = tree();
    expect(chart.refusal(1, 5)).toBe('P5 reports to P1: P1 → P2 → P5. Choose another manager.');
    expect(chart.refusal(2, 2)).toBe('P2 cannot report to themselves.');
    expect(chart.refusal(2, 1)).toBe('P2 reports there already.');
    expect(chart.refusal(2, -7)).toBe('Choose a person.');
    expect(chart.refusal(4, 3)).toBeNull();
    // What a drag offers is what a move allows.
    for (const id of [1, 2, 3, 4, 5, 6, 9])
      for (const to of chart.people.keys()) expect(chart.barred(id).has(to)).toBe(chart.refusal(id, to) !== null);
  });

  test('previews the changes of a move on both sides', () => {
    const chart = tree();
    expect(chart.preview(2, 3)).toEqual({
      along: 2,
      from: { name: 'P1', span: [2, 1], headCount: [5, 5] },
      to: { name: 'P3', span: [1, 2], headCount: [1, 4] },
      level: [1, 2],
    });
    expect(chart.preview(4, 9)).toMatchObject({
      along: 0,
      from: { name: 'P2', headCount: [2, 1] },
      to: { name: 'P9', headCount: [0, 1] },
      level: [2, 1],
    });
  });
});

describe('a plan of moves', () => {
  test('shows teams before and after, the largest change first', () => {
    const before = tree();
    const moves = new Map([[2, 3]]);
    const after = treeWithMoves(before, moves);
    expect(planEffect(before, after, moves)).toEqual({
      moved: 1,
      managers: [3, 3],
      averageSpan: [1.67, 1.67],
      levels: [3, 4],
      teams: [
        { id: 3, name: 'P3', span: [1, 2], headCount: [1, 4] },
        { id: 1, name: 'P1', span: [2, 1], headCount: [5, 5] },
      ],
    });
    expect(withMove(before, moves, 2, 1)).toEqual(new Map());
  });

  test('moves that together make somebody their own manager are refused, with the people in the cycle', () => {
    const { people } = tree();
    const moves = new Map([
      [2, 6],
      [3, 4],
    ]);
    expect(planProblems(people, moves).get(2)).toBe(
      'P2 would be their own manager: P2 → P4 → P3 → P6 → P2. Choose another manager.',
    );
    expect([
      ...planProblems(
        people,
        new Map([
          [4, 77],
          [88, 1],
          [9, null],
        ]),
      ).keys(),
    ]).toEqual([4, 88, 9]);
  });

  test('legal moves, one after the other, are possible together and never make a cycle', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 2, maxLength: 25 }),
        fc.array(fc.tuple(fc.nat(), fc.option(fc.nat())), { maxLength: 30 }),
        (parents, steps) => {
          // Everybody reports to somebody before them, or is at the top.
          const before = new ChartTree(
            parents.map((seed, at) => person(at + 1, seed % (at + 1) === 0 ? null : seed % (at + 1))),
          );
          let moves: ReturnType<typeof withMove> = new Map();
          for (const [who, whom] of steps) {
            const id = (who % parents.length) + 1;
            const to = whom === null ? null : (whom % parents.length) + 1;
            if (treeWithMoves(before, moves).refusal(id, to) === null) moves = withMove(before, moves, id, to);
          }
          expect(planProblems(before.people, moves)).toEqual(new Map());
          const after = treeWithMoves(before, moves);
          expect(after.unplaced).toEqual([]);
          // Carried out one by one in the given order, none is refused.
          let stored = before;
          for (const id of orderOfMoves(before.people, moves)) {
            expect(stored.refusal(id, moves.get(id)!)).toBeNull();
            stored = treeWithMoves(stored, new Map([[id, moves.get(id)!]]));
          }
          expect([...stored.people.values()]).toEqual([...after.people.values()]);
        },
      ),
    );
  });

  test('any set of moves either has a problem or leaves everybody in the tree', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 2, maxLength: 12 }),
        fc.dictionary(fc.nat(11).map(String), fc.option(fc.nat(11))),
        (parents, wanted) => {
          const before = new ChartTree(
            parents.map((seed, at) => person(at + 1, seed % (at + 1) === 0 ? null : seed % (at + 1))),
          );
          const place = (at: number) => (at % parents.length) + 1;
          const moves = new Map(
            Object.entries(wanted).map(([id, to]) => [place(Number(id)), to === null ? null : place(to)]),
          );
          fc.pre([...moves].every(([id, to]) => before.people.get(id)!.parent !== to));
          const after = treeWithMoves(before, moves);
          expect(planProblems(before.people, moves).size === 0).toBe(after.unplaced.length === 0);
        },
      ),
    );
  });
});

describe('the layout', () => {
  test('shows the expanded part, and no two cards overlap', () => {
    expect(layOutChart(tree(), new Set([1]), 'down').ids.length).toBe(4);
    for (const direction of ['down', 'up', 'right', 'left'] as const) {
      const { ids, x, y } = layOutChart(tree(), new Set([1, 2, 3]), direction);
      expect(ids.length).toBe(8);
      for (let a = 0; a < ids.length; a++)
        for (let b = a + 1; b < ids.length; b++)
          expect(Math.abs(x[a]! - x[b]!) >= CARD.width || Math.abs(y[a]! - y[b]!) >= CARD.height).toBe(true);
    }
  });

  test('joins the facing edges of the cards in each direction', () => {
    const ends = (direction: 'down' | 'up' | 'right' | 'left') => {
      const layout = layOutChart(tree(), new Set([1]), direction);
      const [from, to] = [layout.links[0]!, layout.links[1]!];
      const points = linkPoints(layout, 0, direction);
      return [
        points[0]! - layout.x[from]!,
        points[1]! - layout.y[from]!,
        points.at(-2)! - layout.x[to]!,
        points.at(-1)! - layout.y[to]!,
      ];
    };
    const { width, height } = CARD;
    expect(ends('down')).toEqual([width / 2, height, width / 2, 0]);
    expect(ends('up')).toEqual([width / 2, 0, width / 2, height]);
    expect(ends('right')).toEqual([width, height / 2, 0, height / 2]);
    expect(ends('left')).toEqual([0, height / 2, width, height / 2]);
  });

  test('lays out 10,000 people within a second', () => {
    const people = Array.from({ length: 10_000 }, (_, at) =>
      person(at + 1, at === 0 ? null : Math.floor((at - 1) / 7) + 1),
    );
    const began = performance.now();
    const chart = new ChartTree(people);
    const layout = layOutChart(chart, new Set(people.map(({ id }) => id)), 'down');
    expect(layout.ids.length).toBe(10_000);
    expect(chart.headCount(1)).toBe(10_000);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe('the printed chart', () => {
  const SIZE = { width: 1_680, height: 1_090 };

  test('a small chart is one page, with the closed people left out', () => {
    const [page, ...others] = pagesOfChart(tree(), new Set([1, 3]), 'down', SIZE);
    expect(others).toEqual([]);
    expect(page).toMatchObject({ tops: [], parts: 1, from: null });
    expect([...page!.layout.ids].sort((a, b) => a - b)).toEqual([-7, 1, 2, 3, 6, 9]);
    expect(page!.continued.size).toBe(0);
  });

  test('whatever the shape, every open person stands once below their manager, each page fits and is linked', () => {
    const shapes = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(shapes, fc.constantFrom('down', 'up', 'right', 'left'), (parents, direction) => {
        // Each reports to somebody before them, or to nobody.
        const chart = new ChartTree(
          parents.map((seed, at) => person(at + 1, at === 0 || seed % 50 === 0 ? null : (seed % Math.min(at, 40)) + 1)),
        );
        const pages = pagesOfChart(chart, new Set(chart.people.keys()), direction, SIZE);
        const placed = pages.flatMap(({ tops, layout }) => [...layout.ids].filter((id) => !tops.includes(id)));
        expect(placed.sort((a, b) => a - b)).toEqual([...chart.people.keys()]);
        for (const [at, { tops, layout, continued, from }] of pages.entries()) {
          expect(layout.width <= SIZE.width && layout.height <= SIZE.height).toBe(true);
          for (const top of tops) expect(pages[from!]!.layout.placeOf.has(top)).toBe(true);
          for (const [id, page] of continued)
            expect(pages[page]).toMatchObject({ tops: expect.arrayContaining([id]) as number[], part: 1, from: at });
        }
      }),
      { numRuns: 40 },
    );
  });
});
