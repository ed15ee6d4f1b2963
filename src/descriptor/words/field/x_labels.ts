import { defineWord } from '../word.ts';

/** Compiled with the values, by "enum". */
export const xLabels = defineWord<Record<string, string>>({
  name: 'x-labels',
  on: 'field',
  shape: {
    description: 'Text of each value of a list. Default: the value in words.',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1 },
    examples: [{ wip: 'In progress' }],
  },
  chapter: 'Lists of values',
  doc: ['**`x-labels`** sets the texts shown for the values (default: derived from the value).'],
});
