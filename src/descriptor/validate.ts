import { Decimal } from 'decimal.js';
import { compileExpression } from './expression/compile_expression.ts';
import { fieldIndex, needsOf, scopeFor } from './expression/scope.ts';
import type { Layer } from './expression/scope.ts';
import { ExpressionError } from './expression/value.ts';
import type { Value } from './expression/value.ts';
import { columnMisfit } from './fieldtypes/column_range.ts';
import { decimalOf, isPlainDecimal } from './fieldtypes/decimal_numbers.ts';
import { grouped } from './money.ts';
import { dayExists } from './fieldtypes/calendar.ts';
import { patternFault } from '../domain/linear_pattern.ts';
import { gstinError } from './fieldtypes/gstin.ts';
import { phoneError } from './fieldtypes/phone_digits.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { formatValue } from './format.ts';
import { atRecord } from './place.ts';
import { reversed, rowRangeErrors } from './ranges.ts';
import type { Field, FieldError, Screen } from './types.ts';
import { rowSet } from './unchanged_rows.ts';

export { hasFormulas, recompute } from './formulas.ts';

type Row = Record<string, unknown>;

/** Properties of a record besides its fields; they belong to the server and are removed. */
const BESIDE = new Set([
  'id',
  'version',
  'active',
  'entity_id',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'from_user',
  'custom',
  '_can',
  '_open',
  '_makes',
  '_as',
  '_from',
]);

/**
 * Normalises received values: text trimmed, codes in capitals, decimals in their standard form, empty text as null.
 * Labels and stamps are removed; an unknown property is an error. Rows that are identical objects in `stored` are
 * already normalised.
 */
export function cleanRecord(
  screen: Screen,
  input: Row,
  stored: Row | null = null,
): { record: Row; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const record = cleanFields(screen.fields, input, '', errors, BESIDE, stored);
  return { record, errors };
}

function cleanFields(
  fields: Field[],
  input: Row,
  path: string,
  errors: FieldError[],
  beside: ReadonlySet<string>,
  stored: Row | null = null,
): Row {
  const byName = fieldIndex(fields);
  const record: Row = {};
  for (const [name, value] of Object.entries(input)) {
    const field = byName.get(name);
    if (!field) {
      if (!beside.has(name) && !/__(label|set|detail)$/.test(name))
        errors.push({ field: path + name, message: `There is no field "${name}".` });
      continue;
    }
    if (value === undefined) continue;
    record[name] = field.rows ? cleanRows(field, value, path, errors, stored) : cleanValue(field, value);
  }
  return record;
}

/** The stored rows of a field: the same objects elsewhere are unchanged rows. */
export const storedRows = (field: Field, stored: Readonly<Row> | null | undefined): ReadonlySet<unknown> =>
  rowSet(stored?.[field.name]);

function cleanRows(field: Field, value: unknown, path: string, errors: FieldError[], stored: Row | null): unknown {
  if (!Array.isArray(value)) return value;
  const known = storedRows(field, stored);
  return value.map((row: unknown, index) => {
    if (known.has(row)) return row;
    if (row === null || typeof row !== 'object' || Array.isArray(row)) {
      errors.push({
        field: `${path}${field.name}.${index}`,
        message: `Row ${index + 1} of ${field.title} has no columns.`,
      });
      return {};
    }
    const { id } = row as Row;
    const clean = cleanFields(field.rows!, row as Row, `${path}${field.name}.${index}.`, errors, ROW_BESIDE);
    return id === undefined || id === null ? clean : { id, ...clean };
  });
}
const ROW_BESIDE = new Set(['id', 'version', 'position', 'parent_id', '_source']);

function cleanValue(field: Field, value: unknown): unknown {
  if (value === null) return null;
  const clean = fieldType(field.type).clean?.(value, field) ?? value;
  return clean === '' ? null : clean;
}

