import { treeFormula } from './tree_formula.ts';

export type Relation = 'plus' | 'minus' | 'times' | 'divide' | 'formula' | 'judged';

/** A node of a driver tree. The root has no parent; `relation` says how a node enters its parent. */
export interface ImpactNode {
  no: number;
  parent: number | null;
  code: string;
  label: string;
  relation: Relation;
  /** Of a parent whose children are joined by a formula over their codes. */
  formula?: string | null;
  /** Of a judged child: how much of its relative change its parent has, in percent. */
  impact?: number;
  /** A judged child that lowers its parent as it grows. */
  isOpposite?: boolean;
  controllable?: boolean;
  /** How far a driver can be moved, in percent of its value. */
  maxMove?: number | null;
}

/** Values of leaves, or of all nodes, by number; what is missing is not there. */
export type NodeValues = ReadonlyMap<number, number>;

/** A tree that is right: its nodes by number, in an order in which children come before their parents. */
export interface ImpactTree {
  root: ImpactNode;
  nodes: readonly ImpactNode[];
  leaves: readonly ImpactNode[];
  children: ReadonlyMap<number, readonly ImpactNode[]>;
  /** Children first. */
  order: readonly ImpactNode[];
}

/** Puts the nodes of a tree in order. @returns what is wrong with it, in a sentence each (performance.md §4, §10) */
export function impactTree(nodes: readonly ImpactNode[]): ImpactTree | { wrong: string[] } {
  const wrong: string[] = [];
  const byNo = new Map(nodes.map((node) => [node.no, node]));
  const roots = nodes.filter(({ parent }) => parent === null);
  if (roots.length !== 1) wrong.push(`A tree has one node without a parent. This one has ${roots.length}.`);
  if (byNo.size < nodes.length) wrong.push('Two nodes have the same number.');
  for (const { no, parent } of nodes)
    if (parent !== null && !byNo.has(parent)) wrong.push(`Node ${no} has the parent ${parent}, which does not exist.`);
  if (wrong.length > 0) return { wrong };
  const children = Map.groupBy(
    nodes.filter(({ parent }) => parent !== null),
    ({ parent }) => parent!,
  );
  const order: ImpactNode[] = [];
  const visit = (node: ImpactNode) => {
    for (const child of children.get(node.no) ?? []) visit(child);
    order.push(node);
  };
  visit(roots[0]!);
  if (order.length < nodes.length) wrong.push('Some nodes form a cycle and never lead to the root.');
  for (const [no, own] of children) {
    const parent = byNo.get(no)!;
    const kinds = new Set(own.map(({ relation }) => kindOf(relation)));
    if (kinds.size > 1) wrong.push(`Children of ${parent.code} must all multiply, all add, or all be estimated.`);
    if (kinds.has('formula')) {
      const formula = treeFormula(parent.formula ?? '');
      if ('wrong' in formula) wrong.push(`${parent.code}: ${formula.wrong}`);
      else {
        const codes = new Set(own.map(({ code }) => code));
        for (const code of formula.codes)
          if (!codes.has(code)) wrong.push(`${parent.code}: ${code} is not one of its children.`);
      }
    }
    const judged = own.reduce((sum, { relation, impact }) => sum + (relation === 'judged' ? (impact ?? 0) : 0), 0);
    if (judged > 100)
      wrong.push(`The estimated children of ${parent.code} add up to ${judged} %. The maximum is 100 %.`);
  }
  if (wrong.length > 0) return { wrong };
  return { root: roots[0]!, nodes, leaves: order.filter(({ no }) => !children.has(no)), children, order };
}

function kindOf(relation: Relation): 'adds' | 'multiplies' | 'formula' | 'judged' {
  if (relation === 'plus' || relation === 'minus') return 'adds';
  if (relation === 'times' || relation === 'divide') return 'multiplies';
  return relation;
}

/**
 * The value of every node from those of the leaves. Parents of judged children move from their own value of `base` by the
 * relative changes of their children since then.
 */
