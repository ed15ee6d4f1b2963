import { expect, it } from 'vitest';
import type { Quartiles } from '../../../src/domain/benchmark_position.ts';
import { gapToMedian, quarterOf } from '../../../src/domain/benchmark_position.ts';

const renewal: Quartiles = { p25: '78', median: '86', p75: '93', direction: 'higher' };
const outstanding: Quartiles = { p25: '52', median: '71', p75: '95', direction: 'lower' };

it('if more is better, a figure at the boundary is in the better quarter', () => {
  expect(
    ['93', '92.99', '86.00', '85.99', '78', '77.99', '0', '100'].map((value) => quarterOf(value, renewal)),
  ).toEqual([1, 2, 2, 3, 3, 4, 4, 1]);
});

it('if less is better, it is reversed', () => {
  expect(['52', '52.01', '71', '71.01', '95', '95.01', '28'].map((value) => quarterOf(value, outstanding))).toEqual([
    1, 2, 2, 3, 3, 4, 1,
  ]);
});

it('equal boundaries give the best quarter that is reached', () => {
  const equal: Quartiles = { p25: '5', median: '5', p75: '5', direction: 'higher' };
  expect(['5', '4.99'].map((value) => quarterOf(value, equal))).toEqual([1, 4]);
  expect(['5', '5.01'].map((value) => quarterOf(value, { ...equal, direction: 'lower' }))).toEqual([1, 4]);
});

it('figures are compared exactly, and a positive gap is better in both directions', () => {
  expect(quarterOf('0.3', { p25: '0.1', median: '0.2', p75: '0.30', direction: 'higher' })).toBe(1);
  expect([
    gapToMedian('90.5', renewal),
    gapToMedian('80', renewal),
    gapToMedian('54.905', outstanding),
    gapToMedian('71.001', outstanding),
  ]).toEqual(['4.50', '-6.00', '16.10', '0.00']);
});

it('a better figure is never in a worse quarter, and reversing figures and direction changes nothing', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = (n: number) => (((seed * 7_919 + n * 104_729) % 2_003) - 1_001) / 100;
    const [p25, median, p75] = [random(1), random(2), random(3)].toSorted((a, b) => a - b).map(String) as [
      string,
      string,
      string,
    ];
    const [less, more] = [random(4), random(5)].toSorted((a, b) => a - b).map(String) as [string, string];
    const up: Quartiles = { p25, median, p75, direction: 'higher' };
    const turned = (text: string) => String(-Number(text));
    const down: Quartiles = { p25: turned(p75), median: turned(median), p75: turned(p25), direction: 'lower' };
    expect(quarterOf(more, up)).toBeLessThanOrEqual(quarterOf(less, up));
    expect(quarterOf(turned(more), down)).toBe(quarterOf(more, up));
    expect(quarterOf(more, up) <= 2).toBe(Number(gapToMedian(more, up)) >= 0);
  }
});
