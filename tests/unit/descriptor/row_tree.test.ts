import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { subtotals, treeLines } from '../../../src/descriptor/row_tree.ts';
import type { TreeNode } from '../../../src/descriptor/row_tree.ts';
import type { Field } from '../../../src/descriptor/types.ts';

const column = (name: string, type: string, more: Partial<Field> = {}) =>
  ({ name, type, title: name, required: false, schema: {}, secret: false, readOnly: false, ...more }) as Field;
const COLUMNS = [
  column('node_id', 'ref', { ref: { type: 'node' } as Field['ref'] & object }),
  column('m01', 'money', { period: { first: 0, count: 1 } }),
  column('m02', 'money', { period: { first: 1, count: 1 } }),
  column('m_all', 'money', { period: { first: 0, count: 2 }, formula: 'sum(m01, m02)' }),
];
const TREE = { by: ['node_id'], spread: 'shares' as const };

it('totals of the top groups and of rows outside equal the total of all rows, at any depth', () => {
  const amount = fc.option(fc.integer({ min: -10_000_000, max: 10_000_000 }).map((paise) => (paise / 100).toFixed(2)));
  fc.assert(
    fc.property(
      // Each node stands below an earlier one, or at the top.
      fc.array(fc.nat(30), { minLength: 1, maxLength: 30 }),
      fc.array(fc.record({ node: fc.option(fc.nat(40)), m01: amount }), { maxLength: 60 }),
      (parents, given) => {
        const nodes: TreeNode[] = parents.map((parent, at) => ({
          id: at + 1,
          above: parent < at ? parent + 1 : null,
          label: `N${at}`,
        }));
        const rows = given.map(({ node, m01 }) => ({ node_id: node === null ? null : node + 1, m01 }));
        const lines = treeLines(TREE, COLUMNS, rows, new Map([['node_id', nodes]]));
        const places = lines.flatMap((line) => (line.kind === 'row' ? [line.at] : []));
        expect([...places].sort((a, b) => a - b)).toEqual(rows.map((_, at) => at));
        const sums = subtotals(COLUMNS, rows, lines);
        let all = new Decimal(0);
        for (const line of lines)
          if (line.above === null)
            all = all.plus(
              (line.kind === 'row' ? rows[line.at]!.m01 : (sums.get(line.key)!.m01 as string | undefined)) ?? 0,
            );
        const expected = rows.reduce((sum, { m01 }) => sum.plus(m01 ?? 0), new Decimal(0));
        expect(all.toFixed(2)).toBe(expected.toFixed(2));
      },
    ),
  );
});

it('a group of balances has the last, minimum or maximum of its own periods', () => {
  const nodes = [
    { id: 1, above: null, label: 'All' },
    { id: 2, above: 1, label: 'A' },
    { id: 3, above: 1, label: 'B' },
  ];
  const rows = [
    { node_id: 2, m01: '10', m02: '30', m_all: '30' },
    { node_id: 3, m01: '40', m02: null, m_all: '40' },
  ];
  const lines = treeLines(TREE, COLUMNS, rows, new Map([['node_id', nodes]]));
  const all = (roll: 'last' | 'min' | 'max') => subtotals(COLUMNS, rows, lines, roll).get('node_id:1')!.m_all;
  expect([all('last'), all('min'), all('max')]).toEqual(['30.00', '30.00', '50.00']);
});

it('a cycle of records terminates, and a row of a group itself appears in it', () => {
  const nodes = [
    { id: 1, above: 2, label: 'One' },
    { id: 2, above: 1, label: 'Two' },
  ];
  const lines = treeLines(TREE, COLUMNS, [{ node_id: 1, m01: '1' }], new Map([['node_id', nodes]]));
  expect(lines.map(({ kind, depth }) => [kind, depth])).toEqual([
    ['group', 0],
    ['row', 1],
  ]);
});
