import { SHORT_VALUE } from './can.ts';
import type { FieldType } from './field_type.ts';
import { tidy } from './plain_text.ts';
import { written } from './written.ts';

const list = (input: unknown) => [
  ...new Set(
    (Array.isArray(input) ? input : written(input).split(',')).map((part) => tidy(String(part))).filter(Boolean),
  ),
];

/** Words of a person's own. */
export const tags: FieldType = {
  name: 'tags',
  sql: () => 'text[]',
  filter: 'text',
  widget: 'tags',
  can: { ...SHORT_VALUE, sort: false, fixed: true },
  parse: (input) => ({ value: list(input) }),
  format: (value) => (Array.isArray(value) ? value.join(', ') : ''),
  // What is no text stays as it came, and is refused.
  clean: (value) => (Array.isArray(value) && value.every((part) => typeof part === 'string') ? list(value) : value),
};
