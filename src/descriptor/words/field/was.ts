import { defineWord } from '../word.ts';

/** Former names are compared with each other in compile_fields.ts, where all fields of a record are at hand. */
export const was = defineWord<string | string[]>({
  name: 'was',
  on: 'field',
  shape: {
    description: 'The former name of the field, or several: its values, rights and history move to the new one.',
    type: ['string', 'array'],
    items: { type: 'string' },
    minItems: 1,
    examples: ['colour', ['colour', 'color']],
  },
  compile: (written, { field }) => {
    const names = [written ?? []].flat();
    if (names.length > 0) field.was = names;
  },
  chapter: 'A field of another name',
  doc: [
    '**`was`** gives the former name of a field, or several. The column is renamed with all its values; rights,',
    "the client's own settings of the field, saved views, quick links and bookmarks of lists, chosen columns of",
    'lists and imports, messages of Mail configuration, conditions of approval processes, patterns of number series,',
    'import jobs from outside, uploaded files and history follow. A type with `overlay` must offer the new name in',
    'its `field` wherever a client has set the old one. It works in child rows, and for the child rows themselves.',
    'Leave it in the file: history written under the old name is read through it. Without `was` a new name is a new,',
    'empty field, and the old one is refused its removal.',
    '',
    'What stored values do not allow (shorter texts, fewer choices, another `x-ref`, another `scope` …) does not',
    'go live: the version accepted last stays in force until the values are corrected or it is done on purpose',
    '(`docs/operators.md`, Changes of tables).',
  ],
  example: [
    {
      part: {
        make: { $ref: 'types#text', was: 'brand' },
        steps: {
          type: 'array',
          was: ['stages', 'phases'],
          items: { properties: { days: { $ref: 'types#integer', was: 'duration' } } },
        },
      },
    },
  ],
});
