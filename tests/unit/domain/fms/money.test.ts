import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { bucketOf, collectionEfficiency, daysOfSales } from '../../../../src/domain/fms/ageing.ts';
import type { DeductedRate, OpenBill } from '../../../../src/domain/fms/allocation.ts';
import { proposeAllocation } from '../../../../src/domain/fms/allocation.ts';
import { billSupply, componentRates } from '../../../../src/domain/fms/bill_tax.ts';
import { dueDate, interestOn } from '../../../../src/domain/fms/due_date.ts';

// The worked examples of the design of field service, section 5, and what must hold for every amount.

const GST18 = { cgst: '9', sgst: '9', igst: '18', cess: null };

describe('GST of a bill (C5)', () => {
  it('depends on the place of supply; SEZ is always inter-state, and without tax under an undertaking', () => {
    const places = { supplier: '33', place: '33', isUnionTerritory: false, isSez: false, hasUndertaking: false };
    expect(billSupply(places)).toBe('intra_state');
    expect(billSupply({ ...places, supplier: '04', place: '04', isUnionTerritory: true })).toBe('intra_ut');
    expect(billSupply({ ...places, place: '29' })).toBe('inter_state');
    expect(billSupply({ ...places, isSez: true })).toBe('inter_state');
    expect(billSupply({ ...places, isSez: true, hasUndertaking: true })).toBe('sez_lut');
    expect(billSupply({ ...places, supplier: null })).toBe('exempt');
    expect(billSupply({ ...places, place: null })).toBeNull();
    const none = { cgst: '0', sgst: '0', igst: '0', cess: '0' };
    expect(componentRates('sez_lut', GST18)).toEqual(none);
    // A tax group may name other components for a supply.
    expect(componentRates('intra_ut', GST18, ['utgst'])).toEqual({ ...none, sgst: GST18.sgst });
  });
});

describe('a due date (C6)', () => {
  it('counts from the bill, the end of its month, or to a fixed day', () => {
    const bill = '2026-01-20';
    expect(dueDate(bill, { rule: 'from_bill', days: 30 })).toBe('2026-02-19');
    expect(dueDate(bill, { rule: 'end_of_month', days: 15 })).toBe('2026-02-15');
    expect(dueDate(bill, { rule: 'fixed_day', days: 10, fixed_day: 10 })).toBe('2026-02-10');
    expect(dueDate(bill, { rule: 'fixed_day', days: 0, fixed_day: 31 })).toBe('2026-01-31');
    expect(dueDate('2025-12-20', { rule: 'fixed_day', days: 0, fixed_day: 10 })).toBe('2026-01-10');
    expect(dueDate('2026-02-20', { rule: 'fixed_day', days: 0, fixed_day: 31 })).toBe('2026-02-28');
    expect(interestOn('59000', '18', 59)).toBe('1716.66');
    expect(interestOn('59000', '18', 0)).toBe('0.00');
  });

  it('is never before the bill', () => {
    const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true });
    const rule = fc.constantFrom('from_bill' as const, 'end_of_month' as const, 'fixed_day' as const);
    fc.assert(
      fc.property(day, rule, fc.nat(120), fc.integer({ min: 1, max: 31 }), (date, of, days, fixed_day) => {
        const bill = date.toISOString().slice(0, 10);
        expect(dueDate(bill, { rule: of, days, fixed_day }) >= bill).toBe(true);
      }),
    );
  });
});

const TDS: DeductedRate = { deduction_id: 1, rate: '2', rounding: 'rupee' };
const GST_TDS: DeductedRate = { deduction_id: 2, rate: '2', rounding: 'rupee' };
const bill = (id: number, outstanding: string, taxable: string, more: Partial<OpenBill> = {}): OpenBill => ({
  id,
  bill_no: `B${id}`,
  bill_date: '2025-04-01',
  due_on: `2025-05-0${id}`,
  outstanding,
  taxable,
  total: outstanding,
  ...more,
});

