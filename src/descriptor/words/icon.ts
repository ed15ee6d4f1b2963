import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    icon?: string;
  }
  interface ScreenWords {
    icon?: string;
  }
}

export const icon = defineWord<string>({
  name: 'icon',
  on: 'screen',
  shape: {
    description: 'Name of a Fluent icon without size and style.',
    type: 'string',
    pattern: '^[A-Z][A-Za-z0-9]*$',
    examples: ['BuildingMultiple'],
  },
  compile: (written) => (written ? { icon: written } : {}),
  chapter: 'What it is',
  doc: [
    '**`icon`** is the name of a [Fluent icon](https://react.fluentui.dev/?path=/docs/icons-catalog--docs)',
    'without size and style.',
  ],
  example: [{ part: { icon: 'BuildingMultiple' } }],
});
