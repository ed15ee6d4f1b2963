import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Times entered and shown with seconds. */
    seconds?: true;
  }
}

export const xSeconds = defineWord<boolean>({
  name: 'x-seconds',
  on: 'field',
  shape: { description: 'true: a date with a time is entered and shown with seconds.', type: 'boolean' },
  compile: (written, { field, source, at }) => {
    if (written !== true) return;
    if (field.type === 'datetime') field.seconds = true;
    else
      source.report(
        [...at, 'x-seconds'],
        `"${field.name}" is not a date with a time.`,
        'Leave it out, or write { "$ref": "types#datetime" }.',
      );
  },
  chapter: 'Numbers and dates',
  doc: ['**`x-seconds`** means that a time is entered and shown with seconds.'],
  example: [
    {
      part: { measured_at: { $ref: 'types#datetime', formatMinimum: '2020-04-01T00:00:00+05:30', 'x-seconds': true } },
    },
  ],
});
