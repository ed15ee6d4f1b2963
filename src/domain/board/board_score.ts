import { Decimal } from 'decimal.js';

/** Σ of weight and score of the perspectives, in per cent, with two decimals rounded half up. */
export function companyScore(perspectives: readonly { weight: Decimal.Value; score: Decimal.Value }[]): string {
  return perspectives
    .reduce((sum, { weight, score }) => sum.plus(new Decimal(weight).times(score).div(100)), new Decimal(0))
    .toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    .toFixed(2);
}

/** The score of a group: companies by their weights, which need not add up to 100; null = there is none. */
export function groupScore(companies: readonly { weight: Decimal.Value; score: Decimal.Value }[]): string | null {
  const total = companies.reduce((sum, { weight }) => sum.plus(weight), new Decimal(0));
  if (total.isZero()) return null;
  return companies
    .reduce((sum, { weight, score }) => sum.plus(new Decimal(weight).times(score)), new Decimal(0))
    .div(total)
    .toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    .toFixed(2);
}

/** Level from which a member covers a skill. */
const COVERS = 3;

/** Required skills of which at least one member has level 3 or more; null = none is required. */
export function skillsCover<Skill>(
  required: readonly Skill[],
  members: readonly { skill: Skill; level: number }[],
): { percent: string; missing: Skill[] } | null {
  if (required.length === 0) return null;
  const covered = new Set(members.filter(({ level }) => level >= COVERS).map(({ skill }) => skill));
  const missing = required.filter((skill) => !covered.has(skill));
  const percent = new Decimal(required.length - missing.length).times(100).div(required.length);
  return { percent: percent.toDecimalPlaces(2).toFixed(2), missing };
}

/** The middle of the days that answers took; of an even number the mean of both in the middle. */
export function medianDays(days: readonly number[]): number | null {
  if (days.length === 0) return null;
  const sorted = days.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
