import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImpactNode, ImpactTree, Relation } from '../../../../src/domain/strategy/impact_tree.ts';
import {
  leversToTarget,
  bullseye,
  contributions,
  elasticities,
  evaluate,
  impactShares,
  impactTree,
  neededValues,
  unitImpacts,
} from '../../../../src/domain/strategy/impact_tree.ts';
import { treeFormula } from '../../../../src/domain/strategy/tree_formula.ts';

const node = (no: number, parent: number | null, code: string, more: Partial<ImpactNode> = {}): ImpactNode => ({
  no,
  parent,
  code,
  label: code,
  relation: 'plus',
  controllable: true,
  ...more,
});
function tree(nodes: ImpactNode[]): ImpactTree {
  const made = impactTree(nodes);
  if ('wrong' in made) throw new Error(made.wrong.join(' '));
  return made;
}

const PROFIT = tree([
  node(1, null, 'PROFIT', { formula: 'REVENUE * (1 - COGS_PCT) - OPEX' }),
  node(2, 1, 'REVENUE', { relation: 'formula' }),
  node(3, 2, 'WALKINS', { relation: 'times' }),
  node(4, 2, 'CONV', { relation: 'times' }),
  node(5, 2, 'BILL', { relation: 'times' }),
  node(6, 1, 'COGS_PCT', { relation: 'formula' }),
  node(7, 1, 'OPEX', { relation: 'formula' }),
]);
const TARGET = new Map([
  [3, 10_000],
  [4, 0.3],
  [5, 8000],
  [6, 0.62],
  [7, 6_000_000],
]);
const ACTUAL = new Map([
  [3, 9500],
  [4, 0.28],
  [5, 8600],
  [6, 0.63],
  [7, 5_800_000],
]);

describe('the profit tree (performance.md §5.14–5.16)', () => {
  test('values, elasticities and impact percent', () => {
    expect(evaluate(PROFIT, TARGET).get(1)).toBeCloseTo(3_120_000, 6);
    expect(evaluate(PROFIT, ACTUAL).get(1)).toBeCloseTo(2_664_120, 6);
    const elasticity = elasticities(PROFIT, TARGET);
    expect([...elasticity.values()].map((value) => value.toFixed(4))).toEqual([
      '2.9231',
      '2.9231',
      '2.9231',
      '-4.7692',
      '-1.9231',
    ]);
    expect([...impactShares(elasticity).values()].toSorted((a, b) => a - b)).toEqual([12.44, 18.9, 18.9, 18.91, 30.85]);
  });

  test('the effects of all gaps add up to the change; the effect of each alone', () => {
    const made = contributions(PROFIT, TARGET, ACTUAL)!;
    expect([...made.of.values()]).toEqual([-451_121.67, -606_721.66, 636_545, -234_581.67, 200_000]);
    expect(made.change).toBe(-455_880);
    expect([...leversToTarget(PROFIT, ACTUAL, TARGET).values()]).toEqual([
      445_480, 604_580, -590_520, 228_760, -200_000,
    ]);
  });

  test('what one driver alone must do for 10 percent more', () => {
    const needed = neededValues(PROFIT, TARGET, 10);
    expect(needed.get(3)).toBeCloseTo(10_342.1053, 4);
    expect(needed.get(6)).toBeCloseTo(0.607, 6);
    const bound = tree(PROFIT.nodes.map((one) => (one.no === 3 ? { ...one, maxMove: 3 } : one)));
    expect(neededValues(bound, TARGET, 10).has(3)).toBe(false);
  });

  test('the bullseye', () => {
    const achieved = new Map([
      [3, 95],
      [4, 93.3333],
      [5, 107.5],
      [6, 98.3871],
      [7, 103.3333],
    ]);
    const sectors = bullseye(achieved, elasticities(PROFIT, TARGET));
    expect(sectors.map(({ radius }) => Number(radius.toFixed(4)))).toEqual([5, 6.6667, 0, 1.6129, 0]);
    expect(sectors.map(({ angle }) => angle.toFixed(2))).toEqual(['68.06', '68.06', '68.06', '111.04', '44.78']);
    expect(sectors.reduce((sum, { angle }) => sum + angle, 0)).toBeCloseTo(360, 9);
  });
});

