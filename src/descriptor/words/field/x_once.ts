import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Once filled in, it stays. */
    once?: true;
  }
}

export const xOnce = defineWord<boolean>({
  name: 'x-once',
  on: 'field',
  shape: { description: 'Once filled in and saved, it stays as it is.', type: 'boolean' },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (!field.readOnly && field.formula === undefined) field.once = true;
    else if (known)
      source.report([...at, 'x-once'], `"${field.name}" is never changed by people.`, 'Leave "x-once" out.');
  },
  chapter: 'Kept as it is',
  doc: [
    '**`x-once`**: the field may be filled in with a new record or while it is empty; once saved, it stays. So does a',
    'column of a row. A value that is copied by `x-fetch` comes while the field is empty, and not after.',
  ],
  example: [{ part: { chassis_no: { $ref: 'types#text', maxLength: 30, 'x-once': true } } }],
});
