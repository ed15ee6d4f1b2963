import { readFile } from 'node:fs/promises';
import * as XLSX from 'xlsx';
import type { CellError } from './progress.ts';

/** Head of the column that says what is wrong in a row. */
export const ERROR_HEAD = 'What is wrong';

/** The head row is looked for in so many rows. */
const HEADS = 20;

/** The sheet of a workbook that an import has read (its name is empty for a text), with a column that says what is wrong in each row. */
export async function errorSheet(path: string, name: string, errors: CellError[]): Promise<Buffer> {
  // Numbers stay as they are, with their formats: no date can move. Formulas go, their values stay.
  const book = XLSX.read(await readFile(path), { cellFormula: false, cellNF: true });
  const sheet = book.Sheets[name] ?? book.Sheets[book.SheetNames[0]!]!;
  const range = XLSX.utils.decode_range(sheet['!ref'] ?? 'A1');
  const column = range.e.c + 1;
  const byRow = Map.groupBy(errors, ({ row }) => row);

  /** The fullest of the rows above what is wrong. */
  function headRow(): number {
    const last = Math.min(HEADS, ...[...byRow.keys()].map((row) => row - 2));
    let [best, most] = [0, 0];
    for (let row = 0; row <= last; row++) {
      let filled = 0;
      for (let at = range.s.c; at <= range.e.c; at++)
        if (sheet[XLSX.utils.encode_cell({ r: row, c: at })] !== undefined) filled++;
      if (filled > most) [best, most] = [row, filled];
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
  return XLSX.write(
    { SheetNames: ['Sheet1'], Sheets: { Sheet1: sheet } },
    { type: 'buffer', bookType: 'xlsx', compression: true },
  ) as Buffer;
}
