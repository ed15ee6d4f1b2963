import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';

/** Fields that make sense with one value for many records: not computed, not secret, not a record's own key. */
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

/** What a person typed or picked as the field's value; empty clears it, where it may be empty. */
export function bulkValue(field: Field, text: string, picked: number[] = []): { value: unknown } | { error: string } {
  if (field.type === 'refs')
    return picked.length === 0 && field.required ? { error: 'Choose at least one.' } : { value: picked };
  if (text.trim() === '') return field.required ? { error: `${field.title} cannot be empty.` } : { value: null };
  return fieldType(field.type).parse(text, field);
}
