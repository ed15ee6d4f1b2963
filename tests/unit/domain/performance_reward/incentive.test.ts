import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GrossFacts } from '../../../../src/domain/performance_reward/incentive.ts';
import { entitlement, gateAt, gross, jumps, settle } from '../../../../src/domain/performance_reward/incentive.ts';

const WHOLE: Pick<GrossFacts, 'kind' | 'mode' | 'slabs'> = {
  kind: 'percent_of_target_amount',
  mode: 'whole',
  slabs: [
    { from: 0, rate: 0 },
    { from: 80, rate: 50 },
    { from: 90, rate: 80 },
    { from: 100, rate: 100 },
    { from: 110, rate: 125 },
  ],
};
const SALES: Pick<GrossFacts, 'kind' | 'slabs'> = {
  kind: 'percent_of_value',
  slabs: [
    { from: 0, rate: 0 },
    { from: 500_000, rate: 1 },
    { from: 1_000_000, rate: '1.5' },
    { from: 1_500_000, rate: 2 },
  ],
};
const full = { days: 91, totalDays: 91, gate: 1, caps: [] };
const paid = (amount: string, more: object = {}) =>
  settle(entitlement({ gross: amount, ...full, ...more }).due, 0, 0, false).net;

describe('incentives (performance.md §5.13)', () => {
  test('a whole slab, then days, then a gate; rounded once at the end', () => {
    const { gross: amount, rate } = gross({ ...WHOLE, value: '97.45', targetAmount: 60_000 });
    expect(rate).toBe('80.0000');
    expect(paid(amount)).toBe('48000.00');
    const late = entitlement({ gross: amount, days: 61, totalDays: 91, gate: 1, caps: [] });
    expect(Number(late.due)).toBeCloseTo(32_175.824, 3);
    expect(paid(amount, { days: 61 })).toBe('32176.00');
    const gate = gateAt(88, [
      { from: 0, multiplier: 0 },
      { from: 85, multiplier: '0.75' },
      { from: 95, multiplier: 1 },
    ]);
    expect(paid(amount, { days: 61, gate })).toBe('24132.00');
  });

  test('a rate between two points', () => {
    const slabs = [
      { from: 80, rate: 50 },
      { from: 100, rate: 100 },
      { from: 120, rate: 150 },
    ];
    const at = (value: number | string) =>
      gross({ kind: 'percent_of_target_amount', mode: 'interpolated', slabs, value, targetAmount: 60_000 });
    expect(at('97.45')).toMatchObject({ rate: '93.6250' });
    expect(paid(at('97.45').gross)).toBe('56175.00');
    expect(at(79).gross).toBe('0');
    expect(at(200).rate).toBe('150.0000');
  });

  test.each([
    ['progressive', 1_840_000, '19300.00'],
    ['whole', 1_840_000, '36800.00'],
    ['progressive', 1_500_000, '12500.00'],
    ['whole', 1_500_000, '30000.00'],
    ['whole', 1_499_999, '22500.00'],
  ] as const)('%s slabs of sales of %d', (mode, value, net) => {
    expect(paid(gross({ ...SALES, mode, value }).gross)).toBe(net);
  });

  test('a whole slab jumps at its limits', () => {
    expect(jumps({ ...SALES, mode: 'whole' }).at(-1)).toEqual({ at: '1500000', before: '22500', above: '30000' });
    expect(jumps({ ...SALES, mode: 'progressive' })).toEqual([]);
  });

  test('units, fixed amounts and shares of the pay', () => {
    const slabs = [
      { from: 1, rate: 100 },
      { from: 11, rate: 150 },
    ];
    expect(gross({ kind: 'per_unit', mode: 'whole', slabs, value: 12 }).gross).toBe('1800');
    expect(gross({ kind: 'per_unit', mode: 'progressive', slabs, value: 12 }).gross).toBe('1150');
    expect(gross({ kind: 'fixed_amount', mode: 'whole', slabs, value: 12 }).gross).toBe('150');
    expect(gross({ kind: 'fixed_amount', mode: 'whole', slabs, value: 0 }).gross).toBe('0');
    expect(gross({ kind: 'percent_of_pay', mode: 'whole', slabs, value: 1, pay: 40_000 }).gross).toBe('40000');
  });

  test('the lower of two caps applies, with a note', () => {
    expect(entitlement({ gross: 50_000, ...full, caps: [40_000, null, 30_000] })).toEqual({
      due: '30000',
      isCapped: true,
    });
    expect(entitlement({ gross: 20_000, ...full, caps: [40_000] })).toEqual({ due: '20000', isCapped: false });
  });

  test('cumulative: earlier payments are deducted', () => {
    const { gross: amount } = gross({ ...WHOLE, value: 102, targetAmount: 120_000 });
    expect(settle(amount, 48_000, 0, false)).toEqual({ net: '72000.00', carried: '0.00' });
  });

  test('a negative amount is carried forward, or recovered at once', () => {
    expect(settle(10_000, 12_000, 0, false)).toEqual({ net: '0.00', carried: '-2000.00' });
    expect(settle(5000, 0, -2000, false)).toEqual({ net: '3000.00', carried: '0.00' });
    expect(settle(10_000, 12_000, 0, true)).toEqual({ net: '-2000.00', carried: '0.00' });
  });
});

test('runs add up to the amount due, with any corrections and carried amounts', () => {
  const period = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(period, { minLength: 1, maxLength: 6 }), fc.boolean(), (periods, recovers) => {
      let total = new Decimal(0);
      let due = new Decimal(0);
      let carried = '0';
      for (const corrections of periods) {
        // The first run of a period pays it; each correction pays the difference to what was paid for it.
        let settled = new Decimal(0);
        for (const hundredths of corrections) {
          const amount = new Decimal(hundredths).dividedBy(100);
          const result = settle(amount, settled, carried, recovers);
          total = total.plus(result.net);
          // What the period has had: the carry is money of other periods.
          settled = amount.toDecimalPlaces(0, Decimal.ROUND_HALF_UP);
          carried = result.carried;
        }
        due = due.plus(settled);
      }
      expect(total.plus(carried).toFixed(2)).toBe(due.toFixed(2));
      expect(recovers || Number(carried) <= 0).toBe(true);
    }),
  );
});
