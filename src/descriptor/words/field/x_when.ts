import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Shown only if this expression holds. */
    when?: string;
  }
}

export const xWhen = defineWord<string>({
  name: 'x-when',
  on: 'field',
  shape: {
    description: 'Expression: the field is shown only if it is true.',
    type: 'string',
    minLength: 1,
    examples: ["status == 'closed'"],
  },
  compile: (written, { field }) => {
    if (written) field.when = written;
  },
  check: (field, one) => {
    if (field.when) fieldExpression(field.when, ['x-when'], 'condition', one);
  },
  unbind: (free, { speaksOf }) => {
    if (speaksOf(free.when)) delete free.when;
  },
  chapter: 'Shown or required only if',
  doc: [
    '**`x-when`**: the field is shown only if the expression holds. Nobody is asked for what is hidden, also',
    'where it is `required`; it keeps what is stored, and a form does not send it. What another program or a',
    'sheet sends for a hidden field is checked like any other value, and stored. Of a child row it may name the',
    "row's columns and the record's fields; so may `x-required-when`.",
  ],
  example: [{ part: { reason: { $ref: 'types#text', 'x-when': 'due_on < ordered_on or total > 100000' } } }],
});
