import { Decimal } from 'decimal.js';
import { decimalOf } from '../../../../descriptor/fieldtypes/decimal_numbers.ts';
import { defaultLooksAt, defaultValue } from '../../../../descriptor/default_values.ts';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../../descriptor/format.ts';
import { hasTotal } from '../../../../descriptor/has_total.ts';
import { inOneUnit } from '../../../../descriptor/same_unit.ts';
import { inCurrency } from '../../../../descriptor/money.ts';
import type { Field, Screen } from '../../../../descriptor/types.ts';
import { spreadOver } from '../../../../domain/spread/spread.ts';
import { beginsWith } from '../../form/values.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Text that could not be read as a value, and why. */
export interface Unread {
  text: string;
  message: string;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A new row: the initial values of its columns. `around`: the record, which column defaults may use. */
export function newRow(columns: Field[], around?: { fields: Field[]; record: Row }): Row {
  const row: Record<string, unknown> = Object.fromEntries(
    columns.map((column) => [column.name, beginsWith(column) ?? (column.rows ? [] : null)]),
  );
  if (around)
    for (const column of columns)
      if (defaultLooksAt(column) === 'fields')
        row[column.name] = defaultValue(column, [{ fields: columns, record: row }, around]);
  return row;
}

/** True for a new row in which nothing was entered. */
export function isBlank(row: Row, columns: Field[]): boolean {
  return (
    row.id === undefined &&
    columns.every(
      (column) =>
        column.readOnly ||
        isEmpty(row[column.name]) ||
        row[column.name] === beginsWith(column) ||
        column.begins !== undefined,
    )
  );
}

/**
 * The changes of a row when totals of periods are entered: their periods, in proportion to their values. Columns in
 * `kept` keep their values.
 * @throws SpreadError if no period is open
 */
export function withSpread(
  columns: Field[],
  row: Row,
  patch: Readonly<Record<string, unknown>>,
  kept: (name: string) => boolean,
): Record<string, unknown> {
  const spreads = columns.filter(({ name, spreads: over }) => over !== undefined && name in patch);
  const result: Record<string, unknown> = { ...patch };
  for (const { name, spreads: over = [] } of spreads) {
    delete result[name];
    const total = decimalOf(patch[name]);
    const first = columns.find((one) => one.name === over[0])!;
    const now: Row = { ...row, ...result };
    const periods = over.map((period) => ({ value: decimalOf(now[period]), held: kept(period) }));
    const parts =
      total === null
        ? periods.map(({ held, value }) => (held ? value : null))
        : spreadOver(total, periods, unitOfCells(first));
    parts.forEach((part, at) => {
      const parsed = part === null ? null : fieldType(first.type).parse(part.toFixed(), first);
      result[over[at]!] = parsed && 'value' in parsed ? parsed.value : null;
    });
  }
  return result;
}

/** The smallest step of a column's values. */
export function unitOfCells(column: Field): string {
  if (column.type === 'integer') return '1';
  const parsed = fieldType(column.type).parse('1', column);
  const places = 'value' in parsed ? (String(parsed.value).split('.')[1]?.length ?? 0) : 0;
  return places === 0 && column.precision === undefined ? '0.01' : new Decimal(10).pow(-places).toFixed();
}

/** The rows without the blank ones at the end, which are only placeholders. */
export function withoutTail(rows: readonly Row[], columns: Field[]): Row[] {
  let end = rows.length;
  while (end > 0 && isBlank(rows[end - 1]!, columns)) end--;
  return rows.slice(0, end);
}

/** The row with the currency of the record, if the column takes it from there. */
function withCurrency({ currencyFrom }: Field, row: Row, around?: () => Row): Row {
  if (currencyFrom === undefined || !around || currencyFrom in row) return row;
  const record = around();
  return {
    ...row,
    [currencyFrom]: record[currencyFrom] ?? null,
    [`${currencyFrom}__label`]: record[`${currencyFrom}__label`],
  };
}

/**
 * Exact sums of the columns that have one, as text; none for amounts in several currencies or numbers in several units.
 * `around`: the values of the record.
 */
export function totals(rows: readonly Row[], columns: Field[], around?: () => Row): Map<string, string> {
  const result = new Map<string, string>();
  for (const column of columns) {
    if (!hasTotal(column)) continue;
    let sum = new Decimal(0);
    let last: Row | null = null;
    const counted: Row[] = [];
    const currencies = new Set<string | undefined>();
    for (const row of rows) {
      const number = isEmpty(row[column.name]) ? null : decimalOf(row[column.name]);
      if (number === null) continue;
      sum = sum.plus(number);
      currencies.add(inCurrency(column, withCurrency(column, row, around)).currency);
      last = row;
      counted.push(row);
    }
    if (last && currencies.size === 1 && inOneUnit(column, counted, around?.()))
      result.set(
        column.name,
        formatValue(
          column,
          column.type === 'duration' ? sum.toNumber() : sum.toFixed(),
          withCurrency(column, last, around),
        ),
      );
  }
  return result;
}

/** The displayed text of a cell. `around`: the values of the record, which may contain the currency. */
export function cellText(column: Field, row: Row, around?: () => Row): string {
  if (column.secret && row[column.name] === undefined) return row[`${column.name}__set`] === true ? '••••' : '';
  return formatValue(column, row[column.name], withCurrency(column, row, around));
}

/** Parses pasted or typed text for a column. References are looked up by the caller. */
export function readCell(column: Field, text: string): { value: unknown } | Unread {
  const parsed = fieldType(column.type).parse(text, column);
  return 'value' in parsed ? parsed : { text, message: parsed.error };
}

/** True if nothing can be typed. */
export function isFixed(column: Field): boolean {
  return (column.readOnly || column.formula !== undefined) && column.spreads === undefined;
}

/** The locked parts of a sheet: cells by `row.column`, and whole columns. */
export interface ClosedCells {
  held?: ReadonlySet<string> | undefined;
  locked?: ReadonlySet<string> | undefined;
}

/** True for a locked cell; a total of periods is locked if all its periods are. */
export function isClosed(column: Field, index: number, { held, locked }: ClosedCells): boolean {
  const { name, spreads } = column;
  if (isFixed(column) || held?.has(`${index}.${name}`) || locked?.has(name)) return true;
  return spreads?.every((period) => locked?.has(period) || held?.has(`${index}.${period}`)) ?? false;
}

/** Types whose cells accept text: the others are edited only with their own control. */
export function takesText(column: Field): boolean {
  return !fieldType(column.type).can.file;
}

/** Whether a descriptor has actions on the rows of a field. */
export function hasActions({ actions }: Screen, field: string): boolean {
  return actions.some(({ on }) => on === `rows:${field}`);
}
