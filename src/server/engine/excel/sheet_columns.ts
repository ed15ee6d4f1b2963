import { tidy } from '../../../descriptor/fieldtypes/plain_text.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { kindFields } from '../../../descriptor/reference_by.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { numberField } from './sheet_number.ts';
import { openingFields } from '../../../descriptor/workflow.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { ERROR_HEAD } from './error_sheet.ts';

/**
 * The fields of a screen that a sheet can bring in, in the order of the form: what a form does not let people
 * change, a sheet does not either. An automatic number is among them: it says which record a row means; a row
 * without one is a new record. So are the state and the number that an import may open records with.
 */
export function importFields(screen: Screen): Field[] {
  const kinds = kindFields(screen.fields);
  const opening = openingFields(screen);
  return screen.fields.filter(
    (field) =>
      fieldType(field.type).can.excel &&
      field.formula === undefined &&
      !field.secret &&
      !field.hidden &&
      // Whether somebody sees it depends on the record.
      field.visible === undefined &&
      // A record of any type has no name that means it alone; what it is of stays with it.
      !field.refBy &&
      !kinds.has(field.name) &&
      (!field.readOnly || field.name === numberField(screen) || opening.includes(field.name)),
  );
}

/** The head of a field's column: title, unit, and a star when it must be filled. */
export function head(field: Field): string {
  return `${field.title}${unitOf(field) ? ` (${unitOf(field)})` : ''}${field.required ? ' *' : ''}`;
}

/** Heads are compared without case, star, unit and doubled spaces, so that a tidied-up sheet still fits. */
function normal(text: string): string {
  return text
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[*:_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Heads of what every record has in an export, and of the column that a sheet with errors gets. */
const OF_RECORDS = ['Active', 'Created on', 'Created by', 'Changed on', 'Changed by', ERROR_HEAD].map(normal);

/** What a person says of one heading: the field that its column brings, or null = it is left out. */
export interface ColumnChoice {
  heading: string;
  field: string | null;
}

export interface ColumnMap {
  /** Text of each column's head, by which it is chosen: one that stands there again has its number behind it. */
  headings: string[];
  /** Field of each column of the sheet; null = one that brings nothing. */
  columns: (Field | null)[];
  /** Field that a column shows and nobody may change; null = none. */
  readOnly: (Field | null)[];
  /** Columns that go where somebody chose, or nowhere because somebody left them out. */
  chosen: Set<number>;
  /** Columns whose heads nobody knows. */
  unknown: { index: number; heading: string }[];
  /** Columns whose field another one brings already. */
  doubled: { index: number; heading: string; field: Field }[];
  /** How many heads are known, those that bring nothing among them. */
  known: number;
  /** Required fields that no column brings. */
  missing: Field[];
}

/** Fields by what heads call them: their titles in form and list, and their own names. */
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

/** Texts of heads, each of them once. */
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

/**
 * Matches the head row of a sheet to the fields: as somebody chose, else by title, by title with unit, or by the field's
 * own name.
 */
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
