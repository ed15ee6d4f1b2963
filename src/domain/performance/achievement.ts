import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half away from zero (performance.md §5). */
const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
const ZERO = new Exact(0);
const HUNDRED = new Exact(100);

type Amount = Decimal.Value;

export type Direction = 'higher' | 'lower' | 'range';
export type AchievementMethod = 'linear' | 'inverse' | 'base_to_target' | 'range' | 'milestone' | 'binary' | 'slab';

/** Achievement from `from` on and below `to`; null = open-ended. */
export interface AchievementSlab {
  from: Amount;
  to: Amount | null;
  achievement: Amount;
}

/** What an achievement follows from. Days are YYYY-MM-DD; what a method does not need stays empty. */
export interface AchievementFacts {
  method: AchievementMethod;
  direction: Direction;
  actual?: Amount | null;
  target?: Amount | null;
  base?: Amount | null;
  rangeLow?: Amount | null;
  rangeHigh?: Amount | null;
  tolerance?: Amount | null;
  slabs?: readonly AchievementSlab[];
  done?: boolean | null;
  targetDay?: string | null;
  doneOn?: string | null;
  periodEnd?: string | null;
  /** The best that an actual may count, in percent: what is infinitely good has this. */
  cap: Amount;
}

/** An achievement in percent with 4 decimals, or why there is none. */
export type Achievement = { percent: string } | { reason: string };

const filled = (value: Amount | null | undefined): value is Amount =>
  value !== null && value !== undefined && value !== '';
const percent = (value: Decimal): Achievement => ({
  percent: Decimal.max(value, ZERO).toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(4),
});
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

function withTargetZero(actual: Decimal, direction: Direction, tolerance: Amount | null | undefined, cap: Amount) {
  if (direction !== 'lower') {
    if (actual.isZero()) return percent(HUNDRED);
    return percent(actual.isNegative() ? ZERO : new Exact(cap));
  }
  if (actual.lessThanOrEqualTo(0)) return percent(HUNDRED);
  if (!filled(tolerance) || new Exact(tolerance).isZero()) return percent(ZERO);
  return percent(HUNDRED.times(new Exact(1).minus(actual.dividedBy(tolerance))));
}

function linear(facts: AchievementFacts, actual: Decimal, target: Decimal): Achievement {
  if (target.isZero()) return withTargetZero(actual, facts.direction, facts.tolerance, facts.cap);
  const off = actual.minus(target).dividedBy(target.abs());
  return percent(HUNDRED.times(facts.direction === 'lower' ? new Exact(1).minus(off) : off.plus(1)));
}

function milestone({ targetDay, doneOn, periodEnd, tolerance }: AchievementFacts): Achievement {
  if (!targetDay) return { reason: 'The milestone has no target date.' };
  if (doneOn && doneOn <= targetDay) return percent(HUNDRED);
  const until = doneOn ?? periodEnd;
  if (!until || until <= targetDay) return { reason: 'The milestone is not due yet.' };
  if (!filled(tolerance) || new Exact(tolerance).isZero()) return percent(ZERO);
  const late = new Exact(daysBetween(targetDay, until));
  return percent(HUNDRED.times(new Exact(1).minus(late.dividedBy(tolerance))));
}

function range({ actual, rangeLow, rangeHigh, tolerance }: AchievementFacts): Achievement {
  if (!filled(rangeLow) || !filled(rangeHigh)) return { reason: 'The range has no limits.' };
  const value = new Exact(actual!);
  const distance = Decimal.max(new Exact(rangeLow).minus(value), value.minus(rangeHigh), ZERO);
  if (distance.isZero()) return percent(HUNDRED);
  if (!filled(tolerance) || new Exact(tolerance).isZero()) return percent(ZERO);
  return percent(HUNDRED.times(new Exact(1).minus(distance.dividedBy(tolerance))));
}

function slab(facts: AchievementFacts, actual: Decimal, target: Decimal): Achievement {
  const straight = linear(facts, actual, target);
  if (!('percent' in straight)) return straight;
  const reached = new Exact(straight.percent);
  const found = facts.slabs?.find(({ from, to }) => reached.gte(from) && (to === null || reached.lt(to)));
  return percent(new Exact(found?.achievement ?? 0));
}

/**
 * How far a target is reached, in percent, 0 at least and before the cap (performance.md §5.3). A missing actual is no
 * achievement of 0: it has none, with the reason.
 */
