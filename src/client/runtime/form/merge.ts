import type { Field, Screen } from '../../../descriptor/types.ts';
import { mergeRows } from './merge_rows.ts';
import type { Values } from './values.ts';
import { isChanged, sameValue } from './values.ts';

export interface Conflict {
  field: Field;
  mine: unknown;
  theirs: unknown;
}

export interface Merge {
  /** My values, with the fields that only the others changed. */
  values: Record<string, unknown>;
  /** Fields that only the others changed. */
  taken: Field[];
  /** Fields that both changed differently. */
  conflicts: Conflict[];
}

/**
 * Three-way merge: changes by one side are kept; if both changed the same field, the person decides. Child rows are
 * merged row by row.
 */
export function merge(screen: Screen, base: Values, mine: Values, theirs: Values): Merge {
  const values: Record<string, unknown> = { ...theirs };
  const taken: Field[] = [];
  const conflicts: Conflict[] = [];
  for (const field of screen.fields) {
    const label = `${field.name}__label`;
    if (field.readOnly) continue;
    const iChanged = isChanged(field, mine, base);
    const theyChanged = !sameValue(field, theirs[field.name], base[field.name]);
    if (iChanged && theyChanged && field.rows) {
      const rows = mergeRows(field.rows, listOf(base, field), listOf(mine, field), listOf(theirs, field));
      values[field.name] = rows.rows;
      if (rows.conflict) conflicts.push({ field, mine: rows.rows, theirs: theirs[field.name] });
    } else if (iChanged) {
      values[field.name] = mine[field.name];
      if (label in mine) values[label] = mine[label];
      if (theyChanged && !sameValue(field, mine[field.name], theirs[field.name])) {
        conflicts.push({ field, mine: mine[field.name], theirs: theirs[field.name] });
      }
    } else if (theyChanged) taken.push(field);
  }
  return { values, taken, conflicts };
}

const listOf = (values: Values, { name }: Field): Values[] => (Array.isArray(values[name]) ? values[name] : []);

/** The merged values, with the others' values for the fields given up. */
export function withTheirs(values: Values, theirs: Values, names: ReadonlySet<string>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...values };
  for (const name of names) {
    result[name] = theirs[name] ?? null;
    if (`${name}__label` in theirs || `${name}__label` in result)
      result[`${name}__label`] = theirs[`${name}__label`] ?? null;
  }
  return result;
}
