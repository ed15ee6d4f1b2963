import type { Decimal } from 'decimal.js';

export type Condition = 'new' | 'refurbished' | 'faulty' | 'scrap';

/**
 * The movement of one quantity of one item, in the stock unit. `from` null: from outside the stock; `to` null: out of
 * it.
 */
export interface Movement {
  item: number;
  condition: Condition;
  /** If the piece changes its condition on the way, such as a repaired one. */
  toCondition?: Condition;
  /** Above 0; 0 for a revaluation. */
  qty: Decimal;
  from: number | null;
  to: number | null;
  batch: number | null;
  serials: number[];
  bin?: number | null;
  toBin?: number | null;
  /** The total value of a receipt, the change of a revaluation, or the value of a fixed issue; null = the average. */
  value?: Decimal | null;
  /** An issue at `value`, such as a return to the vendor at its receipt's own rate. */
  fixed?: boolean;
  revalues?: boolean;
  /** The row of the document. */
  line: number | null;
  /** The reservation that it uses: of a line of a document. */
  reserved?: { type: string; line: number } | null;
  reason?: string | null;
}

/** One posting of a document: all or nothing. */
export interface Posting {
  event: string;
  document: { type: string; id: number; no: string | null };
  /** A posting key is unique; a second call returns the first result. */
  key: string;
  /** The day (YYYY-MM-DD) or moment of the movement; null = now. */
  at: string | null;
  movements: Movement[];
  /** What was dated before a posted count was there when it was counted: the counted quantity stands (5.15). */
  wasCounted?: boolean;
  /** The state of serial numbers that leave the stock, and their lift. */
  leaves?: { state: 'installed' | 'at_vendor' | 'scrapped' | 'with_customer'; lift: number | null };
}

/** The result of a posting: its id, and the value of each movement (positive: received; negative: issued). */
export interface Posted {
  move: number;
  at: string;
  values: string[];
  /** Corrections of counts, posted before and after it. */
  counts?: { before: number[]; after: number[] };
}
