import { dayExists } from '../../../descriptor/fieldtypes/calendar.ts';

/** A date of three numbers, the year last. */
const NUMBERS = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](?:\d{2}|\d{4})(?:[T ].*)?$/;

const parts = (cell: unknown): [number, number] | null => {
  const [, first, second] = typeof cell === 'string' ? (NUMBERS.exec(cell.trim()) ?? []) : [];
  return first === undefined ? null : [Number(first), Number(second)];
};

/**
 * The first date of a column that is valid only with the month first; if there is one, the other dates are ambiguous.
 */
export function monthFirst(rows: { row: number; cells: unknown[] }[], column: number): string | null {
  for (const { row, cells } of rows) {
    const [first, second] = parts(cells[column]) ?? [0, 0];
    if (second > 12 && dayExists(2024, first, second)) return `${String(cells[column])} in row ${row}`;
  }
  return null;
}

/** Whether a date is valid both with the day first and with the month first, as two different days. */
export function readsBothWays(cell: unknown): boolean {
  const [first, second] = parts(cell) ?? [0, 0];
  return first !== second && first >= 1 && first <= 12 && second >= 1 && second <= 12;
}
