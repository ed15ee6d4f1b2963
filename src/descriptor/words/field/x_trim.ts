import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Zeros at the end of the decimals are not shown. */
    trim?: true;
  }
}

export const xTrim = defineWord<true>({
  name: 'x-trim',
  on: 'field',
  shape: { description: 'Zeros at the end of the decimals are not shown.', const: true },
  compile: (written, { field, source, at }) => {
    if (!written) return;
    if (field.type !== 'decimal')
      source.report([...at, 'x-trim'], `"${field.name}" has no decimals.`, 'Write { "$ref": "types#decimal" }.');
    else field.trim = true;
  },
  chapter: 'Numbers and dates',
  doc: [
    '**`x-trim`** shows a decimal without the zeros at its end: 44, not 44.0000. For figures of all sorts of units in one',
    'column; the stored value keeps its decimals.',
  ],
  example: [{ part: { actual: { $ref: 'types#decimal', 'x-precision': 6, 'x-trim': true } } }],
});
