import { expect, test } from 'vitest';
import { look, trend, unusualness, yearEnd } from '../../../../src/domain/review/bot_rules.ts';

// performance.md §5.17
const LIKE = [102, 98, 101, 97, 103, 99, 100, 104, 96, 100, 101, 99];

test('an anomaly is unusual by score and by size', () => {
  const at = (value: number, least = 0) => look([...LIKE, value], { rule: 'anomaly', isLower: false, least });
  expect(unusualness(118, LIKE)!.toFixed(4)).toBe('8.0940');
  expect(at(118).isAlarm).toBe(true);
  expect(at(106).value!.toFixed(4)).toBe('2.6980');
  expect(at(106).isAlarm).toBe(false);
  expect(at(118, 20).isAlarm).toBe(false);
  expect(look([100, 118], { rule: 'anomaly', isLower: false })).toEqual({ isAlarm: false, value: null });
  // More than half of them alike: the median deviation is 0, and the mean one is taken.
  expect(unusualness(9, [5, 5, 5, 6])!.toFixed(3)).toBe('10.792');
  expect(unusualness(9, [5, 5, 5])).toBe(null);
});

test('a trend is the median of the slopes', () => {
  expect(trend([10, 12, 11, 15, 14, 18])).toBe(1.5);
  expect(look([10, 12, 11, 15, 14, 18], { rule: 'trend', isLower: true, least: 1 })).toEqual({
    isAlarm: true,
    value: 1.5,
  });
  expect(look([10, 12, 11, 15, 14, 18], { rule: 'trend', isLower: false, least: 1 }).isAlarm).toBe(false);
});

test('the projected year-end value', () => {
  const pace = yearEnd(285, 280, 1200)!;
  expect(pace.ratio.toFixed(6)).toBe('1.017857');
  expect(pace.end.toFixed(2)).toBe('1221.43');
  expect(yearEnd(1, 0, 10)).toBe(null);
});

test('thresholds and streaks know the worse direction', () => {
  expect(look([5], { rule: 'threshold', isLower: true, limit: 4 }).isAlarm).toBe(true);
  expect(look([5], { rule: 'threshold', isLower: false, limit: 4 }).isAlarm).toBe(false);
  expect(look([9, 8, 7, 6], { rule: 'streak', isLower: false })).toEqual({ isAlarm: true, value: 3 });
  expect(look([9, 8, 8, 7], { rule: 'streak', isLower: false })).toEqual({ isAlarm: false, value: 1 });
  expect(look([9, 8, 7, 6], { rule: 'streak', isLower: true }).isAlarm).toBe(false);
});
