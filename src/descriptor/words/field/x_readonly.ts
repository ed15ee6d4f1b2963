import { fieldExpression } from '../../check_context.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** People can change it only while this expression is false. */
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
  chapter: 'Locked and hidden fields',
  doc: [
    '**`x-readonly`**: while the expression is true, people can read the field but not change it: the form shows its value,',
    'and another value is refused in forms, over HTTP, in bulk changes and imports. The field is locked only if the',
    'expression is true both before and after the change: an edit that makes the expression false may change the field at',
    'once. In a new record the field has its default; write `id != null and …` if new records should be editable. In child',
    'rows it may be written on a column (using columns and fields of the record) or on the rows as a whole. It does not',
    'apply to steps of a workflow or to the product itself.',
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
