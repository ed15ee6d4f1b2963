import type { ChartPerson } from './chart_tree.ts';
import { ChartTree } from './chart_tree.ts';

/** New managers by person; null = reports to nobody. */
export type PlannedMoves = ReadonlyMap<number, number | null>;

/** A person of the plan, as far as its rules need them. */
type Placed = Pick<ChartPerson, 'name' | 'parent'>;

/** Somebody whose team changes. */
export interface TeamChange {
  id: number;
  name: string;
  span: [number, number];
  /** People below, however deep. */
  headCount: [number, number];
}

/** Figures before and after a plan. */
export interface PlanEffect {
  moved: number;
  managers: [number, number];
  averageSpan: [number | null, number | null];
  levels: [number, number];
  /** The managers with the largest changes first. */
  teams: TeamChange[];
}

const managerOf = (people: ReadonlyMap<number, Placed>, moves: PlannedMoves, id: number): number | null =>
  moves.has(id) ? moves.get(id)! : (people.get(id)?.parent ?? null);

/** The people above somebody when all moves are carried out, the nearest first; ends where a cycle closes. */
function aboveThen(people: ReadonlyMap<number, Placed>, moves: PlannedMoves, id: number): number[] {
  const path: number[] = [];
  const seen = new Set<number>();
  for (let at = managerOf(people, moves, id); at !== null && !seen.has(at); at = managerOf(people, moves, at)) {
    seen.add(at);
    path.push(at);
  }
  return path;
}

/** Why the moves cannot be carried out together, by person. Empty = they can. */
export function planProblems(people: ReadonlyMap<number, Placed>, moves: PlannedMoves): Map<number, string> {
  const problems = new Map<number, string>();
  for (const [id, to] of moves) {
    const person = people.get(id);
    if (!person) {
      problems.set(id, 'This person is not in the chart any more.');
      continue;
    }
    if (to === person.parent) {
      problems.set(id, to === null ? `${person.name} is at the top already.` : `${person.name} reports there already.`);
      continue;
    }
    if (to === null) continue;
    if (!people.has(to)) {
      problems.set(id, `The new manager of ${person.name} is not in the chart any more.`);
      continue;
    }
    const path = aboveThen(people, moves, id);
    const at = path.indexOf(id);
    if (at < 0) continue;
    const names = [id, ...path.slice(0, at + 1)].reverse().map((one) => people.get(one)?.name ?? '');
    problems.set(id, `${person.name} would be their own manager: ${names.join(' → ')}. Choose another manager.`);
  }
  return problems;
}

/**
 * The order in which the moves of a possible plan are carried out one by one: from the top of the new chart down, so
 * that nobody is ever placed below somebody whom they still manage.
 */
export function orderOfMoves(people: ReadonlyMap<number, Placed>, moves: PlannedMoves): number[] {
  const level = new Map([...moves.keys()].map((id) => [id, aboveThen(people, moves, id).length]));
  return [...moves.keys()].sort((a, b) => level.get(a)! - level.get(b)!);
}

/** The chart when all moves are carried out. */
export function treeWithMoves(tree: ChartTree, moves: PlannedMoves): ChartTree {
  if (moves.size === 0) return tree;
  return new ChartTree(
    [...tree.people.values()].map((person) =>
      moves.has(person.id) ? { ...person, parent: moves.get(person.id)! } : person,
    ),
  );
}

/** The moves after one more: a person who returns to their manager is not moved any more. */
export function withMove(tree: ChartTree, moves: PlannedMoves, id: number, to: number | null): PlannedMoves {
  const next = new Map(moves);
  next.delete(id);
  if (tree.people.get(id)?.parent !== to) next.set(id, to);
  return next;
}

/** What changes between two charts of the same people. */
export function planEffect(before: ChartTree, after: ChartTree, moves: PlannedMoves): PlanEffect {
  const people = [...before.people.values()].filter(({ wanted }) => wanted === 0);
  const teams = people.flatMap(({ id, name }): TeamChange[] => {
    const span: [number, number] = [before.span(id), after.span(id)];
    const headCount: [number, number] = [before.headCount(id) - 1, after.headCount(id) - 1];
    return span[0] === span[1] && headCount[0] === headCount[1] ? [] : [{ id, name, span, headCount }];
  });
  const difference = ({ headCount: [was, is] }: TeamChange) => Math.abs(is - was);
  const managers = (tree: ChartTree) => people.filter(({ id }) => tree.span(id) > 0).length;
  const levels = (tree: ChartTree) => people.reduce((most, { id }) => Math.max(most, tree.level(id) + 1), 0);
  return {
    moved: moves.size,
    managers: [managers(before), managers(after)],
    averageSpan: [before.averageSpan(), after.averageSpan()],
    levels: [levels(before), levels(after)],
    teams: teams.sort((a, b) => difference(b) - difference(a) || a.name.localeCompare(b.name)),
  };
}