export function evaluate(tree: ImpactTree, leaves: NodeValues, base: NodeValues = leaves): Map<number, number> {
  const values = new Map<number, number>();
  const set = (no: number, value: number | null | undefined) => {
    if (value !== null && value !== undefined && Number.isFinite(value)) values.set(no, value);
  };
  for (const node of tree.order) {
    const own = tree.children.get(node.no);
    if (!own) set(node.no, leaves.get(node.no));
    else set(node.no, joinedValue(node, own, values, base));
  }
  return values;
}

function joinedValue(node: ImpactNode, own: readonly ImpactNode[], values: NodeValues, base: NodeValues) {
  const kind = kindOf(own[0]!.relation);
  if (kind === 'formula') {
    const formula = treeFormula(node.formula ?? '');
    if ('wrong' in formula) return null;
    const numbers = new Map(own.map(({ code, no }) => [code, no]));
    return formula.value((code) => values.get(numbers.get(code) ?? Number.NaN) ?? null);
  }
  const parts = own.map((child) => ({ child, value: values.get(child.no) }));
  if (parts.some(({ value }) => value === undefined)) return null;
  if (kind === 'adds')
    return parts.reduce((sum, { child, value }) => (child.relation === 'minus' ? sum - value! : sum + value!), 0);
  if (kind === 'multiplies')
    return parts.reduce(
      (product, { child, value }) => (child.relation === 'divide' ? product / value! : product * value!),
      1,
    );
  const from = base.get(node.no);
  if (from === undefined) return null;
  return parts.reduce((sum, { child, value }) => {
    const start = base.get(child.no);
    if (start === undefined || start === 0) return sum;
    const share = ((child.isOpposite ? -1 : 1) * (child.impact ?? 0)) / 100;
    return sum + (from * share * (value! - start)) / start;
  }, from);
}

const rootValue = (tree: ImpactTree, leaves: NodeValues, base: NodeValues): number =>
  evaluate(tree, leaves, base).get(tree.root.no) ?? Number.NaN;

const withLeaf = (leaves: NodeValues, no: number, value: number): NodeValues => new Map(leaves).set(no, value);

const STEP = 1e-6;

/**
 * By how many percent the root changes for one percent of a leaf, at the values of `leaves` (§5.14). A leaf at 0, or a root at
 * 0, has none.
 */
export function elasticities(tree: ImpactTree, leaves: NodeValues, base: NodeValues = leaves): Map<number, number> {
  const root = rootValue(tree, leaves, base);
  return new Map(
    tree.leaves.flatMap(({ no }) => {
      const value = leaves.get(no);
      if (value === undefined || value === 0 || root === 0) return [];
      const up = rootValue(tree, withLeaf(leaves, no, value * (1 + STEP)), base);
      const down = rootValue(tree, withLeaf(leaves, no, value * (1 - STEP)), base);
      const elasticity = (up - down) / (2 * STEP * root);
      return Number.isFinite(elasticity) ? [[no, elasticity] as const] : [];
    }),
  );
}

/**
 * By how many units the root changes for one percent of each leaf: what is said of drivers where the root is at 0, and a
 * share in percent is not defined (performance.md §10).
 */
export function unitImpacts(tree: ImpactTree, leaves: NodeValues, base: NodeValues = leaves): Map<number, number> {
  return new Map(
    tree.leaves.flatMap(({ no }) => {
      const value = leaves.get(no);
      if (value === undefined || value === 0) return [];
      const up = rootValue(tree, withLeaf(leaves, no, value * (1 + STEP)), base);
      const down = rootValue(tree, withLeaf(leaves, no, value * (1 - STEP)), base);
      const units = (up - down) / (200 * STEP);
      return Number.isFinite(units) ? [[no, Number(units.toPrecision(8))] as const] : [];
    }),
  );
}

/** Parts of a whole in hundredths that add up to it exactly: the largest remainders are rounded up, the earlier first. */
function hundredths(parts: readonly number[], whole: number): number[] {
  const exact = parts.map((part) => Number((part * 100).toPrecision(12)));
  const floors = exact.map((part) => Math.floor(part));
  const left = Math.round(whole * 100) - floors.reduce((sum, part) => sum + part, 0);
  const first = exact
    .map((part, at) => ({ at, rest: part - floors[at]! }))
    .toSorted((a, b) => b.rest - a.rest || a.at - b.at)
    .slice(0, Math.max(0, left));
  return floors.map((part, at) => (first.some((one) => one.at === at) ? part + 1 : part) / 100);
}

