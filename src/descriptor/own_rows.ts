import type { Field, Screen } from './types.ts';

/** The columns of rows that the type keeps itself; those of parts are in the table of their own type. */
export function ownRows(field: Field): Field[] | undefined {
  return field.part ? undefined : field.rows;
}

/** The field of a type by which it refers to another, "rows_field.column" of child rows. */
export function referrer(screen: Screen | undefined, path: string): Field | undefined {
  const [first, inner] = path.split('.');
  const field = screen?.fields.find(({ name }) => name === first);
  return inner === undefined ? field : field && ownRows(field)?.find(({ name }) => name === inner);
}