test('root at zero: no share in percent, but its change in units for one percent of each driver', () => {
  const both = tree([node(1, null, 'PROFIT'), node(2, 1, 'SALES'), node(3, 1, 'COST', { relation: 'minus' })]);
  const values = new Map([
    [2, 500],
    [3, 500],
  ]);
  expect(elasticities(both, values).size).toBe(0);
  expect([...unitImpacts(both, values)]).toEqual([
    [2, 5],
    [3, -5],
  ]);
});

test('revenue alone, and a division', () => {
  const revenue = tree([
    node(2, null, 'REVENUE'),
    ...(['WALKINS', 'CONV', 'BILL'] as const).map((code, at) => node(at + 3, 2, code, { relation: 'times' })),
  ]);
  const made = contributions(revenue, TARGET, ACTUAL)!;
  expect([...made.of.values(), made.change]).toEqual([-1_203_000, -1_618_000, 1_697_000, -1_124_000]);
  const ratio = tree([
    node(1, null, 'R', { formula: 'X * Y / Z' }),
    ...['X', 'Y', 'Z'].map((code, at) => node(at + 2, 1, code, { relation: 'formula' })),
  ]);
  const state = (x: number, y: number, z: number) =>
    new Map([
      [2, x],
      [3, y],
      [4, z],
    ]);
  expect([...contributions(ratio, state(100, 50, 20), state(110, 48, 24))!.of.values()]).toEqual([
    22.47, -9.61, -42.86,
  ]);
});

test('judged children move their parent by their shares', () => {
  const judged = tree([
    node(1, null, 'NPS'),
    node(2, 1, 'SPEED', { relation: 'judged', impact: 40 }),
    node(3, 1, 'PRICE', { relation: 'judged', impact: 25 }),
    node(4, 1, 'RANGE', { relation: 'judged', impact: 35 }),
  ]);
  const from = new Map([
    [1, 200],
    [2, 50],
    [3, 100],
    [4, 10],
  ]);
  const to = new Map([
    [2, 55],
    [3, 96],
    [4, 10],
  ]);
  expect(evaluate(judged, to, from).get(1)).toBeCloseTo(206, 9);
  expect(contributions(judged, from, to)).toMatchObject({ change: 6 });
});

test('a tree that is not right says why', () => {
  const wrong = (nodes: ImpactNode[]) => {
    const made = impactTree(nodes);
    return 'wrong' in made ? made.wrong : [];
  };
  expect(wrong([node(1, null, 'A'), node(2, 1, 'B'), node(3, 1, 'C', { relation: 'times' })])).toEqual([
    'Children of A must all multiply, all add, or all be estimated.',
  ]);
  expect(wrong([node(1, null, 'A'), node(2, 3, 'B'), node(3, 2, 'C')])).toHaveLength(1);
  expect(wrong([node(1, null, 'A', { formula: 'B + X' }), node(2, 1, 'B', { relation: 'formula' })])).toEqual([
    'A: X is not one of its children.',
  ]);
  expect(
    wrong([node(1, null, 'A'), ...[2, 3].map((no) => node(no, 1, `B${no}`, { relation: 'judged', impact: 60 }))]),
  ).toEqual(['The estimated children of A add up to 120 %. The maximum is 100 %.']);
  expect(treeFormula('A + (B')).toHaveProperty('wrong');
  expect(treeFormula('A ^ 2')).toHaveProperty('wrong');
  const ratio = treeFormula('A / B');
  expect('value' in ratio && ratio.value((code) => (code === 'A' ? 1 : 0))).toBe(null);
});

test('contributions add up to the change of the root, by subsets and by the integral', () => {
  const relation = fc.constantFrom<Relation>('plus', 'times');
  const value = fc.integer({ min: -500, max: 500 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(relation, fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 })), {
        minLength: 1,
        maxLength: 4,
      }),
      (groups) => {
        const nodes = [node(1, null, 'ROOT')];
        const from = new Map<number, number>();
        const to = new Map<number, number>();
        for (const [kind, leaves] of groups) {
          const parent = nodes.length + 1;
          nodes.push(node(parent, 1, `G${parent}`));
          for (const [first, second] of leaves) {
            const no = nodes.length + 1;
            nodes.push(node(no, parent, `L${no}`, { relation: kind }));
            from.set(no, first / 100);
            to.set(no, second / 100);
          }
        }
        const made = contributions(tree(nodes), from, to)!;
        const sum = [...made.of.values()].reduce((all, one) => all + one, 0);
        expect(sum).toBeCloseTo(made.change, 6);
      },
    ),
    { numRuns: 30 },
  );
});
