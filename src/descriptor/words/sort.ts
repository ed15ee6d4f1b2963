import { fieldType } from '../fieldtypes/registry.ts';
import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Default order, e.g. ["-date","name"]. Default: first label field. */
    sort?: string[];
  }
  interface ScreenWords {
    sort: string[];
  }
}

export const sort = defineWord<string[]>({
  name: 'sort',
  on: 'screen',
  shape: {
    description:
      'Order of the list; a minus sign before a field means descending. Default: the first field of the label.',
    type: 'array',
    minItems: 1,
    items: { type: 'string' },
    examples: [['-date', 'name']],
  },
  after: ['label'],
  compile: (written, { screen: { label } }) => ({ sort: written ?? label.slice(0, 1) }),
  check: (check) =>
    checkFieldList(
      check,
      'sort',
      check.descriptor.sort?.map((name) => name.replace(/^-/, '')),
      check.listNames,
      (field, path) => {
        if (!fieldType(field.type).can.sort)
          check.report(
            path,
            `A list cannot be sorted by "${field.name}": it is of type ${field.type}.`,
            'Choose a field with one short value.',
          );
      },
    ),
  overlay: { lay: ({ product, kept }) => ({ sort: kept(product.sort) }) },
  chapter: 'The list',
  doc: ['**`sort`**: the order of the list; a minus sign means descending.'],
  example: [{ part: { sort: ['-ordered_on', 'number'] } }],
});
