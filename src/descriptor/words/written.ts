import { didYouMean } from '../source.ts';
import type { Screen } from '../types.ts';
import { defineWord } from './word.ts';

/** How records of a type are created: by functions of modules, never by people. */
export interface Written {
  /** The effects, actions and jobs that write them; the table is created before one of them is used. */
  by: string[];
  /** Rows are only added; the database refuses to change or remove them. */
  append?: boolean;
  /** Further types that these functions read; their tables are created as well. */
  reads?: string[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Records that only functions of modules write. */
    written?: Written;
  }
  interface ScreenWords {
    written?: Written;
  }
}

/** Words for records that people write. */
const OF_PEOPLE = ['workflow', 'number', 'approval', 'makes', 'fills', 'library', 'offline', 'public'];

export const written = defineWord<Written>({
  name: 'written',
  on: 'screen',
  shape: {
    description: 'Records that only functions of modules write; people can only read them.',
    type: 'object',
    required: ['by'],
    additionalProperties: false,
    examples: [{ by: ['fms_stores.stock'], append: true }],
    properties: {
      by: {
        description: 'The functions of modules that write the records, such as "fms_stores.stock".',
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
      },
      append: { description: 'Rows can only be added: the database refuses to change or remove one.', type: 'boolean' },
      reads: {
        description: 'Further types that these functions read.',
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { type: 'string' },
      },
    },
  },
  after: ['routes', 'actions'],
  compile: (written, { screen }) => (written ? { written, routes: { ...screen.routes, add: null, edit: null } } : {}),
  check: (check) => {
    const { screen, descriptor } = check;
    if (!screen.written) return;
    screen.written.reads?.forEach((type, index) => check.type(type, ['written', 'reads', index]));
    for (const word of OF_PEOPLE)
      if ((descriptor as unknown as Record<string, unknown>)[word] !== undefined)
        check.report([word], `People do not write these records: they have no "${word}".`, 'Leave it out.');
    const known = ['effects', 'actions', 'jobs'].flatMap((kind) => [
      ...(check.all.functions(kind as 'effects' | 'actions' | 'jobs') ?? []),
    ]);
    if (known.length > 0)
      screen.written.by.forEach((name, index) => {
        if (!known.includes(name))
          check.report(['written', 'by', index], `There is no function "${name}".`, didYouMean(name, known));
      });
  },
  overlay: {
    needs: ({ written }) => (written ? 'a program fills it in' : null),
  },
  chapter: 'Checks',
  doc: [
    '**`written`** means that only functions of modules write the records: people can read them, but no form, sheet or call',
    'changes them. `by` names the effects, actions and jobs that write; where a type uses one of these in its workflow, the',
    'tables of this type and of the types under `reads` are created first. The database enforces those `rules` of the type',
    'that compare its own fields, for every statement. With `append`, records can only be added: the database refuses to',
    'change or delete one, so totals up to any moment in the past never change.',
  ],
  example: [
    {
      name: 'stock_level',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Stock level',
        access: { screen: 'SCN_STOCK_LEVEL' },
        schema: {
          required: ['place', 'on_hand', 'reserved'],
          properties: {
            place: { $ref: 'types#text' },
            on_hand: { $ref: 'types#quantity', minimum: 0 },
            reserved: { $ref: 'types#quantity', minimum: 0 },
          },
        },
        label: ['place'],
        rules: [{ assert: 'reserved <= on_hand', message: 'More is reserved than there is.' }],
        written: { by: ['fms_stores.stock'] },
      },
    },
  ],
});

/** The functions of modules that a type's workflow or actions call. */
export function functionsUsed({ workflow, actions }: Screen): Set<string> {
  return new Set([
    ...(workflow?.transitions ?? []).flatMap(({ effects }) => effects.map(({ name }) => name)),
    ...(workflow?.insert?.effects ?? []).map(({ name }) => name),
    ...(workflow?.late?.effects ?? []).map(({ name }) => name),
    ...actions.flatMap(({ run }) => run ?? []),
  ]);
}
