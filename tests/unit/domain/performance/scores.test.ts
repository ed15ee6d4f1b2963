import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AchievementFacts } from '../../../../src/domain/performance/achievement.ts';
import {
  achievement,
  bandOf,
  lineScore,
  sheetScore,
  weightedScore,
} from '../../../../src/domain/performance/achievement.ts';
import type { Aggregation, SheetFigures } from '../../../../src/domain/performance/over_time.ts';
import { overTime, paceOf, scoreOfSheets, trendOf } from '../../../../src/domain/performance/over_time.ts';
import { periodWith } from '../../../../src/domain/performance/scorecard_period.ts';
import { evenWeights, parts, weightsOfHundred } from '../../../../src/domain/performance/phasing.ts';

const reached = (facts: Partial<AchievementFacts>) =>
  achievement({ method: 'linear', direction: 'higher', cap: 120, ...facts });
const is = (percent: string) => ({ percent });

describe('achievement (performance.md §5.3)', () => {
  const SLABS = [
    { from: 0, to: 80, achievement: 0 },
    { from: 80, to: 90, achievement: 60 },
    { from: 90, to: 100, achievement: 80 },
    { from: 100, to: 110, achievement: 100 },
    { from: 110, to: null, achievement: 120 },
  ];
  test.each<[string, Partial<AchievementFacts>, string]>([
    ['higher', { actual: 450, target: 500 }, '90.0000'],
    ['higher, negative target, better', { actual: -80, target: -100 }, '120.0000'],
    ['higher, negative target, worse', { actual: -150, target: -100 }, '50.0000'],
    ['higher, target 0, above', { actual: 5, target: 0 }, '120.0000'],
    ['higher, target 0, at it', { actual: 0, target: 0 }, '100.0000'],
    ['higher, target 0, below', { actual: -1, target: 0 }, '0.0000'],
    ['lower', { direction: 'lower', actual: 50, target: 40 }, '75.0000'],
    ['lower, better', { direction: 'lower', actual: 30, target: 40 }, '125.0000'],
    ['lower, far off', { direction: 'lower', actual: 90, target: 40 }, '0.0000'],
    ['inverse', { method: 'inverse', direction: 'lower', actual: 50, target: 40 }, '80.0000'],
    ['inverse, nothing', { method: 'inverse', direction: 'lower', actual: 0, target: 40 }, '120.0000'],
    ['lower, target 0, at it', { direction: 'lower', actual: 0, target: 0 }, '100.0000'],
    ['lower, target 0, above', { direction: 'lower', actual: 2, target: 0 }, '0.0000'],
    ['lower, target 0, tolerated', { direction: 'lower', actual: 2, target: 0, tolerance: 5 }, '60.0000'],
    ['range, above', { method: 'range', actual: 108, rangeLow: 95, rangeHigh: 105, tolerance: 10 }, '70.0000'],
    ['range, within', { method: 'range', actual: 100, rangeLow: 95, rangeHigh: 105, tolerance: 10 }, '100.0000'],
    ['range, far off', { method: 'range', actual: 80, rangeLow: 95, rangeHigh: 105, tolerance: 10 }, '0.0000'],
    ['range, below', { method: 'range', actual: 94.5, rangeLow: 95, rangeHigh: 105, tolerance: 10 }, '95.0000'],
    ['base to target', { method: 'base_to_target', base: 60, target: 80, actual: 75 }, '75.0000'],
    ['base to target, falling', { method: 'base_to_target', base: 30, target: 20, actual: 24 }, '60.0000'],
    ['base to target, wrong way', { method: 'base_to_target', base: 60, target: 80, actual: 55 }, '0.0000'],
    [
      'milestone, late',
      { method: 'milestone', targetDay: '2025-09-30', doneOn: '2025-10-12', tolerance: 60 },
      '80.0000',
    ],
    ['milestone, in time', { method: 'milestone', targetDay: '2025-09-30', doneOn: '2025-09-30' }, '100.0000'],
    ['binary, done', { method: 'binary', done: true }, '100.0000'],
    ['binary, not done', { method: 'binary', done: false }, '0.0000'],
    ['slab', { method: 'slab', actual: 92, target: 100, slabs: SLABS }, '80.0000'],
  ])('%s', (_what, facts, percent) => {
    expect(reached(facts)).toEqual(is(percent));
  });

  test('a missing value gives no achievement, with the reason', () => {
    expect(reached({ actual: null, target: 5 })).toEqual({ reason: 'The actual is missing.' });
    expect(reached({ method: 'base_to_target', base: 80, target: 80, actual: 80 })).toEqual({
      reason: 'Base and target are equal. Change one of them.',
    });
    expect(reached({ method: 'milestone', targetDay: '2025-09-30', periodEnd: '2025-08-31' })).toEqual({
      reason: 'The milestone is not due yet.',
    });
  });
});

