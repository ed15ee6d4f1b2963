import { didYouMean } from '../source.ts';
import type { Field } from '../types.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

/** Fields that a named function fills in. */
export interface FieldFill {
  /** The function of a module. */
  run: string;
  /** The fields, or `rows.column`, whose change runs the function again. */
  on: string[];
  /** The fields and columns that it fills. */
  sets: string[];
  /** While this condition is true, entered values are kept. */
  over?: string;
  /** Types that the function reads, besides those that the record refers to. */
  reads?: string[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Fields that functions of modules fill in. */
    fills?: FieldFill[];
  }
  interface ScreenWords {
    fills?: FieldFill[];
  }
}

const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };

export const fills = defineWord<FieldFill[]>({
  name: 'fills',
  on: 'screen',
  shape: {
    description: 'Fields that functions of modules fill in, such as the tax for a place and service.',
    type: 'array',
    minItems: 1,
    examples: [[{ run: 'fms.gst', on: ['building_id', 'lines.service_id'], sets: ['supply', 'lines.gst_rate'] }]],
    items: {
      examples: [{ run: 'fms.gst', on: ['building_id', 'lines.service_id'], sets: ['supply', 'lines.gst_rate'] }],
      type: 'object',
      required: ['run', 'on', 'sets'],
      additionalProperties: false,
      properties: {
        run: {
          description: 'A function of a module: "fms.gst".',
          type: 'string',
          pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$',
        },
        on: { description: 'Fields, or `rows.column`, whose change runs the function again.', ...names },
        sets: { description: 'Fields, or `rows.column`, that it fills.', ...names },
        reads: { description: 'Types that the function reads, besides those that the record refers to.', ...names },
        over: {
          description: 'While this condition is met, entered values stay. Without it nobody can enter these fields.',
          type: 'string',
          minLength: 1,
        },
      },
    },
  },
  fields: (written = [], { fields }) => {
    // Filled fields that cannot be entered belong to the server, like formulas.
    for (const { sets, over } of written)
      if (over === undefined)
        for (const name of sets) {
          const [first = '', column] = name.split('.');
          const field = fields.find((one) => one.name === first);
          const own = column === undefined ? field : field?.rows?.find((one) => one.name === column);
          if (own) own.readOnly = true;
        }
  },
  check: (check) => {
    const { screen } = check;
    const setBy = new Map<string, string>();
    (screen.fills ?? []).forEach(({ run, on, sets, over, reads = [] }, index) => {
      const at: Path = ['fills', index];
      reads.forEach((type, one) => check.type(type, [...at, 'reads', one]));
      check.function('fills', run, [...at, 'run']);
      on.forEach((name, one) => check.fieldOrColumn(name, [...at, 'on', one], '"on"'));
      sets.forEach((name, one) => {
        const path = [...at, 'sets', one];
        const field = check.fieldOrColumn(name, path, '"sets"');
        if (!field) return;
        const outer = check.field(name.split('.')[0]);
        const why = notFillable(field, outer, screen);
        if (why !== null) check.report(path, `"${name}" ${why}.`, 'Leave it out of "sets".');
        else if (on.includes(name)) check.report(path, `"${name}" would fill itself.`, 'Leave it out of "on".');
        else if (setBy.has(name))
          check.report(path, `"${name}" is filled by "${setBy.get(name)}" already.`, 'Fill it by one of them.');
        setBy.set(name, run);
      });
      if (over !== undefined) {
        const rows = [...new Set(sets.filter((name) => name.includes('.')).map((name) => name.split('.')[0]!))];
        const columns = rows.flatMap((name) => check.field(name)?.rows ?? []);
        check.serverExpression(
          over,
          [...at, 'over'],
          'condition',
          columns.map(({ name }) => name),
          columns,
        );
      }
    });
    for (const transition of screen.workflow?.transitions ?? [])
      transition.refill?.forEach((run, index) => {
        const known = (screen.fills ?? []).map((one) => one.run);
        if (!known.includes(run))
          check.report(
            ['workflow', 'transitions', transition.name, 'refill', index],
            `"fills" has no "${run}".`,
            didYouMean(run, known),
          );
      });
  },
  overlay: {
    needs: (screen, field) =>
      screen.fills?.some(({ on, sets }) => [...on, ...sets].some((name) => name.split('.')[0] === field)) === true
        ? 'a function fills it in, or fills others by it'
        : null,
  },
  chapter: 'The fields',
  doc: [
    '**`fills`**: fields whose values a function of a module computes. `run` names the function, `sets` the fields and',
    'columns (`lines.rate`) that it fills, `on` the fields it depends on. The function runs when a record is added,',
    'whenever a field of `on` changes, and in a transition with `"refill": ["fms.gst"]`. It fills a row again only if a',
    'column of that row changed. The form shows the values while the user types. Users cannot edit filled fields unless',
    '`over` is given: while its expression is true, the function keeps the values that users entered and fills only the',
    'empty fields. `reads` names the types that the function reads besides those that the record refers to; their tables',
    'are created before it runs.',
  ],
  example: [
    {
      part: {
        schema: {
          required: ['number', 'ordered_on', 'lines'],
          properties: {
            number: { $ref: 'types#code' },
            ordered_on: { $ref: 'types#date' },
            due_on: { $ref: 'types#date' },
            supplier: { $ref: 'types#name' },
            status: { enum: ['open'] },
            total: { $ref: 'types#money', 'x-formula': 'sum(lines.rate)' },
            supply: { enum: ['intra', 'inter'] },
            own_rate: { $ref: 'types#boolean' },
            lines: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  item: { $ref: 'types#text' },
                  rate: { $ref: 'types#money' },
                  gst_rate: { $ref: 'types#percent' },
                },
              },
            },
          },
        },
        fills: [
          { run: 'fms.gst', on: ['supplier', 'lines.item'], sets: ['supply', 'lines.gst_rate'] },
          { run: 'fms.last_rate', on: ['lines.item'], sets: ['lines.rate'], over: 'own_rate == true' },
        ],
      },
    },
  ],
});

/** Why a function cannot fill a field, as the end of a sentence; null = it can. */
function notFillable(
  field: Field,
  outer: Field | undefined,
  { number, workflow }: { number?: { field: string } | null | undefined; workflow?: { field: string } },
): string | null {
  if (field.formula !== undefined || outer?.rowGroup) return 'is computed by a formula';
  if (field.fetch) return 'is copied from a reference';
  if (field.rows) return 'is a table of rows; its columns can be filled';
  if (field.secret) return 'is a secret';
  if (field.name === number?.field) return 'is an automatic number';
  if (field === outer && field.name === workflow?.field) return 'is set by the steps of the workflow';
  return null;
}
