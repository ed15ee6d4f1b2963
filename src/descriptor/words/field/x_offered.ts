import { fieldExpression } from '../../check_context.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Values that can be chosen only while one of their conditions is true; other values always can. */
    offered?: { when: string; values: (string | number)[] }[];
  }
}

export const xOffered = defineWord<Record<string, (string | number)[]>>({
  name: 'x-offered',
  on: 'field',
  shape: {
    description: 'Conditions, each with the values of a list that may be chosen only while it is true.',
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: 'array', minItems: 1, uniqueItems: true, items: { type: ['string', 'number'] } },
    examples: [{ "kind == 'gift'": ['birthday', 'festival'] }],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.type === 'enum')
      field.offered = Object.entries(written).map(([when, values]) => ({ when, values: [...values] }));
    else if (known)
      source.report([...at, 'x-offered'], `"${field.name}" is not one of a list.`, 'Write "enum" beside it.');
  },
  check: (field, one) => {
    for (const { when, values } of field.offered ?? []) {
      fieldExpression(when, ['x-offered', when], 'condition', one);
      for (const value of values)
        if (!field.options?.some((option) => option.value === value))
          one.check.report(
            [...one.at, 'x-offered', when],
            `"${value}" is not one of the values.`,
            didYouMean(String(value), field.options?.map((option) => String(option.value)) ?? []),
          );
    }
  },
  unbind: (free, { speaksOf }) => {
    if (free.offered?.some(({ when }) => speaksOf(when))) delete free.offered;
  },
  chapter: 'Lists of values',
  doc: [
    '**`x-offered`** limits a list of values by other fields. Each condition has the values that can be chosen only while it',
    'is true. A value with several conditions needs one of them; a value without a condition can always be chosen. Forms',
    'leave out the other values; forms, imports and the HTTP interface refuse them.',
  ],
  example: [
    {
      part: {
        stage: {
          enum: ['new', 'wip', 'done'],
          default: 'new',
          'x-offered': { 'total > 100000': ['wip'], 'total > 0': ['done'] },
        },
      },
    },
  ],
});
