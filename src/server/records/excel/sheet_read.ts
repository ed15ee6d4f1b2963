import * as XLSX from 'xlsx';
import { AppError } from '../../errors.ts';

/** Unpacked size over which a workbook is refused: a small file that unpacks to more is an attack, or not a list. */
const MAX_UNPACKED = 200 * 1024 * 1024;

export interface Sheet {
  heads: unknown[];
  /** Data rows as in the file; `row` is the row number a person sees in Excel. */
  rows: { row: number; cells: unknown[] }[];
}

/**
 * The first sheet of a workbook (.xlsx, .xls, .ods, .csv) with its head row, wherever blank rows or a title stand above it.
 * @param isHead tells whether a row of cells is the head row
 * @throws AppError 413, 415, 422 with what to do
 */
export function readSheet(bytes: Buffer, maxRows: number, isHead: (cells: unknown[]) => boolean): Sheet {
  if (unpackedSize(bytes) > MAX_UNPACKED) throw new AppError(413, 'too_large', 'This workbook unpacks to more than 200 MB. Split it.');
  let book: XLSX.WorkBook;
  try {
    // UTC keeps a date the day it was typed, whatever the zone of this machine.
    book = XLSX.read(bytes, { dense: true, cellDates: true, UTC: true, cellFormula: false, cellHTML: false, cellText: false, cellNF: false, sheets: 0 });
  } catch {
    throw new AppError(415, 'unsupported', 'This file is not a workbook. Save it as .xlsx and try again.');
  }
  const sheet = book.Sheets[book.SheetNames[0] ?? ''];
  if (sheet === undefined) throw new AppError(422, 'invalid', 'This workbook has no sheet.');
  const all = (sheet['!data'] ?? []) as (XLSX.CellObject | undefined)[][];
  const valuesOf = (line: (XLSX.CellObject | undefined)[] | undefined) => Array.from(line ?? [], (cell) => (cell?.t === 'e' ? (cell.w ?? '#ERROR') : (cell?.v ?? null)));
  const headAt = all.slice(0, 20).findIndex((line) => isHead(valuesOf(line)));
  if (headAt < 0)
    throw new AppError(422, 'invalid', 'No row of this sheet holds the column heads of the template. Download the template and keep its first row.');
  const rows: Sheet['rows'] = [];
  for (let index = headAt + 1; index < all.length; index++) {
    const cells = valuesOf(all[index]);
    if (cells.every((cell) => cell === null || cell === '')) continue;
    rows.push({ row: index + 1, cells });
    if (rows.length > maxRows)
      throw new AppError(413, 'too_large', `At most ${maxRows.toLocaleString('en-IN')} rows in one file. Split it into several.`);
  }
  return { heads: valuesOf(all[headAt]), rows };
}

/** Sum of the unpacked sizes in a zip's central directory; 0 for a file that is no zip. */
export function unpackedSize(bytes: Buffer): number {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== 0x04034b50) return 0;
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  if (end < 0) return 0;
  let at = bytes.readUInt32LE(end + 16);
  let total = 0;
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    total += bytes.readUInt32LE(at + 24);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return total;
}
