import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelDone, levelsFor } from '../../../src/domain/approval_levels.ts';

const BANDS = [
  { level: 1, amount_from: '0' },
  { level: 2, amount_from: '100000.01' },
  { level: 3, amount_from: '500000.01' },
];
const numbers = (amount: string | null, mode: 'cumulative' | 'direct') =>
  levelsFor(BANDS, amount, mode).map(({ level }) => level);

describe('the levels that approve an amount', () => {
  it('match the design’s example', () => {
    expect(numbers('275000.00', 'cumulative')).toEqual([1, 2]);
    expect(numbers('275000.00', 'direct')).toEqual([2]);
  });
  it('change exactly at the limit', () => {
    expect(numbers('100000.00', 'direct')).toEqual([1]);
    expect(numbers('100000.01', 'direct')).toEqual([2]);
    expect(numbers('500000.00', 'cumulative')).toEqual([1, 2]);
    expect(numbers('500000.01', 'cumulative')).toEqual([1, 2, 3]);
  });
  it('are all of them, or the first, without an amount', () => {
    expect(numbers(null, 'cumulative')).toEqual([1, 2, 3]);
    expect(numbers(null, 'direct')).toEqual([1]);
  });
  it('are at least as many for a larger amount, and the direct one is the last of the others', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000_00 }).map((paise) => (paise / 100).toFixed(2));
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [less, more] = Number(a) <= Number(b) ? [a, b] : [b, a];
        expect(numbers(more, 'cumulative').length).toBeGreaterThanOrEqual(numbers(less, 'cumulative').length);
        expect(numbers(a, 'direct')).toEqual(numbers(a, 'cumulative').slice(-1));
      }),
    );
  });
});

it('a level is completed by one, by all, or by a given number of approvers', () => {
  expect([levelDone('any_one', null, 3, 0), levelDone('any_one', null, 3, 1)]).toEqual([false, true]);
  expect([levelDone('all', null, 3, 2), levelDone('all', null, 3, 3)]).toEqual([false, true]);
  expect([levelDone('n', 2, 3, 1), levelDone('n', 2, 3, 2), levelDone('n', 5, 2, 2)]).toEqual([false, true, true]);
});
