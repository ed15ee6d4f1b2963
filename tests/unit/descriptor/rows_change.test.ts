import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsBefore, rowsChange } from '../../../src/descriptor/rows_change.ts';
import type { RowsChange } from '../../../src/descriptor/rows_change.ts';
import type { Field } from '../../../src/descriptor/types.ts';

const columns = [{ name: 'qty' }, { name: 'note' }] as Field[];
const same = (_column: Field, a: unknown, b: unknown) => a === b;
const between = (from: Record<string, unknown>[], to: Record<string, unknown>[]) => rowsChange(columns, from, to, same);

it('contains only differences', () => {
  const from = [
    { id: 40, qty: '1' },
    { id: 41, qty: '2' },
    { id: 42, qty: '5', note: 'a' },
    { id: 43, qty: '6' },
  ];
  const { known, added } = between(from, [
    { id: 43, qty: '6' },
    { id: 41, qty: '3' },
    { qty: '9' },
    { id: 42, qty: '5', note: 'a' },
  ]);
  expect(known).toEqual({
    '41': { qty: ['2', '3'] },
    '43': { position: [3, 0] },
    '-40': { position: 0, qty: '1' },
  });
  expect([...added]).toEqual([[2, { position: 2, qty: '9' }]]);
  expect(between(from, from)).toEqual({ known: {}, added: new Map() });
});

it('restores the earlier rows from the later ones, in order', () => {
  const rows = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 12 }), qty: fc.constantFrom('1', '2'), note: fc.constantFrom('a', 'b') }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(rows, rows, (from, sent) => {
      const known = new Set(from.map(({ id }) => id));
      const to = sent.map(({ id, ...row }) => (known.has(id) ? { id, ...row } : row));
      const { known: change, added } = between(from, to);
      // As they are stored: those that came have ids by then.
      const after = to.map((row, at) => ('id' in row ? row : { id: 100 + at, ...row }));
      const stored: RowsChange = {
        ...change,
        ...Object.fromEntries([...added].map(([at, row]) => [`+${100 + at}`, row])),
      };
      expect(rowsBefore(stored, after)).toEqual(from);
    }),
  );
});
