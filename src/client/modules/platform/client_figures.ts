import type { ClientKpi } from '../../../domain/client_figures.ts';

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2025-10` → "Oct 2025". */
export function monthWords(month: string): string {
  const [year, number] = month.split('-');
  return `${MONTH_NAMES[Number(number) - 1] ?? number} ${year}`;
}

/** Indian grouping; amounts in rupees without paise, other figures with what they have. */
export function amountWords(value: string, unit: string): string {
  const number = Number(value);
  return unit === '₹'
    ? `₹${Math.round(number).toLocaleString('en-IN')}`
    : number.toLocaleString('en-IN', { maximumFractionDigits: 2 });
}

/** What a figure is of, and how the month before was. */
export function comparedWords({ month, before, unit }: ClientKpi): string {
  if (month === null) return unit === '₹' ? 'now' : `${unit}, now`;
  const of = `in ${monthWords(month)}`;
  return before === null ? of : `${of}, ${amountWords(before, unit)} the month before`;
}

export function momentWords(at: string): string {
  return new Date(at).toLocaleString('en-IN', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}
