import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    description?: string;
  }
  interface ScreenWords {
    description?: string;
  }
}

export const description = defineWord<string>({
  name: 'description',
  on: 'screen',
  shape: {
    description: 'One sentence below the heading about the purpose of the list.',
    type: 'string',
    maxLength: 300,
  },
  compile: (written) => (written ? { description: written } : {}),
  chapter: 'What it is',
  doc: ['**`description`** is a sentence below the heading of the page.'],
  example: [{ part: { description: 'What we buy, from whom and until when.' } }],
});
