import { defineWord } from '../word.ts';

export const description = defineWord<string>({
  name: 'description',
  on: 'field',
  shape: { description: 'Help below the field.', type: 'string', minLength: 1 },
  compile: (written, { field }) => {
    if (written) field.help = written;
  },
  chapter: 'Types',
  doc: [],
});
