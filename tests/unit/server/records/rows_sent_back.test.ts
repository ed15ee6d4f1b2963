import { expect, it } from 'vitest';
import { changeOf } from '../../../../src/server/engine/records/history.ts';
import { prepare, unstorable } from '../../../../src/server/engine/records/validate_record.ts';
import { screenOf } from '../../descriptor/fixtures/compile_sample.ts';

const order = screenOf(
  {},
  {
    lines: {
      type: 'array',
      items: {
        properties: {
          qty: { $ref: 'types#quantity' },
          rate: { $ref: 'types#money' },
          net: { $ref: 'types#money', 'x-formula': 'qty * rate' },
        },
      },
    },
  },
);
const stored = {
  code: 'A',
  name: 'A',
  lines: [
    { id: 1, qty: '1.000', rate: '2.50', net: '2.40' },
    { id: 2, qty: '3.000', rate: '4.00', net: '12.00' },
  ],
};

it('an unchanged row is stored as it was, in any number format, so that signatures stay valid', () => {
  const sent = { lines: [{ ...stored.lines[0]! }, { ...stored.lines[1]!, qty: '5' }] };
  const lines = prepare(order, sent, stored).record.lines as typeof stored.lines;
  expect(lines[0]).toBe(stored.lines[0]);
  expect(lines[1]).toMatchObject({ qty: '5', net: '20.00' });
  expect(Object.keys(changeOf(order, stored, { ...stored, lines }))).toEqual(['lines']);
  expect(changeOf(order, stored, { ...stored, lines: [...stored.lines] })).toEqual({});
});

it('stored values fit their columns; every value of a changed row is checked', () => {
  const odd = { id: 1, qty: 'x', rate: '2.50', net: null };
  expect(unstorable(order, { lines: [odd] }, { lines: [odd] })).toEqual([]);
  expect(unstorable(order, { lines: [{ ...odd }] }, { lines: [odd] })).toMatchObject([{ field: 'lines.0.qty' }]);
});
