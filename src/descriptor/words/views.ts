import { checkOwner } from './owner.ts';
import { defineWord } from './word.ts';
import type { FilterExpression } from '../types.ts';

interface View {
  name: string;
  filter?: FilterExpression;
  sort?: string[];
  columns?: string[];
  /** One's own records alone. */
  mine?: boolean | string[];
  /** Opens with the list. */
  first?: boolean;
  /** Text shown when the view is empty. */
  empty?: string;
  /** Instead of these records the list of another type. */
  opens?: string;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Predefined views of the screen. */
    views?: View[];
  }
  interface ScreenWords {
    views: View[];
  }
}

export const views = defineWord<View[]>({
  name: 'views',
  on: 'screen',
  shape: {
    description: 'Predefined views of the screen: a name with filter, order and columns.',
    type: 'array',
    examples: [[{ name: 'Open', filter: ['status', 'eq', 'open'] }]],
    items: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { description: 'Name of the view.', type: 'string', minLength: 1, maxLength: 60 },
        filter: {
          description: 'A condition [field, operator, value], or a group ["and", …] or ["or", …].',
          type: 'array',
          minItems: 1,
          examples: [['status', 'in', ['open', 'late']]],
        },
        sort: { description: 'Order of the view.', type: 'array', items: { type: 'string' } },
        columns: { description: 'Columns of the view.', $ref: '#/$defs/fieldNames' },
        mine: {
          description: `Only the person's own records, as defined by "mine", or by these fields.`,
          anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/fieldNames' }],
        },
        first: { description: 'The default view, unless the person has chosen another.', type: 'boolean' },
        opens: { description: 'A tab that opens the list of another type instead.', type: 'string', minLength: 1 },
        empty: { description: 'Text shown when the view is empty.', type: 'string', minLength: 1, maxLength: 120 },
      },
    },
  },
  compile: (written = []) => ({ views: written }),
  check: (check) => {
    const { listNames, screen } = check;
    const seen = new Set<string>();
    const opening = screen.views.findIndex(({ first }) => first);
    screen.views.forEach((view, index) => {
      if (view.first && index !== opening)
        check.report(['views', index, 'first'], 'Another view opens with the list.', 'Leave "first" to one of them.');
      if (seen.has(view.name))
        check.report(['views', index, 'name'], `Two views are called "${view.name}".`, 'Give each view its own name.');
      seen.add(view.name);
      if (view.opens !== undefined) {
        const other = check.type(view.opens, ['views', index, 'opens']);
        if (other && !other.routes.landing)
          check.report(['views', index, 'opens'], `"${view.opens}" has no list.`, 'Name a type that has one.');
        if (Object.keys(view).length > 2)
          check.report(['views', index], 'A tab that opens another list has nothing else.', 'Keep "name" and "opens".');
      }
      if (Array.isArray(view.mine))
        view.mine.forEach((name, at) => checkOwner(check, name, ['views', index, 'mine', at], 'the view'));
      const lists = { columns: view.columns, sort: view.sort?.map((name) => name.replace(/^-/, '')) };
      for (const [word, names] of Object.entries(lists))
        names?.forEach((name, at) => {
          if (!listNames.has(name)) check.unknown(['views', index, word, at], name, listNames, 'the view');
        });
      check.filter(
        view.filter,
        screen,
        ['views', index, 'filter'],
        'Write for instance ["status", "eq", "open"]; docs/descriptors.md lists the operators.',
      );
    });
  },
  overlay: {
    lay: ({ product, changed, kept }) => ({
      views: product.views
        .filter(
          (view) =>
            ![...changed].some((name) => JSON.stringify([view.filter, view.sort, view.mine]).includes(`"${name}"`)),
        )
        .map((view) => ({ ...view, ...(view.columns && { columns: kept(view.columns) }) })),
    }),
  },
  chapter: 'The list',
  doc: [
    '**`views`**: predefined views of the screen: a `name`, and a `filter`, `sort` or `columns`. A filter is `[field,',
    'operator, value]`, or `["and", …]` and `["or", …]` with several filters. `mine` shows only the reader\'s own records',
    '(`true`, or the fields that decide this), `first` makes the view the default of the list, and `empty` is the text',
    'shown if it has no records. With `opens` a tab leads to the list of another type, for people who may open it.',
    '',
    '| operators | for |',
    '|---|---|',
    '| `eq`, `ne` (is, is not), `empty`, `notempty` | all |',
    '| `in` (one of a list) | texts, numbers, values of a list, references |',
    '| `contains`, `starts` | texts, and the names of references |',
    '| `gt`, `gte`, `lt`, `lte`, `between` | numbers and dates |',
    '| `before`, `after` | dates |',
  ],
  example: [
    {
      part: {
        views: [
          {
            name: 'On order',
            filter: ['status', 'eq', 'ordered'],
            sort: ['due_on'],
            columns: ['number', 'supplier', 'due_on'],
          },
          {
            name: 'Large or late',
            filter: [
              'or',
              ['total', 'gte', '100000'],
              ['and', ['status', 'in', ['draft', 'ordered']], ['due_on', 'before', '2025-04-01']],
            ],
          },
        ],
      },
    },
  ],
});
