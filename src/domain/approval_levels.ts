import { Decimal } from 'decimal.js';

/** A level of an approval process as far as its amount decides whether it is asked. */
export interface AmountLevel {
  level: number;
  /** From which amount on it is asked; null = from nothing. */
  amount_from: string | null;
}

/** How the levels of a process follow from an amount: all up to it in turn, or the highest of them alone. */
export type ApprovalMode = 'cumulative' | 'direct';

/**
 * The levels that approve an amount, lowest first (act.md §5.8). Without an amount all levels are asked when they
 * follow each other, and the first alone otherwise.
 */
export function levelsFor<T extends AmountLevel>(levels: readonly T[], amount: string | null, mode: ApprovalMode): T[] {
  const inOrder = levels.toSorted((a, b) => a.level - b.level);
  if (amount === null) return mode === 'cumulative' ? inOrder : inOrder.slice(0, 1);
  const reached = inOrder.filter(({ amount_from: from }) => new Decimal(from ?? 0).lte(new Decimal(amount).abs()));
  return mode === 'cumulative' ? reached : reached.slice(-1);
}

/** How many of a level's people must agree. */
export type Need = 'any_one' | 'all' | 'n';

/** Whether a level is decided, by how many of its people have agreed. */
export function levelDone(need: Need, needN: number | null, people: number, agreed: number): boolean {
  if (need === 'any_one') return agreed >= 1;
  if (need === 'all') return agreed >= people;
  return agreed >= Math.min(needN ?? 1, people);
}

/** How one level of an approval stands, as the record's page shows it. */
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

/** A request for the approval of a record, as the record's page shows it. */
export interface RecordApproval {
  id: number;
  state: string;
  process: string | null;
  asked_by: string | null;
  asked_at: string;
  /** Since when the present level is asked, and until when it should decide. */
  waits_since: string | null;
  due_at: string | null;
  /** What was changed while it waited. */
  changes: string | null;
  levels: ApprovalLevel[];
}

/** What the simulator says of one level: who would be asked, why, or why nobody is. */
export interface TriedLevel {
  level: number;
  asked: boolean;
  /** In words, where the level is not asked or nobody is found. */
  note: string | null;
  need: Need;
  need_n: number | null;
  /** In words: when it reminds, and what follows the time limit. */
  time: string | null;
  people: { name: string; why: string }[];
  /** Found as well, but not asked: they asked for it. */
  left_out: string[];
}

/** A process that would decide a document. */
export interface TriedProcess {
  id: number;
  name: string;
  beside: boolean;
  levels: TriedLevel[];
  /** Why the document could not be submitted; null = it could. */
  refused: string | null;
}
