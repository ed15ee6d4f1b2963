import { fieldType } from '../../fieldtypes/registry.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: no two rows of a record may share the values of these columns. */
    uniqueRows?: string[];
  }
}

export const xUnique = defineWord<string[]>({
  name: 'x-unique',
  on: 'field',
  shape: {
    description: 'For child rows: no two rows of a record may have the same values in these columns.',
    $ref: '#/$defs/fieldNames',
    examples: [['level']],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.rows) field.uniqueRows = written;
    else if (known)
      source.report(
        [...at, 'x-unique'],
        `"${field.name}" has no child rows.`,
        'For the records themselves write "unique" beside "schema".',
      );
  },
  check: (field, { check, at }) => {
    field.uniqueRows?.forEach((name, index) => {
      const column = field.rows?.find((one) => one.name === name);
      const path = [...at, 'x-unique', index];
      if (!column)
        check.unknown(path, name, field.rows?.map((one) => one.name) ?? [], '"x-unique" (a column of the rows)');
      else if (!fieldType(column.type).can.key)
        check.report(
          path,
          `"${name}" cannot be part of a key: it is of type ${column.type}.`,
          'Choose a column with one short value.',
        );
    });
  },
  chapter: 'Child rows',
  doc: [
    '**`x-unique`** names columns; no two rows of a record may have the same values in them. Empty is a value too, except in',
    'the first of these columns.',
  ],
});
