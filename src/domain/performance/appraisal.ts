import { Decimal } from 'decimal.js';

/** Exact arithmetic with 34 digits, half away from zero (performance.md §5). */
const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
type Amount = Decimal.Value;

const twoDecimals = (value: Decimal): string => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2);

/** Sum of weight · value / sum of weights; null where nothing weighs. */
function weightedMean(items: readonly { weight: Amount; value: Amount }[]): Decimal | null {
  const weights = items.reduce<Decimal>((all, { weight }) => all.plus(weight), new Exact(0));
  if (weights.isZero()) return null;
  const sum = items.reduce<Decimal>((all, { weight, value }) => all.plus(new Exact(value).times(weight)), new Exact(0));
  return sum.dividedBy(weights);
}

/** A competency as it is rated; levels are 1 to 5, null = not rated. */
export interface RatedCompetency {
  weight: Amount;
  expected: number;
  manager: number | null;
  self: number | null;
}

/**
 * Score of the competencies, with 2 decimals (§5.11): each level against the expected one, at most the cap.
 * @param selfWeight share of the own rating, in percent; a competency that the member has not rated goes by the manager alone
 * @returns null while one is not rated by the manager, or where there is none
 */
export function competencyScore(
  competencies: readonly RatedCompetency[],
  cap: Amount,
  selfWeight: Amount = 0,
): string | null {
  if (competencies.some(({ manager }) => manager === null)) return null;
  const share = new Exact(selfWeight).dividedBy(100);
  const mean = weightedMean(
    competencies.map(({ weight, expected, manager, self }) => {
      const level =
        self === null ? new Exact(manager!) : share.times(self).plus(new Exact(1).minus(share).times(manager!));
      return { weight, value: Decimal.min(level.times(100).dividedBy(expected), cap) };
    }),
  );
  return mean && twoDecimals(mean);
}

/** Score of feedback: 20 for each star of the mean, with 2 decimals; null without an answer. */
export function feedbackScore(stars: readonly Amount[]): string | null {
  const mean = weightedMean(stars.map((value) => ({ weight: 1, value })));
  return mean && twoDecimals(mean.times(20));
}

/** Score of an appraisal, of those of its parts that there are: an absent part is left out, it is not 0 (§5.11). */
export function computedScore(parts: readonly { weight: Amount; score: Amount | null }[]): string | null {
  const mean = weightedMean(parts.flatMap(({ weight, score }) => (score === null ? [] : [{ weight, value: score }])));
  return mean && twoDecimals(mean);
}

/** What an appraisal comes to: computed and adjusted, replaced by the moderated score if there is one, within 0 and the cap. */
export function finalScore(
  { computed, adjust, moderated }: { computed: Amount | null; adjust: Amount | null; moderated: Amount | null },
  cap: Amount,
): string | null {
  if (moderated === null && computed === null) return null;
  const score = moderated === null ? new Exact(computed!).plus(adjust ?? 0) : new Exact(moderated);
  return twoDecimals(Decimal.max(0, Decimal.min(score, cap)));
}

/** A band of a rating scheme. */
export interface IncrementBand {
  from_score: Amount;
  to_score: Amount;
  increment_min: Amount | null;
  increment_max: Amount | null;
}

/** Suggested increment in percent with 2 decimals: as far between its limits as the score is within the band. */
export function incrementPercent(score: Amount, band: IncrementBand): string | null {
  if (band.increment_min === null || band.increment_max === null) return null;
  const width = new Exact(band.to_score).minus(band.from_score);
  const way = width.isZero() ? new Exact(0) : new Exact(score).minus(band.from_score).dividedBy(width);
  const within = Decimal.max(0, Decimal.min(1, way));
  return twoDecimals(new Exact(band.increment_max).minus(band.increment_min).times(within).plus(band.increment_min));
}

/** What an increment of some percent adds to an annual pay, in whole rupees. */
export const incrementAmount = (pay: Amount, percent: Amount): string =>
  new Exact(pay).times(percent).dividedBy(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(0);