describe('scores (§5.4, 5.5)', () => {
  const line = (facts: Partial<AchievementFacts>, weight: number) => {
    const result = reached(facts);
    return { achievement: 'percent' in result ? result.percent : null, weight, threshold: 50, cap: 120 };
  };
  const LINES = [
    line({ actual: 9_200_000, target: 10_000_000 }, 30),
    line({ actual: 96.5, target: 95 }, 20),
    line({ direction: 'lower', actual: 52, target: 45 }, 20),
    line({ direction: 'lower', actual: 3, target: 0, tolerance: 10 }, 10),
    line({ actual: 27, target: 20 }, 10),
    line({ direction: 'lower', actual: 18, target: 8 }, 10),
  ];

  test('of the lines match the example', () => {
    const scores = LINES.map(({ achievement: value, threshold, cap }) => lineScore(value!, threshold, cap));
    expect(LINES.map(({ achievement: value }) => value)).toEqual([
      '92.0000',
      '101.5789',
      '84.4444',
      '70.0000',
      '135.0000',
      '0.0000',
    ]);
    expect(scores).toEqual(['92.0000', '101.5789', '84.4444', '70.0000', '120.0000', '0.0000']);
    expect(scores.map((score, at) => weightedScore(score, LINES[at]!.weight))).toEqual([
      '27.6000',
      '20.3158',
      '16.8889',
      '7.0000',
      '12.0000',
      '0.0000',
    ]);
    expect(sheetScore(LINES, 'exclude', 120)).toEqual({ score: '83.80', covered: '100.00' });
  });

  test('a stretch target earns the highest score; between target and stretch the score rises evenly', () => {
    const scored = (reached: number, stretch: number | null) => lineScore(reached, 50, 120, stretch);
    expect([90, 100, 125, 150, 170, 40].map((reached) => scored(reached, 150))).toEqual([
      '90.0000',
      '100.0000',
      '110.0000',
      '120.0000',
      '120.0000',
      '0.0000',
    ]);
    expect([scored(110, 110), scored(105, 110), scored(105, null)]).toEqual(['120.0000', '110.0000', '105.0000']);
    expect(sheetScore([{ achievement: 125, weight: 100, threshold: 50, cap: 120, stretch: 150 }], 'zero', 120)).toEqual(
      {
        score: '110.00',
        covered: '100.00',
      },
    );
  });

  test('with missing actuals use the present weight, or 0 at the freeze', () => {
    const missing = LINES.map((one, at) => (at === 3 || at === 4 ? { ...one, achievement: null } : one));
    expect(sheetScore(missing, 'exclude', 120)).toEqual({ score: '81.01', covered: '80.00' });
    expect(sheetScore(missing, 'zero', 120)).toEqual({ score: '64.80', covered: '100.00' });
    const excused = missing.map((one) => (one.achievement === null ? { ...one, notApplicable: true } : one));
    expect(sheetScore(excused, 'zero', 120)).toEqual({ score: '81.01', covered: '80.00' });
    expect(sheetScore([], 'zero', 120)).toEqual({ score: null, covered: '0.00' });
  });

  test('a score is in the highest band that it reaches', () => {
    const bands = [0, 60, 80, 95, 110].map((from, at) => ({ from_score: from, code: String(at + 1) }));
    const code = (score: string | number) => bandOf(score, bands)?.code;
    expect([code('94.995'), code('94.99'), code(120), code('83.80'), code(0)]).toEqual(['4', '3', '5', '3', '1']);
  });

  test('no score is outside 0 and the maximum, whatever the actuals are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            achievement: fc.option(fc.integer({ min: 0, max: 10_000 })),
            weight: fc.integer({ min: 1, max: 100 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.constantFrom('zero' as const, 'exclude' as const),
        (lines, missing) => {
          const { score } = sheetScore(
            lines.map((one) => ({ ...one, threshold: 50, cap: 130 })),
            missing,
            120,
          );
          expect(score === null || (Number(score) >= 0 && Number(score) <= 120)).toBe(true);
          expect(score === null).toBe(missing === 'exclude' && lines.every((one) => one.achievement === null));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('phasing (§5.2)', () => {
  const PROFILE = [6, 8, 7, 7, 8, 8, 12, 11, 9, 8, 7, 9];
  const numbers = (texts: readonly string[]) => texts.map(Number);

  test('weights of 99.99 or 100.01 come to 100 in proportion, within the limits of their types', () => {
    const spread = (weights: string[], limits: [number, number][] = []) =>
      weightsOfHundred(
        weights.map((weight, at) => ({ weight, min: limits[at]?.[0] ?? 0, max: limits[at]?.[1] ?? 100 })),
      );
    expect(spread(['33.33', '33.33', '33.33'])).toEqual(['33.34', '33.33', '33.33']);
    expect(spread(['60.01', '30', '10'])).toEqual(['60.00', '30.00', '10.00']);
    expect(spread(['60', '30', '20'])).toEqual(['54.55', '27.27', '18.18']);
    expect(spread(['0', '0'])).toEqual(['50.00', '50.00']);
    // The first may carry 40 at most: the others share what is left; 10 at least: they give what it lacks.
    expect(spread(['60', '20', '10'], [[0, 40]])).toEqual(['40.00', '40.00', '20.00']);
    expect(spread(['5', '60', '40'], [[10, 100]])).toEqual(['10.00', '54.00', '36.00']);
    expect(
      spread(
        ['60', '40'],
        [
          [0, 30],
          [0, 30],
        ],
      ),
    ).toBeNull();
    expect(
      spread(
        ['60', '40'],
        [
          [70, 100],
          [40, 100],
        ],
      ),
    ).toBeNull();
  });

  test('the examples', () => {
    expect(numbers(parts(1000, Array<number>(12).fill(1), 0))).toEqual([...Array(4).fill(84), ...Array(8).fill(83)]);
    expect(numbers(parts(997, PROFILE, 0))).toEqual([60, 80, 70, 70, 80, 80, 119, 109, 90, 80, 70, 89]);
    expect(parts('10000000', PROFILE, 2)).toEqual(PROFILE.map((share) => `${share}00000.00`));
    expect(numbers(parts(500, [25, 26, 25, 27, 25, 25, 24, 25, 26, 26, 24, 25], 0))).toEqual([
      41, 43, 41, 45, 41, 41, 40, 41, 43, 43, 40, 41,
    ]);
    expect(evenWeights(3)).toEqual(['33.34', '33.33', '33.33']);
  });

  test('weights that are spread evenly add up to 100, whatever the number of lines', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (lines) => {
        const hundredths = evenWeights(lines).map((weight) => Number(weight.replace('.', '')));
        expect(hundredths.reduce((sum, weight) => sum + weight, 0)).toBe(100_00);
        expect(Math.max(...hundredths) - Math.min(...hundredths)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('the parts of a year always add up to it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000_000 }),
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 24 }),
        fc.integer({ min: 0, max: 4 }),
        (total, weights, decimals) => {
          fc.pre(weights.some((weight) => weight > 0));
          const sum = parts(total, weights, decimals).reduce((all, part) => all + BigInt(part.replace('.', '')), 0n);
          expect(sum).toBe(BigInt(total) * 10n ** BigInt(decimals));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('aggregation (§5.6, 5.9, 5.20)', () => {
  const months = (actuals: (number | null)[], targets: (number | null)[] = actuals.map(() => null)) =>
    actuals.map((actual, at) => ({ actual, target: targets[at]! }));

  test('actual and target are aggregated first, and the achievement is computed once', () => {
    const year = overTime(months([80, 95, 110], [90, 90, 100]), 'sum');
    expect(year).toEqual({ actual: '285', target: '280' });
    expect(reached(year)).toEqual(is('101.7857'));
    expect(overTime(months([82, 78.5, 85]), 'average').actual).toBe('81.833333');
    expect(overTime(months([82, 78.5, 85, null]), 'last').actual).toBe('85');
    expect(overTime(months([82, 78.5, 85]), 'min').actual).toBe('78.5');
    expect(overTime(months([null, null]), 'sum')).toEqual({ actual: null, target: null });
  });

  test('what is weighted or calculated follows from the totals of its sheet, not from its months', () => {
    const figure = (actual: number, aggregation: Aggregation, more: object = {}) => ({
      actual: String(actual),
      target: '90',
      aggregation,
      formula: null,
      weighted_by: null,
      ...more,
    });
    const over = (code: string, around: SheetFigures[]) =>
      overTime(
        around.map((one) => ({ actual: one[code]?.actual ?? null, target: 90, around: one })),
        around[0]![code]!.aggregation,
        code,
      );
    const score = (value: number, bills: number) => ({
      CSAT: figure(value, 'weighted', { weighted_by: 'BILLS' }),
      BILLS: figure(bills, 'sum'),
    });
    expect(over('CSAT', [score(82, 100), score(78.5, 300), score(85, 200)])).toEqual({ actual: '81.25', target: '90' });
    const rate = (of: number, bills: number, walkIns: number) => ({
      CONV: figure(of, 'formula', { formula: 'BILLS / WALKINS * 100' }),
      BILLS: figure(bills, 'sum'),
      WALKINS: figure(walkIns, 'sum'),
      TWICE: figure(2 * of, 'formula', { formula: 'CONV * 2' }),
    });
    const months = [rate(10, 10, 100), rate(30, 90, 300)];
    expect(over('CONV', months)).toEqual({ actual: '25', target: '90' });
    expect(over('TWICE', months).actual).toBe('50');
    // A month without one of the inputs does not count in the others either.
    const { WALKINS: _none, ...partial } = rate(30, 90, 300);
    expect(over('CONV', [months[0]!, partial]).actual).toBe('10');
  });

  test('months, quarters and halves of the financial year nest (§5.1)', () => {
    const span = (month: string, period: Parameters<typeof periodWith>[1], start = 4) =>
      Object.values(periodWith(month, period, start)).join(' ');
    expect(span('2025-06', 'quarter')).toBe('2025-04 2025-06 Q1 2025-26 (Apr–Jun)');
    expect(span('2026-01', 'quarter')).toBe('2026-01 2026-03 Q4 2025-26 (Jan–Mar)');
    expect(span('2025-09', 'half_year')).toBe('2025-04 2025-09 H1 2025-26 (Apr–Sep)');
    expect(span('2026-03', 'year')).toBe('2025-04 2026-03 2025-26');
    expect(span('2026-02', 'ytd')).toBe('2025-04 2026-02 April to February 2026');
    expect(span('2025-12', 'year', 1)).toBe('2025-01 2025-12 2025');
    expect(span('2025-12', 'month', 1)).toBe('2025-12 2025-12 December 2025');
  });

  test('the pace of a running period compares with what its working days were to bring', () => {
    expect(paceOf(220, 500, { gone: 10, all: 25 })).toEqual({ expected: '200', percent: '110' });
    expect([paceOf(0, 500, { gone: 0, all: 25 }), paceOf(5, 0, { gone: 5, all: 25 })]).toEqual([null, null]);
  });

  test('an average uses the periods with an actual, for the target too', () => {
    expect(overTime(months([80, null, 90], [70, 100, 90]), 'average')).toEqual({ actual: '85', target: '80' });
  });

  test('two sheets in a year are weighted by days; a trend needs more than 2 points', () => {
    expect(
      scoreOfSheets([
        { score: '92.40', days: 153 },
        { score: '101.10', days: 212 },
      ]),
    ).toBe('97.45');
    expect([trendOf(95, [90, 92, 91]), trendOf(92, [90, 92, 91]), trendOf(80, [90]), trendOf(80, [])]).toEqual([
      'up',
      'level',
      'down',
      null,
    ]);
  });
});
