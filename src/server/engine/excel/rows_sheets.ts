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
/** Of rows in a tree: the group whose figures a line has, and the place of a row in the list. */
const GROUP = 'group__';
const ORDER = 'order__';
/** Levels that Excel's outline has. */
const MAX_LEVELS = 7;

/** Child rows of a field as a sheet of their own: each row names its record by the record's key. */
export interface RowsSheet {
  field: Field;
  /** Name of the sheet. */
  name: string;
  /** Of rows within rows: the rows that they are in, named by their place, from 1 on. */
  within?: Field;
  /** Fields of the record that name it. */
  key: string[];
  /** The record type of a row of the sheet: the key first, then the columns. */
  screen: Screen;
}

/**
 * The sheets of a type's child rows; none where no key names each of its records. Secrets do not travel, and rows that have
 * some would lose them: those rows do not either, nor do rows of which some people do not see all.
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
      .slice(0, LONGEST_NAME);
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

/** The column that says in which row of a record rows within rows are. */
const placeField = ({ title }: Field): Field => ({
  name: PLACE,
  type: 'integer',
  title: `Row of ${title}`,
  required: true,
  schema: { type: 'integer', minimum: 1 },
  secret: false,
  readOnly: false,
});

/** Columns of rows that stand in a tree: they are never filled by hand. */
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

/** Whether a column of a sheet is to be filled by hand. */
export const isFilledByHand = ({ name }: Field): boolean => name !== GROUP && name !== ORDER;

/** The rows of a sheet as they are entered: figures of groups are passed over, and rows are in the order of their list. */
export function enteredRows(rows: readonly BroughtRow[]): BroughtRow[] {
  const placeOf = ({ record }: BroughtRow) => (typeof record[ORDER] === 'number' ? record[ORDER] : Infinity);
  const entered = rows.filter(({ record }) => (record[GROUP] ?? null) === null);
  return entered.some((row) => placeOf(row) !== Infinity)
    ? entered.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)))
    : entered;
}

/** A line of a sheet, and how deep in the outline it stands. */
export interface OutlinedLine {
  record: Record<string, unknown>;
  level: number;
}

/** Rows of a record, as a sheet has them, in the order of their tree, with the figures of its groups. */
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

/** The rows of the record, or of each of its rows, as a sheet brings them. */
export interface BroughtRow {
  row: number;
  record: Record<string, unknown>;
}

/** Puts rows within rows into the rows of a record. @returns what names a row that is not there */
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

/** The cells of a record's rows as a list writes them, with the record's key. */
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

/** The key of a row, by the names that its record has for the fields. */
export function keyOfRow({ key }: RowsSheet, record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(key.map((name) => [name, record[`${KEY}${name}`] ?? null]));
}

/** A row as it will be: what the sheet says over what is stored in its place, or over the defaults of a new one. */
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

/** Whether a sheet of this name, written by hand perhaps, is that of the rows. */
export const isSheetOf = ({ name }: RowsSheet, other: string): boolean =>
  name.toLowerCase() === other.trim().toLowerCase();

/** The rows that people enter; computed ones are only shown. */
export const isEntered = ({ field, within }: RowsSheet): boolean =>
  !field.readOnly && within?.readOnly !== true && !field.part?.filled && !within?.part?.filled;

/** Columns of an export: the key, then the columns that a sheet can hold. */
export const exportedFields = ({ screen }: RowsSheet): Field[] =>
  screen.fields.filter((field) => fieldType(field.type).can.excel);