describe('an allocation (C7)', () => {
  const [a, b, c] = [bill(1, '118000', '100000'), bill(2, '88500', '75000'), bill(3, '59000', '50000')] as const;

  it('settles the oldest first, with TDS on the taxable value, and the rest in proportion', () => {
    const { allocations, deductions, unallocated } = proposeAllocation('250000', [c, a, b], () => [TDS]);
    expect(allocations).toEqual([
      { billing_id: 1, cash: '116000.00' },
      { billing_id: 2, cash: '87000.00' },
      { billing_id: 3, cash: '47000.00' },
    ]);
    expect(deductions.map(({ amount }) => amount)).toEqual(['2000.00', '1500.00', '810.00']);
    expect(unallocated).toBe('0.00');
    // 47,000 and 810 settle 47,810 of C: 11,190 are left.
    expect(new Decimal(c.outstanding).minus(allocations[2]!.cash).minus(deductions[2]!.amount).toFixed(2)).toBe(
      '11190.00',
    );
    const part = proposeAllocation('58000', [a], () => [TDS]);
    expect([part.allocations[0]!.cash, part.deductions[0]!.amount]).toEqual(['58000.00', '1000.00']);
    const state = proposeAllocation('342000', [bill(4, '354000', '300000')], () => [TDS, GST_TDS]);
    expect(state.deductions.map(({ amount }) => amount)).toEqual(['6000.00', '6000.00']);
    expect([state.allocations[0]!.cash, state.unallocated]).toEqual(['342000.00', '0.00']);
  });

  it('never settles more than is outstanding or paid, and considers earlier deductions', () => {
    const rest = proposeAllocation('70000', [{ ...a, outstanding: '59000', taken: { 1: '1000' } }], () => [TDS]);
    expect([rest.allocations[0]!.cash, rest.deductions[0]!.amount, rest.unallocated]).toEqual([
      '58000.00',
      '1000.00',
      '12000.00',
    ]);
    const paise = fc.integer({ min: 1, max: 50_000_000 }).map((value) => new Decimal(value).div(100));
    const open = fc.record({ taxable: paise, part: fc.integer({ min: 1, max: 100 }), taxed: fc.boolean() });
    fc.assert(
      fc.property(paise, fc.array(open, { maxLength: 8 }), (paid, made) => {
        const bills = made.map(({ taxable, part, taxed }, at) => {
          const total = taxable.times(taxed ? 1.18 : 1).toDecimalPlaces(0, Decimal.ROUND_UP);
          const outstanding = total.times(part).div(100).toDecimalPlaces(2);
          return bill(at + 1, outstanding.toFixed(2), taxable.toFixed(2), {
            total: total.toFixed(2),
            due_on: '2025-05-01',
          });
        });
        const got = proposeAllocation(paid.toFixed(2), bills, () => [TDS]);
        const cash = got.allocations.reduce((sum, one) => sum.plus(one.cash), new Decimal(0));
        expect(cash.plus(got.unallocated).toFixed(2)).toBe(paid.toFixed(2));
        for (const one of bills) {
          const of = (rows: { billing_id: number; cash?: string; amount?: string }[]) =>
            rows
              .filter((row) => row.billing_id === one.id)
              .reduce((sum, row) => sum.plus(row.cash ?? row.amount ?? 0), new Decimal(0));
          expect(of(got.allocations).plus(of(got.deductions)).lte(one.outstanding)).toBe(true);
        }
      }),
    );
  });
});

describe('dues', () => {
  it('are of the bucket of their days late (C16)', () =>
    expect([0, 1, 30, 31, 180, 181].map((days) => bucketOf(days))).toEqual([0, 1, 1, 2, 4, 5]));

  it('are collected at a rate, and outstanding for days of sales (C21)', () => {
    expect(collectionEfficiency('975000', '1250000')).toBe('78.00');
    expect(daysOfSales('840000', '2100000')).toBe('36.0');
    expect([collectionEfficiency('5', '0'), daysOfSales('5', '0')]).toEqual([null, null]);
  });
});
