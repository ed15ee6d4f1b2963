import { describe, expect, it } from 'vitest';
import { consignmentValue, ewayNeeded, gstDocument } from '../../../../src/domain/fms_stores/consignment.ts';
import { countVariance } from '../../../../src/domain/fms_stores/count_variance.ts';
import { landedCosts, lateDifference } from '../../../../src/domain/fms_stores/landed_cost.ts';
import { abcClasses, reorderFigures, vendorScore } from '../../../../src/domain/fms_stores/reorder.ts';
import { shelfLife } from '../../../../src/domain/fms_stores/shelf_life.ts';
import { valueShares } from '../../../../src/domain/fms_stores/value_share.ts';

// The worked examples 5.5, 5.7, 5.14, 5.15 and 5.17 of the design of the stores.

describe('figures of stock', () => {
  it('landed cost spreads charges by base, with GST where it is not claimed (5.5)', () => {
    const lines = [
      { qty: '10', rate: '450', gst_rate: '18' },
      { qty: '4', rate: '2875.50', gst_rate: '18' },
    ];
    expect(landedCosts(lines, ['1200', '300'], true)).toEqual([
      { base: '4500.00', value: '4921.82', rate: '492.1820' },
      { base: '11502.00', value: '12580.18', rate: '3145.0450' },
    ]);
    expect(landedCosts(lines, ['1200', '300'], false).map(({ value }) => value)).toEqual(['5731.82', '14650.54']);
    expect(lateDifference('-1500', '9', '15')).toEqual({ stock: '-900.00', variance: '-600.00' });
  });

  it('stock points share the value by quantity (5.7)', () => {
    const points = [
      { code: 'C', qty: '2' },
      { code: 'A', qty: '3' },
      { code: 'B', qty: '2' },
    ];
    expect(Object.fromEntries(valueShares('1234.57', points))).toEqual({ A: '529.10', B: '352.74', C: '352.73' });
  });

  it('reorder level, target, proposal and classes (5.14)', () => {
    const use = [
      { days: 60, qty: 0 },
      { days: 20, qty: 1 },
      { days: 10, qty: 2 },
    ];
    expect(reorderFigures(use, 12, { on_hand: 7, reserved: 2, on_order: 3, in_transit: 0 }, 5)).toEqual({
      mean: '0.4444',
      deviation: '0.6888',
      safety: '3.9249',
      reorder: '10',
      target: '24',
      position: '8',
      propose: '20',
    });
    const values = [520_000, 210_000, 150_000, 70_000, 35_000, 15_000];
    expect(
      abcClasses(values.map((value, item) => ({ item, value })))
        .map(({ abc }) => abc)
        .join(''),
    ).toBe('AABBCC');
    expect(vendorScore([18, 20], [470, 480], 2)).toBe('93.17');
  });

  it('a count outside the tolerance is counted again (5.15)', () => {
    expect(countVariance('48', '45', '9280.46', { percent: '2', value: '5000' })).toEqual({
      variance: '-3',
      percent: '6.25',
      value: '-580.03',
      isOutside: true,
    });
    expect(countVariance('100', '99', '100', { percent: '2', value: '5000' }).isOutside).toBe(false);
  });

  it('shelf life and e-way bills (5.17)', () => {
    expect(shelfLife('2025-06-01', 730, '2025-11-15', 60)).toEqual({
      expiresOn: '2027-06-01',
      daysLeft: 563,
      percentLeft: '77.12',
      alertFrom: '2027-04-02',
    });
    expect(shelfLife('2024-01-10', 730, '2025-11-15')).toMatchObject({
      expiresOn: '2026-01-09',
      daysLeft: 55,
      percentLeft: '7.53',
    });
    const value = consignmentValue([{ value: '48000', gst_rate: '18' }]);
    expect(value).toBe('56640.00');
    expect([
      ewayNeeded(value, true, '100000', '50000'),
      ewayNeeded(value, false, null, '50000'),
      ewayNeeded(value, false, '100000', '50000'),
    ]).toEqual([true, true, false]);
    expect([gstDocument('33A', '29B'), gstDocument('33A', '33A')]).toEqual(['tax_invoice', 'delivery_challan']);
  });
});
