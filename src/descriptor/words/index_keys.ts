import { checkKeys } from './keys.ts';
import { lookKeys } from './looks.ts';
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
  after: ['looks'],
  // A look gets its own index unless a written key begins with its fields.
  compile: (written = [], { screen: { looks } }) => ({
    index: [...written, ...lookKeys(looks).filter(([first]) => !written.some((key) => key[0] === first))],
  }),
  check: (check) => checkKeys(check, 'index', check.descriptor.index),
  chapter: 'Checks',
  doc: [
    '**`index`**: keys by which large lists are searched or sorted. References need none: each has an index, of the',
    'rows that have a value, unless a key here begins with it.',
  ],
  example: [{ part: { index: [['status', 'due_on']] } }],
});
