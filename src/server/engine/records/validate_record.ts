import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  checkRules,
  cleanRecord,
  columnErrors,
  fieldErrors,
  isShown,
  rangeErrors,
  schemaMessage,
  storedRows,
  recompute,
  semanticErrors,
} from '../../../descriptor/validate.ts';
import { productScreen, settingErrors } from '../../../descriptor/overlay.ts';
import { hasHeldFields, heldErrors } from '../../../descriptor/held_fields.ts';
import { productField, targetOf } from '../../../descriptor/setting_fields.ts';
import type { FieldSetting } from '../../../descriptor/setting_fields.ts';
import type { SchemaError } from '../../../descriptor/validate.ts';
import type { Field, FieldError, JsonSchema, Screen } from '../../../descriptor/types.ts';
import { columnsOf } from '../../../descriptor/fills.ts';
import { changeOf, isSame } from './history.ts';
import { isOpened } from '../../../descriptor/opened_fields.ts';
import { withCleanTexts } from './rich_text.ts';
import { unseenErrors } from './unseen_values.ts';

// Ajv's own optimisation doubles the compile time without benefit: V8 optimises frequently used code.
const ajv = new Ajv2020({ strict: false, allErrors: true, addUsedSchema: false, code: { optimize: false } });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

interface Validator {
  check: { readonly whole: ValidateFunction; readonly withoutLengths: ValidateFunction };
  /** Child rows that the schema validates individually. */
  alone: readonly Field[];
}

const compiled = new WeakMap<Screen, Validator>();

/** Enough for all types of the product, and for those that clients have changed. */
const MAX_SHARED = 2_000;
const shared = new Map<string, { schema: JsonSchema; validate: ValidateFunction }>();

/**
 * The function that validates by a schema. Equal schemas share it: those of other clients, and those of types that did
 * not change when descriptors were read again. Compiling one takes milliseconds.
 */
function compileOnce(schema: JsonSchema): ValidateFunction {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  const known = shared.get(key);
  if (known) return known.validate;
  for (const [oldest, { schema: unused }] of shared) {
    if (shared.size < MAX_SHARED) break;
    shared.delete(oldest);
    ajv.removeSchema(unused);
  }
  const validate = ajv.compile(schema);
  shared.set(key, { schema, validate });
  return validate;
}