export function achievement(facts: AchievementFacts): Achievement {
  if (facts.method === 'milestone') return milestone(facts);
  if (facts.method === 'binary')
    return facts.done === null || facts.done === undefined
      ? { reason: 'The actual is missing.' }
      : percent(facts.done ? HUNDRED : ZERO);
  if (!filled(facts.actual)) return { reason: 'The actual is missing.' };
  if (facts.method === 'range' || facts.direction === 'range') return range(facts);
  if (!filled(facts.target)) return { reason: 'The target is missing.' };
  const actual = new Exact(facts.actual);
  const target = new Exact(facts.target);
  if (facts.method === 'inverse') {
    if (target.isZero()) return withTargetZero(actual, 'lower', facts.tolerance, facts.cap);
    return percent(actual.lessThanOrEqualTo(0) ? new Exact(facts.cap) : HUNDRED.times(target).dividedBy(actual));
  }
  if (facts.method === 'base_to_target') {
    if (!filled(facts.base)) return { reason: 'The base is missing.' };
    const way = target.minus(facts.base);
    if (way.isZero()) return { reason: 'Base and target are equal. Change one of them.' };
    return percent(HUNDRED.times(actual.minus(facts.base)).dividedBy(way));
  }
  return facts.method === 'slab' ? slab(facts, actual, target) : linear(facts, actual, target);
}

/** A line of a sheet with its achievement in percent; null = it has no actual. */
export interface ScoredLine {
  achievement: Amount | null;
  weight: Amount;
  threshold: Amount;
  cap: Amount;
  /** The achievement that earns the cap; null = the achievement itself counts. */
  stretch?: Amount | null;
  /** The score that a person has given instead of the computed one. */
  given?: Amount | null;
  /** Approved as not applicable: it is left out, and its weight with it. */
  notApplicable?: boolean;
}

/**
 * Score of a line with 4 decimals: 0 below the threshold, else the achievement up to the cap (§5.4). With a stretch target
 * the score above 100 rises evenly to the cap, which the stretch target earns.
 */
export function lineScore(reached: Amount, threshold: Amount, cap: Amount, stretch: Amount | null = null): string {
  const value = new Exact(reached);
  const isStretched = stretch !== null && value.greaterThan(HUNDRED) && new Exact(stretch).greaterThan(HUNDRED);
  const earned = isStretched
    ? value
        .minus(HUNDRED)
        .times(new Exact(cap).minus(HUNDRED))
        .dividedBy(new Exact(stretch).minus(HUNDRED))
        .plus(HUNDRED)
    : value;
  const score = value.lessThan(threshold) ? ZERO : Decimal.min(earned, cap);
  return score.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(4);
}

/** What a line adds to the score of its sheet, with 4 decimals. */
export function weightedScore(score: Amount, weight: Amount): string {
  return new Exact(score).times(weight).dividedBy(HUNDRED).toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(4);
}

export interface SheetScore {
  /** With 2 decimals; null = no line counts. */
  score: string | null;
  /** The weight of the lines that count, of 100. */
  covered: string;
}

/**
 * Score of a sheet (§5.4). While actuals are missing it is that of the lines that have one, with the weight that they cover
 * (`missing: 'exclude'`); with `'zero'`, as at the freeze, a missing actual scores 0 in full.
 * @param most the highest score a sheet may have
 */
export function sheetScore(lines: readonly ScoredLine[], missing: 'zero' | 'exclude', most: Amount): SheetScore {
  const counts = ({ notApplicable, achievement: reached, given }: ScoredLine) =>
    !notApplicable && (reached !== null || (given ?? null) !== null || missing === 'zero');
  const total = (some: readonly ScoredLine[]) => some.reduce<Decimal>((all, { weight }) => all.plus(weight), ZERO);
  const counted = lines.filter(counts);
  const covered = total(counted);
  if (covered.isZero()) return { score: null, covered: '0.00' };
  const sum = counted.reduce<Decimal>((all, { achievement: reached, given, threshold, cap, stretch, weight }) => {
    const score = given ?? (reached === null ? null : lineScore(reached, threshold, cap, stretch));
    return score === null ? all : all.plus(new Exact(score).times(weight));
  }, ZERO);
  return {
    score: Decimal.min(sum.dividedBy(covered).toDecimalPlaces(2, Decimal.ROUND_HALF_UP), most).toFixed(2),
    covered: covered.dividedBy(total(lines)).times(HUNDRED).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2),
  };
}

/** The band of a score: the highest that has begun, as bands follow each other (§5.5); null = the score is below all. */
export function bandOf<Band extends { from_score: Amount }>(score: Amount, bands: readonly Band[]): Band | null {
  const value = new Exact(score).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  const begun = bands.filter(({ from_score: from }) => value.gte(from));
  return begun.toSorted((a, b) => new Exact(b.from_score).cmp(a.from_score))[0] ?? null;
}
