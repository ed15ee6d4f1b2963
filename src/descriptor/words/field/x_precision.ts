import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    precision?: number;
  }
}

/** The maximum number of decimals of the exact number types. */
const MAX_DECIMALS: Record<string, number> = { money: 4, decimal: 10, percent: 4, quantity: 3 };

export const xPrecision = defineWord<number>({
  name: 'x-precision',
  on: 'field',
  shape: { description: 'Number of decimals shown and stored.', type: 'integer', minimum: 0, maximum: 10 },
  compile: (written, { field, source, at }) => {
    if (written === undefined) return;
    const { name, type } = field;
    const max = MAX_DECIMALS[type];
    if (max === undefined)
      source.report(
        [...at, 'x-precision'],
        `"${name}" has no decimals.`,
        'Leave it out, or write { "$ref": "types#decimal" }.',
      );
    else if (written > max)
      source.report(
        [...at, 'x-precision'],
        `"${name}" has at most ${max} decimals.`,
        `Write ${max} or fewer${type === 'decimal' ? '' : ', or { "$ref": "types#decimal" }'}.`,
      );
    else {
      field.precision = written;
      if (type === 'money' && written > 2)
        field.schema = { ...field.schema, pattern: `^-?\\d{1,${18 - written}}(\\.\\d{1,${written}})?$` };
    }
  },
  chapter: 'Numbers and dates',
  doc: ['**`x-precision`** is the number of decimals shown and stored.'],
  example: [{ part: { discount: { $ref: 'types#percent', minimum: 0, exclusiveMaximum: 100, 'x-precision': 2 } } }],
});
