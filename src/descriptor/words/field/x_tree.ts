import { fieldType } from '../../fieldtypes/registry.ts';
import type { RowTree } from '../../row_tree.ts';
import { summedColumns } from '../../row_tree.ts';
import { defineWord } from '../word.ts';

interface WrittenTree {
  by: string | string[];
  spread?: 'shares' | 'even';
  weigh?: string;
}

declare module '../../types.ts' {
  interface FieldWords {
    /** Child rows shown as a tree, with subtotals. */
    rowTree?: RowTree;
  }
}

export const xTree = defineWord<WrittenTree>({
  name: 'x-tree',
  on: 'field',
  shape: {
    description: 'For child rows: they are shown as a tree with subtotals for its groups.',
    type: 'object',
    required: ['by'],
    additionalProperties: false,
    properties: {
      by: {
        description: 'The column, or several from the top, that places a row.',
        oneOf: [
          { $ref: '#/$defs/fieldName' },
          { type: 'array', items: { $ref: '#/$defs/fieldName' }, minItems: 1, maxItems: 5, uniqueItems: true },
        ],
      },
      spread: {
        description:
          'How a figure typed on a group is distributed to its rows: shares (in proportion to their values, the default) or even.',
        enum: ['shares', 'even'],
      },
      weigh: { description: 'It is distributed in proportion to this column instead.', $ref: '#/$defs/fieldName' },
    },
    examples: [{ by: 'account_id' }, { by: ['department_id', 'account_id'], weigh: 'last_year' }],
  },
  compile: (written, { field, source, at, known }) => {
    if (!written) return;
    if (!field.rows) {
      if (known) source.report([...at, 'x-tree'], `"${field.name}" has no child rows.`, 'Write it beside "items".');
      return;
    }
    field.rowTree = {
      by: [written.by].flat(),
      spread: written.spread ?? 'shares',
      ...(written.weigh !== undefined && { weigh: written.weigh }),
    };
  },
  check: (field, { check, at }) => {
    const { rowTree, rows } = field;
    if (!rowTree || !rows) return;
    const path = [...at, 'x-tree'];
    const names = rows.map(({ name }) => name);
    const columnOf = (name: string, word: string) => {
      const column = rows.find((one) => one.name === name);
      if (!column) check.unknown([...path, word], name, names, `"${word}" (a column of ${field.name})`);
      return column;
    };
    for (const name of rowTree.by) {
      const column = columnOf(name, 'by');
      if (column && (column.secret || !fieldType(column.type).can.key))
        check.report(
          [...path, 'by'],
          `"${name}" cannot place rows: it is of type ${column.type}.`,
          'Choose a column with one short value, such as a reference.',
        );
    }
    const weigh = rowTree.weigh === undefined ? undefined : columnOf(rowTree.weigh, 'weigh');
    if (weigh && fieldType(weigh.type).filter !== 'number')
      check.report(
        [...path, 'weigh'],
        `Nothing can be spread by "${weigh.name}": it is of type ${weigh.type}.`,
        'Choose a column of numbers.',
      );
    if (summedColumns(rows).length === 0)
      check.report(path, 'None of the columns has subtotals.', 'Give the rows an amount or a quantity.');
  },
  chapter: 'Child rows',
  doc: [
    '**`x-tree`** shows rows as a tree: `by` names the column that places a row, or several from the top. If it refers to a',
    'type with a `tree`, the groups are the ancestors of the record referred to; for any other column, its values are the',
    'groups. Groups are rows that can be opened and closed, with exact subtotals of amounts, quantities and periods,',
    'updated while people type; they are computed and never stored, so a wrong subtotal cannot be sent. `GET',
    '…/<id>/rows/<field>/tree` returns them too, and Excel sheets show them with an outline; they are ignored when the',
    'sheet is imported. A figure typed on a group is distributed over its rows (and, in a total of periods, over their',
    'periods): in proportion to their values, or evenly if they are empty; with `"spread": "even"` always evenly; with',
    '`weigh` by the figures of that column. Closed cells keep their values; the history shows the figure, the group and the',
    'number of rows.',
  ],
  example: [
    {
      part: {
        staff: {
          type: 'array',
          title: 'Staff',
          'x-tree': { by: 'department_id' },
          items: {
            type: 'object',
            required: ['department_id'],
            properties: {
              department_id: { $ref: 'types#ref', 'x-ref': 'department', title: 'Department' },
              salaries: { $ref: 'types#money', title: 'Salaries' },
            },
          },
        },
      },
    },
  ],
});
