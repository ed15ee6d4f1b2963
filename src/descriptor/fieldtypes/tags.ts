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

/** The fixed words that a field takes; none where people write words of their own. */
export const fixedTags = (field: Field): string[] => (field.schema.items?.enum ?? []).map(String);

/** A word as people read it: one of a fixed list has its label, and a name of a field is in words. */
export function tagLabel(field: Field, tag: string): string {
  const labels = (field.schema.items?.['x-labels'] ?? {}) as Record<string, string>;
  const isCode = field.fieldsOf !== undefined || fixedTags(field).includes(tag);
  return labels[tag] ?? (isCode ? humanise(tag) : tag);
}

/** The stored word for what a person wrote: a label or the word itself. */
function tagOf(field: Field, written: string): string {
  const text = written.toLowerCase();
  return fixedTags(field).find((tag) => tagLabel(field, tag).toLowerCase() === text || tag === text) ?? written;
}

/** Words of a person's own, or several of a fixed list. */
export const tags: FieldType = {
  name: 'tags',
  sql: () => 'text[]',
  filter: 'text',
  widget: 'tags',
  can: { ...SHORT_VALUE, sort: false, fixed: true },
  parse: (input, field) => ({ value: [...new Set(list(input).map((tag) => tagOf(field, tag)))] }),
  format: (value, field) => (Array.isArray(value) ? value.map((tag) => tagLabel(field, String(tag))).join(', ') : ''),
  // What is no text stays as it came, and is refused.
  clean: (value) => (Array.isArray(value) && value.every((part) => typeof part === 'string') ? list(value) : value),
};
