import { defineWord } from './word.ts';

export const schemaReference = defineWord<string>({
  name: '$schema',
  on: 'screen',
  shape: {
    description: 'Write "../meta/screen.schema.json": editors use it to complete and explain the words.',
    type: 'string',
    pattern: 'screen\\.schema\\.json$',
    examples: ['../meta/screen.schema.json'],
  },
  compile: () => ({}),
  chapter: 'What it is',
  doc: ['**`$schema`** is always `"../meta/screen.schema.json"`; editors use it to complete the words.'],
});
