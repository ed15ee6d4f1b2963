import { fieldType } from '../../fieldtypes/registry.ts';
import { defineWord } from '../word.ts';
import type { FieldCompiling } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Dates and times: the first and the last that may be entered, in stored form. */
    earliest?: string;
    latest?: string;
  }
}

/** The notation of limits of dates and times. */
const LIMIT_FORMS: Record<string, [RegExp, string]> = {
  date: [/^\d{4}-\d\d-\d\d$/, '"2026-04-01"'],
  time: [/^\d\d:\d\d$/, '"09:00"'],
  datetime: [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/, '"2026-04-01T09:00:00+05:30"'],
};

function compileLimit(
  word: 'formatMinimum' | 'formatMaximum',
  limit: 'earliest' | 'latest',
  written: string | undefined,
  { field, source, at }: FieldCompiling,
): void {
  if (written === undefined) return;
  const form = LIMIT_FORMS[field.type];
  if (form?.[0].test(written) && !('error' in fieldType(field.type).parse(written, field))) field[limit] = written;
  else
    source.report(
      [...at, word],
      form ? `"${written}" is not a value of "${field.name}".` : `"${field.name}" is neither a date nor a time.`,
      form ? `Write for instance ${form[1]}.` : 'For numbers write "minimum" and "maximum".',
    );
}

export const formatMinimum = defineWord<string>({
  name: 'formatMinimum',
  on: 'field',
  shape: {
    description: 'The first date or time that may be entered.',
    type: 'string',
    examples: ['2026-04-01', '09:00', '2026-04-01T09:00:00+05:30'],
  },
  compile: (written, compiling) => compileLimit('formatMinimum', 'earliest', written, compiling),
  chapter: 'Numbers and dates',
  doc: [
    '**`formatMinimum`** and **`formatMaximum`** are the first and the last date or time that may be entered; the picker',
    'offers no others.',
  ],
  example: [
    {
      part: {
        starts_on: { $ref: 'types#date', formatMinimum: '2020-04-01', formatMaximum: '2049-03-31' },
        opens_at: { $ref: 'types#time', formatMinimum: '06:00', formatMaximum: '22:00' },
      },
    },
  ],
});

export const formatMaximum = defineWord<string>({
  name: 'formatMaximum',
  on: 'field',
  shape: {
    description: 'The last date or time that may be entered.',
    type: 'string',
    examples: ['2027-03-31', '18:00'],
  },
  compile: (written, compiling) => compileLimit('formatMaximum', 'latest', written, compiling),
  chapter: 'Numbers and dates',
  doc: [],
});
