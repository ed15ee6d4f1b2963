import { humanise } from '../../humanise.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';
import type { FieldCompiling } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    options?: {
      value: string | number;
      label: string;
      colour?: 'neutral' | 'brand' | 'success' | 'warning' | 'danger';
    }[];
  }
}

const COLOURS = ['neutral', 'brand', 'success', 'warning', 'danger'] as const;

export const enumeration = defineWord<unknown[]>({
  name: 'enum',
  on: 'field',
  shape: { description: 'The values to choose from.', type: 'array', examples: [['open', 'closed']] },
  compile: (written, compiling) => {
    if (compiling.field.type === 'enum') compiling.field.options = options(written, compiling);
  },
  chapter: 'Lists of values',
  doc: ['**`enum`** lists the stored values.'],
  example: [
    {
      part: {
        stage: {
          enum: ['new', 'wip', 'done'],
          default: 'new',
          'x-labels': { wip: 'In progress' },
          'x-colours': { wip: 'warning', done: 'success' },
        },
      },
    },
  ],
});

/** The values with their "x-labels" and "x-colours". */
function options(
  written: unknown[] | undefined,
  { schema, source, at }: FieldCompiling,
): NonNullable<Field['options']> {
  const values = (written ?? []).filter(
    (value): value is string | number => typeof value === 'string' || typeof value === 'number',
  );
  if (values.length === 0 || values.length !== written?.length)
    source.report(
      [...at, 'enum'],
      'A list of values needs at least one, each a text or a number.',
      'Write for instance "enum": ["open", "closed"].',
    );
  const labels = (schema['x-labels'] ?? {}) as Record<string, string>;
  const colours = (schema['x-colours'] ?? {}) as Record<string, (typeof COLOURS)[number]>;
  for (const [word, map] of [
    ['x-labels', labels],
    ['x-colours', colours],
  ] as const)
    for (const key of Object.keys(map))
      if (!values.some((value) => String(value) === key))
        source.report([...at, word, key], `"${key}" is not one of the values.`, didYouMean(key, values.map(String)));
  for (const [key, colour] of Object.entries(colours))
    if (!COLOURS.includes(colour))
      source.report(
        [...at, 'x-colours', key],
        `"${colour}" is not a colour of the product.`,
        `There are: ${COLOURS.join(', ')}.`,
      );
  return values.map((value) => {
    const colour = colours[String(value)];
    return { value, label: labels[String(value)] ?? humanise(String(value)), ...(colour && { colour }) };
  });
}
