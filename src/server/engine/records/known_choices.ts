import type { Field } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

const hasChoices = (fields: readonly Field[]): boolean =>
  fields.some(({ type, rows }) => type === 'enum' || (rows && hasChoices(rows)));

/**
 * The record for the functions of a module: an enum value that is not an option is empty, in rows too. The checks of
 * the descriptor refuse such a value separately.
 */
export function withKnownChoices(fields: readonly Field[], record: Row): Row {
  const known = { ...record };
  for (const { name, type, options, rows } of fields) {
    const value = record[name] ?? null;
    if (type === 'enum' && options && value !== null && !options.some((option) => option.value === value))
      known[name] = null;
    else if (rows && Array.isArray(value) && hasChoices(rows))
      known[name] = (value as unknown[]).map((row) =>
        row !== null && typeof row === 'object' ? withKnownChoices(rows, row as Row) : row,
      );
  }
  return known;
}
