import { Decimal } from 'decimal.js';
import { addDays } from '../dashboard_span.ts';
import { toPaisa } from './bill_tax.ts';

/** A payment term, as in `payment_term_mstr`. */
export interface PaymentTerm {
  rule: 'from_bill' | 'end_of_month' | 'fixed_day';
  days: number;
  fixed_day?: number | null;
}

const text = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The due day of a bill (C6). A fixed day that a month does not have is its last day. @param billDate YYYY-MM-DD */
export function dueDate(billDate: string, { rule, days, fixed_day: fixed }: PaymentTerm): string {
  if (rule === 'from_bill') return addDays(billDate, days);
  if (rule === 'end_of_month') {
    const [year, month] = billDate.split('-').map(Number) as [number, number];
    return addDays(text(year, month, lastOf(year, month)), days);
  }
  const from = addDays(billDate, days);
  const [year, month] = from.split('-').map(Number) as [number, number];
  const inMonth = (ofYear: number, ofMonth: number) =>
    text(ofYear, ofMonth, Math.min(fixed ?? 1, lastOf(ofYear, ofMonth)));
  const first = inMonth(year, month);
  if (first >= from) return first;
  return month === 12 ? inMonth(year + 1, 1) : inMonth(year, month + 1);
}

/**
 * Interest shown on a statement but never posted (C6): round(outstanding × pa / 100 × days / 365); none before it is
 * late.
 */
export function interestOn(outstanding: Decimal.Value, percentYearly: Decimal.Value, days: number): string {
  if (days <= 0) return '0.00';
  return toPaisa(new Decimal(outstanding).times(percentYearly).div(100).times(days).div(365)).toFixed(2);
}
