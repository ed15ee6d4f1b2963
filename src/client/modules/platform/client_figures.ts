import { grouped } from '../../../descriptor/money.ts';
import type { ClientKpi } from '../../../domain/client_figures.ts';

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2025-10` → "Oct 2025". */
export function monthWords(month: string): string {
  const [year, number] = month.split('-');
  return `${MONTH_NAMES[Number(number) - 1] ?? number} ${year}`;
}

const isMoney = (unit: string) => /^\p{Sc}$/u.test(unit);

/** Grouped as the company writes numbers; amounts of money without fractions, other figures with what they have. */
export function amountWords(value: string, unit: string): string {
  const number = Number(value);
  return isMoney(unit) ? `${unit}${grouped(String(Math.round(number)))}` : grouped(String(Number(number.toFixed(2))));
}

/** What a figure is of, and how the month before was. */
export function comparedWords({ month, before, unit }: ClientKpi): string {
  if (month === null) return isMoney(unit) ? 'now' : `${unit}, now`;
  const of = `in ${monthWords(month)}`;
  return before === null ? of : `${of}, ${amountWords(before, unit)} the month before`;
}
