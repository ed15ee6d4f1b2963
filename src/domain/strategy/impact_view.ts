import { achievement } from '../performance/achievement.ts';
import type { FigureStyle } from '../performance/shown_figure.ts';
import type { BullseyeSector, Contributions, ImpactNode, ImpactTree } from './impact_tree.ts';
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
} from './impact_tree.ts';

/** A node with its values in the two states that are compared; null = there is none. */
export interface ViewNode extends ImpactNode {
  kpi_id: number | null;
  unit: string | null;
  style: FigureStyle;
  decimals: number;
  /** Whether less is better, where its KPI says so; null = the tree decides. */
  isLower: boolean | null;
  owner: string | null;
  from: number | null;
  to: number | null;
}

/** What the impact chart, the bullseye and the report are drawn of. */
export interface ImpactView {
  tree: { id: number; name: string } | null;
  trees: { id: number; name: string }[];
  month: string | null;
  against: 'target' | 'month_before' | 'year_before';
  /** How many levels are open at first. */
  depth: number;
  nodes: ViewNode[];
  /** Only the part with figures of the reader's own people, not the whole tree. */
  isPart: boolean;
}

/** A tree as it is computed: all that charts and the report say of it. */
export interface ImpactAnalysis {
  tree: ImpactTree;
  /** Every node in the first and in the second state. */
  from: Map<number, number>;
  to: Map<number, number>;
  elasticity: Map<number, number>;
  /** In percent of all drivers; none where the root is at 0. */
  shares: Map<number, number>;
  /** Where the root is at 0: its change in units for one percent of each driver; otherwise null. */
  units: Map<number, number> | null;
  made: Contributions | null;
  levers: Map<number, number>;
  achieved: Map<number, number>;
  sectors: BullseyeSector[];
  /** What the root's own KPI has beside what the tree explains; null = it has no figure of its own. */
  unexplained: number | null;
}

/**
 * The largest branch of a tree all of whose drivers have a figure, with its head at the top; empty = no driver has one.
 * Of two as large the one nearer the root counts, then the first.
 */
export function branchWithFigures(nodes: readonly ViewNode[]): ViewNode[] {
  const below = Map.groupBy(nodes, ({ parent }) => parent);
  const branchOf = (node: ViewNode): ViewNode[] => [node, ...(below.get(node.no) ?? []).flatMap(branchOf)];
  const isKnown = (node: ViewNode) => below.has(node.no) || (node.from !== null && node.to !== null);
  let best: ViewNode[] = [];
  const level = [...(below.get(null) ?? [])];
  for (const node of level) {
    const branch = branchOf(node);
    if (branch.length > best.length && branch.every(isKnown)) best = branch;
    level.push(...(below.get(node.no) ?? []));
  }
  return best.map((node, at) => (at === 0 ? { ...node, parent: null } : node));
}

const valuesOf = (nodes: readonly ViewNode[], of: 'from' | 'to'): Map<number, number> =>
  new Map(nodes.flatMap((node) => (node[of] === null ? [] : [[node.no, node[of]] as const])));

/** Computes a tree, with other values of some leaves where one asks what would be. @returns what is wrong with it, if it is */
export function analyse(
  nodes: readonly ViewNode[],
  changed: ReadonlyMap<number, number> = new Map(),
): ImpactAnalysis | { wrong: string[] } {
  const tree = impactTree(nodes);
  if ('wrong' in tree) return tree;
  const given = valuesOf(nodes, 'from');
  const leavesTo = new Map([...valuesOf(nodes, 'to'), ...changed]);
  const missing = tree.leaves.flatMap(({ no, label }) => (given.has(no) && leavesTo.has(no) ? [] : [label]));
  if (missing.length > 0) return { wrong: missing.map((label) => `${label} has no figure in this month.`) };
  const isLeaf = new Set(tree.leaves.map(({ no }) => no));
  const from = evaluate(tree, given, given);
  // Judged parents keep their own first value; the others have that of the tree.
  const base = new Map([...given, ...from]);
  const to = evaluate(tree, leavesTo, base);
  const elasticity = elasticities(tree, base, base);
  const units = from.get(tree.root.no) === 0 ? unitImpacts(tree, base, base) : null;
  const byNo = new Map(nodes.map((node) => [node.no, node]));
  const achieved = new Map(
    [...to].flatMap(([no, value]) => {
      const target = from.get(no);
      if (target === undefined) return [];
      const { isLower } = byNo.get(no)!;
      const pull = (units ?? elasticity).get(no) ?? 1;
      const direction = (isLower ?? (isLeaf.has(no) && pull < 0)) ? 'lower' : 'higher';
      const result = achievement({ method: 'linear', direction, actual: value, target, cap: 200 });
      return 'percent' in result ? [[no, Number(result.percent)] as const] : [];
    }),
  );
  const leaves = new Map([...achieved].filter(([no]) => isLeaf.has(no)));
  const own = byNo.get(tree.root.no)!.to;
  const root = to.get(tree.root.no);
  return {
    tree,
    from,
    to,
    elasticity,
    shares: impactShares(elasticity),
    units,
    made: contributions(tree, base, leavesTo),
    levers: leversToTarget(tree, leavesTo, base),
    achieved,
    sectors: bullseye(leaves, units ?? elasticity),
    unexplained:
      own === null || root === undefined || byNo.get(tree.root.no)!.kpi_id === null || changed.size > 0
        ? null
        : own - root,
  };
}

/** What each driver alone must come to for the root to be so many percent above its first value. */
export const needed = ({ tree, from }: ImpactAnalysis, percent: number): Map<number, number> =>
  neededValues(tree, from, percent);
