import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInWords } from '../../../../src/domain/amount_in_words.ts';
import {
  addDays,
  contractYear,
  contractYearOf,
  contractYears,
  daysIn,
  lastDay,
  monthPeriods,
} from '../../../../src/domain/fms/contract_years.ts';
import { escalatedPrice, escalationDays, renewalPrice, yearPrices } from '../../../../src/domain/fms/escalation.ts';
import type { EscalationRule } from '../../../../src/domain/fms/escalation.ts';
import { coverChange, inspectionDue, ruleOf } from '../../../../src/domain/fms/renewal_rule.ts';
import {
  billDay,
  equalInstalments,
  instalmentsOfYear,
  milestoneAmounts,
  partOfPeriod,
} from '../../../../src/domain/fms/instalments.ts';
import {
  cancellationCredit,
  creditNoteDeadline,
  earnedUntil,
  extendedByHold,
  extensionAmount,
} from '../../../../src/domain/fms/line_ending.ts';
import { Exact } from '../../../../src/descriptor/exact.ts';

const sum = (amounts: readonly string[]) => amounts.reduce((all, one) => all.plus(one), new Exact(0)).toFixed(2);
const days = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-12-31T00:00:00Z'), noInvalidDate: true })
  .map((one) => one.toISOString().slice(0, 10));
const money = fc.integer({ min: 0, max: 500_000_000 }).map((paise) => new Exact(paise).div(100).toFixed(2));

describe('contract years', () => {
  it('keep the day or fall back to the last day of the month, counted from the first day', () => {
    expect(contractYear('2027-07-01', 1)).toEqual({ year_no: 1, from_on: '2027-07-01', to_on: '2028-06-30' });
    expect(daysIn(contractYear('2027-07-01', 1))).toBe(366);
    expect(contractYear('2024-02-29', 2)).toMatchObject({ from_on: '2025-02-28', to_on: '2026-02-27' });
    expect(contractYear('2024-02-29', 5)).toMatchObject({ from_on: '2028-02-29', to_on: '2029-02-27' });
    expect(lastDay('2025-02-28', 12)).toBe('2026-02-27');
    expect(monthPeriods('2025-11-30', 3, 4).map(({ to_on: to }) => to)).toEqual([
      '2026-02-27',
      '2026-05-29',
      '2026-08-29',
      '2026-11-29',
    ]);
    expect(monthPeriods('2026-01-31', 1, 3).map(({ from_on: from }) => from)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ]);
    expect(contractYearOf('2025-04-01', '2026-04-01')?.year_no).toBe(2);
    expect(contractYearOf('2025-04-01', '2025-03-31')).toBeNull();
  });

  it('are contiguous and cover every day', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 4000 }), (start, length) => {
        const years = contractYears(start, { from_on: start, to_on: addDays(start, length) });
        years.slice(1).forEach((year, at) => expect(year.from_on).toBe(addDays(years[at]!.to_on, 1)));
        expect(years.at(-1)!.to_on >= addDays(start, length)).toBe(true);
      }),
    );
  });
});

