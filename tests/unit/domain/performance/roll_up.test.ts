import { expect, test } from 'vitest';
import type { RollUp } from '../../../../src/domain/performance/roll_up.ts';
import { rollUp } from '../../../../src/domain/performance/roll_up.ts';

const of = (values: number[], weights?: (number | null)[]) =>
  values.map((value, at) => ({
    value: String(value),
    weight: weights ? (weights[at] === null ? null : String(weights[at])) : null,
    at: `2026-04-0${at + 1}`,
  }));

// The table of performance.md §5.7: E1, E2 below AM1; E3, E4, E5 below AM2; both below RH.
const CSAT = [80, 90, 70, 60, 74];
const BILLS = [100, 300, 200, 100, 100];

test('the figure above is that of everybody below, not of the managers between', () => {
  expect(rollUp(of([40, 60, 30, 50, 20]), 'sum')).toBe('200');
  expect(rollUp(of(CSAT.slice(0, 2)), 'average')).toBe('85');
  expect(rollUp(of(CSAT.slice(2)), 'average')).toBe('68');
  expect(rollUp(of(CSAT), 'average')).toBe('74.8');
  expect(rollUp(of(CSAT.slice(0, 2), BILLS.slice(0, 2)), 'weighted')).toBe('87.5');
  expect(rollUp(of(CSAT.slice(2), BILLS.slice(2)), 'weighted')).toBe('68.5');
  expect(rollUp(of(CSAT, BILLS), 'weighted')).toBe('78');
});

test('the last, the lowest and the highest; what has no weight does not count; without figures there is none', () => {
  const extremes = (['last', 'min', 'max'] as RollUp[]).map((method) => rollUp(of(CSAT), method));
  expect(extremes).toEqual(['74', '60', '90']);
  expect(rollUp(of([80, 90], [100, null]), 'weighted')).toBe('80');
  expect(rollUp(of([80, 90], [0, 0]), 'weighted')).toBeNull();
  expect(rollUp([], 'sum')).toBeNull();
});
