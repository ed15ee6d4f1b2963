import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compounded, grown, spread, spreadOver } from '../../../src/domain/spread/spread.ts';

const texts = (parts: Decimal[]) => parts.map((part) => part.toFixed());
const sumOf = (parts: readonly Decimal.Value[]) => parts.reduce<Decimal>((sum, part) => sum.plus(part), new Decimal(0));
const EVEN = Array.from({ length: 12 }, () => 1);
const LAST_YEAR = [410000, 395000, 380000, 420000, 450000, 520000, 610000, 580000, 560000, 490000, 470000, 715000];
const repeated = (...parts: string[]) => Array.from({ length: 12 }, (_, at) => parts[at % parts.length]);

describe('the examples of planning.md §5.2', () => {
  it('1: even', () => {
    expect(texts(spread('1000000.00', EVEN, '0.01'))).toEqual(repeated('83333.33', '83333.34', '83333.33'));
    expect(texts(spread(1000000, EVEN, 1000))).toEqual(repeated('83000', '84000', '83000'));
    expect(texts(spread('-1000.00', EVEN, '0.01'))).toEqual(repeated('-83.33', '-83.34', '-83.33'));
  });

  it('2: by last year', () => {
    expect(texts(spread('6543210.00', LAST_YEAR, '0.01'))).toEqual(
      '447119.35, 430761.33, 414403.3, 458024.7, 490740.75, 567078.2, 665226.35, 632510.3, 610699.6, 534362.15, 512551.45, 779732.52'.split(
        ', ',
      ),
    );
  });

  it('3: growth', () => {
    const parts = grown(LAST_YEAR, '8.5', '0.01');
    expect(texts(parts)).toEqual(
      '444850, 428575, 412300, 455700, 488250, 564200, 661850, 629300, 607600, 531650, 509950, 775775'.split(', '),
    );
    expect(sumOf(parts).toFixed()).toBe('6510000');
  });

  it('4: by the days of each month', () => {
    const days = [30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 28, 31];
    expect(texts(spread(1200000, days, '0.01'))).toEqual(
      '98630.14, 101917.81, 98630.13, 101917.81, 101917.81, 98630.14, 101917.8, 98630.14, 101917.81, 101917.81, 92054.79, 101917.81'.split(
        ', ',
      ),
    );
  });

  it('5: held months keep their value', () => {
    const row = [150000, 90000, 90000, 95000, 95000, 100000, 110000, 110000, 100000, 95000, 85000, 200000];
    const periods = row.map((value, at) => ({ value, held: at === 0 || at === 11 }));
    expect(texts(spreadOver(1500000, periods, '0.01'))).toEqual(
      '150000, 106701.03, 106701.03, 112628.87, 112628.86, 118556.7, 130412.38, 130412.37, 118556.7, 112628.86, 100773.2, 200000'.split(
        ', ',
      ),
    );
  });

  it('6: compound', () => {
    const parts = compounded(100000, '1.5', 12, '0.01');
    expect(parts.at(-1)!.toFixed()).toBe('117794.89');
    expect(sumOf(parts).toFixed()).toBe('1304121.15');
  });
});

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((value) => new Decimal(value).dividedBy(100));
const weights = fc
  .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 24 })
  .filter((all) => all.some((weight) => weight > 0));

it('parts add up exactly, and none is off by more than a unit', () => {
  fc.assert(
    fc.property(cents, weights, (total, shares) => {
      const parts = spread(total, shares, '0.01');
      expect(sumOf(parts).equals(total)).toBe(true);
      const sum = sumOf(shares);
      parts.forEach((part, at) =>
        expect(part.minus(total.times(shares[at]!).dividedBy(sum)).abs().lessThanOrEqualTo('0.01')).toBe(true),
      );
    }),
  );
});

it('fixed periods stay, whatever the total, and all together add up to it', () => {
  const periods = fc
    .array(fc.record({ value: fc.option(cents), held: fc.boolean() }), { minLength: 1, maxLength: 24 })
    .filter((all) => all.some(({ held }) => !held));
  fc.assert(
    fc.property(cents, periods, (total, row) => {
      const parts = spreadOver(total, row, '0.01');
      expect(sumOf(parts).equals(total)).toBe(true);
      row.forEach(({ value, held }, at) => held && expect(parts[at]!.equals(value ?? 0)).toBe(true));
    }),
  );
});

it('is refused without weights or periods', () => {
  expect(() => spread(10, [0, 0], 1)).toThrow('nothing to spread by');
  expect(() => spread(10, [2, -1], 1)).toThrow('less than nothing');
  expect(() => spreadOver(10, [{ value: 5, held: true }], 1)).toThrow('All periods keep their values');
});