/** Shares of the elasticities without their signs, in percent with 2 decimals that add up to 100. */
export function impactShares(elasticity: ReadonlyMap<number, number>): Map<number, number> {
  const all = [...elasticity.values()].reduce((sum, value) => sum + Math.abs(value), 0);
  if (all === 0) return new Map();
  const shares = hundredths(
    [...elasticity.values()].map((value) => (Math.abs(value) * 100) / all),
    100,
  );
  return new Map([...elasticity.keys()].map((no, at) => [no, shares[at]!]));
}

/** Most leaves for which every subset is looked at: 4,096 values of the root. */
const MAX_SUBSETS = 12;

/** Points and weights of Gauss and Legendre from 0 to 1: they integrate polynomials up to the 31st degree exactly. */
const POINTS = [
  [0.005299532504175, 0.013576229705877], [0.0277124884633837, 0.0311267619693239], [0.0671843988060841, 0.0475792558412464],
  [0.1222977958224985, 0.0623144856277670], [0.1910618777986781, 0.0747979944082884], [0.2709916111713863, 0.0845782596975013],
  [0.3591982246103705, 0.0913017075224618], [0.4524937450811813, 0.0947253052275342],
] as const; // prettier-ignore

/** Each leaf's mean effect over all orders in which the leaves could switch from one state to the other. */
function bySubsets(tree: ImpactTree, from: NodeValues, to: NodeValues, moved: readonly number[]): number[] {
  const count = moved.length;
  const roots = Array.from({ length: 2 ** count }, (_, mask) => {
    const state = new Map(from);
    moved.forEach((no, at) => {
      if (mask & (1 << at)) state.set(no, to.get(no)!);
    });
    return rootValue(tree, state, from);
  });
  // How often a subset of a size stands before a leaf, of all orders: size! (count - size - 1)! / count!
  const weights = [1 / count];
  for (let size = 1; size < count; size++) weights.push((weights[size - 1]! * size) / (count - size));
  const sizes = roots.map((_, mask) => mask.toString(2).replaceAll('0', '').length);
  return moved.map((_, at) =>
    roots.reduce((sum, root, mask) => {
      const bit = 1 << at;
      return mask & bit ? sum : sum + weights[sizes[mask]!]! * (roots[mask | bit]! - root);
    }, 0),
  );
}

/** The same by the slope of the root along the straight way between the states: alike where every leaf is a factor or a summand. */
function byIntegral(tree: ImpactTree, from: NodeValues, to: NodeValues, moved: readonly number[]): number[] {
  const places = POINTS.flatMap(([at, weight]) => [
    { at, weight },
    { at: 1 - at, weight },
  ]);
  return moved.map((no) => {
    const change = to.get(no)! - from.get(no)!;
    return places.reduce((sum, { at, weight }) => {
      const state = new Map(from);
      for (const one of moved) state.set(one, from.get(one)! + (to.get(one)! - from.get(one)!) * at);
      const here = state.get(no)!;
      const up = rootValue(tree, withLeaf(state, no, here + change * STEP), from);
      const down = rootValue(tree, withLeaf(state, no, here - change * STEP), from);
      return sum + (weight * (up - down)) / (2 * STEP);
    }, 0);
  });
}

export interface Contributions {
  /** What each leaf did, with 2 decimals; they add up to the change. */
  of: Map<number, number>;
  /** The root in the second state less the root in the first, with 2 decimals. */
  change: number;
  method: 'subsets' | 'integral';
}

const cents = (value: number): number => Math.round(Number((value * 100).toPrecision(14))) / 100;

/**
 * How much of the change of the root each leaf made (§5.15): its Shapley value, which leaves nothing over. What rounding
 * leaves goes to the largest. Null = a value is missing, or the tree cannot be computed.
 */
