import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Once filled in, it cannot be changed. */
    once?: true;
  }
}

export const xOnce = defineWord<boolean>({
  name: 'x-once',
  on: 'field',
  shape: { description: 'Once filled in and saved, it cannot be changed.', type: 'boolean' },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (!field.readOnly && field.formula === undefined) field.once = true;
    else if (known)
      source.report([...at, 'x-once'], `"${field.name}" is never changed by people.`, 'Leave "x-once" out.');
  },
  chapter: 'Locked and hidden fields',
  doc: [
    '**`x-once`**: the field may be filled in in a new record or while it is empty; once saved, it cannot be changed. The',
    'same applies to a column of a row. A value copied by `x-fetch` is copied only while the field is empty.',
  ],
  example: [{ part: { chassis_no: { $ref: 'types#text', maxLength: 30, 'x-once': true } } }],
});
