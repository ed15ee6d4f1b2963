import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';

/** Fields for which one value makes sense in many records: not computed, not secret, not a record's own key. */
export function bulkFields(screen: Screen): Field[] {
  const alone = new Set(screen.unique.filter((key) => key.length === 1).flat());
  return screen.fields.filter(
    (field) =>
      fieldType(field.type).can.bulk &&
      !field.readOnly &&
      !field.secret &&
      !field.formula &&
      !alone.has(field.name) &&
      screen.number?.field !== field.name,
  );
}

/** The typed or picked value of the field; empty clears it, if that is allowed. */
export function bulkValue(field: Field, text: string, picked: number[] = []): { value: unknown } | { error: string } {
  if (field.type === 'refs')
    return picked.length === 0 && field.required ? { error: 'Choose at least one.' } : { value: picked };
  if (text.trim() === '') return field.required ? { error: `${field.title} cannot be empty.` } : { value: null };
  return fieldType(field.type).parse(text, field);
}
