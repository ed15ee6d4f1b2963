import { isUtf8 } from 'node:buffer';
import * as XLSX from 'xlsx';
import { AppError } from '../../errors.ts';
import { readPlainWorkbook } from './plain_workbook.ts';
import { zipDirectory } from './zip_directory.ts';

/** Unpacked size over which a workbook is refused: a small file that unpacks to more is an attack, or not a list. */
const MAX_UNPACKED = 200 * 1024 * 1024;

/** What texts in UTF-8 may begin with. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** What a cell shows whose formula failed, by the number of its error. */
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};
/** So far down the head row may stand. */
const ROWS_ABOVE = 20;

export interface Sheet {
  heads: unknown[];
  /** Data rows as in the file, empty cells null or not there; `row` is the row number a person sees in Excel. */
  rows: { row: number; cells: unknown[] }[];
}

/**
 * The first sheet of a workbook (.xlsx, .xls, .ods, .csv) with its head row, wherever blank rows or a title stand above it.
 * @param isHead tells whether a row of cells is the head row
 * @throws AppError 413, 415, 422 with what to do
 */
export function readSheet(bytes: Buffer, maxRows: number, isHead: (cells: unknown[]) => boolean): Sheet {
  if (unpackedSize(bytes) > MAX_UNPACKED)
    throw new AppError(413, 'too_large', 'This workbook unpacks to more than 200 MB. Split it.');
  const all = readPlainWorkbook(bytes) ?? readAnyWorkbook(bytes);
  const valuesOf = (line: unknown[] | undefined) => Array.from(line ?? [], (value) => value ?? null);
  const headAt = all.slice(0, ROWS_ABOVE).findIndex((line) => isHead(valuesOf(line)));
  if (headAt < 0)
    throw new AppError(
      422,
      'invalid',
      'No row of this sheet holds the column heads of the template. Download the template and keep its first row.',
    );
  const rows: Sheet['rows'] = [];
  for (let index = headAt + 1; index < all.length; index++) {
    const cells = all[index];
    if (cells === undefined || cells.every((cell) => cell === null || cell === undefined || cell === '')) continue;
    rows.push({ row: index + 1, cells });
    if (rows.length > maxRows)
      throw new AppError(
        413,
        'too_large',
        `At most ${maxRows.toLocaleString('en-IN')} rows in one file. Split it into several.`,
      );
  }
  return { heads: valuesOf(all[headAt]), rows };
}

/** The values of the first sheet of whatever the library reads, by row and column. */
export function readAnyWorkbook(bytes: Buffer): (unknown[] | undefined)[] {
  let book: XLSX.WorkBook;
  try {
    // UTC keeps a date the day it was typed, whatever the zone of this machine.
    book = XLSX.read(marked(bytes), {
      dense: true,
      cellDates: true,
      UTC: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: false,
      sheets: 0,
    });
  } catch {
    throw new AppError(415, 'unsupported', 'This file is not a workbook. Save it as .xlsx and try again.');
  }
  const sheet = book.Sheets[book.SheetNames[0] ?? ''];
  if (sheet === undefined) throw new AppError(422, 'invalid', 'This workbook has no sheet.');
  const lines = (sheet['!data'] ?? []) as ((XLSX.CellObject | undefined)[] | undefined)[];
  return Array.from(
    lines,
    (line) =>
      line && Array.from(line, (cell) => (cell?.t === 'e' ? (ERRORS[Number(cell.v)] ?? '#ERROR') : (cell?.v ?? null))),
  );
}

/** Texts in UTF-8 say so, or they would be read as of Western Europe; what is no such text stays as it is. */
function marked(bytes: Buffer): Buffer {
  const plain =
    bytes.length > 0 &&
    !bytes.subarray(0, 4_096).some((byte) => byte < 9) &&
    bytes.some((byte) => byte > 127) &&
    isUtf8(bytes);
  return plain && !bytes.subarray(0, 3).equals(MARK) ? Buffer.concat([MARK, bytes]) : bytes;
}

/** Sum of the unpacked sizes in a zip's central directory; 0 for a file that is no zip. */
export function unpackedSize(bytes: Buffer): number {
  let total = 0;
  for (const { unpacked } of zipDirectory(bytes)) total += unpacked;
  return total;
}
