import { columnsOf } from '../../fills.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows that only an action or `makes` adds; a fill sets a column in each of them. */
    givenRows?: true;
  }
}

export const xGivenRows = defineWord<boolean>({
  name: 'x-given-rows',
  on: 'field',
  shape: {
    description:
      'Only an action or "makes" adds these rows, and a fill sets a column in each; people change their cells.',
    type: 'boolean',
  },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (field.rows && !field.readOnly) field.givenRows = true;
    else if (known)
      source.report([...at, 'x-given-rows'], `People change no rows of "${field.name}".`, 'Leave "x-given-rows" out.');
  },
  check: (field, { check, at }) => {
    const filled = check.screen.fills?.some(({ sets }) => columnsOf(sets, field.name).length > 0);
    if (field.givenRows && !field.uniqueRows)
      check.report(
        [...at, 'x-given-rows'],
        `Nothing tells the rows of "${field.name}" apart.`,
        'Add "x-unique" with the columns that the action gives.',
      );
    if (field.givenRows && !filled)
      check.report(
        [...at, 'x-given-rows'],
        `No fill sets a column of "${field.name}".`,
        'Add a fill that sets a column in each row that the action adds, and in no other.',
      );
  },
  chapter: 'Child rows',
  doc: [
    '**`x-given-rows`**: people change the cells of the rows, but an action or `makes` alone adds and removes rows. The form',
    'offers no button for it, takes no pasted rows and locks the columns of `x-unique`. A [fill](#the-fields) of the screen',
    'sets a column in each row that the action would add, and `x-unique` names the columns that tell the rows apart. The',
    'server refuses a new row in which no such column is set, and the removal of a row that the action would add again.',
  ],
});
