import { Decimal } from 'decimal.js';
import { DateTime } from 'luxon';

/** The cost of lateness under a form: amounts in rupees, the rate in percent. */
export interface LateRates {
  per_day: string | null;
  /** For a nil return; null = as for others. */
  per_day_nil: string | null;
  /** The maximum fee; a row without a turnover applies to every turnover. */
  caps: readonly { turnover_band: string | null; nil: boolean | null; cap: string }[];
  /** The fee is limited to the tax. */
  capped_by_tax: boolean;
  interest_rate: string | null;
  interest_basis: 'days_365' | 'month_or_part' | null;
}

const day = (value: string) => DateTime.fromISO(value, { zone: 'utc' });

/** How many days after the due day something was filed, at least 0 (5.7). */
export function lateDays(dueOn: string, filedOn: string): number {
  return Math.max(0, Math.round(day(filedOn).diff(day(dueOn), 'days').days));
}

/** Late fee: the daily fee times the days, up to the cap for the turnover and, if set, for the tax (5.7). */
export function lateFee(
  rates: LateRates,
  filing: { days: number; nil: boolean; turnover_band: string | null; tax: string | null },
): string {
  const perDay = (filing.nil ? rates.per_day_nil : null) ?? rates.per_day ?? '0';
  let fee = new Decimal(perDay).times(filing.days);
  const fitting = rates.caps.filter(
    ({ turnover_band: band, nil }) => (nil ?? false) === filing.nil && (band === null || band === filing.turnover_band),
  );
  const cap = fitting.find(({ turnover_band: band }) => band !== null) ?? fitting[0];
  if (cap) fee = Decimal.min(fee, cap.cap);
  if (rates.capped_by_tax) fee = Decimal.min(fee, filing.tax ?? '0');
  return fee.toFixed(2, Decimal.ROUND_HALF_UP);
}

/**
 * Interest on tax paid late (5.7): by days of a 365-day year, from the day after `from`, or for each calendar month
 * touched from `from` to `paidOn`. None if it is paid by `dueOn`.
 */
export function lateInterest(
  { interest_rate: rate, interest_basis: basis }: Pick<LateRates, 'interest_rate' | 'interest_basis'>,
  { amount, dueOn, from, paidOn }: { amount: string | null; dueOn: string; from: string | null; paidOn: string },
): string {
  if (amount === null || rate === null || basis === null || paidOn <= dueOn) return '0.00';
  const start = from ?? dueOn;
  const share = new Decimal(amount).times(rate);
  const interest =
    basis === 'days_365'
      ? share.times(lateDays(start, paidOn)).div(36_500)
      : share.times(monthsTouched(start, paidOn)).div(100);
  return interest.toFixed(2, Decimal.ROUND_HALF_UP);
}

/** The number of calendar months that a period touches, including the first and last day. */
function monthsTouched(from: string, to: string): number {
  const [first, last] = [day(from), day(to)];
  return Math.max(0, (last.year - first.year) * 12 + last.month - first.month + 1);
}

/** The current cost of all overdue filings: late fees and interest (5.7). */
export function exposure(filings: readonly { late_fee: string; interest: string }[]): string {
  return filings
    .reduce((sum, { late_fee: fee, interest }) => sum.plus(fee).plus(interest), new Decimal(0))
    .toFixed(2, Decimal.ROUND_HALF_UP);
}

/** Points of a filing by days late, if its form has no slab (5.2, the standard bands). */
export const STANDARD_BANDS = [
  { from_value: '0', score: '100' },
  { from_value: '1', score: '75' },
  { from_value: '4', score: '50' },
  { from_value: '8', score: '25' },
  { from_value: '16', score: '0' },
] as const;

/** Points of the band of a number of days; bands are gapless and begin at 0. */
export function bandScore(days: number, bands: readonly { from_value: string; score: string }[]): string {
  const reached = bands.filter(({ from_value: from }) => new Decimal(from).lte(days));
  const band = reached.toSorted((a, b) => new Decimal(b.from_value).cmp(a.from_value))[0];
  return new Decimal(band?.score ?? '100').toFixed(2);
}
