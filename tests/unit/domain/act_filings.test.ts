import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appliesTo, faultOfCondition } from '../../../src/domain/act_filings/applicability.ts';
import type { DueRule } from '../../../src/domain/act_filings/due_rule.ts';
import { dueAfterEvent, duePeriods, filingDates } from '../../../src/domain/act_filings/due_rule.ts';
import type { LateRates } from '../../../src/domain/act_filings/late_cost.ts';
import {
  STANDARD_BANDS,
  bandScore,
  exposure,
  lateDays,
  lateFee,
  lateInterest,
} from '../../../src/domain/act_filings/late_cost.ts';
import { exampleCalendar } from './example_calendar.ts';

const gstr3b: LateRates = {
  per_day: '50',
  per_day_nil: '20',
  caps: [
    { turnover_band: 'le_1_5cr', nil: false, cap: '2000' },
    { turnover_band: 'gt_5cr', nil: false, cap: '10000' },
    { turnover_band: null, nil: true, cap: '500' },
  ],
  capped_by_tax: false,
  interest_rate: '18',
  interest_basis: 'days_365',
};
const filing = { days: 12, nil: false, turnover_band: 'gt_5cr', tax: '184500.00' };

describe('late fee, interest and exposure (design 5.7)', () => {
  it('F1: GSTR-3B of a large turnover, 12 days late', () => {
    expect(lateDays('2025-10-20', '2025-11-01')).toBe(12);
    expect(lateFee(gstr3b, filing)).toBe('600.00');
  });
  it('F2: nil return', () => {
    expect(lateFee(gstr3b, { ...filing, nil: true })).toBe('240.00');
  });
  it('F3: F1 with 260 days reaches the cap', () => {
    expect(lateFee(gstr3b, { ...filing, days: 260 })).toBe('10000.00');
  });
  it('F4: interest by days', () => {
    expect(lateInterest(gstr3b, { amount: '184500.00', dueOn: '2025-10-20', from: null, paidOn: '2025-11-01' })).toBe(
      '1091.84',
    );
  });
  it('F5: tax deducted, by months touched', () => {
    const tds = { interest_rate: '1.5', interest_basis: 'month_or_part' } as const;
    expect(
      lateInterest(tds, { amount: '62000.00', dueOn: '2025-08-07', from: '2025-07-14', paidOn: '2025-09-09' }),
    ).toBe('2790.00');
  });
  it('F6: annual form without cap', () => {
    const annual = { ...gstr3b, per_day: '100', per_day_nil: null, caps: [] };
    expect(lateFee(annual, { ...filing, days: 17 })).toBe('1700.00');
  });
  it('F7: capped by the tax', () => {
    const capped = { ...gstr3b, per_day: '200', caps: [], capped_by_tax: true };
    expect(lateFee(capped, { ...filing, days: 45, tax: '7400.00' })).toBe('7400.00');
  });
  it('F8: exposure of F1, F4 and F6', () => {
    expect(
      exposure([
        { late_fee: '600.00', interest: '1091.84' },
        { late_fee: '1700.00', interest: '0.00' },
      ]),
    ).toBe('3391.84');
  });
  it('costs nothing if it is on time, and never more than the cap', () => {
    expect(
      lateInterest(gstr3b, { amount: '1000', dueOn: '2025-10-20', from: '2025-09-01', paidOn: '2025-10-20' }),
    ).toBe('0.00');
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), (a, b) => {
        const fee = (days: number) => Number(lateFee(gstr3b, { ...filing, days }));
        expect(fee(Math.min(a, b))).toBeLessThanOrEqual(fee(Math.max(a, b)));
        expect(fee(a)).toBeLessThanOrEqual(10_000);
      }),
    );
  });
  it('scores by the standard bands', () => {
    expect([0, 1, 3, 4, 7, 8, 15, 16].map((days) => bandScore(days, STANDARD_BANDS))).toEqual([
      '100.00',
      '75.00',
      '75.00',
      '50.00',
      '50.00',
      '25.00',
      '25.00',
      '0.00',
    ]);
  });
});

const monthly: DueRule = {
  frequency: 'monthly',
  due_day: 20,
  due_months_after: 1,
  year_end_month: 3,
  other_due_dates: [],
};
const works = exampleCalendar;

