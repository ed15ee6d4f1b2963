import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { subtotals } from '../../../descriptor/row_tree.ts';
import type { TreeLine } from '../../../descriptor/row_tree.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { importFields } from './sheet_columns.ts';
import { numberField } from './sheet_number.ts';

/** Excel's limit for the name of a sheet. */
const LONGEST_NAME = 31;
/** No column has such names: fields have single underscores. */
const KEY = 'key__';
const PLACE = 'place__';
/** For rows in a tree: the group of a subtotal line, and the position of a row in the list. */
const GROUP = 'group__';
const ORDER = 'order__';
/** The number of outline levels in Excel. */
const MAX_LEVELS = 7;

/** Child rows of a field as a separate sheet: each row refers to its record by the record's key. */
export interface RowsSheet {
  field: Field;
  /** Name of the sheet. */
  name: string;
  /** For rows within rows: the rows that contain them, by position, starting at 1. */
  within?: Field;
  /** Fields of the record that name it. */
  key: string[];
  /** The record type of a row in the sheet: the key first, then the columns. */
  screen: Screen;
}

/**
 * The sheets of a type's child rows; none if no key identifies each record. Secrets are never exported, so rows with
 * secrets, which would lose them, are not exported either, nor are rows that some people do not see completely.
 */
export function rowsSheets(screen: Screen): RowsSheet[] {
  const importable = new Set(importFields(screen).map(({ name }) => name));
  const number = numberField(screen);
  const keys = [...screen.unique, ...(number === undefined ? [] : [[number]])];
  const isFilled = (name: string) =>
    name === number || screen.fields.find((field) => field.name === name)?.required === true;
  const key = keys.find((names) => names.every((name) => importable.has(name) && isFilled(name)));
  if (!key) return [];
  const used = new Set(['sheet1', 'help', 'lists']);
  const sheetsOf = (field: Field, within?: Field): RowsSheet[] => {
    if (!field.rows || field.custom || field.masked || field.visible !== undefined) return [];
    if (field.rows.some(({ secret, visible }) => secret || visible !== undefined)) return [];
    const plain = field.title
      .replace(/[\\/?*[\]:]/g, ' ')
      .trim()
      .slice(0, LONGEST_NAME)
      .trimEnd();
    const name = plain === '' || used.has(plain.toLowerCase()) ? field.name.slice(0, LONGEST_NAME) : plain;
    used.add(name.toLowerCase());
    const columns = field.rows.filter(({ rows }) => !rows);
    const titles = new Set(columns.map(({ title }) => title.toLowerCase()));
    const keyFields = key.map((one): Field => {
      const of = screen.fields.find((each) => each.name === one)!;
      const title = titles.has(of.title.toLowerCase()) ? `${screen.title} ${of.title}` : of.title;
      return { ...of, name: `${KEY}${one}`, title, required: true, readOnly: false };
    });
    const { number: _number, counts: _counts, ...rest } = screen;
    const place = within ? [placeField(within)] : field.rowTree ? treeFields(field) : [];
    return [
      {
        field,
        name,
        key,
        ...(within && { within }),
        screen: { ...rest, fields: [...keyFields, ...place, ...columns], grid: [] },
      },
      ...(within || !field.part ? [] : field.rows.flatMap((column) => sheetsOf(column, field))),
    ];
  };
  return screen.fields.flatMap((field) => sheetsOf(field));
}

/** The column that names the row containing the rows within rows. */
const placeField = ({ title }: Field): Field => ({
  name: PLACE,
  type: 'integer',
  title: `Row of ${title}`,
  required: true,
  schema: { type: 'integer', minimum: 1 },
  secret: false,
  readOnly: false,
});

/** Columns of rows in a tree: they are not filled in by hand. */
const treeFields = ({ title }: Field): Field[] => [
  {
    name: GROUP,
    type: 'text',
    title: `Group of ${title}`,
    required: false,
    schema: {},
    secret: false,
    readOnly: false,
  },
  {
    name: ORDER,
    type: 'integer',
    title: `Row of ${title}`,
    required: false,
    schema: {},
    secret: false,
    readOnly: false,
  },
];

/** Whether a column of a sheet is filled in by hand. */
export const isFilledByHand = ({ name }: Field): boolean => name !== GROUP && name !== ORDER;

/** The rows of a sheet as entered: subtotals are skipped, and rows are in the order of their list. */
export function enteredRows(rows: readonly BroughtRow[]): BroughtRow[] {
  const placeOf = ({ record }: BroughtRow) => (typeof record[ORDER] === 'number' ? record[ORDER] : Infinity);
  const entered = rows.filter(({ record }) => (record[GROUP] ?? null) === null);
  return entered.some((row) => placeOf(row) !== Infinity)
    ? entered.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)))
    : entered;
}