describe('escalation (C2)', () => {
  const rule = (percent: number, more: Partial<EscalationRule> = {}): EscalationRule => ({
    slabs: [{ age_from: 0, age_to: null, percent }],
    min_increase: null,
    max_increase: null,
    round_to: 10,
    ...more,
  });
  const yearly = { first_after_months: 12, then_every_months: 12 };
  const prices = (net: string, months: number, by: EscalationRule) =>
    yearPrices(
      net,
      {
        start: '2025-04-01',
        base: '2025-04-01',
        line: { from_on: '2025-04-01', to_on: lastDay('2025-04-01', months) },
        commissioned: null,
      },
      { rule: by, timing: yearly },
    ).map(({ price }) => price);

  it('compounds on the rounded price, within its minimum and maximum rise', () => {
    expect(prices('36500', 36, rule(8))).toEqual(['36500.00', '39420.00', '42570.00']);
    expect(escalatedPrice('42570', 6, rule(6))).toBe('45120.00');
    expect(escalatedPrice('18000', '7.5', rule(7.5, { min_increase: '1500', round_to: 50 }))).toBe('19500.00');
    expect(escalatedPrice('125000', 10, rule(10, { max_increase: '9000', round_to: 100 }))).toBe('134000.00');
  });

  it('of three lines over two years is 2,72,263.75', () => {
    const lines = ['45600.00', '36500.00', '48793.75'].map((net) => prices(net, 24, rule(8)));
    expect(lines.map(([, second]) => second)).toEqual(['49250.00', '39420.00', '52700.00']);
    expect(sum(lines.map(([, second]) => second!))).toBe('141370.00');
    expect(sum(lines.flat())).toBe('272263.75');
  });

  it('is due a number of months after the base, then at intervals', () => {
    expect(escalationDays('2023-04-01', { first_after_months: 24, then_every_months: 12 }, '2027-12-31')).toEqual([
      '2025-04-01',
      '2026-04-01',
      '2027-04-01',
    ]);
    expect(escalationDays('2023-04-01', { first_after_months: 24, then_every_months: 0 }, '2030-01-01')).toEqual([
      '2025-04-01',
    ]);
  });

  it('depends on the lift’s age on that day, also on renewal', () => {
    const aged = rule(0, {
      slabs: [
        { age_from: 0, age_to: 10, percent: 5 },
        { age_from: 11, age_to: null, percent: 8 },
      ],
    });
    const of = (start: string) =>
      renewalPrice('36500', { base: '2024-04-01', commissioned: '2014-06-01', start }, { rule: aged, timing: yearly });
    expect([of('2025-04-01'), of('2025-07-01'), of('2025-03-31')]).toEqual(['38330.00', '39420.00', '36500.00']);
    expect(renewalPrice('36500', { base: '2024-04-01', commissioned: null, start: '2025-04-01' }, null)).toBe(
      '36500.00',
    );
  });
});

describe('instalments (C4)', () => {
  it('add up to the annual price, to the paisa', () => {
    expect(equalInstalments('10000', 3)).toEqual(['3333.33', '3333.34', '3333.33']);
    expect(equalInstalments('36500', 12).slice(0, 3)).toEqual(['3041.67', '3041.66', '3041.67']);
    expect(equalInstalments('48793.75', 2)).toEqual(['24396.88', '24396.87']);
    expect(milestoneAmounts('75000.50', [50, 30, 20])).toEqual(['37500.25', '22500.15', '15000.10']);
    expect(() => milestoneAmounts('100', [50, 45])).toThrow('add up to 95');
    fc.assert(
      fc.property(money, fc.integer({ min: 1, max: 12 }), (price, count) => {
        expect(sum(equalInstalments(price, count))).toBe(price);
      }),
    );
  });

  it('are split by days if the line is active in a part of the period', () => {
    const quarter = { from_on: '2025-04-01', to_on: '2025-06-30' };
    expect(partOfPeriod('10625', quarter, { from_on: '2025-04-01', to_on: '2025-05-15' })).toEqual({
      part: '5254.12',
      left: '5370.88',
    });
    expect(partOfPeriod('10625', quarter, { from_on: '2025-05-10', to_on: '2026-03-31' }).part).toBe('6071.43');
    expect(billDay(quarter, 'advance', 7)).toBe('2025-03-25');
    expect(billDay(quarter, 'arrears')).toBe('2025-06-30');
  });

  it('of a contract year are those with a day in the line', () => {
    const year = { from_on: '2025-04-01', price: '42500.00' };
    const quarterly = { frequency: 'quarterly' as const, timing: 'advance' as const, lead_days: 5 };
    expect(instalmentsOfYear(year, quarterly, { from_on: '2025-05-10', to_on: '2025-09-30' })).toEqual([
      {
        seq_no: 1,
        from_on: '2025-05-10',
        to_on: '2025-06-30',
        whole: '10625.00',
        amount: '6071.43',
        bill_on: '2025-05-05',
      },
      {
        seq_no: 2,
        from_on: '2025-07-01',
        to_on: '2025-09-30',
        whole: '10625.00',
        amount: '10625.00',
        bill_on: '2025-06-26',
      },
    ]);
  });
});

