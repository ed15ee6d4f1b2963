import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Shown only if this expression is true. */
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
  chapter: 'Conditionally shown or required',
  doc: [
    '**`x-when`**: the field is shown only if the expression is true. A hidden field is never required, even if listed',
    'under `required`; it keeps its stored value, and the form does not send it. A value that another program or a sheet',
    'sends for a hidden field is checked like any other value, and stored. In a child row the expression may use the',
    'columns of the row and the fields of the record, as in `x-required-when`.',
  ],
  example: [{ part: { reason: { $ref: 'types#text', 'x-when': 'due_on < ordered_on or total > 100000' } } }],
});
