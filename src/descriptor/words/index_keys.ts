import { checkKeys } from './keys.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    index?: string[][];
  }
  interface ScreenWords {
    index: string[][];
  }
}

export const index = defineWord<string[][]>({
  name: 'index',
  on: 'screen',
  shape: {
    description: 'Keys that lists are often searched or sorted by.',
    $ref: '#/$defs/keys',
    examples: [[['status', 'due_on']]],
  },
  definitions: {
    keys: {
      description: 'A list of keys, each a list of fields.',
      type: 'array',
      items: { $ref: '#/$defs/fieldNames' },
    },
  },
  compile: (written = []) => ({ index: written }),
  check: (check) => checkKeys(check, 'index', check.descriptor.index),
  chapter: 'Checks',
  doc: ['**`index`**: keys that large lists are searched or sorted by.'],
  example: [{ part: { index: [['status', 'due_on']] } }],
});
