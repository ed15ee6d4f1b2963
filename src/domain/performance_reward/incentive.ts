import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half away from zero (performance.md §5). */
const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
const ZERO = new Exact(0);
const HUNDRED = new Exact(100);

type Amount = Decimal.Value;

export type SlabMode = 'whole' | 'progressive' | 'interpolated';
export type PayoutKind =
  | 'percent_of_target_amount'
  | 'percent_of_value'
  | 'fixed_amount'
  | 'per_unit'
  | 'percent_of_pay';

/** A rate that holds from a value on, up to where the next slab begins; the last has no end. */
export interface Slab {
  from: Amount;
  rate: Amount;
}

const ordered = <Row extends { from: Amount }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => new Exact(a.from).cmp(b.from));

/** The slab in which a value lies; null = it is below the first. */
function slabOf<Row extends { from: Amount }>(value: Amount, slabs: readonly Row[]): Row | null {
  return ordered(slabs).findLast(({ from }) => new Exact(value).gte(from)) ?? null;
}

/** The rate at a value between two points: nothing below the first, the last rate above the last (§5.13). */
function between(value: Decimal, slabs: readonly Slab[]): Decimal {
  const points = ordered(slabs);
  const at = points.findLastIndex(({ from }) => value.gte(from));
  if (at < 0) return ZERO;
  const low = points[at]!;
  const high = points[at + 1];
  if (!high) return new Exact(low.rate);
  const way = value.minus(low.from).dividedBy(new Exact(high.from).minus(low.from));
  return new Exact(low.rate).plus(new Exact(high.rate).minus(low.rate).times(way));
}

/** What each slab gives of the part of the value that lies in it, in rates times value. */
function progressive(value: Decimal, slabs: readonly Slab[]): Decimal {
  const points = ordered(slabs);
  return points.reduce<Decimal>((sum, { from, rate }, at) => {
    const end = points[at + 1] === undefined ? value : Decimal.min(value, points[at + 1]!.from);
    const part = end.minus(from);
    return part.isPositive() ? sum.plus(part.times(rate)) : sum;
  }, ZERO);
}

export interface GrossFacts {
  kind: PayoutKind;
  mode: SlabMode;
  slabs: readonly Slab[];
  /** A score, an achievement in percent, or what was reached. */
  value: Amount;
  /** What reaching the target is worth in the period. */
  targetAmount?: Amount | null;
  /** The pay of the period. */
  pay?: Amount | null;
}

/** What a scheme gives for a value before days, gate and cap; not rounded. `rate`: what it was computed with. */
export function gross({ kind, mode, slabs, value, targetAmount, pay }: GrossFacts): { rate: string; gross: string } {
  const reached = new Exact(value);
  const isPercent = kind !== 'fixed_amount' && kind !== 'per_unit';
  const base =
    kind === 'percent_of_target_amount'
      ? new Exact(targetAmount ?? 0)
      : kind === 'percent_of_pay'
        ? new Exact(pay ?? 0)
        : kind === 'fixed_amount'
          ? new Exact(1)
          : reached;
  const by = isPercent ? HUNDRED : new Exact(1);
  // Only what is paid on the value itself can be paid slab by slab; a share of something else has one rate.
  if (mode === 'progressive' && (kind === 'percent_of_value' || kind === 'per_unit')) {
    const amount = progressive(reached, slabs).dividedBy(by);
    const rate = reached.isZero() ? ZERO : amount.times(by).dividedBy(reached);
    return { rate: rate.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(4), gross: amount.toFixed() };
  }
  const rate = mode === 'interpolated' ? between(reached, slabs) : new Exact(slabOf(reached, slabs)?.rate ?? 0);
  return {
    rate: rate.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(4),
    gross: base.times(rate).dividedBy(by).toFixed(),
  };
}

/** A multiplier that holds from a value of the gate on. */
export interface Gate {
  from: Amount;
  multiplier: Amount;
}

export interface EntitlementFacts {
  gross: Amount;
  /** Days for which the member is paid, of the days of the period. */
  days: number;
  totalDays: number;
  /** What all payouts are multiplied by; 1 without a gate. */
  gate: Amount;
  caps: readonly (Amount | null)[];
}

/** What is due for the period after days, gate and cap, in that order; not rounded. */
export function entitlement({ gross: amount, days, totalDays, gate, caps }: EntitlementFacts): {
  due: string;
  isCapped: boolean;
} {
  if (totalDays === 0) return { due: '0', isCapped: false };
  const open = new Exact(amount).times(days).dividedBy(totalDays).times(gate);
  const cap = caps.reduce<Decimal | null>((least, one) => {
    if (one === null) return least;
    return least === null || least.gt(one) ? new Exact(one) : least;
  }, null);
  const isCapped = cap !== null && open.gt(cap);
  return { due: (isCapped ? cap : open).toFixed(), isCapped };
}

/** The multiplier of a gate at a value: that of the row in which it lies, 0 below the first; 1 without rows. */
export function gateAt(value: Amount | null, gates: readonly Gate[]): string {
  if (gates.length === 0) return '1';
  return value === null ? '0' : new Exact(slabOf(value, gates)?.multiplier ?? 0).toFixed();
}

export interface Settlement {
  /** What this run pays, in whole rupees. */
  net: string;
  /** What was paid too much and is kept for the next run: 0 or less. */
  carried: string;
}

/**
 * What is paid now: what is due, rounded once to whole rupees, less what was paid for it before and with what an earlier run
 * left over. Less than nothing is carried forward, or taken back at once where the scheme recovers it (§5.13, §10).
 * @param carried what earlier runs left over, 0 or less
 */
export function settle(due: Amount, earlier: Amount, carried: Amount, recovers: boolean): Settlement {
  const open = new Exact(due).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).minus(earlier).plus(carried);
  const isPaid = recovers || !open.isNegative();
  return { net: (isPaid ? open : ZERO).toFixed(2), carried: (isPaid ? ZERO : open).toFixed(2) };
}

/** Values at which one rupee more jumps to a higher pay: what the page of a scheme warns of. */
export function jumps({ kind, mode, slabs }: Pick<GrossFacts, 'kind' | 'mode' | 'slabs'>): {
  at: string;
  before: string;
  above: string;
}[] {
  if (mode !== 'whole' || kind !== 'percent_of_value') return [];
  const points = ordered(slabs);
  return points.slice(1).map(({ from, rate }, at) => ({
    at: new Exact(from).toFixed(),
    before: new Exact(from).times(points[at]!.rate).dividedBy(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(),
    above: new Exact(from).times(rate).dividedBy(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(),
  }));
}
