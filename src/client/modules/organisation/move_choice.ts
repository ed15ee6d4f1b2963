import type { ChartPerson, ChartTree, MovePreview } from '../../../domain/organisation/chart_tree.ts';

/** Somebody who may become the manager. */
export interface Candidate {
  id: number;
  name: string;
  detail: string;
}

/** Who is moved, and what a tree of people knows about it. */
export interface MoveChoice {
  id: number;
  name: string;
  /** The present manager; null = reports to nobody. */
  parent: number | null;
  /** People who fit a text; of an empty text those offered at first. */
  search: (text: string) => readonly Candidate[];
  candidate: (id: number) => Candidate | undefined;
  refusal: (to: number | null) => string | null;
  /** What changes; null = the tree does not know. */
  preview: (to: number | null) => MovePreview | null;
}

/** A move as the whole chart knows it. */
export function choiceInChart(tree: ChartTree, id: number): MoveChoice {
  const { name, parent } = tree.people.get(id)!;
  const asCandidate = (one: ChartPerson): Candidate => ({
    id: one.id,
    name: one.name,
    detail: [one.empno, one.designation].filter(Boolean).join(' · '),
  });
  return {
    id,
    name,
    parent,
    search: (text) =>
      tree
        .search(text, 12)
        .filter((one) => one.wanted === 0 && one.id !== id)
        .map(asCandidate),
    candidate: (one) => {
      const person = tree.people.get(one);
      return person && asCandidate(person);
    },
    refusal: (to) => tree.refusal(id, to),
    preview: (to) => tree.preview(id, to),
  };
}
