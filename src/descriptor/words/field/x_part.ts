import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /**
     * Rows that are records of this type, tied to the record by their reference `by`; `page` shows one; `filled` by
     * functions.
     */
    part?: { type: string; by: string; page: string; filled?: true };
  }
}

export const xPart = defineWord<string>({
  name: 'x-part',
  on: 'field',
  shape: {
    description: 'Rows that are records of this type, which has "part".',
    type: 'string',
    minLength: 1,
    examples: ['contract_line'],
  },
  compile: (written, { field, schema, source, at }) => {
    if (written === undefined) return;
    if (field.type !== 'rows' || schema.items !== undefined) {
      source.report(
        [...at, 'x-part'],
        'Parts are a list whose columns their own type has.',
        'Write { "type": "array", "x-part": "contract_line" }, without "items".',
      );
      return;
    }
    field.part = { type: written, by: '', page: '' };
  },
  check: (field, { check, at }) => {
    if (!field.part) return;
    const { kind, library, ranges = [] } = check.screen;
    if (kind === 'settings' || library)
      check.report([...at, 'x-part'], 'Settings and libraries have no parts.', 'Write the rows under "items".');
    for (const { word, rows } of ranges)
      if (rows === field.name)
        check.report([word], `The rows of "${rows}" are records of a type of their own.`, `Say "${word}" there.`);
    if (field.part.by !== '') return;
    const { type } = field.part;
    const of = check.all.drafts.get(type)?.screen.part?.of;
    if (of === check.screen.name)
      check.report([...at, 'x-part'], `Another field has the rows of "${type}" already.`, 'Name each type once.');
    else if (check.all.drafts.has(type) || !check.all.fileNames.has(type))
      check.report(
        [...at, 'x-part'],
        `"${type}" is no part of this type.`,
        `Write "part": { "of": "${check.screen.name}", "by": "${check.screen.name}_id" } there.`,
      );
  },
  chapter: 'Child rows',
  doc: [
    '**`x-part`** names the type whose records are the rows of a field; that type has [`part`](#parts-and-owners).',
  ],
});
