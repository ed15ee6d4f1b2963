import { Decimal } from 'decimal.js';

/** A band of a slab that counts days: its level begins at this many days late. */
export interface LevelBand {
  from_value: string | number;
  level: number;
  /** The rule of Mail configuration that it names. */
  esclation_id: number | null;
}

/** The band that work has reached after this many days late: the highest begun (act.md §5.6); null if it is not late. */
export function bandReached<B extends LevelBand>(daysLate: number, bands: readonly B[]): B | null {
  if (daysLate <= 0) return null;
  const begun = bands
    .filter(({ from_value: from }) => new Decimal(from).lte(daysLate))
    .toSorted((a, b) => new Decimal(b.from_value).cmp(a.from_value));
  return begun[0] ?? null;
}
