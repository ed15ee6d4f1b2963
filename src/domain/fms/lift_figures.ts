import { Decimal } from 'decimal.js';

const DAYS_OF_YEAR = 365;

const rounded = (value: Decimal, decimals = 2): string =>
  value.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toFixed(decimals);

/** A percentage with two decimals; null without anything to count. */
const percent = (part: number, whole: number): string | null =>
  whole <= 0 ? null : rounded(new Decimal(part).times(100).dividedBy(whole));

/** Calls per lift and year, from the days under contract (C17). Null without such a day. */
export function callsPerLiftYear(calls: number, liftDays: number): string | null {
  return liftDays <= 0 ? null : rounded(new Decimal(calls).times(DAYS_OF_YEAR).dividedBy(liftDays));
}

/** Mean hours between calls: the time in service divided by the calls (C17). Null without a call or a day. */
export function meanHoursBetweenCalls(downMinutes: number, calls: number, liftDays: number): string | null {
  if (calls === 0 || liftDays <= 0) return null;
  return rounded(new Decimal(liftDays).times(1440).minus(downMinutes).dividedBy(60).dividedBy(calls));
}

/** Percent of a period that lifts were in service (C17). Null without a period. */
export function uptimePercent(downMinutes: number, liftDays: number): string | null {
  const minutes = liftDays * 1440;
  return percent(Math.max(0, minutes - downMinutes), minutes);
}

/** Percent of closed calls settled by one attendance: not reopened, not repeated (C17). Null without a call. */
export const firstTimeFixPercent = (fixed: number, closed: number): string | null => percent(fixed, closed);

/** Planned visits of a period. */
export interface PlannedVisits {
  planned: number;
  /** Skipped by the customer, or cancelled. */
  excluded: number;
  inWindow: number;
  late: number;
}

/** Percent of the due visits that were done in their window, and done at all (C17). */
export function visitCompliance({ planned, excluded, inWindow, late }: PlannedVisits): {
  inWindow: string | null;
  done: string | null;
} {
  const due = planned - excluded;
  return { inWindow: percent(inWindow, due), done: percent(inWindow + late, due) };
}
