import { Decimal } from 'decimal.js';

/** A band of a slab: from so many days late on, so many points. */
export interface ScoreBand {
  from_value: string | number;
  /** null = open-ended. */
  to_value: string | number | null;
  score: string | number;
}

/** The bands of checklists where no slab says otherwise: up to 3 days late 75 points, a week 50, 15 days 25, then none. */
export const USUAL_BANDS: readonly ScoreBand[] = [
  { from_value: 0, to_value: 0, score: 100 },
  { from_value: 1, to_value: 3, score: 75 },
  { from_value: 4, to_value: 7, score: 50 },
  { from_value: 8, to_value: 15, score: 25 },
  { from_value: 16, to_value: null, score: 0 },
];

/** Points of a task that was done so many days late: those of the highest band that has begun; 0 below all bands. */
export function pointsFor(daysLate: number, bands: readonly ScoreBand[]): Decimal {
  const begun = bands
    .filter(({ from_value: from }) => new Decimal(from).lte(daysLate))
    .toSorted((a, b) => new Decimal(b.from_value).cmp(a.from_value));
  return new Decimal(begun[0]?.score ?? 0);
}
