import { namesOfPeriods, periodColumns } from '../../period_columns.ts';
import type { PeriodOfColumn, Periods } from '../../period_columns.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: the periods that some of their columns are of. */
    periods?: Periods;
    /** A column of child rows: the periods that it covers. */
    period?: PeriodOfColumn;
    /** A sum of periods: the columns over which a sum that is entered is spread. */
    spreads?: string[];
  }
}

const STARTS = ['financial_year', 'month', 'date'];

export const xPeriods = defineWord<Periods>({
  name: 'x-periods',
  on: 'field',
  shape: {
    description: 'Of child rows: columns for periods that follow each other, with sums.',
    type: 'object',
    required: ['start', 'unit', 'count', 'field', 'type'],
    additionalProperties: false,
    properties: {
      start: { description: 'Field of the record: when the first begins.', $ref: '#/$defs/fieldName' },
      unit: { enum: ['month', 'quarter'] },
      count: { description: 'How many.', type: 'integer', minimum: 2, maximum: 24 },
      field: {
        description: 'Names of the columns: "m" makes m01, m02 …',
        type: 'string',
        pattern: '^[a-z][a-z_]{0,20}$',
      },
      type: { enum: ['money', 'decimal', 'quantity', 'percent', 'integer'] },
      totals: {
        description: 'quarter: the sum of each three months; all: of all periods.',
        type: 'array',
        uniqueItems: true,
        items: { enum: ['quarter', 'all'] },
      },
      roll: {
        description: 'What such a sum is: sum (default), or of balances last, least, most.',
        enum: ['sum', 'last', 'least', 'most'],
      },
    },
    examples: [{ start: 'year', unit: 'month', count: 12, field: 'm', type: 'money', totals: ['quarter', 'all'] }],
  },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (!field.rows) {
      if (known) source.report([...at, 'x-periods'], `"${field.name}" has no child rows.`, 'Write it beside "items".');
      return;
    }
    field.periods = written;
    for (const { name, first, count } of periodColumns(written)) {
      const column = field.rows.find((one) => one.name === name);
      if (!column) continue;
      column.period = { first, count };
      if (count > 1 && (written.roll ?? 'sum') === 'sum') column.spreads = namesOfPeriods(written, { first, count });
    }
  },
  check: (field, { check, at }) => {
    if (!field.periods) return;
    const { start, unit, totals } = field.periods;
    const from = check.field(start);
    if (!from) check.unknown([...at, 'x-periods', 'start'], start, check.names, '"start"');
    else if (!STARTS.includes(from.type))
      check.report(
        [...at, 'x-periods', 'start'],
        `"${start}" does not say when periods begin: it is of type ${from.type}.`,
        'Name a field of the type financial_year, month or date.',
      );
    if (unit === 'quarter' && totals?.includes('quarter'))
      check.report([...at, 'x-periods', 'totals'], 'Quarters have no sums of quarters.', 'Write ["all"].');
  },
  chapter: 'Child rows',
  doc: [
    '**`x-periods`** makes columns for periods that follow each other: `count` months or quarters from the one that the field',
    '`start` of the record names, called `m01`, `m02` … by `field`. The form shows them as "Apr 2025". `totals` adds `m_q1` …',
    'and `m_all`, which are formulas everywhere; in the form a sum can be typed: it is spread over its periods in proportion',
    'to what they hold, evenly where they hold nothing, so that they add to it exactly. With `roll` `last`, `least` or `most`',
    'they are those of balances, and nobody types them.',
  ],
  example: [
    {
      part: {
        fy: { $ref: 'types#financial_year' },
        budget: {
          type: 'array',
          title: 'Budget',
          'x-periods': { start: 'fy', unit: 'month', count: 12, field: 'm', type: 'money', totals: ['quarter', 'all'] },
          items: {
            type: 'object',
            required: ['account'],
            properties: { account: { $ref: 'types#text', title: 'Account' } },
          },
        },
      },
    },
  ],
});
