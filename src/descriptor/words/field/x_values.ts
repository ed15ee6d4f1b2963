import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Its values include the types with due dates. */
    dueTypes?: true;
    /** Its values include the types with approval. */
    approvedTypes?: true;
    /** Its values include the types whose numbers clients may change. */
    numberedTypes?: true;
    /** Its values include the prints of types: `quotation.letter`. */
    printedDocuments?: true;
    /** Its values include the dashboards with figures. */
    dashboardNames?: true;
  }
}

const LISTS = {
  due: 'dueTypes',
  approval: 'approvedTypes',
  number: 'numberedTypes',
  print: 'printedDocuments',
  dashboard: 'dashboardNames',
} as const;

export const xValues = defineWord<keyof typeof LISTS>({
  name: 'x-values',
  on: 'field',
  shape: {
    description:
      'due: the types with "due" are values as well; approval: those with "approval"; number: those with "number"; print: the prints of all types; dashboard: the dashboards with figures.',
    enum: Object.keys(LISTS),
    examples: ['due'],
  },
  compile: (written, { field, source, at }) => {
    if (written === undefined) return;
    if (field.type === 'enum') Object.assign(field, { [LISTS[written]]: true });
    else source.report([...at, 'x-values'], `"${field.name}" is not one of a list.`, 'Write "enum" beside it.');
  },
  chapter: 'Lists of values',
  doc: [
    '**`x-values`** adds values to a list of values: with `due`, the types that have `due`, for Mail configuration; with',
    '`approval`, the types that have `approval`; with `number`, the types that have numbers; with `print`, the prints of',
    'all types, each as `type.print`; with `dashboard`, the dashboards with figures, for the start page of a role.',
  ],
  example: [{ part: { about: { enum: ['order', 'bill'], 'x-values': 'due' } } }],
});
