import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Fields that the heading of a record's page shows, one after another. Default: the first label. */
    heading?: string[];
  }
  interface ScreenWords {
    heading?: string[];
  }
}

export const heading = defineWord<string[]>({
  name: 'heading',
  on: 'screen',
  shape: {
    description: "Fields in the heading of a record's page, one after another. Default: the first of `label`.",
    $ref: '#/$defs/fieldNames',
    examples: [['supplier', 'total']],
  },
  compile: (written) => (written ? { heading: written } : {}),
  check: (check) => {
    checkFieldList(check, 'heading', check.descriptor.heading, check.names);
  },
  overlay: { needs: (screen, field) => (screen.heading?.includes(field) ? 'it is in the heading' : null) },
  chapter: 'The fields',
  doc: [
    "**`heading`**: the fields in the heading of a record's page, where the number alone says too little. Default: the first",
    'field of `label`.',
  ],
  example: [{ part: { heading: ['supplier', 'total'] } }],
});
