import { Exact } from '../../descriptor/exact.ts';
import { firstYear } from '../../descriptor/financial_year.ts';
import { GST_YEAR_START } from './bill_tax.ts';
import { addDays, daysIn } from './contract_years.ts';
import type { Period } from './contract_years.ts';
import { partOfPeriod } from './instalments.ts';

/** The billed amount of a period, without tax; an exact text. */
export interface BilledPeriod extends Period {
  billed: string;
}

/** The earned and unearned parts of billed periods up to a last day. */
export interface Earned {
  earned: string;
  unearned: string;
}

/** The earned part of billed periods when a line ends after a day: the interrupted period is prorated by days (C9). */
export function earnedUntil(periods: readonly BilledPeriod[], last: string): Earned {
  let earned = new Exact(0);
  let unearned = new Exact(0);
  for (const { billed, ...period } of periods) {
    const { part, left } = partOfPeriod(billed, period, { from_on: period.from_on, to_on: last });
    earned = earned.plus(part);
    unearned = unearned.plus(left);
  }
  return { earned: earned.toFixed(2), unearned: unearned.toFixed(2) };
}

/** The cost of an extension by days: the annual price prorated by the days of that contract year (C9). */
export function extensionAmount(yearPrice: string, days: number, year: Period): string {
  return new Exact(yearPrice).times(days).div(daysIn(year)).toDecimalPlaces(2, Exact.ROUND_HALF_UP).toFixed(2);
}

/**
 * The retained and the credited part of the unearned amount at cancellation; zero if the category gives no refund
 * (C10).
 */
export function cancellationCredit(
  unearned: string,
  { charge_percent: percent, refund }: { charge_percent: string | number | null; refund: boolean },
): { charge: string; credit: string } {
  if (!refund) return { charge: new Exact(unearned).toFixed(2), credit: '0.00' };
  const charge = new Exact(unearned)
    .times(percent ?? 0)
    .div(100)
    .toDecimalPlaces(2, Exact.ROUND_HALF_UP);
  return { charge: charge.toFixed(2), credit: new Exact(unearned).minus(charge).toFixed(2) };
}

/** The new last day of a contract that was on hold, extended by the days of the hold (C10). */
export function extendedByHold(end: string, hold: Period): string {
  return addDays(end, Math.max(0, daysIn(hold)));
}

/** The last day on which a credit note for a bill includes GST: 30 November after the bill's financial year (C9). */
export function creditNoteDeadline(billDate: string): string {
  return `${firstYear(billDate, GST_YEAR_START) + 1}-11-30`;
}
