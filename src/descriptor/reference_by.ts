import type { Field } from './types.ts';

const made = new WeakMap<Field, Map<string, Field>>();

/** A field of type record as a reference to the type given in the row or record; null while no type is given. */
export function asReference(field: Field, row: Readonly<Record<string, unknown>>): Field | null {
  const { refBy } = field;
  const type = refBy && row[refBy.field];
  if (typeof type !== 'string' || !refBy!.types.includes(type)) return null;
  const known = made.get(field) ?? new Map<string, Field>();
  made.set(field, known);
  const found = known.get(type) ?? {
    ...field,
    type: 'ref',
    ref: { type, ...(refBy!.acrossCompanies && { acrossCompanies: true }) },
  };
  known.set(type, found);
  return found;
}

/** Names of the fields that hold the type of the record in another field. */
export function kindFields(fields: readonly Field[]): ReadonlySet<string> {
  return new Set(fields.flatMap(({ refBy }) => (refBy ? [refBy.field] : [])));
}
