import { readFile } from 'node:fs/promises';
import * as XLSX from 'xlsx';
import type { CellError } from './cell_error.ts';

/** Heading of the column with the errors of a row. */
export const ERROR_HEAD = 'What is wrong';

/** The number of rows in which the heading row is searched. */
const HEADS = 20;

/**
 * The sheet that an import has read (its name is empty for a text file), with an additional column for the errors of
 * each row. Sheets of child rows with errors are included.
 */
export async function errorSheet(path: string, name: string, errors: CellError[]): Promise<Buffer> {
  // Numbers keep their values and formats, so no date can change. Formulas are removed, their values stay.
  const book = XLSX.read(await readFile(path), { cellFormula: false, cellNF: true });
  const main = book.Sheets[name] === undefined ? book.SheetNames[0]! : name;
  const bySheet = Map.groupBy(errors, ({ sheet }) => sheet?.toLowerCase());
  const sheets: Record<string, XLSX.WorkSheet> = { Sheet1: book.Sheets[main]! };
  mark(book.Sheets[main]!, bySheet.get(undefined) ?? []);
  if (errors.some(({ sheet }) => sheet !== undefined))
    for (const other of book.SheetNames) {
      if (other === main) continue;
      const found = bySheet.get(other.trim().toLowerCase());
      if (found) mark(book.Sheets[other]!, found);
      sheets[other] = book.Sheets[other]!;
    }
  return XLSX.write(
    { SheetNames: Object.keys(sheets), Sheets: sheets },
    { type: 'buffer', bookType: 'xlsx', compression: true },
  ) as Buffer;
}

/** Adds the column with the errors. */
function mark(sheet: XLSX.WorkSheet, errors: CellError[]): void {
  const range = XLSX.utils.decode_range(sheet['!ref'] ?? 'A1');
  const column = range.e.c + 1;
  const byRow = Map.groupBy(errors, ({ row }) => row);

  /** The row with the most cells above the first error. */
  function headRow(): number {
    const last = Math.min(HEADS, ...[...byRow.keys()].map((row) => row - 2));
    let [best, max] = [0, 0];
    for (let row = 0; row <= last; row++) {
      let filled = 0;
      for (let at = range.s.c; at <= range.e.c; at++)
        if (sheet[XLSX.utils.encode_cell({ r: row, c: at })] !== undefined) filled++;
      if (filled > max) [best, max] = [row, filled];
    }
    return best;
  }

  const say = (row: number, text: string) =>
    XLSX.utils.sheet_add_aoa(sheet, [[text]], { origin: { r: row, c: column } });
  say(headRow(), ERROR_HEAD);
  for (const [row, found] of byRow)
    say(row - 1, found.map(({ column: name, message }) => (name === '' ? message : `${name}: ${message}`)).join(' '));
  const widths = [...(sheet['!cols'] ?? [])];
  widths[column] = { wch: 80 };
  sheet['!cols'] = widths;
}
