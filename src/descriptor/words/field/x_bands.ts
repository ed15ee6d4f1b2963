import { checkRowRanges, compileRowRange } from './row_ranges.ts';
import { defineWord } from '../word.ts';

export const xBands = defineWord<Parameters<typeof compileRowRange>[1]>({
  name: 'x-bands',
  on: 'field',
  shape: {
    description: 'For child rows: ranges of numbers that must not overlap within a record.',
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
        from: { description: 'Field with the lowest value; empty = no lower limit.', $ref: '#/$defs/fieldName' },
        to: { description: 'Field with the highest value; empty = no upper limit.', $ref: '#/$defs/fieldName' },
        key: { description: 'Key fields: ranges with the same values must not overlap.', $ref: '#/$defs/fieldNames' },
        step: {
          description:
            'Distance between the end of one band and the start of the next; default 1 for whole numbers, otherwise 0.',
          type: 'number',
          minimum: 0,
        },
        gapless: { description: 'No gaps between rows.', type: 'boolean' },
      },
    },
  },
  compile: (written, compiling) => compileRowRange('bands', written, compiling),
  check: (field, one) => checkRowRanges('bands', field, one),
  chapter: 'Child rows',
  doc: ['**`x-bands`** does the same for numbers: `from`, `to`, `key` and `step` as in `bands`, and `gapless`.'],
});
