import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** A copy of the record starts without the value. */
    uncopied?: true;
  }
}

export const xCopied = defineWord<false>({
  name: 'x-copied',
  on: 'field',
  shape: { description: 'False: a copy of the record starts without this value.', const: false },
  compile: (written, { field }) => {
    if (written === false) field.uncopied = true;
  },
  chapter: 'Locked and hidden fields',
  doc: [
    '**`x-copied`**: with `false`, a copy of the record starts without the value: what belongs to one thing only, such',
    'as its serial number or photos. Values that must be unique are never copied.',
  ],
  example: [{ part: { serial_no: { $ref: 'types#text', 'x-copied': false } } }],
});
