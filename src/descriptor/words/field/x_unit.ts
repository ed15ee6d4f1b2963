import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    unit?: string;
  }
}

export const xUnit = defineWord<string>({
  name: 'x-unit',
  on: 'field',
  shape: { description: 'Unit shown beside the value.', type: 'string', minLength: 1, examples: ['kg'] },
  compile: (written, { field, source, at }) => {
    if (!written) return;
    if (field.type === 'percent')
      source.report([...at, 'x-unit'], `"${field.name}" is a percentage, which is shown with its sign.`, 'Remove it.');
    else field.unit = written;
  },
  chapter: 'Numbers and dates',
  doc: ['**`x-unit`** is the unit shown beside the value.'],
  example: [{ part: { weight: { $ref: 'types#quantity', exclusiveMinimum: 0, 'x-unit': 'kg' } } }],
});
