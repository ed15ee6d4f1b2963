import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: the columns of the sheet; the others appear only in the form of a row. */
    columns?: string[];
  }
}

export const xColumns = defineWord<string[]>({
  name: 'x-columns',
  on: 'field',
  shape: {
    description: 'For child rows: the columns that the table shows, from the left. The form of a row shows all.',
    $ref: '#/$defs/fieldNames',
    examples: [['item_id', 'qty', 'amount']],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.rows && written.length > 0) field.columns = [...new Set(written)];
    else if (known)
      source.report(
        [...at, 'x-columns'],
        field.rows ? 'A table needs a column.' : `"${field.name}" has no child rows.`,
        field.rows ? 'Name at least one, or leave "x-columns" out.' : 'Write it beside "items".',
      );
  },
  check: (field, { check, at }) => {
    const names = field.rows?.map(({ name }) => name) ?? [];
    field.columns?.forEach((name, index) => {
      if (!names.includes(name))
        check.unknown([...at, 'x-columns', index], name, names, '"x-columns" (a column of the rows)');
    });
  },
  chapter: 'Child rows',
  doc: [
    '**`x-columns`** names the columns shown in the table within the form, from the left; on a phone they are the content',
    'of a card. The form of a row shows all columns; it opens from the row, as a dialog or, on a phone, as a page. Sheets',
    'and the HTTP interface have all columns.',
  ],
  example: [
    {
      part: {
        visits: {
          type: 'array',
          title: 'Visits',
          'x-columns': ['on', 'who'],
          'x-sections': [{ fields: ['on', 'who'] }, { title: 'What was found', fields: ['finding', 'remedy'] }],
          items: {
            type: 'object',
            required: ['on'],
            properties: {
              on: { $ref: 'types#date' },
              who: { $ref: 'types#text' },
              finding: { $ref: 'types#long_text' },
              remedy: { $ref: 'types#long_text' },
            },
          },
        },
      },
    },
  ],
});
