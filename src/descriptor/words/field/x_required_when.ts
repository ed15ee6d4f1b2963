import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Required only if this expression is true. */
    requiredWhen?: string;
  }
}

export const xRequiredWhen = defineWord<string>({
  name: 'x-required-when',
  on: 'field',
  shape: {
    description: 'Expression: the field is required only if it is true.',
    type: 'string',
    minLength: 1,
    examples: ["status == 'closed'"],
  },
  compile: (written, { field }) => {
    if (written) field.requiredWhen = written;
  },
  check: (field, one) => {
    if (field.requiredWhen) fieldExpression(field.requiredWhen, ['x-required-when'], 'condition', one);
  },
  unbind: (free, { speaksOf }) => {
    if (speaksOf(free.requiredWhen)) delete free.requiredWhen;
  },
  chapter: 'Conditionally shown or required',
  doc: ['**`x-required-when`**: the field is required only if the expression is true.'],
  example: [
    {
      part: {
        reason: {
          $ref: 'types#text',
          'x-when': 'due_on < ordered_on or total > 100000',
          'x-required-when': 'total > 100000',
        },
      },
    },
  ],
});
