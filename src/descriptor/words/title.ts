import { defineWord } from './word.ts';

export const title = defineWord<string>({
  name: 'title',
  on: 'screen',
  required: true,
  shape: {
    description: 'Singular, as in "Add branch".',
    type: 'string',
    minLength: 1,
    maxLength: 60,
    examples: ['Lift make'],
  },
  inspect: (written, source) => {
    if (typeof written !== 'string' || written.trim() === '')
      source.report(
        ['title'],
        'The title is missing.',
        'Write the singular name people use, such as "title": "Lift make".',
      );
  },
  compile: (written, { file }) => ({ title: String(written ?? file.name) }),
  chapter: 'What it is',
  doc: ['**`title`** is the singular name, as in "Add lift make".'],
});
