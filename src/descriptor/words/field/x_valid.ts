import { checkRowRanges, compileRowRange } from './row_ranges.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: ranges that must not overlap within a record. */
    rowRanges?: RangeKey[];
  }
}

export const xValid = defineWord<Parameters<typeof compileRowRange>[1]>({
  name: 'x-valid',
  on: 'field',
  shape: {
    description: 'For child rows: date ranges that must not overlap within a record.',
    $ref: '#/$defs/rowRange',
    examples: [{ from: 'from', to: 'to', key: ['employee_id'] }],
  },
  definitions: {
    rowRange: {
      description: 'A range of dates of child rows.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: { description: 'Field with the first day; empty = no start.', $ref: '#/$defs/fieldName' },
        to: { description: 'Field with the last day; empty = open-ended.', $ref: '#/$defs/fieldName' },
        key: { description: 'Key fields: ranges with the same values must not overlap.', $ref: '#/$defs/fieldNames' },
        gapless: { description: 'No gaps between rows.', type: 'boolean' },
      },
    },
  },
  compile: (written, compiling) => compileRowRange('valid', written, compiling),
  check: (field, one) => checkRowRanges('valid', field, one),
  chapter: 'Child rows',
  doc: [
    '**`x-valid`** names columns that are date ranges, which must not overlap within a record: `from`, `to` and `key` as in',
    '`valid`. With `gapless`, the ranges must follow one another without a gap; this is checked while typing.',
  ],
});
