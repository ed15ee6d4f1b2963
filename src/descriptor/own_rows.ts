import type { Field, Screen } from './types.ts';

/** The columns of rows that are stored with the type; those of parts are in their own table. */
export function ownRows(field: Field): Field[] | undefined {
  return field.part ? undefined : field.rows;
}

/** The field of a type that refers to another type, "rows_field.column" for child rows. */
export function referrer(screen: Screen | undefined, path: string): Field | undefined {
  const [first, inner] = path.split('.');
  const field = screen?.fields.find(({ name }) => name === first);
  return inner === undefined ? field : field && ownRows(field)?.find(({ name }) => name === inner);
}