/** A line of a sheet and its outline level. */
export interface OutlinedLine {
  record: Record<string, unknown>;
  level: number;
}

/** The rows of a record, as a sheet shows them, in the order of their tree, with the subtotals of its groups. */
export function withGroups(
  { field, key }: RowsSheet,
  record: Record<string, unknown>,
  rows: readonly Record<string, unknown>[],
  lines: readonly TreeLine[],
): OutlinedLine[] {
  const sums = subtotals(field.rows!, rows, lines, field.periods?.roll);
  const named = Object.fromEntries(
    key.flatMap((name) => [
      [`${KEY}${name}`, record[name]],
      [`${KEY}${name}__label`, record[`${name}__label`]],
    ]),
  ) as Record<string, unknown>;
  return lines.map((line) => ({
    level: Math.min(line.depth, MAX_LEVELS),
    record:
      line.kind === 'group'
        ? { ...named, ...sums.get(line.key), [GROUP]: `${'  '.repeat(line.depth)}${line.label}` }
        : { ...rows[line.at], [ORDER]: line.at + 1 },
  }));
}

/** The rows of the record, or of each of its rows, from a sheet. */
export interface BroughtRow {
  row: number;
  record: Record<string, unknown>;
}

/** Adds rows within rows to the rows of a record. @returns the reference to a row that does not exist */
export function putWithin(
  sheet: RowsSheet,
  rows: readonly Record<string, unknown>[],
  said: readonly BroughtRow[],
): { rows: Record<string, unknown>[]; lost: BroughtRow[] } {
  const byPlace = Map.groupBy(said, ({ record }) => Number(record[PLACE]));
  const lost = said.filter(({ record }) => rows[Number(record[PLACE]) - 1] === undefined);
  return {
    rows: rows.map((row, at) => {
      const before = (row[sheet.field.name] as Record<string, unknown>[] | null | undefined) ?? [];
      const own = byPlace.get(at + 1) ?? [];
      return { ...row, [sheet.field.name]: own.map(({ record }, place) => wholeRow(sheet, record, before[place])) };
    }),
    lost,
  };
}

/** The cells of a record's rows as a list shows them, with the record's key. */
export function rowsOfRecord(sheet: RowsSheet, record: Record<string, unknown>): Record<string, unknown>[] {
  const outer = sheet.within ? record[sheet.within.name] : undefined;
  const rows = Array.isArray(outer)
    ? (outer as Record<string, unknown>[]).flatMap((row, at) =>
        ((row[sheet.field.name] as Record<string, unknown>[] | null) ?? []).map((one) => ({ ...one, [PLACE]: at + 1 })),
      )
    : record[sheet.field.name];
  const key = sheet.key.flatMap((name) => [
    [`${KEY}${name}`, record[name]],
    [`${KEY}${name}__label`, record[`${name}__label`]],
  ]);
  const around = (sheet.field.rows ?? []).flatMap(({ currencyFrom }) =>
    currencyFrom === undefined
      ? []
      : [currencyFrom, `${currencyFrom}__label`].flatMap((name) => (name in record ? [[name, record[name]]] : [])),
  );
  const currencies = Object.fromEntries(around) as object;
  return Array.isArray(rows)
    ? rows.map((row: Record<string, unknown>) => ({ ...currencies, ...row, ...(Object.fromEntries(key) as object) }))
    : [];
}

/** The key of a row, by the names of the record's fields. */
export function keyOfRow({ key }: RowsSheet, record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(key.map((name) => [name, record[`${KEY}${name}`] ?? null]));
}

/** The resulting row: the sheet's values over the stored row in its place, or over the defaults of a new one. */
export function wholeRow(
  { field }: RowsSheet,
  said: Record<string, unknown>,
  stored: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const row: Record<string, unknown> = stored ? { ...stored } : {};
  for (const { name, default: begins, rows } of field.rows!) {
    if (rows) row[name] ??= [];
    else if (name in said) row[name] = said[name];
    else if (!stored) row[name] = structuredClone(begins) ?? null;
  }
  return row;
}

/** Whether a sheet with this name, possibly written by hand, contains the rows. */
export const isSheetOf = ({ name }: RowsSheet, other: string): boolean =>
  name.toLowerCase() === other.trim().toLowerCase();

/** The editable rows; computed rows are only shown. */
export const isEntered = ({ field, within }: RowsSheet): boolean =>
  !field.readOnly && within?.readOnly !== true && !field.part?.filled && !within?.part?.filled;

/** Columns of an export: the key, then the columns that a sheet can contain. */
export const exportedFields = ({ screen }: RowsSheet): Field[] =>
  screen.fields.filter((field) => fieldType(field.type).can.excel);
