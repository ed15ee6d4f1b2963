import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';
import type { Priority } from './priority.ts';

/** A band of a slab: from (inclusive at 0, otherwise exclusive) up to and including `to`; null = unlimited. */
export interface ScoreBand {
  from: string | number;
  to: string | number | null;
  score: string | number;
}

/** A slab: its bands, the share of the first response, and the cost of a reopening. */
export interface ScoreRule {
  basis: 'pct_of_target' | 'business_minutes';
  bands: readonly ScoreBand[];
  responseShare: string | number;
  reopenPenalty: string | number;
}

/** Minutes used, and minutes promised; `target` null = none promised. */
export interface Used {
  used: number;
  target: number | null;
}

const WEIGHTS: Readonly<Record<Priority, number>> = { p1: 4, p2: 3, p3: 2, p4: 1 };
const round = (value: Decimal): string => value.toDecimalPlaces(2, Exact.ROUND_HALF_UP).toFixed(2);

/** The share of the promised time that was used, in percent, exactly; null = none promised. */
export function usedPercent({ used, target }: Used): Decimal | null {
  return target === null || target <= 0 ? null : new Exact(used).times(100).div(target);
}

/** The score of the band of a value: bands meet, and their common border belongs to the lower one (act 5.5). */
function bandScore(bands: readonly ScoreBand[], value: Decimal): Decimal {
  const sorted = bands.toSorted((one, other) => new Exact(one.from).comparedTo(other.from));
  const found = sorted.find(({ to }) => to === null || value.lte(to));
  return new Exact(found?.score ?? 0);
}

function scored(rule: ScoreRule, one: Used): Decimal | null {
  if (rule.basis === 'business_minutes') return bandScore(rule.bands, new Exact(one.used));
  const percent = usedPercent(one);
  return percent === null ? null : bandScore(rule.bands, percent);
}

/**
 * The score of a ticket, 0 to 100, not rounded: the shares of first response and solution, less the cost of each
 * reopening (act 5.5). Null: nothing promised. Without a promised first response only the solution counts.
 */
export function ticketScore(
  rule: ScoreRule,
  { response, resolution, reopened }: { response: Used | null; resolution: Used; reopened: number },
): Decimal | null {
  const solved = scored(rule, resolution);
  if (solved === null) return null;
  const answered = response && response.target !== null ? scored(rule, response) : null;
  const share = answered === null ? new Exact(0) : new Exact(rule.responseShare).div(100);
  const whole = share.times(answered ?? 0).plus(new Exact(1).minus(share).times(solved));
  return Exact.max(0, whole.minus(new Exact(rule.reopenPenalty).times(reopened)));
}

/** The score of several tickets, weighted by priority, to two decimals; null = none (act 5.5). */
export function weightedScore(
  tickets: readonly { priority: Priority; score: Decimal | string | number }[],
): string | null {
  let [sum, weight]: [Decimal, number] = [new Exact(0), 0];
  for (const { priority, score } of tickets) {
    sum = sum.plus(new Exact(score).times(WEIGHTS[priority]));
    weight += WEIGHTS[priority];
  }
  return weight === 0 ? null : round(sum.div(weight));
}

/**
 * The score of one holder: their minutes against their share of the promised time (act 5.5).
 * @param share percent of the target for their group; null = all of it
 */
export function holdingScore(rule: ScoreRule, { used, target }: Used, share: string | number | null): Decimal | null {
  if (target === null) return null;
  return scored(rule, {
    used,
    target: new Exact(target)
      .times(share ?? 100)
      .div(100)
      .toNumber(),
  });
}

/** The mean and the 90th percentile (nearest rank) of minutes; null if there are none. */
export function spreadOf(minutes: readonly number[]): { mean: string; ninetieth: number } | null {
  if (minutes.length === 0) return null;
  const sorted = minutes.toSorted((one, other) => one - other);
  const mean = sorted.reduce((sum, one) => sum.plus(one), new Exact(0)).div(sorted.length);
  return {
    mean: mean.toDecimalPlaces(0, Exact.ROUND_HALF_UP).toFixed(0),
    ninetieth: sorted[Math.ceil(sorted.length * 0.9) - 1]!,
  };
}
