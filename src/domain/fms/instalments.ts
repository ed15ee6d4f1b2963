import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';
import { addDays, daysIn, monthPeriods, sharedDays } from './contract_years.ts';
import type { Period } from './contract_years.ts';

/** Exact amounts are texts with two decimals. */
type Amount = string;

export type Frequency = 'yearly' | 'half_yearly' | 'quarterly' | 'bi_monthly' | 'monthly' | 'once';

/** Months of an instalment; "once" is one instalment a contract year. */
const MONTHS_OF: Readonly<Record<Frequency, number>> = {
  yearly: 12,
  half_yearly: 6,
  quarterly: 3,
  bi_monthly: 2,
  monthly: 1,
  once: 12,
};

/** An instalment: its days, the amount for all of them, and the part for the days of the line. */
export interface Instalment extends Period {
  seq_no: number;
  /** The whole instalment. */
  whole: Amount;
  /** For the days in which the line is active. */
  amount: Amount;
  bill_on: string;
}

const rounded = (value: Decimal): Decimal => value.toDecimalPlaces(2, Exact.ROUND_HALF_UP);

/**
 * Splits an annual price by cumulative shares, each part being the difference of two rounded sums, so that they add up
 * to the price exactly (C4). @param shares cumulative shares of the price, the last being the whole
 */
function byShares(price: Amount, shares: readonly Decimal[]): Amount[] {
  let before = new Exact(0);
  return shares.map((share) => {
    const until = rounded(new Exact(price).times(share));
    const part = until.minus(before);
    before = until;
    return part.toFixed(2);
  });
}

/** Splits an annual price into equal instalments that add up to it (C4). */
export function equalInstalments(price: Amount, count: number): Amount[] {
  let before = new Exact(0);
  // V·k before the division, so that the quotient is rounded once.
  return Array.from({ length: count }, (_, at) => {
    const until = rounded(new Exact(price).times(at + 1).div(count));
    const part = until.minus(before);
    before = until;
    return part.toFixed(2);
  });
}

/** Splits an annual price by milestone percentages, which add up to 100 (C4). @throws RangeError if they do not */
export function milestoneAmounts(price: Amount, percents: readonly (number | string)[]): Amount[] {
  let sum = new Exact(0);
  const shares = percents.map((percent) => {
    sum = sum.plus(percent);
    return sum.div(100);
  });
  if (!sum.equals(100)) throw new RangeError(`Percentages add up to ${sum.toFixed()}, they must add up to 100.`);
  return byShares(price, shares);
}

/** The prorated amount of a period by days, and the remainder (C4). */
export function partOfPeriod(amount: Amount, period: Period, active: Period): { part: Amount; left: Amount } {
  const days = sharedDays(period, active);
  const part = days ? rounded(new Exact(amount).times(daysIn(days)).div(daysIn(period))) : new Exact(0);
  return { part: part.toFixed(2), left: new Exact(amount).minus(part).toFixed(2) };
}

/** The billing day of an instalment: the first day in advance or the last in arrears, less a number of days (C4). */
export function billDay(period: Period, timing: 'advance' | 'arrears', leadDays = 0): string {
  return addDays(timing === 'advance' ? period.from_on : period.to_on, -leadDays);
}

/**
 * The instalments of one contract year of a line: equal parts of the annual price, each for the days in which the line
 * is active; parts without such a day are left out (C4). @param year first day of the full contract year
 */
export function instalmentsOfYear(
  year: { from_on: string; price: Amount },
  terms: { frequency: Frequency; timing: 'advance' | 'arrears'; lead_days?: number | null },
  active: Period,
): Instalment[] {
  const months = MONTHS_OF[terms.frequency];
  const periods = monthPeriods(year.from_on, months, 12 / months);
  const amounts = equalInstalments(year.price, periods.length);
  return periods.flatMap((period, at) => {
    const days = sharedDays(period, active);
    if (!days) return [];
    const whole = amounts[at]!;
    return [
      {
        ...days,
        seq_no: at + 1,
        whole,
        amount: partOfPeriod(whole, period, active).part,
        bill_on: billDay(days, terms.timing, terms.lead_days ?? 0),
      },
    ];
  });
}
