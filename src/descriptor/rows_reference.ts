import { ownRows } from './own_rows.ts';
import type { Field, Screen } from './types.ts';

/** A reference within child rows visible to everybody, as a field named "rows_field.column"; undefined = none. */
export function rowsReference(screen: Screen, path: string): Field | undefined {
  const [first, inner] = path.split('.');
  const outer = inner === undefined ? undefined : screen.fields.find((field) => field.name === first);
  if (!outer || outer.hidden || outer.visible !== undefined) return undefined;
  const column = ownRows(outer)?.find((field) => field.name === inner);
  return column?.ref && !column.hidden && column.visible === undefined ? { ...column, name: path } : undefined;
}