/** Schema keywords that apply to the rows of a field as a whole. */
const ACROSS = ['if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'not', 'dependentSchemas'];
const OF_LISTS = ['uniqueItems', 'contains', 'prefixItems', ...ACROSS];

/** The validator of a screen's JSON Schema, compiled on first use and cached with the screen. */
function validator(screen: Screen): Validator {
  let made = compiled.get(screen);
  if (!made) {
    const { $id: _id, ...schema } = screen.schema;
    const across = JSON.stringify(ACROSS.map((word) => schema[word] ?? null));
    const alone = screen.fields.filter(
      ({ name, rows, schema: own }) =>
        rows &&
        !across.includes(`"${name}"`) &&
        !OF_LISTS.some((word) => own[word] !== undefined && own[word] !== false),
    );
    let whole: ValidateFunction | undefined;
    let withoutLengths: ValidateFunction | undefined;
    const properties = { ...schema.properties };
    for (const { name } of alone) {
      const { minItems: _min, maxItems: _max, ...rest } = properties[name] ?? {};
      properties[name] = rest;
    }
    made = {
      alone,
      check: {
        get whole() {
          return (whole ??= compileOnce(schema));
        },
        get withoutLengths() {
          return (withoutLengths ??= compileOnce({ ...schema, properties }));
        },
      },
    };
    compiled.set(screen, made);
  }
  return made;
}

/** Whether a chosen reference gives the field its value; its own default is used if that is empty. */
export const copiesFrom = ({ fetch, readOnly }: Field, record: Readonly<Record<string, unknown>>): boolean =>
  fetch !== undefined && !readOnly && (record[fetch.via] ?? null) !== null;

/**
 * Normalises input and computes the server's values (`own`: initial values of a new record that depend on the person);
 * the findings concern single values and unknown names.
 */
export function prepare(
  screen: Screen,
  input: Record<string, unknown>,
  stored: Record<string, unknown> | null,
  own: Record<string, unknown> = {},
): { record: Record<string, unknown>; errors: FieldError[] } {
  const { record: clean, errors } = cleanRecord(screen, input, stored);
  const given = withCleanTexts(screen, clean);
  const record: Record<string, unknown> = {};
  for (const field of screen.fields) {
    const name = field.name;
    if (name === screen.number?.field) {
      if (stored) record[name] = stored[name] ?? null;
      continue;
    }
    if (field.keptFrom && name in given && name in changeOf({ fields: [field] }, stored, given))
      errors.push({ field: name, message: `Your roles let you read ${field.title}, not change it. Leave it out.` });
    if (name in given && !(field.readOnly && field.formula === undefined))
      record[name] = field.rows ? wholeRows(field, field.rows, given[name], stored?.[name], own) : given[name];
    else if (stored && name in stored) record[name] = isOfOtherType(field, given, stored) ? null : stored[name];
    else if (!stored && name in own) record[name] = own[name];
    else if (!stored && field.default !== undefined && !copiesFrom(field, given))
      record[name] = structuredClone(field.default);
    else record[name] = field.rows ? [] : null;
  }
  if (!stored) Object.assign(record, presets(screen));
  if (!isOpened(screen)) errors.push(...findHeldErrors(screen, record, stored, own));
  return { record: recompute(screen, record, stored ? { storedRows: stored } : {}), errors };
}

/**
 * Child rows as they will be stored. Missing values come from the stored row, or from the defaults for a new one, as in
 * the record itself; read-only columns are the server's.
 */
function wholeRows(
  field: Field,
  columns: Field[],
  given: unknown,
  stored: unknown,
  own: Record<string, unknown>,
): unknown {
  if (!Array.isArray(given)) return given;
  const kept = Array.isArray(stored) ? (stored as Record<string, unknown>[]) : [];
  const before = new Map(kept.map((row) => [row.id, row]));
  return given.map((row: unknown, at) => {
    if (row === null || typeof row !== 'object' || Array.isArray(row) || row === kept[at]) return row;
    const sent = row as Record<string, unknown>;
    const old = before.get(sent.id);
    if (old === sent) return old;
    const whole: Record<string, unknown> = sent.id === undefined ? {} : { id: sent.id };
    for (const column of columns) {
      const { name } = column;
      if (name in sent && !(column.readOnly && column.formula === undefined))
        whole[name] = column.rows ? wholeRows(column, column.rows, sent[name], old?.[name], {}) : sent[name];
      else if (old) whole[name] = isOfOtherType(column, sent, old) ? null : (old[name] ?? null);
      else whole[name] = own[`${field.name}.${name}`] ?? ownCopy(column.default) ?? (column.rows ? [] : null);
    }
    // A row sent back unchanged is the stored row: nothing is computed again.
    return old && columns.every((column) => isSame(column, whole[column.name], old[column.name])) ? old : whole;
  });
}

/** Most columns have no default, and copying absent values takes time. */
const ownCopy = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? structuredClone(value) : value;

/**
 * Changed values that are locked now, or can be entered only once (`x-readonly`, `x-once`). `own`: the initial values
 * of a new record.
 */
export function findHeldErrors(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null,
  own: Record<string, unknown> = {},
): FieldError[] {
  if (!hasHeldFields(screen)) return [];
  const begins = () =>
    Object.fromEntries(
      screen.fields.map(({ name, default: value, rows }) => [name, own[name] ?? value ?? (rows ? [] : null)]),
    );
  return heldErrors(screen, record, stored ?? begins(), stored === null, isSame);
}

/** Whether a reference to a record was chosen for a type that has changed since. */
function isOfOtherType({ refBy }: Field, given: Record<string, unknown>, stored: Record<string, unknown>): boolean {
  return refBy !== undefined && refBy.field in given && given[refBy.field] !== (stored[refBy.field] ?? null);
}

/** Values of new records in fields that the client has hidden and that must not be empty. */
export function presets(screen: Screen): Record<string, unknown> {
  return Object.fromEntries((screen.preset ?? []).map(({ name, default: value }) => [name, structuredClone(value)]));
}

/**
 * Findings of schema, rules and values, all at once. Hidden fields are not required, but sent values for them are
 * checked. `unseen`: stored values of fields hidden from this person.
 */
export function findErrors(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null = null,
  unseen?: Record<string, unknown> | null,
): FieldError[] {
  const found = schemaErrors(screen, record, stored);
  const named = new Set(found.map((error) => error.field));
  // Conditions use the id: a record without one is new.
  const known = stored ? { ...record, id: stored.id ?? 0 } : record;
  for (const error of [
    ...semanticErrors(screen, known, stored),
    ...checkRules(screen, known, stored),
    ...unseenErrors(screen, record, unseen),
    ...rowsAddedByHand(screen, record, stored),
  ])
    if (!named.has(error.field) || error.field === '') found.push(error);
  // A rule of the type has a better message.
  const reported = new Set(found.map((error) => error.field));
  found.push(...rangeErrors(screen, record).filter((error) => !reported.has(error.field)));
  return found.filter((error) => counts(screen, error.field, known, stored));
}

/** New rows that only an action may add: a fill sets a column in each of those. */
function rowsAddedByHand(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null,
): FieldError[] {
  if (isOpened(screen)) return [];
  return screen.fields.flatMap((field) => {
    const rows = record[field.name];
    if (field.givenRows !== true || !Array.isArray(rows)) return [];
    const kept = new Set(
      (Array.isArray(stored?.[field.name]) ? (stored[field.name] as Row[]) : []).map(({ id }) => id),
    );
    const filled = (screen.fills ?? []).flatMap(({ sets }) => columnsOf(sets, field.name));
    return (rows as Row[]).flatMap((row, at) =>
      (typeof row.id === 'number' && kept.has(row.id)) || filled.some((name) => (row[name] ?? null) !== null)
        ? []
        : [
            {
              field: `${field.name}.${at}`,
              message: `Rows of ${field.title} cannot be added by hand. Remove this one.`,
            },
          ],
    );
  });
}

type Row = Record<string, unknown>;

/** The findings of the schema. Only changed child rows are validated. */
function schemaErrors(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null,
): FieldError[] {
  const { check, alone } = validator(screen);
  const some = { ...record };
  const places = new Map<string, number[]>();
  const found: FieldError[] = [];
  for (const field of stored ? alone : []) {
    const rows = record[field.name];
    const known = storedRows(field, stored);
    if (!Array.isArray(rows) || !rows.some((row) => known.has(row))) continue;
    const changed = rows.flatMap((row: unknown, at) => (known.has(row) ? [] : [at]));
    places.set(field.name, changed);
    some[field.name] = changed.map((at) => rows[at] as unknown);
    found.push(...lengthErrors(field, rows.length));
  }
  const bare = withoutNulls(some);
  const whole = places.size === 0 ? check.whole : check.withoutLengths;
  if (whole(bare)) return found;
  const reported = fieldErrors(screen, whole.errors as SchemaError[]).map((error) => {
    const [name = '', at, ...rest] = error.field.split('.');
    const place = at === undefined ? undefined : places.get(name)?.[Number(at)];
    return place === undefined ? error : { ...error, field: [name, place, ...rest].join('.') };
  });
  return [...found, ...reported];
}

/** The minimum and maximum number of rows. */
function lengthErrors(field: Field, length: number): FieldError[] {
  return (['minItems', 'maxItems'] as const).flatMap((keyword) => {
    const limit = field.schema[keyword];
    if (typeof limit !== 'number' || (keyword === 'minItems' ? length >= limit : length <= limit)) return [];
    const params = { limit };
    return [{ field: field.name, message: schemaMessage(field, { instancePath: '', keyword, params }) }];
  });
}

/**
 * Whether a finding is reported: for a field hidden by `x-when` only if a value was sent that is not already stored.
 */
function counts(
  screen: Screen,
  path: string,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null,
): boolean {
  const [name = '', at, columnName] = path.split('.');
  const field = screen.fields.find((one) => one.name === name);
  if (!field) return true;
  const isSent = (of: Field, now: Record<string, unknown>, before: Record<string, unknown> | null | undefined) =>
    of.name in changeOf({ fields: [of] }, before ?? {}, now);
  const isFilled = (value: unknown) => value !== null && value !== undefined && value !== '';
  if (!isShown(screen, field, record)) return isFilled(record[name]) && isSent(field, record, stored);
  const column = field.rows?.find((one) => one.name === columnName);
  const row = Array.isArray(record[name]) ? (record[name] as unknown[])[Number(at)] : undefined;
  if (!column?.when || row === null || typeof row !== 'object') return true;
  const now = row as Record<string, unknown>;
  if (isShown(screen, column, record, { fields: field.rows!, row: now })) return true;
  const rows = Array.isArray(stored?.[name]) ? (stored[name] as Record<string, unknown>[]) : [];
  const before = isFilled(now.id) ? rows.find(({ id }) => id === now.id) : undefined;
  return isFilled(now[column.name]) && isSent(column, now, before);
}

/** For a record that customises a field of another type: errors according to that type. */
export function findSettingErrors(
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  record: Record<string, unknown>,
): FieldError[] {
  if (!screen.overlay || record.active === false || unstorable(screen, record).length > 0) return [];
  const setting = record as FieldSetting;
  const of = targetOf(screen.overlay.targets, setting);
  const target = screens.get(of.type);
  if (!target) return [];
  const product = productScreen(target);
  const name = productField(setting);
  const rows = product.fields.find((field) => field.name === of.rows);
  if (name !== null && !(of.rows === null ? product.fields : (rows?.rows ?? [])).some((field) => field.name === name)) {
    const [chosen] = screen.fields
      .filter((field) => field.name === 'of')
      .flatMap(({ options }) => options ?? [])
      .filter(({ value }) => value === of.name);
    return [{ field: 'field', message: `${chosen?.label ?? target.title} has no such field. Choose another.` }];
  }
  return settingErrors(product, screen.overlay.types, { ...setting, of: of.name });
}

/**
 * Values that do not fit their columns: the database must not be queried with them.
 * @param stored the stored record, whose rows need no check
 */
export function unstorable(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null = null,
): FieldError[] {
  return columnErrors(screen.fields, record, '', stored);
}

/** The record without those values, for database queries about the rest of it. */
export function storable(
  screen: Screen,
  record: Record<string, unknown>,
  stored: Record<string, unknown> | null = null,
): Record<string, unknown> {
  const unfit = unstorable(screen, record, stored);
  if (unfit.length === 0) return record;
  const rest = { ...record };
  for (const { field } of unfit) {
    const [name = '', index, column] = field.split('.');
    if (index === undefined) {
      rest[name] = null;
      continue;
    }
    // Values may be exact decimals, which structuredClone does not support: only the list and the row are copied.
    const rows = [...(rest[name] as Record<string, unknown>[])];
    rows[Number(index)] = column === undefined ? {} : { ...rows[Number(index)], [column]: null };
    rest[name] = rows;
  }
  return rest;
}

/** For people, a required field that is null is missing. */
function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null || value === undefined) continue;
    filled[name] = Array.isArray(value)
      ? value.map((item: unknown) =>
          item !== null && typeof item === 'object' && !Array.isArray(item)
            ? withoutNulls(item as Record<string, unknown>)
            : item,
        )
      : value;
  }
  return filled;
}
