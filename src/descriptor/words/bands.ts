import { checkRanges, compileRanges } from './range_keys.ts';
import { defineWord } from './word.ts';
import type { WrittenRange } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Ranges of numbers that must not overlap per key. */
    bands?: WrittenRange | WrittenRange[];
  }
}

/** Compiled to `ranges`, like "valid"; "valid" defines the overlay rules for both. */
export const bands = defineWord<WrittenRange | WrittenRange[]>({
  name: 'bands',
  on: 'screen',
  shape: {
    description:
      'Ranges of numbers that must not overlap for the same key, among active records; gaps are reported after saving.',
    anyOf: [{ $ref: '#/$defs/band' }, { type: 'array', minItems: 1, items: { $ref: '#/$defs/band' } }],
    examples: [{ from: 'from_age', to: 'to_age' }],
  },
  definitions: {
    band: {
      description: 'A range of numbers.',
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        from: { description: 'Field with the lowest value; empty = no lower limit.', $ref: '#/$defs/fieldName' },
        to: { description: 'Field with the highest value; empty = no upper limit.', $ref: '#/$defs/fieldName' },
        key: { description: 'Key fields: ranges with the same values must not overlap.', $ref: '#/$defs/fieldNames' },
        rows: {
          description: 'The ranges are those of this rows field, across all records.',
          $ref: '#/$defs/fieldName',
        },
        when: { description: 'Only records that match this filter.', type: 'array', minItems: 2 },
        step: {
          description:
            'Distance between the end of one band and the start of the next; default 1 for whole numbers, otherwise 0.',
          type: 'number',
          minimum: 0,
        },
      },
    },
  },
  after: ['valid'],
  compile: (written, compiling) => compileRanges('bands', written, compiling),
  check: (check) => checkRanges(check, 'bands', check.descriptor.bands),
  chapter: 'Checks',
  doc: [
    '**`bands`**: the same for numbers: weights, ages, likelihoods. Two bands have no value in common; an empty end means',
    'no limit. Bands of whole numbers start one after the end of the previous band (0 to 17, 18 to 24). Other bands start',
    'where the previous one ends (0 to 40, 40 to 60), and that value belongs to the higher band, unless `step` gives the',
    'distance (`0.01`: 0 to 9.99, 10 to 24.99). Overlaps are refused, and the message names the neighbour. Gaps are not',
    'refused: records are saved and deleted one at a time, so gaps are unavoidable while a division changes. The list shows',
    'them above the records until they are closed. An imported file may move the boundary between two bands: it is compared',
    'as a whole.',
  ],
  example: [
    {
      name: 'weight_class',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Weight class',
        access: { screen: 'SCN_WEIGHT_CLASS' },
        schema: {
          required: ['name', 'from_kg'],
          properties: {
            name: { $ref: 'types#name' },
            from_kg: { $ref: 'types#decimal', minimum: 0, 'x-precision': 2 },
            to_kg: { $ref: 'types#decimal', 'x-precision': 2 },
          },
        },
        bands: { from: 'from_kg', to: 'to_kg', step: 0.01 },
      },
    },
  ],
});
