import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** People change it only while this expression does not hold. */
    readOnlyWhen?: string;
  }
}

export const xReadonly = defineWord<string>({
  name: 'x-readonly',
  on: 'field',
  shape: {
    description: 'Expression: while it is true, people can read the field but not change it.',
    type: 'string',
    minLength: 1,
    examples: ["status == 'closed'"],
  },
  compile: (written, { field }) => {
    if (written) field.readOnlyWhen = written;
  },
  check: (field, one) => {
    if (!field.readOnlyWhen) return;
    fieldExpression(field.readOnlyWhen, ['x-readonly'], 'condition', one);
    if (field.readOnly)
      one.check.report(
        [...one.at, 'x-readonly'],
        `"${field.name}" is never changed by people${field.formula === undefined ? '' : ': it is computed'}.`,
        'Leave "x-readonly" out.',
      );
  },
  unbind: (free, { speaksOf }) => {
    if (speaksOf(free.readOnlyWhen)) delete free.readOnlyWhen;
  },
  chapter: 'Kept as it is',
  doc: [
    '**`x-readonly`**: while the expression holds, people read the field and cannot change it: the form shows its value,',
    'and another value is refused however it comes, by form, interface, bulk change or import. It holds where it held',
    'before the change and still does: whoever opens a record may change it at once. A new record has its default',
    'there; write `id != null and …` where new records are free. Of child rows it may be written on a column',
    '(naming columns and fields of the record) or on the rows as a whole. Steps of a workflow and the product itself',
    'are not bound by it.',
  ],
  example: [
    {
      part: {
        closed: { $ref: 'types#boolean', default: false },
        agreed_rate: { $ref: 'types#money', 'x-readonly': 'closed' },
      },
    },
  ],
});
