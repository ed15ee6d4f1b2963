import type { Field } from '../../types.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows that are saved cell by cell, separately from the record. */
    saveBy?: 'row';
  }
}

/** Counts the saves of the rows; the record's own version is unchanged. */
export const ROWS_VERSION = 'rows_version';

/** The rows of a type that are saved by cell. */
export const rowsSavedApart = (fields: readonly Field[]): Field[] => fields.filter(({ saveBy }) => saveBy === 'row');

/** The field that counts the saves of rows. */
export function rowsVersionField(): Field {
  return {
    name: ROWS_VERSION,
    type: 'integer',
    title: 'Version of the rows',
    required: false,
    schema: { type: 'integer' },
    secret: false,
    readOnly: true,
    hidden: 'read',
  };
}

export const xSave = defineWord<'row'>({
  name: 'x-save',
  on: 'field',
  shape: {
    description: 'For child rows: changed cells are saved separately, and several people can edit at the same time.',
    const: 'row',
    examples: ['row'],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.rows && field.schema.items !== undefined) field.saveBy = 'row';
    else if (known)
      source.report(
        [...at, 'x-save'],
        field.type === 'rows' ? 'Rows that are records are saved with their record.' : `"${field.name}" has no rows.`,
        'Write it beside "items".',
      );
  },
  check: (field, { check, at }) => {
    if (field.saveBy !== 'row') return;
    const { kind, part, library, ranges = [] } = check.screen;
    const say = (problem: string, advice: string) => check.report([...at, 'x-save'], problem, advice);
    if (kind === 'settings' || part || library)
      say('Rows of settings, parts and libraries are saved with their record.', 'Leave "x-save" out.');
    if (field.rowGroup) say(`Nobody enters the rows of "${field.name}".`, 'Leave "x-save" out.');
    if (field.rows?.some(({ secret, visible, once, readOnlyWhen }) => secret || visible || once || readOnlyWhen))
      say(
        'Cells are compared with what each person saw: their columns are neither secret nor closed to some.',
        'Leave x-secret, x-visible, x-readonly and x-once out of these columns, or "x-save".',
      );
    for (const { word, rows } of ranges)
      if (rows === field.name)
        say(`"${word}" looks at the rows of all records at once.`, 'Save these rows with their record.');
  },
  chapter: 'Child rows',
  doc: [
    '**`x-save`** `"row"` is for large tables in which several people work at once. The form sends changed cells',
    'separately, a moment after they are typed or pasted, and `PUT` does not accept rows of an existing record. Each cell',
    'is compared with the value that the person saw: changes to different cells of a row are merged; if two people changed',
    'the same cell, the second sees both values and chooses. Others who have the record open see the changes at once.',
    'Rights, states, row rules, formulas and history work as usual; an error refuses only its row. Rules of the record are',
    'checked at its next save or step. `version` does not change; `rows_version` of the record counts the saves of rows,',
    'and a step sent with an older one is refused. A new record is saved with its rows.',
  ],
  example: [
    {
      part: {
        months: {
          type: 'array',
          title: 'Months',
          'x-save': 'row',
          items: {
            type: 'object',
            required: ['month'],
            properties: { month: { $ref: 'types#text', title: 'Month' }, amount: { $ref: 'types#money' } },
          },
        },
      },
    },
  ],
});
