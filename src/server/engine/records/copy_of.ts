import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';

/** Values for a new record copied from another one, without what must be unique or belongs to that one only. */
export function copyOf(screen: Screen, record: WireRecord): Record<string, unknown> {
  const unique = new Set(screen.unique.filter((key) => key.length === 1).flat());
  const copy: Record<string, unknown> = {};
  for (const field of screen.fields) {
    // Read-only values would be shown but not stored.
    if (
      field.secret ||
      (field.readOnly && !field.fetch) ||
      field.uncopied ||
      unique.has(field.name) ||
      field.name === screen.number?.field ||
      field.formula !== undefined
    )
      continue;
    const value = record[field.name];
    // A copy is a new record: it starts in the first state.
    if (field.name === screen.workflow?.field) continue;
    copy[field.name] =
      field.rows && Array.isArray(value)
        ? value.map((row: Record<string, unknown>) => freshRow(field.rows!, row))
        : value;
    const label = record[`${field.name}__label`];
    if (label !== undefined) copy[`${field.name}__label`] = label;
  }
  return copy;
}

/**
 * A row as a new one: without its id and version and those of its own rows, and for a part without its number and
 * state.
 */
function freshRow(
  columns: readonly Field[],
  { id: _id, version: _version, ...row }: Record<string, unknown>,
): Record<string, unknown> {
  const fresh = { ...row };
  for (const column of columns) {
    const value = fresh[column.name];
    if (column.rows && Array.isArray(value))
      fresh[column.name] = value.map((inner: Record<string, unknown>) => freshRow(column.rows!, inner));
  }
  return fresh;
}
