import { RECORD_FIELDS } from '../check_context.ts';
import { operatorsFor } from '../filter.ts';
import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Fields offered as filter chips first. */
    filters?: string[];
  }
  interface ScreenWords {
    filters: string[];
  }
}

export const filters = defineWord<string[]>({
  name: 'filters',
  on: 'screen',
  shape: {
    description: 'Fields that are offered first as filters.',
    type: 'array',
    items: { $ref: '#/$defs/fieldName' },
    examples: [['status', 'branch_id']],
  },
  after: ['grid'],
  compile: (written, { fields, screen: { grid } }) => ({
    filters:
      written ??
      fields
        .filter(
          (field) =>
            ['enum', 'ref', 'boolean'].includes(field.type) && grid.some((column) => column.field === field.name),
        )
        .slice(0, 4)
        .map((field) => field.name),
  }),
  check: (check) =>
    checkFieldList(
      check,
      'filters',
      check.descriptor.filters,
      new Set([...check.names, ...RECORD_FIELDS]),
      (field, path) => {
        if (operatorsFor(field).length === 0)
          check.report(
            path,
            `A list cannot be filtered by "${field.name}": it is of type ${field.type}.`,
            'Choose a field with one short value.',
          );
      },
    ),
  overlay: { lay: ({ product, kept }) => ({ filters: kept(product.filters) }) },
  chapter: 'The list',
  doc: ['**`filters`**: the fields that are offered first as filters.'],
  example: [{ part: { filters: ['status', 'branch_id'] } }],
});
