import { defineWord } from '../word.ts';

/** Former names are compared with each other in compile_fields.ts, which has all fields of a record. */
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
  chapter: 'Renamed fields',
  doc: [
    '**`was`** gives the former name of a field, or several. The column is renamed with all its values. Rights, the',
    "client's own settings of the field, saved views, quick links and bookmarks of lists, chosen columns of lists and",
    'imports, messages of Mail configuration, conditions of approval processes, patterns of number series, import jobs from',
    'other systems, uploaded files and history are updated too. A type with `overlay` must offer the new name in its',
    '`field` wherever a client has customised the old one. `was` works in child rows, and for a field of child rows itself.',
    'Leave it in the file: it is needed to read history written under the old name. Without `was` a new name means a new,',
    'empty field, and removing the old one is refused.',
    '',
    'A change that the stored values do not allow (shorter texts, fewer choices, another `x-ref`, another `scope` …) does',
    'not take effect: the last accepted version stays in force until the values are corrected or the change is made on',
    'purpose (`docs/operators.md`, Changes of tables).',
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
