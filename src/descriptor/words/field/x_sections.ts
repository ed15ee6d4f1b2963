import { defineWord } from '../word.ts';

/** A section of the form of a row. */
interface RowSection {
  title?: string;
  help?: string;
  fields: string[];
}

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: the sections of the form of a row. */
    sections?: RowSection[];
  }
}

export const xSections = defineWord<RowSection[]>({
  name: 'x-sections',
  on: 'field',
  shape: {
    description:
      'For child rows: the sections of the form of a row. Columns that no section lists are added to the last.',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['fields'],
      additionalProperties: false,
      properties: {
        title: { type: 'string', minLength: 1 },
        help: { type: 'string', minLength: 1 },
        fields: { $ref: '#/$defs/fieldNames' },
      },
    },
    examples: [[{ title: 'Tax', fields: ['hsn_id', 'gst_rate'] }]],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.rows) field.sections = written;
    else if (known)
      source.report(
        [...at, 'x-sections'],
        `"${field.name}" has no child rows.`,
        'For the form of the record write "form" beside "schema".',
      );
  },
  check: (field, { check, at }) => {
    const names = field.rows?.map(({ name }) => name) ?? [];
    const placed = new Set<string>();
    field.sections?.forEach(({ fields }, section) =>
      fields.forEach((name, index) => {
        const path = [...at, 'x-sections', section, 'fields', index];
        if (!names.includes(name)) check.unknown(path, name, names, '"x-sections" (a column of the rows)');
        else if (placed.has(name)) check.report(path, `"${name}" is placed twice.`, 'Name it in one section alone.');
        placed.add(name);
      }),
    );
  },
  chapter: 'Child rows',
  doc: [
    '**`x-sections`** divides the form of a row into sections, each with its `fields` and optionally a `title` and a `help`',
    'sentence. Columns that no section lists are added to the last one. The example of `x-columns` shows it.',
  ],
});