describe('dates of filings (design 5.1)', () => {
  it('O1: 20-10-2025 is a holiday', () => {
    expect(duePeriods(monthly, '2025-10-01', '2025-10-31')).toEqual([
      { period_from: '2025-09-01', period_to: '2025-09-30', due_on: '2025-10-20' },
    ]);
    expect(filingDates('2025-10-20', { holiday_rule: 'previous', advance_days: 2, lead_days: 5 }, works)).toEqual({
      shifted: '2025-10-18',
      target_on: '2025-10-16',
      opens_on: '2025-10-09',
    });
  });
  it('O2: 20-04-2025 is a Sunday', () => {
    expect(filingDates('2025-04-20', { holiday_rule: 'previous', advance_days: 2, lead_days: 5 }, works)).toEqual({
      shifted: '2025-04-19',
      target_on: '2025-04-16',
      opens_on: '2025-04-07',
    });
  });
  it('O3: tax deducted in March is due on 30 April', () => {
    const tds: DueRule = { ...monthly, due_day: 7, other_due_dates: [{ period_month: 3, due_month: 4, due_day: 30 }] };
    expect(duePeriods(tds, '2025-04-10', '2026-03-31').map(({ due_on: dueOn }) => dueOn)).toEqual([
      '2025-04-30',
      '2025-05-07',
      '2025-06-07',
      '2025-07-07',
      '2025-08-07',
      '2025-09-07',
      '2025-10-07',
      '2025-11-07',
      '2025-12-07',
      '2026-01-07',
      '2026-02-07',
      '2026-03-07',
    ]);
  });
  it('O4: quarters of 24Q', () => {
    const quarterly: DueRule = {
      ...monthly,
      frequency: 'quarterly',
      due_day: 31,
      other_due_dates: [{ period_month: 3, due_month: 5, due_day: 31 }],
    };
    expect(
      duePeriods(quarterly, '2025-05-01', '2026-01-31').map((one) => [one.due_on, one.period_from, one.period_to]),
    ).toEqual([
      ['2025-05-31', '2025-01-01', '2025-03-31'],
      ['2025-07-31', '2025-04-01', '2025-06-30'],
      ['2025-10-31', '2025-07-01', '2025-09-30'],
      ['2026-01-31', '2025-10-01', '2025-12-31'],
    ]);
  });
  it('a calendar year, and instalments due before their period ends', () => {
    const posh: DueRule = { ...monthly, frequency: 'yearly', due_day: 31, year_end_month: 12 };
    expect(duePeriods(posh, '2026-01-01', '2026-12-31')).toEqual([
      { period_from: '2025-01-01', period_to: '2025-12-31', due_on: '2026-01-31' },
    ]);
    const advance: DueRule = { ...monthly, frequency: 'quarterly', due_day: 15, due_months_after: 0 };
    expect(duePeriods(advance, '2025-06-01', '2026-03-31').map(({ due_on: dueOn }) => dueOn)).toEqual([
      '2025-06-15',
      '2025-09-15',
      '2025-12-15',
      '2026-03-15',
    ]);
  });
  it('O12: days after the annual general meeting', () => {
    expect([15, 30, 60].map((days) => dueAfterEvent('2025-09-26', days))).toEqual([
      '2025-10-11',
      '2025-10-26',
      '2025-11-25',
    ]);
  });
  it('O13: O1 after 18-10-2025 became a holiday', () => {
    const other = (day: string) => day !== '2025-10-18' && works(day);
    expect(filingDates('2025-10-20', { holiday_rule: 'previous', advance_days: 2, lead_days: 5 }, other)).toEqual({
      shifted: '2025-10-17',
      target_on: '2025-10-15',
      opens_on: '2025-10-08',
    });
  });
  it('a span equals the sum of its parts, each period once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('monthly' as const, 'quarterly' as const, 'half_yearly' as const, 'yearly' as const),
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 0, max: 18 }),
        fc.integer({ min: 1, max: 12 }),
        (frequency, day, after, end) => {
          const rule: DueRule = { ...monthly, frequency, due_day: day, due_months_after: after, year_end_month: end };
          const all = duePeriods(rule, '2024-04-01', '2026-03-31');
          expect([
            ...duePeriods(rule, '2024-04-01', '2025-02-28'),
            ...duePeriods(rule, '2025-03-01', '2026-03-31'),
          ]).toEqual(all);
          expect(new Set(all.map(({ period_from: from }) => from)).size).toBe(all.length);
        },
      ),
    );
  });
});

describe('whether an act applies to a company', () => {
  const company = {
    employees: 19,
    branches: 2,
    turnover: 1.5,
    gst_registered: true,
    deducts_tax: false,
    factory: false,
    listed: false,
  };
  it('depends on the facts of the company', () => {
    expect(appliesTo('employees >= 20', company)).toBe(false);
    expect(appliesTo('employees >= 20', { ...company, employees: 20 })).toBe(true);
    expect(appliesTo('turnover >= 1.5 and gst_registered', company)).toBe(true);
    expect(appliesTo('factory or listed', company)).toBe(false);
    expect(appliesTo(null, company)).toBe(true);
  });
  it('a condition lists the known facts, and an unreadable one never prevents filing', () => {
    expect(faultOfCondition('workers > 3')).toContain('"workers" is not known');
    expect(faultOfCondition('employees >')).toContain('cannot be read');
    expect(appliesTo('employees >', company)).toBe(true);
  });
});
