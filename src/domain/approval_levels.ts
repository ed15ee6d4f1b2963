import { Decimal } from 'decimal.js';

/** The part of a level of an approval process that depends on the amount. */
export interface AmountLevel {
  level: number;
  /** The amount from which it is asked; null = always. */
  amount_from: string | null;
}

/** How the levels follow from an amount: all levels up to it in turn, or only the highest. */
export type ApprovalMode = 'cumulative' | 'direct';

/**
 * The levels that approve an amount, lowest first (act.md §5.8). Without an amount: all levels if they follow each
 * other, otherwise only the first.
 */
export function levelsFor<T extends AmountLevel>(levels: readonly T[], amount: string | null, mode: ApprovalMode): T[] {
  const inOrder = levels.toSorted((a, b) => a.level - b.level);
  if (amount === null) return mode === 'cumulative' ? inOrder : inOrder.slice(0, 1);
  const reached = inOrder.filter(({ amount_from: from }) => new Decimal(from ?? 0).lte(new Decimal(amount).abs()));
  return mode === 'cumulative' ? reached : reached.slice(-1);
}

/** How many of a level's people must agree. */
export type Need = 'any_one' | 'all' | 'n';

/** Whether a level is decided, given how many of its people have agreed. */
export function levelDone(need: Need, needN: number | null, people: number, agreed: number): boolean {
  if (need === 'any_one') return agreed >= 1;
  if (need === 'all') return agreed >= people;
  return agreed >= Math.min(needN ?? 1, people);
}

/** The state of one approval level, as shown on the record's page. */
export interface ApprovalLevel {
  level: number;
  state: 'later' | 'waiting' | 'done' | 'stopped';
  need: Need;
  need_n: number | null;
  people: {
    name: string;
    state: string;
    /** Why this person is asked. */
    why: string | null;
    /** Who decided in their place. */
    by: string | null;
    at: string | null;
    remark: string | null;
  }[];
}

/** An approval request for a record, as shown on the record's page. */
export interface RecordApproval {
  id: number;
  state: string;
  process: string | null;
  asked_by: string | null;
  asked_at: string;
  /** Since when the current level has been asked, and until when it should decide. */
  waits_since: string | null;
  due_at: string | null;
  /** What was changed while it waited. */
  changes: string | null;
  levels: ApprovalLevel[];
}

/** The simulator's result for one level: who would be asked and why, or why nobody is. */
export interface TriedLevel {
  level: number;
  asked: boolean;
  /** The reason, if the level is not asked or nobody is found. */
  note: string | null;
  need: Need;
  need_n: number | null;
  /** As text: when it reminds, and what follows the time limit. */
  time: string | null;
  people: { name: string; why: string }[];
  /** Found too, but not asked, because they made the request. */
  left_out: string[];
}

/** A process that would apply to a document. */
export interface TriedProcess {
  id: number;
  name: string;
  beside: boolean;
  levels: TriedLevel[];
  /** Why the document could not be submitted; null = it could. */
  refused: string | null;
}
