import { inCurrency, unitOf } from '../../../descriptor/money.ts';
import * as XLSX from 'xlsx';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../descriptor/format.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { cellText } from './long_text.ts';

/** One column of an export: a field of the screen, or one of the columns every record has. */
export interface ExportColumn {
  title: string;
  field: Field | null;
  /** Key in the list's rows. */
  key: string;
}

/** The columns of an export: the requested ones, in their order, or the grid's visible ones. */
export function exportColumns(screen: Screen, asked: string[] | undefined): ExportColumn[] {
  const keys = asked ?? screen.grid.filter((column) => !column.hidden).map((column) => column.field);
  return keys.flatMap((key) => {
    const field = screen.fields.find((one) => one.name === key) ?? screen.counts?.find((one) => one.name === key);
    const title = screen.grid.find((column) => column.field === key)?.title ?? field?.title ?? RECORD_COLUMNS[key];
    if (title === undefined || field?.secret || field?.hidden) return [];
    return [{ title, field: field ?? null, key }];
  });
}

const RECORD_COLUMNS: Record<string, string> = {
  active: 'Active',
  created_at: 'Created on',
  created_by: 'Created by',
  updated_at: 'Changed on',
  updated_by: 'Changed by',
};

/** Collects rows of list answers into one sheet, cell by cell with Excel's own types and formats. */
export class SheetWriter {
  readonly #columns: ExportColumn[];
  readonly #rows: (XLSX.CellObject | undefined)[][];
  /** The outline levels of lines, by position; none: the sheet has no outline. */
  readonly #levels: XLSX.RowInfo[] = [];

  constructor(columns: ExportColumn[]) {
    this.#columns = columns;
    this.#rows = [
      columns.map(({ title, field }) => ({
        t: 's' as const,
        v: field && unitOf(field) ? `${title} (${unitOf(field)})` : title,
      })),
    ];
  }

  /** `levels`: the outline level of each line. */
  add(records: Record<string, unknown>[], levels: readonly number[] = []): void {
    records.forEach((record, at) => {
      if ((levels[at] ?? 0) > 0) this.#levels[this.#rows.length] = { level: levels[at]! };
      this.#rows.push(this.#columns.map((column) => cell(column, record)));
    });
  }

  /** The finished .xlsx; the sheet is named Sheet1 (specification, section 9). Further sheets follow by name. */
  bytes(others: ReadonlyMap<string, SheetWriter> = new Map()): Buffer {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, this.#sheet(), 'Sheet1');
    for (const [name, writer] of others) XLSX.utils.book_append_sheet(book, writer.#sheet(), name);
    return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  }

  #sheet(): XLSX.WorkSheet {
    return {
      '!data': this.#rows as XLSX.CellObject[][],
      '!ref': XLSX.utils.encode_range({
        s: { r: 0, c: 0 },
        e: { r: this.#rows.length - 1, c: Math.max(0, this.#columns.length - 1) },
      }),
      // The subtotals of a group are above its rows.
      ...(this.#levels.length > 0 && { '!rows': this.#levels, '!outline': { above: true } }),
      '!cols': this.#columns.map(({ title, field }) => ({
        wch: Math.min(40, Math.max(10, title.length + 2, field?.type === 'name' ? 28 : 0)),
      })),
    };
  }
}

/** Text stays of type text, so a value that begins with = + - @ is never run as a formula. */
function cell(column: ExportColumn, record: Record<string, unknown>): XLSX.CellObject | undefined {
  const made = cellOf(column, record);
  return typeof made?.v === 'string' ? { ...made, v: cellText(made.v) } : made;
}

function cellOf({ field, key }: ExportColumn, record: Record<string, unknown>): XLSX.CellObject | undefined {
  const label = record[`${key}__label`];
  const value = record[key];
  if (value === null || value === undefined) return undefined;
  if (label !== undefined && label !== null)
    return { t: 's', v: Array.isArray(label) ? label.join(', ') : String(label) };
  if (field === null)
    return typeof value === 'boolean' ? { t: 's', v: value ? 'Yes' : 'No' } : { t: 's', v: String(value) };
  const type = fieldType(field.type);
  const own = inCurrency(field, record);
  const written = type.excel?.write ? type.excel.write(value, field) : formatValue(field, value, record);
  if (written === null) return undefined;
  if (written instanceof Date) return { t: 'd', v: written, z: type.excel?.format?.(field) ?? 'dd-mm-yyyy' };
  if (typeof written === 'number')
    return { t: 'n', v: written, ...(type.excel?.format && { z: type.excel.format(own) }) };
  if (typeof written === 'boolean') return { t: 's', v: written ? 'Yes' : 'No' };
  return written === '' ? undefined : { t: 's', v: written };
}
