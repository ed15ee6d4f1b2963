import { defineWord } from '../word.ts';

/** Compiled with the values, by "enum". */
export const xColours = defineWord<Record<string, string>>({
  name: 'x-colours',
  on: 'field',
  shape: {
    description: 'Colour of each value of a list.',
    type: 'object',
    additionalProperties: { enum: ['neutral', 'brand', 'success', 'warning', 'danger'] },
    examples: [{ open: 'brand', closed: 'neutral' }],
  },
  chapter: 'Lists of values',
  doc: [
    '**`x-colours`** sets the colours of the values: `neutral`, `brand`, `success`, `warning` or `danger`. Charts draw the',
    'bars and series of these values in them, as long as no two of a chart have the same.',
  ],
});
