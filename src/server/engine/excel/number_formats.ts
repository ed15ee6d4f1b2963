import { Decimal } from 'decimal.js';
import * as XLSX from 'xlsx';

/** Number formats that change the meaning of a number: a day, a percentage (10%), or leading zeros (00007). */
export type FormatKind = 'date' | 'percent' | 'padded';

/** The kind of format; null = the plain number, whatever its separators and unit. */
export function formatKind(format: string | undefined): FormatKind | null {
  if (format === undefined || format === 'General') return null;
  if (XLSX.SSF.is_date(format) as boolean) return 'date';
  // The section for positive numbers, without conditions, colours and literal text.
  const shown = format
    .split(';')[0]!
    .replace(/\[[^\]]*\]/g, '')
    .replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (shown.includes('%')) return 'percent';
  return /^[^.]*0[^.]*0/.test(shown) && !/[#,?E]/.test(shown) ? 'padded' : null;
}

/** A number as displayed, with all its digits. */
export function shownNumber(value: number, kind: 'percent' | 'padded', format: string): string {
  // Spreadsheets store fifteen digits; the rest is rounding noise.
  if (kind === 'percent') return `${new Decimal(value.toPrecision(15)).times(100).toFixed()}%`;
  return (XLSX.SSF.format(format, value) as string).trim();
}
