import type { Field } from '../../../descriptor/types.ts';
import { AppError } from '../../db/errors.ts';
import type { CellError } from './cell_error.ts';
import type { RowsSheet } from './rows_sheets.ts';
import { enteredRows } from './rows_sheets.ts';
import { mapColumns } from './sheet_columns.ts';
import { readSheet } from './sheet_read.ts';
import { sheetRecords } from './sheet_records.ts';

/** The rows of a sheet: names of references as texts. */
export interface RowsRead {
  sheet: RowsSheet;
  rows: { row: number; record: Record<string, unknown> }[];
  texts: Map<Field, Set<string>>;
  errors: CellError[];
  /** References whose names several records share: the stored row decides which is meant. */
  shared: SharedName[];
}

/** A reference of a row, with names that may be shared. */
export interface SharedName {
  record: Record<string, unknown>;
  field: Field;
  names: ({ id: number } | { error: string; candidates?: number[] })[];
}

/** Reads the sheet of a field's rows from a workbook. @throws AppError 413, 422 */
export function readRows(bytes: Buffer, sheet: RowsSheet, maxRows: number): RowsRead {
  const read = readSheet(bytes, {
    maxRows,
    sheet: sheet.name,
    fits: (cells) => mapColumns(sheet.screen, cells).columns.filter((field) => field !== null).length,
  });
  const { columns } = mapColumns(sheet.screen, read.heads);
  const missing = sheet.screen.fields.slice(0, sheet.key.length).find((field) => !columns.includes(field));
  if (missing)
    throw new AppError(
      422,
      'invalid',
      `The sheet "${sheet.name}" has no column "${missing.title}". Its rows name their records by it.`,
    );
  const { records, errors, texts } = sheetRecords(read, columns);
  return {
    sheet,
    rows: sheet.field.rowTree ? enteredRows(records) : records,
    texts,
    shared: [],
    errors: errors.map((error) => ({ ...error, sheet: sheet.name })),
  };
}
