import { namesOfPeriods, periodColumns } from '../../period_columns.ts';
import type { PeriodOfColumn, Periods } from '../../period_columns.ts';
import type { ScreenCheck } from '../../check_context.ts';
import { fieldType } from '../../fieldtypes/registry.ts';
import type { Field, Screen } from '../../types.ts';
import type { Path } from '../word.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows: the periods of some of their columns. */
    periods?: Periods;
    /** A column of child rows: the periods that it covers. */
    period?: PeriodOfColumn;
    /** A total of periods: the columns over which an entered total is distributed. */
    spreads?: string[];
  }
}

const MONTHS = ['month', 'date'];

/** Errors in the definition of closed periods. */
function checkClosed({ periods }: Field, check: ScreenCheck, at: Path): void {
  const { closed } = periods!;
  if (!closed) return;
  const path = [...at, 'x-periods', 'closed'];
  const fieldOf = (type: Screen, name: string, word: string) => {
    const found = type.fields.find((one) => one.name === name);
    if (!found) {
      const names = type.fields.map((one) => one.name);
      check.unknown([...path, word], name, names, `"${word}" (a field of ${type.name})`);
    }
    return found;
  };
  const isMonth = (found: Field | undefined, word: string) => {
    if (found && !MONTHS.includes(found.type))
      check.report(
        [...path, word],
        `"${found.name}" names no month: it is of type ${found.type}.`,
        'Choose a field of the type month or date.',
      );
  };
  if (closed.until !== undefined) isMonth(fieldOf(check.screen, closed.until, 'until'), 'until');
  if (closed.by === undefined) return;
  const type = check.type(closed.by, [...path, 'by']);
  if (!type) return;
  isMonth(fieldOf(type, closed.period!, 'period'), 'period');
  for (const name of Object.keys(closed.when ?? {})) {
    const found = fieldOf(type, name, 'when');
    if (found && (found.rows || found.secret || fieldType(found.type).filter === 'none'))
      check.report([...path, 'when'], `"${name}" cannot be compared.`, 'Choose a field with one short value.');
  }
  for (const [theirs, ours] of Object.entries(closed.same ?? {})) {
    const [one, other] = [fieldOf(type, theirs, 'same'), fieldOf(check.screen, ours, 'same')];
    if (one && other && (one.type !== other.type || one.ref?.type !== other.ref?.type))
      check.report([...path, 'same'], `"${theirs}" and "${ours}" are of other types.`, 'Name fields of one type.');
  }
}

const STARTS = ['financial_year', 'month', 'date'];

export const xPeriods = defineWord<Periods>({
  name: 'x-periods',
  on: 'field',
  shape: {
    description: 'For child rows: columns for consecutive periods, with totals.',
    type: 'object',
    required: ['start', 'unit', 'count', 'field', 'type'],
    additionalProperties: false,
    properties: {
      start: { description: 'Field of the record with the start of the first period.', $ref: '#/$defs/fieldName' },
      unit: { enum: ['month', 'quarter'] },
      count: { description: 'Number of periods.', type: 'integer', minimum: 2, maximum: 24 },
      field: {
        description: 'Names of the columns: "m" makes m01, m02 …',
        type: 'string',
        pattern: '^[a-z][a-z_]{0,20}$',
      },
      type: { enum: ['money', 'decimal', 'quantity', 'percent', 'integer'] },
      totals: {
        description: 'quarter: a total for each quarter; all: a total for all periods.',
        type: 'array',
        uniqueItems: true,
        items: { enum: ['quarter', 'all'] },
      },
      roll: {
        description: 'How totals are computed: sum (default), or for balances last, min, max.',
        enum: ['sum', 'last', 'min', 'max'],
      },
      closed: {
        description: 'Which periods are closed: nobody can change their cells.',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        dependentRequired: { by: ['period'], period: ['by'], when: ['by'], same: ['by'] },
        properties: {
          until: { description: 'Field of the record with the last closed month or day.', $ref: '#/$defs/fieldName' },
          by: { description: 'A type whose records each close one month.', type: 'string', minLength: 1 },
          period: { description: 'Its field with the month.', $ref: '#/$defs/fieldName' },
          when: {
            description: 'Only records with these values count: {"state": "closed"}.',
            type: 'object',
            minProperties: 1,
            additionalProperties: {
              oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
            },
          },
          same: {
            description: 'Fields of that type that must equal fields of the record: {"branch_id": "branch_id"}.',
            type: 'object',
            minProperties: 1,
            additionalProperties: { $ref: '#/$defs/fieldName' },
          },
        },
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
    checkClosed(field, check, at);
    if (unit === 'quarter' && totals?.includes('quarter'))
      check.report([...at, 'x-periods', 'totals'], 'Quarters have no sums of quarters.', 'Write ["all"].');
  },
  chapter: 'Child rows',
  doc: [
    '**`x-periods`** creates columns for consecutive periods: `count` months or quarters, starting with the one in the',
    'record\'s field `start`, named `m01`, `m02` … after `field`. The form labels them "Apr 2025". `totals` adds `m_q1` …',
    'and `m_all`, which are formulas everywhere; in the form a total can be typed: it is distributed over its periods in',
    'proportion to their values, or evenly if they are empty, so that they add up to it exactly. With `roll` `last`, `min`',
    'or `max` they are totals of balances, and cannot be typed. `closed` says which periods are closed: `until` a month or',
    'day in a field of the record, or the periods closed by records of another type, one record per month: `{ "by":',
    '"plan_period", "period": "month", "when": { "state": "closed" }, "same": { "branch_id": "branch_id" } }`. Cells of',
    'closed periods are marked, and keep their values when a total is distributed; the server always refuses to change',
    'them, to add a row with a figure there, or to remove one.',
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
