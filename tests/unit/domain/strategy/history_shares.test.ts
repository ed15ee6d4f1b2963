import { expect, test } from 'vitest';
import { correlation, historyLink, sharesOf } from '../../../../src/domain/strategy/history_shares.ts';

// performance.md §5.16

const months = (first: number, values: readonly number[]) =>
  new Map(
    values.map((value, at) => {
      const place = first + at;
      return [`${2024 + Math.floor(place / 12)}-${String((place % 12) + 1).padStart(2, '0')}`, value];
    }),
  );
const WAVE = [3, 8, 2, 9, 4, 7, 1, 6, 5, 9, 2, 8, 3, 6, 4];

test('the correlation of the example', () => {
  expect(correlation([1, 2, 3, 4, 5, 6], [2, 4, 5, 4, 5, 7])!.toFixed(6)).toBe('0.878310');
  expect(correlation([1, 2, 3], [5, 5, 5])).toBeNull();
});

test('a driver is compared at its best lag, over at least 12 months', () => {
  expect(historyLink(months(0, WAVE), months(0, WAVE))).toMatchObject({ lag: 0, months: 15 });
  const late = historyLink(months(2, WAVE), months(0, WAVE))!;
  expect([late.lag, late.months, late.r.toFixed(6)]).toEqual([2, 15, '1.000000']);
  const falling = WAVE.map((value) => -value);
  expect(historyLink(months(0, WAVE), months(0, falling))!.r.toFixed(6)).toBe('-1.000000');
  expect(historyLink(months(0, WAVE.slice(0, 11)), months(0, WAVE))).toBeNull();
});

test('the shares follow the size of the correlations and add up to 100', () => {
  expect(sharesOf([0.9, -0.3, 0.6])).toEqual(['50.00', '16.67', '33.33']);
});
