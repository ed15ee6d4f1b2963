import { membersInOrder } from '../../../descriptor/members_in_order.ts';
import { decimalOf } from '../../../descriptor/fieldtypes/decimal_numbers.ts';
import { defaultLooksAt, defaultValue } from '../../../descriptor/default_values.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { isShown } from '../../../descriptor/validate.ts';
import { currentSession } from '../../app/session.ts';
import type { SessionInfo } from '../../app/session.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Nothing entered, however it is spelt. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** True if two values of a field are equivalent: 5 and "5.00" as amounts, rows by their columns, all kinds of empty. */
export function sameValue(field: Field, a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true;
  if (isEmpty(a) || isEmpty(b)) return field.type === 'boolean' && (a ?? false) === (b ?? false) && !field.required;
  if (field.rows) return sameRows(field.rows, a, b);
  if (fieldType(field.type).can.exact) {
    const [x, y] = [decimalOf(a), decimalOf(b)];
    return x !== null && y !== null && x.equals(y);
  }
  if (field.type === 'datetime') return new Date(String(a)).getTime() === new Date(String(b)).getTime();
  if (typeof a === 'object' || typeof b === 'object')
    return JSON.stringify(membersInOrder(a)) === JSON.stringify(membersInOrder(b));
  return false;
}

function sameRows(columns: Field[], a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((row: Values, index) => {
    const other = b[index] as Values;
    return row === other || ((row.id ?? null) === (other.id ?? null) && sameRow(columns, row, other));
  });
}

/** True if two rows are equal in all columns. */
export function sameRow(columns: Field[], row: Values, other: Values): boolean {
  return row === other || columns.every((column) => sameValue(column, row[column.name], other[column.name]));
}

/** A new record: defaults, the person who adds it in fields with that default, and presets of the caller. */
export function newRecord(
  screen: Screen,
  preset: Values = {},
  me: Pick<SessionInfo, 'userId' | 'employeeId'> = currentSession(),
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of screen.fields) {
    values[field.name] = beginsWith(field, me) ?? (field.rows ? [] : null);
  }
  return { ...values, ...preset };
}

/** The initial value of a field in a new record or row: its default, the current day, or the person who adds it. */
export function beginsWith(field: Field, me: Pick<SessionInfo, 'userId' | 'employeeId'> = currentSession()): unknown {
  if (field.begins !== undefined) return defaultLooksAt(field) === 'nothing' ? defaultValue(field, []) : undefined;
  if (field.default !== undefined || !field.defaultMe) return field.default;
  return field.ref?.type === 'employee' ? me.employeeId : me.userId || null;
}

/** The input for JSON Schema: only fields, without labels and empty values. */
export function entered(fields: Field[], values: Values): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (isEmpty(value)) continue;
    result[field.name] =
      field.rows && Array.isArray(value)
        ? value.map((row: Values) => ({ ...(row.id !== undefined && { id: row.id }), ...entered(field.rows!, row) }))
        : value;
  }
  return result;
}

/**
 * A field's value in the form in which it is sent. Rows include their id and their own columns; computed and hidden
 * columns belong to the server.
 */
function sent(screen: Screen, field: Field, values: Values): unknown {
  const value = values[field.name];
  return field.rows ? sentRows(screen, field.rows, value, values) : plain(field, value);
}

/** Rows as they are sent. */
export function sentRows(screen: Screen, columns: Field[], value: unknown, values: Values): unknown[] {
  const rows = Array.isArray(value) ? (value as Values[]) : [];
  return rows.map((row) => {
    const own = columns.filter(
      (column) =>
        !column.readOnly &&
        (row[column.name] !== undefined || !column.secret) &&
        // If it is missing in a new row, the row gets its default.
        !(column.begins !== undefined && isEmpty(row[column.name]) && isEmpty(row.id)) &&
        isShown(screen, column, values, { fields: columns, row }),
    );
    return {
      ...(row.id !== undefined && row.id !== null && { id: row.id }),
      // For a record created from another: the source row.
      ...(row._source !== undefined && { _source: row._source }),
      ...Object.fromEntries(
        own.map((column) => [
          column.name,
          column.rows ? sentRows(screen, column.rows, row[column.name], values) : plain(column, row[column.name]),
        ]),
      ),
    };
  });
}

function plain(field: Field, value: unknown): unknown {
  if (!isEmpty(value)) return value;
  return field.type === 'refs' || field.type === 'tags' ? [] : null;
}

/** The fields that a form sends: hidden ones keep their stored values. */
const sending = (screen: Screen, values: Values) =>
  screen.fields.filter((field) => !field.readOnly && isShown(screen, field, values));

/** All values of a new record; an emptied field with an initial value is sent as empty. */
export function wholePayload(screen: Screen, values: Values): Record<string, unknown> {
  const entered = Object.fromEntries(
    sending(screen, values)
      .filter((field) => {
        const value = values[field.name];
        return (
          value !== undefined &&
          (!isEmpty(value) || field.default !== undefined || field.defaultMe || field.begins !== undefined)
        );
      })
      .map((field) => [field.name, sent(screen, field, values)]),
  );
  return values._from === undefined ? entered : { ...entered, _from: values._from };
}

/** All values of a form, including empty ones, so that the server sees its current state. */
export function typedPayload(screen: Screen, values: Values): Record<string, unknown> {
  return Object.fromEntries(
    sending(screen, values)
      .filter((field) => !field.secret || values[field.name] !== undefined)
      .map((field) => [field.name, sent(screen, field, values)]),
  );
}

/** Only the differences from the record as it was read. */
export function changedPayload(screen: Screen, values: Values, base: Values): Record<string, unknown> {
  return Object.fromEntries(
    sending(screen, values)
      .filter((field) => isChanged(field, values, base))
      .map((field) => [field.name, sent(screen, field, values)]),
  );
}

/** True if the person changed this field. A stored secret is not here: undefined leaves it, null removes it. */
export function isChanged(field: Field, values: Values, base: Values): boolean {
  const value = values[field.name];
  // Rows of a stored record that are saved by cell are sent separately.
  if (field.saveBy === 'row' && typeof base.id === 'number') return false;
  if (field.secret && value === null && base[`${field.name}__set`] === true) return base[field.name] === undefined;
  return !sameValue(field, value, base[field.name]);
}

/** Reads presets from the address: ?city=5, ?name=Chennai. Invalid ones are ignored. */
export function presetFrom(screen: Screen, query: URLSearchParams): Record<string, unknown> {
  const preset: Record<string, unknown> = {};
  for (const field of screen.fields) {
    const text = query.get(field.name);
    if (text === null || field.readOnly || field.rows) continue;
    const parsed = fieldType(field.type).parse(text, field);
    if ('value' in parsed) preset[field.name] = parsed.value;
  }
  return preset;
}

function textOf(screen: Screen, values: Values, name: string): string {
  const field = screen.fields.find((one) => one.name === name);
  const beside = values[`${name}__label`];
  return typeof beside === 'string' ? beside : field ? fieldType(field.type).format(values[name], field) : '';
}

/** A record's name in titles: its first non-empty label field. */
export function recordName(screen: Screen, values: Values): string {
  for (const name of screen.label) {
    const text = textOf(screen, values, name);
    if (text !== '') return text;
  }
  return '';
}

/** The heading of a record's page. */
export function recordHeading(screen: Screen, values: Values): string {
  const parts = (screen.heading ?? []).map((name) => textOf(screen, values, name)).filter((text) => text !== '');
  return parts.length > 0 ? parts.join(' · ') : recordName(screen, values);
}
