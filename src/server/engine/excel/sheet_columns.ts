import { tidy } from '../../../descriptor/fieldtypes/plain_text.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { kindFields } from '../../../descriptor/reference_by.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { numberField } from './sheet_number.ts';
import { openingFields } from '../../../descriptor/workflow.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { ERROR_HEAD } from './error_sheet.ts';

/**
 * The fields that nobody enters and that tell which record a row means: the first key of a type whose records people do
 * not add. Each row changes the record with these values.
 */
export function keyOfStored({ routes, unique, fields, written }: Screen): string[] {
  if (routes.add !== null || routes.edit === null || written) return [];
  const ofKey = (name: string) => fields.find((field) => field.name === name);
  const isReadable = (field: Field | undefined) =>
    field !== undefined && fieldType(field.type).can.excel && !field.hidden && !field.secret && !field.visible;
  const key = unique.find((names) => names.every((name) => isReadable(ofKey(name)))) ?? [];
  return key.some((name) => ofKey(name)?.readOnly) ? key : [];
}

/** The page rights that an import needs: one that only changes records needs no right to add them. */
export const importPages = (screen: Screen): readonly ('add_screen' | 'edit_screen')[] =>
  keyOfStored(screen).length > 0 ? ['edit_screen'] : ['add_screen', 'edit_screen'];

/**
 * The fields of a screen that a sheet can import, in the order of the form: the same fields that the form lets people
 * change. An automatic number is included: it identifies the record of a row; a row without one is a new record. So are
 * the key of records that people do not add, and the state and the number with which an import may create records.
 */
export function importFields(screen: Screen): Field[] {
  const kinds = kindFields(screen.fields);
  const opening = openingFields(screen);
  const key = keyOfStored(screen);
  return screen.fields.filter(
    (field) =>
      fieldType(field.type).can.excel &&
      field.formula === undefined &&
      !field.secret &&
      !field.hidden &&
      // Whether a person sees it depends on the record.
      field.visible === undefined &&
      // A record of any type has no unambiguous name; its type field stays with it.
      !field.refBy &&
      !kinds.has(field.name) &&
      (!field.readOnly ||
        field.name === numberField(screen) ||
        opening.includes(field.name) ||
        key.includes(field.name)),
  );
}

/** The heading of a field's column: title, unit, and a star if it is required. */
export function head(field: Field): string {
  return `${field.title}${unitOf(field) ? ` (${unitOf(field)})` : ''}${field.required ? ' *' : ''}`;
}

/** Headings are compared ignoring case, star, unit and repeated spaces, so that a tidied sheet still fits. */
function normal(text: string): string {
  return text
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[*:_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Headings of the columns that every record has in an export, and of the error column. */
const OF_RECORDS = ['Active', 'Created on', 'Created by', 'Changed on', 'Changed by', ERROR_HEAD].map(normal);

/** The person's choice for one heading: the field of its column, or null = it is left out. */
export interface ColumnChoice {
  heading: string;
  field: string | null;
}

export interface ColumnMap {
  /** The text of each column's heading, by which it is chosen; a repeated heading has its number appended. */
  headings: string[];
  /** The field of each column; null = none. */
  columns: (Field | null)[];
  /** The read-only field that a column shows; null = none. */
  readOnly: (Field | null)[];
  /** Columns that somebody assigned or left out. */
  chosen: Set<number>;
  /** Columns with unknown headings. */
  unknown: { index: number; heading: string }[];
  /** Columns whose field another column already has. */
  doubled: { index: number; heading: string; field: Field }[];
  /** The number of known headings, including those without a field. */
  known: number;
  /** Required fields without a column. */
  missing: Field[];
}

/** Fields by their headings: their titles in form and list, and their names. */
function byHead(screen: Screen, fields: Field[]): Map<string, Field> {
  const named = new Map<string, Field>();
  for (const field of fields) {
    named.set(normal(field.name), field);
    named.set(normal(field.name.replace(/_id$/, '')), field);
  }
  for (const field of fields) {
    const title = screen.grid.find((column) => column.field === field.name)?.title;
    if (title !== undefined) named.set(normal(title), field);
  }
  // Titles win over names where the two clash.
  for (const field of fields) named.set(normal(field.title), field);
  return named;
}

/** Heading texts, each once. */
function headingsOf(heads: unknown[]): string[] {
  const used = new Set<string>();
  return heads.map((head) => {
    const text = typeof head === 'string' || typeof head === 'number' ? tidy(String(head)) : '';
    let heading = text;
    for (let number = 2; heading !== '' && used.has(heading); number++) heading = `${text} (${number})`;
    used.add(heading);
    return heading;
  });
}

/** Matches the heading row of a sheet to the fields: by choice, otherwise by title, title with unit, or field name. */
export function mapColumns(screen: Screen, heads: unknown[], choices: ColumnChoice[] = []): ColumnMap {
  const fields = importFields(screen);
  const imported = byHead(screen, fields);
  const shown = byHead(screen, [...screen.fields, ...(screen.counts ?? [])]);
  const choiceOf = new Map(choices.map(({ heading, field }) => [heading, field]));
  const headings = headingsOf(heads);
  const map: ColumnMap = {
    headings,
    columns: headings.map(() => null),
    readOnly: headings.map(() => null),
    chosen: new Set(),
    unknown: [],
    doubled: [],
    known: 0,
    missing: [],
  };
  const used = new Set<Field>();
  const take = (index: number, field: Field) => {
    if (used.has(field)) {
      map.doubled.push({ index, heading: headings[index]!, field });
      return;
    }
    used.add(field);
    map.columns[index] = field;
    map.known++;
  };
  for (const [index, heading] of headings.entries()) {
    if (heading === '' || choiceOf.has(heading)) continue;
    const field = imported.get(normal(heading));
    if (field) {
      take(index, field);
      continue;
    }
    const readOnly = shown.get(normal(heading)) ?? null;
    map.readOnly[index] = readOnly;
    if (readOnly === null && !OF_RECORDS.includes(normal(heading))) map.unknown.push({ index, heading });
    else map.known++;
  }
  for (const [index, heading] of headings.entries()) {
    const choice = heading === '' ? undefined : choiceOf.get(heading);
    if (choice === undefined) continue;
    map.chosen.add(index);
    const field = fields.find(({ name }) => name === choice);
    if (field) take(index, field);
    else map.known++;
  }
  map.missing = fields.filter((field) => field.required && field.default === undefined && !used.has(field));
  return map;
}
