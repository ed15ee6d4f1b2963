import { humanise } from '../humanise.ts';
import type { Field } from '../types.ts';
import { SHORT_VALUE } from './can.ts';
import type { FieldType } from './field_type.ts';
import { tidy } from './plain_text.ts';
import { written } from './written.ts';

const list = (input: unknown) => [
  ...new Set(
    (Array.isArray(input) ? input : written(input).split(',')).map((part) => tidy(String(part))).filter(Boolean),
  ),
];

/** The fixed values of a field; none if people write their own. */
export const fixedTags = (field: Field): string[] => (field.schema.items?.enum ?? []).map(String);

/** The displayed text of a tag: the label of a fixed value, or a field name as words. */
export function tagLabel(field: Field, tag: string): string {
  const labels = (field.schema.items?.['x-labels'] ?? {}) as Record<string, string>;
  const isCode = field.fieldsOf !== undefined || fixedTags(field).includes(tag);
  return labels[tag] ?? (isCode ? humanise(tag) : tag);
}

/** The stored value for a person's text: a label or the value itself. */
function tagOf(field: Field, written: string): string {
  const text = written.toLowerCase();
  return fixedTags(field).find((tag) => tagLabel(field, tag).toLowerCase() === text || tag === text) ?? written;
}

/** Free keywords, or several values of a fixed list. */
export const tags: FieldType = {
  name: 'tags',
  sql: () => 'text[]',
  filter: 'text',
  widget: 'tags',
  can: { ...SHORT_VALUE, sort: false, fixed: true },
  parse: (input, field) => ({ value: [...new Set(list(input).map((tag) => tagOf(field, tag)))] }),
  format: (value, field) => (Array.isArray(value) ? value.map((tag) => tagLabel(field, String(tag))).join(', ') : ''),
  // A value that is not a text is left unchanged, and refused.
  clean: (value) => (Array.isArray(value) && value.every((part) => typeof part === 'string') ? list(value) : value),
};
