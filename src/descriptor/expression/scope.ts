import { fromPlain } from './value.ts';
import type { Value } from './value.ts';
import { decimalOf } from '../fieldtypes/decimal_numbers.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import type { Expression } from './compile_expression.ts';
import type { Field } from '../types.ts';

type Row = Readonly<Record<string, unknown>>;

/** Fields and their values; in child rows, the row takes precedence over the record. */
export interface Layer {
  fields: Field[];
  record: Row;
}

const indexes = new WeakMap<Field[], Map<string, Field>>();

/** Fields by name, made once for each list of fields. */
export function fieldIndex(fields: Field[]): Map<string, Field> {
  let index = indexes.get(fields);
  if (!index) indexes.set(fields, (index = new Map(fields.map((field) => [field.name, field]))));
  return index;
}

/** A field's value in the form used by expressions: decimals (texts on the wire) are exact. */
export function valueOf(field: Field, value: unknown): Value {
  return typeof value === 'string' && fieldType(field.type).filter === 'number'
    ? fromPlain(decimalOf(value))
    : fromPlain(value);
}

/** The names that expressions need, and the columns they need of child rows. */
export function needsOf(expressions: Iterable<Pick<Expression, 'names'>>): Map<string, Set<string>> {
  const needs = new Map<string, Set<string>>();
  for (const { names } of expressions)
    for (const name of names) {
      const [head, column] = name.split('.') as [string, string | undefined];
      const columns = needs.get(head) ?? new Set();
      if (column !== undefined) columns.add(column);
      needs.set(head, columns);
    }
  return needs;
}

/** Only the values in `needs`: a record may have a thousand rows of forty columns. */
export function scopeFor(needs: ReadonlyMap<string, ReadonlySet<string>>, ...layers: Layer[]): Record<string, Value> {
  const scope: Record<string, Value> = {};
  for (const [name, columns] of needs) {
    const layer = layers.find(({ fields }) => fieldIndex(fields).has(name)) ?? layers.at(-1)!;
    const field = fieldIndex(layer.fields).get(name);
    const value = layer.record[name];
    if (!field) scope[name] = fromPlain(value);
    else if (field.rows) scope[name] = rowValues(field.rows, value, columns);
    else scope[name] = valueOf(field, value);
  }
  return scope;
}

function rowValues(fields: Field[], rows: unknown, columns: ReadonlySet<string>): Value {
  if (!Array.isArray(rows)) return [];
  const index = fieldIndex(fields);
  const wanted = [...columns].flatMap((name) => index.get(name) ?? []);
  return rows.map((row: Row | null) => {
    const values: Record<string, Value> = {};
    for (const field of wanted) values[field.name] = valueOf(field, row?.[field.name]);
    return values;
  });
}
