import { fieldType } from '../../fieldtypes/registry.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Its values have no sum: a balance, a rate. */
    noTotal?: true;
  }
}

/** A formula that is a sum up to its row already. */
const RUNNING = /^\s*running\s*\(/;

export const xTotal = defineWord<false>({
  name: 'x-total',
  on: 'field',
  shape: { description: 'false: no sum of its values, as of balances and rates.', const: false },
  compile: (written, { field, source, at }) => {
    if (field.formula !== undefined && RUNNING.test(field.formula)) field.noTotal = true;
    if (written === undefined) return;
    if (fieldType(field.type).can.sum !== 'total')
      source.report([...at, 'x-total'], `"${field.name}" is never added up.`, 'Leave it out.');
    field.noTotal = true;
  },
  chapter: 'Numbers and dates',
  doc: [
    '**`x-total`**: amounts, quantities and durations are added up below a sheet and in the groups of a list; `false` leaves',
    'out a column whose sum means nothing, such as a balance after each entry or a rate. A column computed with `running`',
    'has no sum in any case.',
  ],
  example: [{ part: { balance: { $ref: 'types#money', 'x-total': false } } }],
});
