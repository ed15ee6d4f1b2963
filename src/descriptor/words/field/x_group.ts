import { compileExpression } from '../../expression/compile_expression.ts';
import { fieldType } from '../../fieldtypes/registry.ts';
import type { Field } from '../../types.ts';
import { defineWord } from '../word.ts';

/** Computed child rows: one for each value of a column of other rows. */
export interface RowGroup {
  /** The rows that are grouped. */
  of: string;
  /** Their column whose values are the groups; the computed rows have it too. */
  by: string;
}

declare module '../../types.ts' {
  interface FieldWords {
    rowGroup?: RowGroup;
  }
}

export const xGroup = defineWord<RowGroup>({
  name: 'x-group',
  on: 'field',
  shape: {
    description: 'Computed child rows: one for each value of a column of other rows. Never entered.',
    type: 'object',
    required: ['of', 'by'],
    additionalProperties: false,
    properties: {
      of: { description: 'The child rows that are grouped.', type: 'string' },
      by: { description: 'A column of them; the computed rows have a column of the same name.', type: 'string' },
    },
    examples: [{ of: 'lines', by: 'option' }],
  },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (!field.rows) {
      if (known) source.report([...at, 'x-group'], `"${field.name}" has no child rows.`, 'Give it "items".');
      return;
    }
    field.rowGroup = written;
    field.readOnly = true;
    for (const column of field.rows) column.readOnly = true;
  },
  check: (field, { check, at }) => {
    if (!field.rowGroup || !field.rows) return;
    const path = [...at, 'x-group'];
    const { of, by } = field.rowGroup;
    const tables = check.screen.fields.filter(({ rows, rowGroup }) => rows && !rowGroup);
    const grouped = tables.find(({ name }) => name === of);
    if (!grouped) {
      const names = tables.map(({ name }) => name);
      check.unknown([...path, 'of'], of, names, '"of" (child rows that people enter)');
      return;
    }
    const from = grouped.rows!.find(({ name }) => name === by);
    const key = field.rows.find(({ name }) => name === by);
    if (!from || !key) {
      const names = (from ? field.rows : grouped.rows!).map(({ name }) => name);
      check.unknown([...path, 'by'], by, names, `"by" (a column of ${of} and of "${field.name}")`);
      return;
    }
    if (from.type !== key.type || from.ref?.type !== key.ref?.type)
      check.report([...path, 'by'], `"${by}" is of another type in ${of}.`, 'Give both columns the same type.');
    if (!fieldType(from.type).can.key)
      check.report(
        [...path, 'by'],
        `"${by}" cannot make groups: it is of type ${from.type}.`,
        'Choose a column with one short value.',
      );
    for (const { name, formula } of field.rows)
      if (name !== by && formula === undefined)
        check.report(
          [...at, 'items', 'properties', name],
          `Nothing fills "${name}": the rows of "${field.name}" are computed.`,
          'Give it an x-formula.',
        );
    for (const column of grouped.rows!)
      if (speaksOf(column, field.name))
        check.report(
          ['schema', 'properties', of, 'items', 'properties', column.name, 'x-formula'],
          `The formula goes round in a circle: ${of} → ${field.name} → ${of}.`,
          'Compute it from what is entered.',
        );
  },
  chapter: 'Child rows',
  doc: [
    '**`x-group`** creates computed child rows: one for each value of the column `by` in the rows `of`, in the order in',
    'which the values appear. The column `by` holds the value; all others have an `x-formula`, in which `sum(lines.net)`',
    'covers only the rows of the group. Rows without a value belong to no group. The rows are computed while people type,',
    'and stored, so lists, reports, sheets and prints include them; they cannot be entered.',
  ],
  example: [
    {
      part: {
        works: {
          type: 'array',
          title: 'Works',
          items: {
            type: 'object',
            properties: {
              option: { $ref: 'types#text', title: 'Option' },
              net: { $ref: 'types#money', title: 'Net' },
            },
          },
        },
        options: {
          type: 'array',
          title: 'Options',
          'x-group': { of: 'works', by: 'option' },
          items: {
            type: 'object',
            properties: {
              option: { $ref: 'types#text', title: 'Option' },
              total: { $ref: 'types#money', title: 'Total', 'x-formula': 'sum(works.net)' },
            },
          },
        },
      },
    },
  ],
});

function speaksOf({ formula }: Field, rows: string): boolean {
  try {
    return formula !== undefined && compileExpression(formula).names.some((name) => name.split('.')[0] === rows);
  } catch {
    return false;
  }
}