describe('a line that ends early (C9, C10)', () => {
  const year = { from_on: '2025-04-01', to_on: '2026-03-31', billed: '48000.00' };

  it('has earned the billed amount by days', () => {
    expect(earnedUntil([year], '2025-09-30')).toEqual({ earned: '24065.75', unearned: '23934.25' });
    expect(earnedUntil([{ from_on: '2025-07-01', to_on: '2026-06-30', billed: '50000' }], '2026-03-31').unearned).toBe(
      '12465.75',
    );
    expect(earnedUntil([year], '2024-01-01')).toEqual({ earned: '0.00', unearned: '48000.00' });
    expect(earnedUntil([year], '2027-01-01')).toEqual({ earned: '48000.00', unearned: '0.00' });
    expect(extensionAmount('48000', 91, { from_on: '2025-04-01', to_on: '2026-03-31' })).toBe('11967.12');
  });

  it('is credited with GST until 30 November after the financial year', () => {
    expect(['2025-05-15', '2026-03-31', '2026-04-01'].map(creditNoteDeadline)).toEqual([
      '2026-11-30',
      '2026-11-30',
      '2027-11-30',
    ]);
  });

  it('is credited less the charge of the cancellation', () => {
    const last = addDays('2025-11-10', 30);
    expect(last).toBe('2025-12-10');
    const { earned, unearned } = earnedUntil([{ from_on: '2025-07-01', to_on: '2026-06-30', billed: '60000' }], last);
    expect([earned, unearned]).toEqual(['26794.52', '33205.48']);
    const { charge, credit } = cancellationCredit(unearned, { charge_percent: 10, refund: true });
    expect([charge, credit]).toEqual(['3320.55', '29884.93']);
    expect(cancellationCredit(unearned, { charge_percent: 10, refund: false }).credit).toBe('0.00');
  });

  it('loses nothing in rounding', () => {
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 1, max: 800 }),
        fc.integer({ min: -10, max: 900 }),
        money,
        (from, length, at, billed) => {
          const { earned, unearned } = earnedUntil(
            [{ from_on: from, to_on: addDays(from, length - 1), billed }],
            addDays(from, at),
          );
          expect(sum([earned, unearned])).toBe(billed);
          expect(new Exact(earned).isNegative() || new Exact(unearned).isNegative()).toBe(false);
        },
      ),
    );
  });

  it('on hold is extended by the days of the hold', () => {
    expect(extendedByHold('2026-03-31', { from_on: '2025-08-15', to_on: '2025-09-30' })).toBe('2026-05-17');
    expect(extendedByHold('2026-03-31', { from_on: '2025-08-15', to_on: '2025-08-14' })).toBe('2026-03-31');
  });
});

it('amounts in words (C22)', () => {
  expect(amountInWords('118000', 'INR')).toBe('Rupees One Lakh Eighteen Thousand Only');
  expect(amountInWords('28242.41', 'INR')).toBe(
    'Rupees Twenty Eight Thousand Two Hundred Forty Two and Paise Forty One Only',
  );
  expect(amountInWords('10000000', 'INR')).toBe('Rupees One Crore Only');
  expect(amountInWords('0.50', 'INR')).toBe('Rupees Zero and Paise Fifty Only');
});

describe('a renewal', () => {
  it('is on time, late without a gap, or late with a gap', () => {
    const of = (today: string) => ruleOf('2026-03-31', today, 30);
    expect(['2026-03-31', '2026-04-30', '2026-05-01'].map(of)).toEqual(['on_time', 'late_continuous', 'late_break']);
  });

  it('covers more or less than before', () => {
    expect(coverChange('semi', 'comprehensive')).toBe('upgrade');
    expect(coverChange('comprehensive', 'labour_only')).toBe('downgrade');
    expect(coverChange('semi', 'semi')).toBeNull();
    expect(coverChange('warranty', 'semi')).toBeNull();
  });

  it('needs an inspection after more days without cover than the policy allows', () => {
    expect(inspectionDue('2026-03-31', '2026-05-31', 60)).toBe(false);
    expect(inspectionDue('2026-03-31', '2026-06-01', 60)).toBe(true);
    expect(inspectionDue('2026-03-31', '2030-01-01', null)).toBe(false);
  });
});
