import type { RawRow } from './source_kind.ts';

/** The rows of a file that changed since the last run: files are read completely. */
export function changedSince(
  rows: RawRow[],
  { column, value, overlapMinutes }: { column: string; value: string | null; overlapMinutes: number },
): RawRow[] {
  if (value === null) return rows;
  const at = Date.parse(value);
  const isTime = /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(at);
  return rows.filter(({ cells }) => {
    const cell = cursorText(cells[column]);
    if (cell === null) return false;
    return isTime ? Date.parse(cell) >= at - overlapMinutes * 60_000 : compareCursor(cell, value) >= 0;
  });
}

/** A cell in stored and compared form: times in ISO 8601; null = empty. */
export function cursorText(cell: unknown): string | null {
  if (cell === null || cell === undefined || cell === '') return null;
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

function compareCursor(a: string, b: string): number {
  const numbers = /^-?\d+(\.\d+)?$/;
  if (numbers.test(a) && numbers.test(b)) return Math.sign(Number(a) - Number(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The greatest value that was read, never the current time. */
export function greatest(rows: RawRow[], column: string): string | null {
  let best: string | null = null;
  for (const { cells } of rows) {
    const cell = cursorText(cells[column]);
    if (cell !== null && (best === null || compareCursor(cell, best) > 0)) best = cell;
  }
  return best;
}
