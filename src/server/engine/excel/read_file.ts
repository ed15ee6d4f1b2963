/** Reads one file in a separate process, and sends its content to the server in parts. */
import { readFile } from 'node:fs/promises';
import * as XLSX from 'xlsx';
import { AppError } from '../../db/errors.ts';
import type { ReadAnswer, ReadGrid } from './limited_reading.ts';
import type { ReadTask } from './read_task.ts';
import { isBlank, readSheet, unpackedSize } from './sheet_read.ts';
import type { ServerLink } from './worker_task.ts';

/** The number of rows per message, so that the server can do other work in between. */
const SLICE = 1_000;
/** The maximum number of cells and characters of one file: a shared string counts for each cell. */
const MAX_CELLS = 10_000_000;
const MAX_CHARACTERS = 200_000_000;
/** The maximum unpacked size of a workbook whose sheets are all read. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Runs one task; errors in the file are reported, not thrown. */
export async function readFileInto({ file, of }: ReadTask, server: ServerLink): Promise<void> {
  const say = (answer: ReadAnswer) => server.post(answer);
  try {
    const bytes = 'path' in file ? await readFile(file.path) : Buffer.from(file.bytes);
    if (of === 'all_sheets') say({ sheets: allSheets(bytes) });
    else sayRows(bytes, of.maxRows, say);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say({ refused: { status: error.status, code: error.code, message: error.message } });
  }
}

function sayRows(bytes: Buffer, maxRows: number, say: (answer: ReadAnswer) => void): void {
  const sheet = readSheet(bytes, { maxRows, fits: (cells) => (cells.every(isBlank) ? 0 : 1) });
  const heads = sheet.heads.map((head) => String(head ?? '').trim());
  const size = counter();
  const rows = sheet.rows.map(({ row, cells }) => ({
    row,
    cells: heads.map((head, column) => (head === '' ? null : size(cells[column] ?? null))),
  }));
  for (let at = 0; at < rows.length; at += SLICE) say({ rows: rows.slice(at, at + SLICE) });
  say({ heads, problems: sheet.problems });
}

function allSheets(bytes: Buffer): ReadGrid[] {
  if (unpackedSize(bytes) > MAX_UNPACKED)
    throw new AppError(413, 'too_large', 'This workbook is too large. Split it into several.');
  let book: XLSX.WorkBook;
  try {
    book = XLSX.read(bytes, { type: 'buffer', dense: true, cellFormula: false, cellHTML: false });
  } catch {
    throw new AppError(422, 'invalid', 'This workbook cannot be read. Save it as .xlsx and try again.');
  }
  const size = counter();
  return book.SheetNames.map((name) => ({
    name,
    rows: XLSX.utils
      .sheet_to_json<unknown[]>(book.Sheets[name]!, { header: 1, defval: '' })
      .map((cells) => cells.map(size)),
  }));
}

/** Passes cells on until the limit is reached. */
function counter(): (cell: unknown) => unknown {
  let [cells, characters] = [0, 0];
  return (cell) => {
    cells++;
    if (typeof cell === 'string') characters += cell.length;
    if (cells > MAX_CELLS || characters > MAX_CHARACTERS)
      throw new AppError(413, 'too_large', 'This file is too large for one import. Split it.');
    return cell;
  };
}
