import { Decimal } from 'decimal.js';
import * as XLSX from 'xlsx';

/**
 * What a number format shows where a number alone would say something else: a day, a hundredfold with its sign (10%), or
 * digits that the number does not have (00007).
 */
export type FormatKind = 'date' | 'percent' | 'padded';

/** Which of these a format shows; null = the number as it is, whatever its separators and unit. */
export function formatKind(format: string | undefined): FormatKind | null {
  if (format === undefined || format === 'General') return null;
  if (XLSX.SSF.is_date(format) as boolean) return 'date';
  // Of positive numbers; without conditions and colours, and without what is written as it stands.
  const shown = format
    .split(';')[0]!
    .replace(/\[[^\]]*\]/g, '')
    .replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (shown.includes('%')) return 'percent';
  return /^[^.]*0[^.]*0/.test(shown) && !/[#,?E]/.test(shown) ? 'padded' : null;
}

/** A number as the sheet shows it, with all the digits that it has. */
export function shownNumber(value: number, kind: 'percent' | 'padded', format: string): string {
  // Fifteen digits are all that spreadsheets keep; what is beyond is the noise of their arithmetic.
  if (kind === 'percent') return `${new Decimal(value.toPrecision(15)).times(100).toFixed()}%`;
  return (XLSX.SSF.format(format, value) as string).trim();
}
