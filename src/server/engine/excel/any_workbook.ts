import { inflateRawSync } from 'node:zlib';
import * as XLSX from 'xlsx';
import { AppError } from '../../db/errors.ts';
import { formatKind, shownNumber } from './number_formats.ts';
import type { CellValue, WorkbookSheet } from './workbook_sheet.ts';
import { zipDirectory } from './zip_directory.ts';

/** The text of formula errors, by error number. */
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

type Line = (XLSX.CellObject | undefined)[] | undefined;

/**
 * A sheet from any format the library reads (.xls, .ods, .xlsx, HTML tables): the named one, or the first visible one
 * with content.
 * @throws AppError 415, 422
 */
export function readAnyWorkbook(bytes: Buffer, wanted?: string): WorkbookSheet {
  let book: XLSX.WorkBook;
  try {
    // UTC keeps the typed day, whatever the time zone of this machine; texts stay texts.
    book = XLSX.read(bytes, {
      dense: true,
      cellDates: true,
      UTC: true,
      raw: true,
      cellFormula: true,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      cellStyles: true,
      sheetStubs: true,
    });
  } catch {
    throw new AppError(415, 'unsupported', 'This file is not a workbook. Save it as .xlsx and try again.');
  }
  const hidden = hiddenInOpenDocument(bytes);
  const shown = book.SheetNames.filter((_name, at) => !book.Workbook?.Sheets?.[at]?.Hidden && !hidden.has(at));
  const linesOf = (name: string) => (book.Sheets[name]?.['!data'] ?? []) as Line[];
  const filled = shown.filter((name) => linesOf(name).some((line) => line?.some((cell) => cell && cell.t !== 'z')));
  const name = wanted === undefined ? (filled[0] ?? shown[0]) : shown.find((one) => one === wanted);
  const sheet = book.Sheets[name ?? ''];
  if (name === undefined || sheet === undefined)
    throw new AppError(
      422,
      'invalid',
      wanted === undefined ? 'This workbook has no sheet that is shown.' : `This workbook has no sheet "${wanted}".`,
    );
  const lines = linesOf(name);
  const unsaved = lines.flatMap((line, row) =>
    (line ?? []).flatMap((cell, column): [number, number][] => (cell?.t === 'z' && cell.f ? [[row, column]] : [])),
  );
  return {
    name,
    others: filled.filter((one) => one !== name),
    rows: Array.from(lines, (line) => line && Array.from(line, valueOf)),
    unsaved,
    merged: (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c })),
    hiddenRows: (sheet['!rows'] ?? []).filter((row, at) => row?.hidden && lines[at]?.some((cell) => cell?.t !== 'z'))
      .length,
  };
}

function valueOf(cell: XLSX.CellObject | undefined): CellValue {
  if (cell === undefined || cell.t === 'z') return null;
  if (cell.t === 'e') return ERRORS[Number(cell.v)] ?? '#ERROR!';
  if (cell.t === 'n' && typeof cell.v === 'number') {
    const kind = formatKind(cell.z === undefined ? undefined : String(cell.z));
    return kind === null || kind === 'date' ? cell.v : shownNumber(cell.v, kind, String(cell.z));
  }
  return cell.v ?? null;
}

/** The positions of the sheets that a document (.ods) hides; the library does not report them. */
function hiddenInOpenDocument(bytes: Buffer): Set<number> {
  const entry = [...zipDirectory(bytes)].find(({ name, method }) => name === 'content.xml' && method === 8);
  if (!entry) return new Set();
  const at = entry.header + 30 + bytes.readUInt16LE(entry.header + 26) + bytes.readUInt16LE(entry.header + 28);
  const xml = inflateRawSync(bytes.subarray(at, at + entry.packed), {
    maxOutputLength: Math.max(entry.unpacked, 1),
  }).toString('utf8');
  const styles = new Set(
    [
      ...xml.matchAll(/<style:style\b[^<>]*\bstyle:name="([^"]*)"[^<>]*>\s*<style:table-properties\b([^<>]*)>/g),
    ].flatMap(([, name, of]) => (of!.includes('table:display="false"') ? [name!] : [])),
  );
  const tables = [...xml.matchAll(/<table:table\b([^<>]*)>/g)];
  return new Set(
    tables.flatMap(([, of], at) => (styles.has(/table:style-name="([^"]*)"/.exec(of!)?.[1] ?? '') ? [at] : [])),
  );
}
