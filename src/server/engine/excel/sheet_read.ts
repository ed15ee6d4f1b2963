import { formatNumber } from '../../../descriptor/format.ts';
import { AppError } from '../../db/errors.ts';
import { decodeText } from '../../services/files/text_encoding.ts';
import { readAnyWorkbook } from './any_workbook.ts';
import { readCsv } from './csv_read.ts';
import { readPlainWorkbook } from './plain_workbook.ts';
import { isTemplateHelp } from './template.ts';
import type { SheetRows, WorkbookSheet } from './workbook_sheet.ts';
import { zipDirectory } from './zip_directory.ts';

/** The maximum unpacked size of a workbook: a small file that unpacks to more is an attack, or not a list. */
const MAX_UNPACKED = 200 * 1024 * 1024;
/** The last row in which the heading row is searched. */
const ROWS_ABOVE = 20;
/** Formula errors as Excel, LibreOffice and Google Sheets write them, also as text. */
const FAILED =
  /^(?:#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|ERROR!|SPILL!|CALC!|FIELD!|GETTING_DATA)|Err:\d{3})$/;
const UNSAVED =
  'The result of the formula in this cell is not in the file. Open the file in Excel or LibreOffice, save it there, and choose it again.';

/** A cell that cannot be used as it is. */
export interface CellProblem {
  /** The row number shown in Excel. */
  row: number;
  /** From 0. */
  column: number;
  message: string;
}

export interface Sheet {
  /** Empty for a file without sheets. */
  name: string;
  /** Names of the other visible sheets with content. */
  others: string[];
  heads: unknown[];
  /** The row of the headings, numbered as in Excel. */
  headRow: number;
  /** Data rows as in the file, empty cells null or absent; `row` is the row number shown in Excel. */
  rows: { row: number; cells: unknown[] }[];
  problems: CellProblem[];
  /** Hidden data rows; they are among the rows. */
  hiddenRows: number;
}

export interface SheetWish {
  maxRows: number;
  /** The score of a row of cells as heading row; 0 = not a heading row. The best of the first rows is used. */
  fits: (cells: unknown[]) => number;
  /** The sheet; by default the first visible one with content. */
  sheet?: string | undefined;
  /** Whether a sheet without headings is treated as one without rows if there are other sheets to choose from. */
  mayBeWithoutHeads?: boolean;
}

/**
 * A sheet of a workbook (.xlsx, .xls, .ods) or a text with separators (.csv, .txt), with its heading row, after any
 * blank rows or title.
 * @throws AppError 413, 415, 422 with what to do
 */
export function readSheet(bytes: Buffer, { maxRows, fits, sheet: wanted, mayBeWithoutHeads }: SheetWish): Sheet {
  const { name, others, rows: all, unsaved, merged, hiddenRows } = sheetOf(bytes, wanted);
  const valuesOf = (line: unknown[] | undefined) => Array.from(line ?? [], (value) => value ?? null);
  let [headAt, max] = [-1, 0];
  for (const [at, line] of all.slice(0, ROWS_ABOVE).entries()) {
    const fit = fits(valuesOf(line));
    if (fit > max) [headAt, max] = [at, fit];
  }
  if (headAt < 0 && mayBeWithoutHeads && !isTemplateHelp(others) && others.length > 0)
    return { name, others, heads: [], headRow: 0, rows: [], problems: [], hiddenRows: 0 };
  if (headAt < 0)
    throw new AppError(
      422,
      'invalid',
      'No row of this sheet contains the column headings of the template. Download the template and keep its first row.',
    );
  const heads = valuesOf(all[headAt]);
  // The text of a heading merged over several rows is in the first of them.
  for (const { top, left, bottom } of merged)
    if (top < headAt && bottom >= headAt && isBlank(heads[left])) heads[left] = all[top]?.[left] ?? null;
  const rows: Sheet['rows'] = [];
  const problems: CellProblem[] = unsaved.flatMap(([row, column]) =>
    row > headAt ? [{ row: row + 1, column, message: UNSAVED }] : [],
  );
  const faulty = new Set(problems.map(({ row }) => row));
  const end = Math.max(all.length, ...faulty);
  for (let index = headAt + 1; index < end; index++) {
    const cells = all[index] ?? [];
    if (cells.every(isBlank) && !faulty.has(index + 1)) continue;
    for (const [column, cell] of cells.entries())
      if (typeof cell === 'string' && (cell.startsWith('#') || cell.startsWith('Err:')) && FAILED.test(cell)) {
        problems.push({
          row: index + 1,
          column,
          message: `This cell shows ${cell}: its formula failed. Correct it, or write the value.`,
        });
        cells[column] = null;
      }
    rows.push({ row: index + 1, cells });
    if (rows.length > maxRows)
      throw new AppError(413, 'too_large', `At most ${formatNumber(maxRows)} rows in one file. Split it into several.`);
  }
  return {
    name,
    others: isTemplateHelp(others) ? [] : others,
    heads,
    headRow: headAt + 1,
    rows,
    problems,
    hiddenRows,
  };
}

function sheetOf(bytes: Buffer, wanted: string | undefined): WorkbookSheet {
  if (unpackedSize(bytes) > MAX_UNPACKED)
    throw new AppError(413, 'too_large', 'This workbook unpacks to more than 200 MB. Split it.');
  const text = decodeText(bytes);
  // Tables in HTML and XML may also have the extension .xls.
  if (text !== null && !text.trimStart().startsWith('<')) return sheetOfText(readCsv(text));
  return readPlainWorkbook(bytes, wanted) ?? readAnyWorkbook(bytes, wanted);
}

const sheetOfText = (rows: SheetRows): WorkbookSheet => ({
  name: '',
  others: [],
  rows,
  unsaved: [],
  merged: [],
  hiddenRows: 0,
});

/** Whether a cell is empty or contains only invisible characters. */
export function isBlank(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

/** The sum of the unpacked sizes in a zip's central directory; 0 for a file that is not a zip. */
export function unpackedSize(bytes: Buffer): number {
  let total = 0;
  for (const { unpacked } of zipDirectory(bytes)) total += unpacked;
  return total;
}
