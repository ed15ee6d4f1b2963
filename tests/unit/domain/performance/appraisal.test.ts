import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  competencyScore,
  computedScore,
  feedbackScore,
  finalScore,
  incrementAmount,
  incrementPercent,
} from '../../../../src/domain/performance/appraisal.ts';
import { changedTargets, growthTarget } from '../../../../src/domain/performance/phasing.ts';
import { distributionQuota, normalisedScore } from '../../../../src/domain/performance/moderation.ts';

const competency = (weight: number, manager: number | null, expected = 3, self: number | null = null) => ({
  weight,
  manager,
  expected,
  self,
});

test('competencies count by their weights against the expected level, up to the cap (§5.11)', () => {
  const rated = [competency(50, 3, 4), competency(30, 3, 3), competency(20, 4, 3)];
  expect(competencyScore(rated, 120)).toBe('91.50');
  expect(competencyScore([...rated, competency(10, null)], 120)).toBeNull();
  expect(competencyScore([], 120)).toBeNull();
});

test('the self-rating counts by its share only, and not if it is missing', () => {
  expect(competencyScore([competency(100, 3, 3, 2)], 120)).toBe('100.00');
  expect(competencyScore([competency(100, 3, 3, 2)], 120, 50)).toBe('83.33');
  expect(competencyScore([competency(100, 3, 3)], 120, 50)).toBe('100.00');
});

test('a missing part is left out, not counted as zero (§5.11)', () => {
  expect(feedbackScore(['4.2'])).toBe('84.00');
  expect(feedbackScore([])).toBeNull();
  const parts = (feedback: string | null) => [
    { weight: 70, score: '97.45' },
    { weight: 20, score: '91.50' },
    { weight: 10, score: feedback },
  ];
  expect(computedScore(parts('84.00'))).toBe('94.92');
  expect(computedScore(parts(null))).toBe('96.13');
  expect(computedScore([])).toBeNull();
});

test('the moderated score replaces the computed and adjusted one, within the cap', () => {
  expect(finalScore({ computed: '94.92', adjust: '2', moderated: null }, 120)).toBe('96.92');
  expect(finalScore({ computed: '94.92', adjust: '2', moderated: '90' }, 120)).toBe('90.00');
  expect(finalScore({ computed: '118', adjust: '5', moderated: null }, 120)).toBe('120.00');
  expect(finalScore({ computed: null, adjust: null, moderated: null }, 120)).toBeNull();
});

test('the increment is interpolated within its limits, as the score is within its band', () => {
  const exceeds = { from_score: 95, to_score: 110, increment_min: 8, increment_max: 12 };
  expect(incrementPercent('96.13', exceeds)).toBe('8.30');
  expect(incrementAmount('960000.00', '8.30')).toBe('79680');
  expect(incrementAmount('100050', '8.25')).toBe('8254');
  expect(incrementPercent(95, exceeds)).toBe('8.00');
  expect(incrementPercent(110, exceeds)).toBe('12.00');
  expect(incrementPercent(100, { ...exceeds, increment_max: null })).toBeNull();
});

test('normalised scores remove the manager’s severity (§5.12)', () => {
  const a = [98, 101, 95, 104, 92];
  const b = [84, 88, 80, 86, 82];
  expect(normalisedScore(101, a, [...a, ...b], 5)).toBe('96.57');
  expect(normalisedScore(84, b, [...a, ...b], 5)).toBe('91.00');
  expect(normalisedScore(90, [90, 90], [90, 90, 80, 84], 4)).toBe('86.00');
  expect(normalisedScore(90, [90], [90, 80], 5)).toBeNull();
});

test('the quota of the bands is in whole members and adds up', () => {
  expect(distributionQuota(23, [10, 20, 40, 20, 10])).toEqual([2, 5, 9, 5, 2]);
  fc.assert(
    fc.property(fc.nat(500), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 7 }), (n, shares) => {
      expect(distributionQuota(n, shares).reduce((all, one) => all + one, 0)).toBe(n);
    }),
  );
});

test('a target grows from a base (§5.10)', () => {
  expect(growthTarget('8000000', 15)).toBe('9200000');
});

test('a target changed during the year keeps the months before, and the rest follows the old shape', () => {
  const periods = ['10', '20', '30', '40'].map((target, at) => ({ month: `2026-0${at + 4}`, target }));
  const change = (from: string, total: string, isSum = true) =>
    changedTargets(periods, from, total, { isSum, decimals: 0 });
  expect(change('2026-06', '170')).toEqual(['10', '20', '60', '80']);
  expect(change('2026-04', '101')).toEqual(['10', '20', '30', '41']);
  expect(change('2026-06', '29')).toBeNull();
  expect(change('2026-06', '55', false)).toEqual(['10', '20', '55', '55']);
});
