import { Decimal } from 'decimal.js';

/** An interval in milliseconds; the end is exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

const MINUTE = 60_000;
const DAYS_OF_YEAR = 365;

/** The parts of these intervals within a period, merged and in order. */
function union(stretches: readonly Stretch[], period: Stretch): Stretch[] {
  const inside = stretches
    .map(({ from, to }) => ({ from: Math.max(from, period.from), to: Math.min(to, period.to) }))
    .filter(({ from, to }) => to > from)
    .toSorted((a, b) => a.from - b.from);
  const joined: Stretch[] = [];
  for (const one of inside) {
    const last = joined.at(-1);
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to);
    else joined.push({ ...one });
  }
  return joined;
}

/** Downtime minutes of a lift in a period: the union of the intervals of its tickets (C17). */
export function downtimeMinutes(stretches: readonly Stretch[], period: Stretch): number {
  return union(stretches, period).reduce((sum, { from, to }) => sum + (to - from), 0) / MINUTE;
}

const rounded = (value: Decimal, decimals = 2): string =>
  value.toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toFixed(decimals);

/** Availability in percent of a period, to 0.01 (C17). Null for an empty period. */
export function uptimePercent(downMinutes: number, period: Stretch): string | null {
  const all = new Decimal(period.to - period.from).dividedBy(MINUTE);
  if (all.lte(0)) return null;
  return rounded(all.minus(downMinutes).times(100).dividedBy(all));
}

/** Mean minutes from breakdown to repair (C17). Null without a call. */
export function meanRepairMinutes(calls: readonly Stretch[]): string | null {
  if (calls.length === 0) return null;
  const sum = calls.reduce((total, { from, to }) => total.plus(to - from), new Decimal(0));
  return rounded(sum.dividedBy(MINUTE).dividedBy(calls.length));
}

/** Mean hours between calls: uptime divided by calls (C17). Null without a call. */
export function meanHoursBetweenCalls(downMinutes: number, calls: number, period: Stretch): string | null {
  if (calls === 0) return null;
  const ran = new Decimal(period.to - period.from).dividedBy(MINUTE).minus(downMinutes);
  return rounded(ran.dividedBy(60).dividedBy(calls));
}

/** Calls per lift and year, from the days under contract (C17). Null without such a day. */
export function callsPerLiftYear(calls: number, liftDays: number): string | null {
  return liftDays <= 0 ? null : rounded(new Decimal(calls).times(DAYS_OF_YEAR).dividedBy(liftDays));
}

/** A closed call, for the first-time fix rate. */
export interface ClosedCall {
  attendances: number;
  reopened: number;
  /** A later call for the same lift and category came within the repeat period. */
  wasRepeated: boolean;
}

/** Percent of closed calls settled by one attendance: not reopened, not repeated (C17). Null without a call. */
export function firstTimeFixPercent(calls: readonly ClosedCall[]): string | null {
  if (calls.length === 0) return null;
  const fixed = calls.filter(
    ({ attendances, reopened, wasRepeated }) => attendances <= 1 && reopened === 0 && !wasRepeated,
  ).length;
  return rounded(new Decimal(fixed).times(100).dividedBy(calls.length));
}

/**
 * Whether a call repeats an earlier one for the same lift and category: within this many days after its completion
 * (C17).
 */
export function isRepeat(completedAt: number, reportedAt: number, repeatDays: number): boolean {
  return reportedAt >= completedAt && reportedAt - completedAt <= repeatDays * 1440 * MINUTE;
}

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
  if (due <= 0) return { inWindow: null, done: null };
  const percent = (count: number) => rounded(new Decimal(count).times(100).dividedBy(due));
  return { inWindow: percent(inWindow), done: percent(inWindow + late) };
}