export function contributions(tree: ImpactTree, from: NodeValues, to: NodeValues): Contributions | null {
  if (tree.leaves.some(({ no }) => !from.has(no) || !to.has(no))) return null;
  const start = evaluate(tree, from, from);
  // Judged parents need their own values of the first state, which stand beside those of the leaves.
  const base = new Map([...from, ...[...start].filter(([no]) => !from.has(no))]);
  const moved = tree.leaves.flatMap(({ no }) => (from.get(no) === to.get(no) ? [] : [no]));
  const change = rootValue(tree, to, base) - rootValue(tree, base, base);
  if (!Number.isFinite(change)) return null;
  const method = moved.length <= MAX_SUBSETS ? 'subsets' : 'integral';
  const end = new Map([...base, ...moved.map((no) => [no, to.get(no)!] as const)]);
  const exact = moved.length === 0 ? [] : (method === 'subsets' ? bySubsets : byIntegral)(tree, base, end, moved);
  if (exact.some((value) => !Number.isFinite(value))) return null;
  const rounded = exact.map(cents);
  const total = cents(change);
  // What is exact to the paisa stays so: the rest goes to the largest of those that were rounded.
  const isRounded = exact.map((value, at) => Math.abs(value - rounded[at]!) > 1e-4);
  const mayTake = isRounded.some(Boolean) ? isRounded : exact.map(() => true);
  const largest = rounded.reduce(
    (best, value, at) => (mayTake[at] && (best < 0 || Math.abs(value) > Math.abs(rounded[best]!)) ? at : best),
    -1,
  );
  if (largest >= 0)
    rounded[largest] = cents(rounded[largest]! + total - rounded.reduce((sum, value) => sum + value, 0));
  return {
    of: new Map(tree.leaves.map(({ no }) => [no, rounded[moved.indexOf(no)] ?? 0])),
    change: total,
    method,
  };
}

/** What the root would gain if one leaf alone were at its target, with 2 decimals: levers, to be sorted by it. */
export function leversToTarget(tree: ImpactTree, actual: NodeValues, target: NodeValues): Map<number, number> {
  const base = new Map([...target, ...evaluate(tree, target, target)]);
  const now = rootValue(tree, actual, base);
  return new Map(
    tree.leaves.flatMap(({ no }) => {
      const goal = target.get(no);
      if (goal === undefined || !actual.has(no)) return [];
      const gain = rootValue(tree, withLeaf(actual, no, goal), base) - now;
      return Number.isFinite(gain) ? [[no, cents(gain)] as const] : [];
    }),
  );
}

/** The values that each controllable leaf alone would need for the root to be so many percent higher (§5.16). */
export function neededValues(tree: ImpactTree, leaves: NodeValues, percent: number): Map<number, number> {
  const base = new Map([...leaves, ...evaluate(tree, leaves, leaves)]);
  const root = rootValue(tree, leaves, base);
  const goal = root + (Math.abs(root) * percent) / 100;
  return new Map(
    tree.leaves.flatMap(({ no, controllable, maxMove }) => {
      const value = leaves.get(no);
      if (!controllable || value === undefined || value === 0) return [];
      const reach = (Math.abs(value) * (maxMove ?? 100)) / 100;
      const gap = (at: number) => rootValue(tree, withLeaf(leaves, no, at), base) - goal;
      let [low, high] = [value - reach, value + reach];
      // Without a change of sign the goal is out of its reach.
      if (!(gap(low) * gap(high) <= 0)) return [];
      for (let turn = 0; turn < 200; turn++) {
        const middle = (low + high) / 2;
        if (gap(low) * gap(middle) <= 0) high = middle;
        else low = middle;
      }
      return [[no, (low + high) / 2] as const];
    }),
  );
}

/** A driver on the bullseye: how far from the centre, and how wide its sector is. */
export interface BullseyeSector {
  no: number;
  /** How many percent it is short of its target; at most as drawn, 0 = on target. */
  radius: number;
  /** In degrees; all sectors make a circle. */
  angle: number;
}

/** Where drivers stand on the bullseye (§5.16), by what they reached in percent and by how much they matter. */
export function bullseye(
  achievements: ReadonlyMap<number, number>,
  elasticity: ReadonlyMap<number, number>,
): BullseyeSector[] {
  const all = [...elasticity.values()].reduce((sum, value) => sum + Math.abs(value), 0);
  return [...elasticity].map(([no, value]) => ({
    no,
    radius: Math.max(0, 100 - (achievements.get(no) ?? 100)),
    angle: all === 0 ? 0 : (Math.abs(value) * 360) / all,
  }));
}
