import { checkRowRanges, compileRowRange } from './row_ranges.ts';
import { defineWord } from '../word.ts';

export const xBands = defineWord<Parameters<typeof compileRowRange>[1]>({
  name: 'x-bands',
  on: 'field',
  shape: {
    description: 'Of child rows: ranges of numbers that may not overlap within a record.',
    $ref: '#/$defs/rowBand',
    examples: [{ from: 'from_score', to: 'to_score', gapless: true }],
  },
  definitions: {
    rowBand: {
      description: 'A range of numbers of child rows.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: { description: 'Field with the lowest value; empty = without a beginning.', $ref: '#/$defs/fieldName' },
        to: { description: 'Field with the highest value; empty = without an end.', $ref: '#/$defs/fieldName' },
        key: { description: 'Fields whose values make the ranges compete.', $ref: '#/$defs/fieldNames' },
        step: {
          description: 'How far behind the end of one band the next begins; default 1 for whole numbers, else 0.',
          type: 'number',
          minimum: 0,
        },
        gapless: { description: 'Nothing may lie between two rows.', type: 'boolean' },
      },
    },
  },
  compile: (written, compiling) => compileRowRange('bands', written, compiling),
  check: (field, one) => checkRowRanges('bands', field, one),
  chapter: 'Child rows',
  doc: ['**`x-bands`** does the same for numbers: `from`, `to`, `key` and `step` as in `bands`, and `gapless`.'],
});