/** The part of an Ajv error used here. */
export interface SchemaError {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Ajv's findings as readable messages, one per field: the error and the correction. */
export function fieldErrors(screen: Screen, errors: readonly SchemaError[] | null | undefined): FieldError[] {
  const found = new Map<string, string>();
  for (const error of errors ?? []) {
    if (error.keyword === 'if' || error.keyword === 'anyOf' || error.keyword === 'allOf') continue;
    const steps = error.instancePath
      .split('/')
      .slice(1)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    const missing = error.params.missingProperty;
    if (typeof missing === 'string') steps.push(missing);
    const path = steps.join('.');
    const field = fieldAt(screen, steps);
    const message = field ? schemaMessage(field, error) : (error.message ?? 'This value is not valid.');
    if (!found.has(path)) found.set(path, message);
  }
  return [...found].map(([field, message]) => ({ field, message }));
}

/** The field at a path: "gstin", "emergency.2.phone", "site.lat". */
function fieldAt(screen: Screen, steps: string[]): Field | undefined {
  const field = screen.fields.find((one) => one.name === steps[0]);
  return field?.rows && steps.length > 2 ? field.rows.find((inner) => inner.name === steps[2]) : field;
}

const FORMATS: Record<string, string> = {
  email: 'an e-mail address such as asha@acme.in',
  phone: 'a phone number with its dial code, such as +91 98400 12345',
  url: 'a web address that begins with https://',
  date: 'a date as DD-MM-YYYY',
  datetime: 'a date and time',
  time: 'a time as HH:MM',
  month: 'a month as MM-YYYY',
  financial_year: 'a financial year as 2025-2026',
  pan: 'a PAN such as ABCDE1234F',
  ifsc: 'an IFSC such as SBIN0001234',
  pincode: 'a pin code of six digits, the first not 0',
  colour: 'a colour such as #0f6cbd',
  code: 'letters, digits, and . _ / & - between them',
  integer: 'a whole number',
  money: 'an amount with at most 2 decimals',
  decimal: 'a number',
  percent: 'a percentage with at most 4 decimals',
  quantity: 'a quantity with at most 3 decimals',
};
/** The pattern of a number that an authority assigns: digits only, or letters and digits, always as many. */
const FIXED_LENGTH = /^\^\[(A-Za-z)?0-9\]\{(\d+)\}\$$/;
const LENGTHS: Record<string, number> = { pan: 10, ifsc: 11, gstin: 15, pincode: 6 };

/** One of Ajv's findings about a field's value, as a readable message. */
export function schemaMessage(field: Field, { keyword, params }: SchemaError): string {
  const { title, type } = field;
  const limit = params.limit;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${title} is required.`;
    case 'minLength':
      return limit === 1 ? `${title} is required.` : `${title} needs at least ${String(limit)} characters.`;
    case 'maxLength':
      return `${title} takes at most ${String(limit)} characters.`;
    case 'minimum':
      return `${title} must be at least ${number(limit)}.`;
    case 'maximum':
      return `${title} must be at most ${number(limit)}.`;
    case 'exclusiveMinimum':
      return `${title} must be more than ${number(limit)}.`;
    case 'exclusiveMaximum':
      return `${title} must be less than ${number(limit)}.`;
    case 'minItems':
      return `${title} needs at least ${String(limit)} ${limit === 1 ? 'entry' : 'entries'}.`;
    case 'maxItems':
      return `${title} takes at most ${String(limit)} entries.`;
    case 'uniqueItems':
      return `${title} names something twice.`;
    case 'enum':
    case 'const':
      return field.options
        ? `${title} is one of ${field.options.map((option) => option.label).join(', ')}.`
        : `${title} has a value that is not allowed.`;
    case 'type':
      return field.required && FORMATS[type] === undefined
        ? `${title} is required.`
        : FORMATS[type]
          ? `Enter ${formatOf(field)}.`
          : `${title} has a value of the wrong kind.`;
    default: {
      if (type === 'email') return `${title} must be valid, such as asha@acme.in.`;
      const fixed = keyword === 'pattern' ? FIXED_LENGTH.exec(String(params.pattern)) : null;
      if (fixed) return `${title} has ${fixed[2]} ${fixed[1] === undefined ? 'digits' : 'letters and digits'}.`;
      return FORMATS[type] ? `Enter ${formatOf(field)}.` : `${title} is not written as expected.`;
    }
  }
}

/** The notation of a field's value. */
function formatOf({ type, precision }: Field): string | undefined {
  return type === 'money' && precision !== undefined ? FORMATS.money!.replace('2', String(precision)) : FORMATS[type];
}

function number(limit: unknown): string {
  return grouped(String(limit));
}

/**
 * Checks of single values that JSON Schema cannot express: check characters, days that exist, limits of exact decimals
 * (which are strings), conditionally required fields, duplicate child rows. In unchanged rows of `stored`, only what
 * depends on other values is checked.
 */
export function semanticErrors(screen: Screen, record: Row, stored: Row | null = null): FieldError[] {
  return atRecord(record, () => valueErrors(screen, record, stored));
}

function valueErrors(screen: Screen, record: Row, stored: Row | null): FieldError[] {
  const errors: FieldError[] = [];
  const outer: Layer = { fields: screen.fields, record };
  check([outer], '', errors);
  for (const field of screen.fields)
    if (field.rows && Array.isArray(record[field.name]))
      errors.push(...rowErrors(field, record[field.name] as unknown[], outer, storedRows(field, stored)));
  return errors;
}

function rowErrors(field: Field, rows: unknown[], outer: Layer, known: ReadonlySet<unknown>): FieldError[] {
  const errors: FieldError[] = [];
  const depends = field.rows!.some(({ requiredWhen, offered }) => requiredWhen !== undefined || offered !== undefined);
  rows.forEach((row, index) => {
    if (row !== null && typeof row === 'object' && (depends || !known.has(row)))
      check([{ fields: field.rows!, record: row as Row }, outer], `${field.name}.${index}.`, errors);
  });
  if (field.uniqueRows) errors.push(...alikeRows(field, field.uniqueRows, rows));
  return errors;
}

/**
 * Rows with the same key as an earlier one. As in the keys of records, case is ignored, and empty values equal nothing.
 */
function alikeRows(field: Field, key: string[], rows: unknown[]): FieldError[] {
  const first = new Map<string, number>();
  return rows.flatMap((row, index) => {
    if (row === null || typeof row !== 'object') return [];
    const values = key.map((name) => (row as Row)[name] ?? '');
    // A row without its first value is not complete yet.
    if (values[0] === '') return [];
    const text = JSON.stringify(
      values.map((value) => (typeof value === 'string' ? value.trim().toLowerCase() : value)),
    );
    const same = first.get(text);
    if (same === undefined) {
      first.set(text, index);
      return [];
    }
    const titles = key
      .filter((_, at) => values[at] !== '')
      .map((name) => field.rows!.find((one) => one.name === name)?.title ?? name);
    return [
      { field: `${field.name}.${index}.${key[0]}`, message: `${titles.join(' and ')}: row ${same + 1} has the same.` },
    ];
  });
}

function check(layers: [Layer, ...Layer[]], path: string, errors: FieldError[]): void {
  const [{ fields, record }] = layers;
  for (const field of fields) {
    const value = record[field.name];
    if (value === null || value === undefined || value === '') {
      if (field.requiredWhen && holdsIn(field.requiredWhen, ...layers))
        errors.push({ field: path + field.name, message: `${field.title} is required.` });
      continue;
    }
    const message = field.refBy
      ? typeMissing(field, fields, record)
      : (valueMessage(field, value) ?? notOffered(field, value, layers));
    if (message !== null) errors.push({ field: path + field.name, message });
  }
}

/** The error of a value that cannot be chosen with the other values, or null. */
function notOffered(field: Field, value: unknown, layers: Layer[]): string | null {
  if (isOffered(field, value, (when) => holdsIn(when, ...layers))) return null;
  const label = field.options?.find((option) => option.value === value)?.label ?? String(value);
  return `${field.title}: ${label} cannot be chosen here. Choose another.`;
}

/** Whether a value of a list can be chosen, given which conditions are true. */
export function isOffered({ offered }: Field, value: unknown, isTrue: (condition: string) => boolean): boolean {
  const conditions = offered?.filter(({ values }) => values.includes(value as string)) ?? [];
  return conditions.length === 0 || conditions.some(({ when }) => isTrue(when));
}

/** A record is given, but not its type. */
function typeMissing({ refBy }: Field, fields: Field[], record: Readonly<Row>): string | null {
  const kind = fields.find(({ name }) => name === refBy!.field);
  // If the person does not see the type, the stored one stays.
  return kind === undefined || typeof record[kind.name] === 'string' ? null : `Choose ${kind.title} first.`;
}

const LIMITS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/** The error in one value that JSON Schema cannot express, or null. */
export function valueMessage(field: Field, value: unknown): string | null {
  const { title, schema, type } = field;
  if (type === 'gstin') return gstinError(String(value));
  if (type === 'phone') return phoneError(String(value));
  if (schema.format === 'regex') return patternFault(String(value));
  if (LENGTHS[type] !== undefined && String(value).length !== LENGTHS[type])
    return `${title} has ${LENGTHS[type]} characters; this has ${String(value).length}.`;
  if (type === 'date') {
    const [year, month, day] = String(value).split('-').map(Number);
    if (!dayExists(year ?? 0, month ?? 0, day ?? 0)) return 'Enter a date as DD-MM-YYYY.';
  }
  if (field.earliest !== undefined && instant(value) < instant(field.earliest))
    return `${title} cannot be before ${fieldType(type).format(field.earliest, field)}.`;
  if (field.latest !== undefined && instant(value) > instant(field.latest))
    return `${title} cannot be after ${fieldType(type).format(field.latest, field)}.`;
  const sql = fieldType(type).sql(field);
  // The schema checks whether it is a text.
  const misfit = sql === 'text' ? null : columnMisfit(sql, value);
  if (fieldType(type).filter !== 'number' || typeof value !== 'string') return misfit && `${title} ${misfit}.`;
  if (isPlainDecimal(value) && LIMITS.every((limit) => schema[limit] === undefined))
    return misfit && `${title} ${misfit}.`;
  const amount = decimalOf(value);
  if (amount === null) return `Enter ${formatOf(field) ?? 'a number'}.`;
  if (typeof schema.minimum === 'number' && amount.lessThan(schema.minimum))
    return `${title} must be at least ${number(schema.minimum)}.`;
  if (typeof schema.maximum === 'number' && amount.greaterThan(schema.maximum))
    return `${title} must be at most ${number(schema.maximum)}.`;
  if (typeof schema.exclusiveMinimum === 'number' && amount.lessThanOrEqualTo(schema.exclusiveMinimum))
    return `${title} must be more than ${number(schema.exclusiveMinimum)}.`;
  if (typeof schema.exclusiveMaximum === 'number' && amount.greaterThanOrEqualTo(schema.exclusiveMaximum))
    return `${title} must be less than ${number(schema.exclusiveMaximum)}.`;
  return misfit && `${title} ${misfit}.`;
}

/**
 * Values that do not fit their columns, including child rows: the database must not be queried with them. Rows that are
 * identical objects in `stored` were read from their columns and are not checked again.
 */
export function columnErrors(fields: Field[], record: Row, path = '', stored: Row | null = null): FieldError[] {
  return fields.flatMap((field) => {
    const value = record[field.name];
    const at = path + field.name;
    if (!field.rows) {
      const misfit = columnMisfit(fieldType(field.type).sql(field), value);
      return misfit === null ? [] : [{ field: at, message: `${field.title} ${misfit}.` }];
    }
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value)) return [{ field: at, message: `${field.title} is a list of rows.` }];
    const known = storedRows(field, stored);
    return value.flatMap((row: unknown, index): FieldError[] => {
      if (known.has(row)) return [];
      if (row === null || typeof row !== 'object' || Array.isArray(row))
        return [{ field: `${at}.${index}`, message: `A row of ${field.title} is a JSON object.` }];
      const misfit = columnMisfit('bigint', (row as Row).id);
      return [
        ...(misfit === null ? [] : [{ field: `${at}.${index}.id`, message: `The id of a row ${misfit}.` }]),
        ...columnErrors(field.rows!, row as Row, `${at}.${index}.`),
      ];
    });
  });
}

/** Times compare chronologically, days and times of the day as text. */
const instant = (value: unknown): number | string =>
  String(value).includes('T') ? Date.parse(String(value)) : String(value);

/** The result of an expression for these values. @throws ExpressionError */
function evaluate(source: string, layers: Layer[]): Value {
  const expression = compileExpression(source);
  return expression.evaluate(scopeFor(needsOf([expression]), ...layers));
}

/**
 * The whole record (or row) in the form used by expressions, for callers that call `holds` several times with the same
 * values.
 */
export function scopeOf(fields: Field[], record: Readonly<Row>): Record<string, Value> {
  const needs = new Map(fields.map((field) => [field.name, new Set(field.rows?.map((inner) => inner.name))]));
  for (const name of ['id', 'active']) if (record[name] !== undefined) needs.set(name, new Set());
  return scopeFor(needs, { fields, record });
}

/** True if the expression is true for these values of a record; an expression that cannot be computed is not. */
export function holds(source: string, scope: Record<string, Value>): boolean {
  const branch = scope.branch_id ?? null;
  const record = Decimal.isDecimal(branch) ? { branch_id: (branch as Decimal).toNumber() } : {};
  return atRecord(record, () => isTrue(() => compileExpression(source).evaluate(scope)));
}

function holdsIn(source: string, ...layers: Layer[]): boolean {
  return isTrue(() => evaluate(source, layers));
}

function isTrue(evaluated: () => Value): boolean {
  try {
    return evaluated() === true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** Whether an answer left the field out (`_hidden`) because the reader may not see it. */
export function isOutOfSight(
  screen: Screen,
  field: Field,
  { _hidden: hidden }: Row,
  rows?: { fields: Field[]; row: Row },
): boolean {
  const names = (value: unknown, name: string) => Array.isArray(value) && value.includes(name);
  if (!rows) return names(hidden, field.name);
  const of = screen.fields.find((one) => one.rows?.includes(field));
  return names(rows.row._hidden, field.name) || (of !== undefined && names(hidden, `${of.name}.${field.name}`));
}

/** True if a field with `x-when` is shown for this record; for child rows, also with the row. */
export function isShown(screen: Screen, field: Field, record: Row, rows?: { fields: Field[]; row: Row }): boolean {
  if (field.visible !== undefined && isOutOfSight(screen, field, record, rows)) return false;
  if (field.when === undefined) return true;
  const { when } = field;
  const outer: Layer = { fields: screen.fields, record };
  return atRecord(record, () =>
    rows ? holdsIn(when, { fields: rows.fields, record: rows.row }, outer) : holdsIn(when, outer),
  );
}

/**
 * Violated rules across fields. A rule does not fail while a value is missing. A rule on a row alone is not checked for
 * unchanged rows of `stored`.
 */
export function checkRules(screen: Screen, record: Row, stored: Row | null = null): FieldError[] {
  return screen.rules.length === 0 ? [] : atRecord(record, () => ruleErrors(screen, record, stored));
}

/** Whether a rule uses only the columns of its row: neither the record nor the current day. */
function isOfRow(assert: string, fields: Field[]): boolean {
  const columns = fieldIndex(fields);
  return !/\b(today|now)\s*\(/.test(assert) && compileExpression(assert).names.every((name) => columns.has(name));
}

function ruleErrors(screen: Screen, record: Row, stored: Row | null): FieldError[] {
  const outer: Layer = { fields: screen.fields, record };
  return screen.rules.flatMap((rule) => {
    if (rule.rows === undefined)
      return fails(rule.assert, outer)
        ? [{ field: rule.field ?? '', message: messageInWords(rule.message, outer) }]
        : [];
    const field = screen.fields.find((one) => one.name === rule.rows);
    const fields = field?.rows;
    const rows = record[rule.rows];
    if (!fields || !Array.isArray(rows)) return [];
    const known = storedRows(field, isOfRow(rule.assert, fields) ? stored : null);
    return rows.flatMap((row: Row | null, index) => {
      if (known.has(row)) return [];
      const layers: Layer[] = [{ fields, record: row ?? {} }, outer];
      return row !== null && fails(rule.assert, ...layers)
        ? [
            {
              field: [rule.rows, index, rule.field].filter((step) => step !== undefined).join('.'),
              message: messageInWords(rule.message, ...layers),
            },
          ]
        : [];
    });
  });
}

/** Errors in ranges of the record and of its rows: they end before they begin, or rows overlap. */
export function rangeErrors(screen: Screen, record: Row): FieldError[] {
  return [
    ...(screen.ranges ?? []).flatMap((range) =>
      range.rows === undefined ? reversed(range, screen.fields, record) : [],
    ),
    ...screen.fields.flatMap((field) =>
      Array.isArray(record[field.name])
        ? (field.rowRanges ?? []).flatMap((range) => rowRangeErrors(field, range, record[field.name] as unknown[]))
        : [],
    ),
  ];
}

/** `{total}` in the message of a rule or a guard is the displayed value; `…` for a field hidden from the person. */
export function messageInWords(message: string, ...layers: { fields: Field[]; record: Row }[]): string {
  return message.replace(/\{(\w+)\}/g, (_, name: string) => {
    for (const { fields, record } of layers) {
      const field = fields.find((one) => one.name === name);
      if (field) return formatValue(field, record[name], record as Row) || '–';
    }
    return '…';
  });
}

function fails(source: string, ...layers: Layer[]): boolean {
  try {
    return evaluate(source, layers) === false;
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}
