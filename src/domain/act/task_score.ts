import { Decimal } from 'decimal.js';

/** A band of a slab: the points from this many days late. */
export interface ScoreBand {
  from_value: string | number;
  /** null = open-ended. */
  to_value: string | number | null;
  score: string | number;
}

/** The bands of checklists without a slab: up to 3 days late 75 points, a week 50, 15 days 25, then none. */
export const USUAL_BANDS: readonly ScoreBand[] = [
  { from_value: 0, to_value: 0, score: 100 },
  { from_value: 1, to_value: 3, score: 75 },
  { from_value: 4, to_value: 7, score: 50 },
  { from_value: 8, to_value: 15, score: 25 },
  { from_value: 16, to_value: null, score: 0 },
];

/** Points of a task that was done this many days late: those of the highest band reached; 0 below all bands. */
export function pointsFor(daysLate: number, bands: readonly ScoreBand[]): Decimal {
  const begun = bands
    .filter(({ from_value: from }) => new Decimal(from).lte(daysLate))
    .toSorted((a, b) => new Decimal(b.from_value).cmp(a.from_value));
  return new Decimal(begun[0]?.score ?? 0);
}
export type Criticality = 'critical' | 'high' | 'medium' | 'low';

/** The weight of a task by its criticality (act.md §5.2). */
const FACTORS: Readonly<Record<Criticality, string>> = { critical: '3', high: '2', medium: '1', low: '0.5' };

/** The data of a task needed for a score. Days are YYYY-MM-DD. */
export interface ScoredTask {
  weight: string | number;
  criticality: Criticality;
  outcome: 'on_time' | 'late' | 'missed' | 'not_applicable' | 'cancelled' | null;
  /** Points by its slab, for a completed task. */
  score: string | number | null;
  /** The last day on which it is on time. */
  last_day: string;
}

/** A compliance score with its components. */
export interface ComplianceScore {
  counted: number;
  on_time: number;
  late: number;
  missed: number;
  open_overdue: number;
  /** Σ(weight × factor) of the tasks that count. */
  weight_sum: Decimal;
  /** 0 to 100 with 2 decimals; null if no task counts. */
  score: Decimal | null;
  on_time_percent: Decimal | null;
}

/**
 * Scores tasks as of a day (§5.2): Σ(weight × factor × points) ÷ Σ(weight × factor), always over individual tasks.
 * Missed tasks and open ones past their last day have no points; open tasks that are not due, and not applicable or
 * cancelled ones, do not count.
 */
export function complianceScore(tasks: readonly ScoredTask[], asOf: string): ComplianceScore {
  let [weights, products] = [new Decimal(0), new Decimal(0)];
  const sums = { counted: 0, on_time: 0, late: 0, missed: 0, open_overdue: 0 };
  for (const { weight, criticality, outcome, score, last_day: lastDay } of tasks) {
    const kind = outcome ?? (lastDay < asOf ? 'open_overdue' : null);
    if (kind === null || kind === 'not_applicable' || kind === 'cancelled') continue;
    sums.counted++;
    sums[kind]++;
    const effective = new Decimal(weight).mul(FACTORS[criticality]);
    weights = weights.add(effective);
    if (kind === 'on_time' || kind === 'late') products = products.add(effective.mul(score ?? 0));
  }
  const none = weights.isZero();
  return {
    ...sums,
    weight_sum: weights,
    score: none ? null : products.div(weights).toDecimalPlaces(2, Decimal.ROUND_HALF_UP),
    on_time_percent: none
      ? null
      : new Decimal(sums.on_time).mul(100).div(sums.counted).toDecimalPlaces(2, Decimal.ROUND_HALF_UP),
  };
}
