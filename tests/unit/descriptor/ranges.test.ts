import { describe, expect, it } from 'vitest';
import { overlap, rangeText, rowRangeErrors, spanOf } from '../../../src/descriptor/ranges.ts';
import type { Field, RangeKey } from '../../../src/descriptor/types.ts';

const field = (name: string, type: string): Field => ({
  name,
  type,
  title: name,
  required: false,
  schema: {},
  secret: false,
  readOnly: false,
});
const rowsField = (type: string): Field => ({
  ...field('bands', 'rows'),
  rows: [field('from', type), field('to', type)],
});
const range = (more: Partial<RangeKey> = {}): RangeKey => ({
  word: 'bands',
  from: 'from',
  to: 'to',
  key: [],
  step: '1',
  gapless: true,
  ...more,
});
const errors = (type: string, rows: object[], more?: Partial<RangeKey>) =>
  rowRangeErrors(rowsField(type), range(more), rows).map(({ field: path, message }) => `${path}: ${message}`);

describe('rows that are ranges', () => {
  it('follow one another whatever their order is', () => {
    expect(
      errors('integer', [
        { from: 18, to: null },
        { from: 0, to: 17 },
      ]),
    ).toEqual([]);
    expect(
      errors(
        'decimal',
        [
          { from: '0', to: '40' },
          { from: '40.00', to: '100' },
        ],
        { step: '0' },
      ),
    ).toEqual([]);
  });

  it('report the neighbour that they overlap, or the gap', () => {
    expect(
      errors('integer', [
        { from: 0, to: 17 },
        { from: 17, to: 20 },
      ]),
    ).toEqual(['bands.1.from: This overlaps with row 1 (0 to 17).']);
    expect(
      errors('integer', [
        { from: 0, to: 17 },
        { from: 19, to: 20 },
      ]),
    ).toEqual(['bands.1.from: This leaves 18 uncovered, behind row 1 (0 to 17). Begin at 18.']);
    expect(
      errors(
        'integer',
        [
          { from: 0, to: 17 },
          { from: 19, to: 20 },
        ],
        { gapless: false },
      ),
    ).toEqual([]);
    // One without an end leaves no room behind it.
    expect(
      errors('integer', [
        { from: 0, to: null },
        { from: 19, to: 20 },
      ]),
    ).toHaveLength(1);
  });

  it('of dates continue the next day, and compete only within their key', () => {
    const days = { word: 'valid' as const };
    expect(errors('date', [{ from: '2026-01-01', to: '2026-03-31' }, { from: '2026-04-01' }], days)).toEqual([]);
    expect(errors('date', [{ from: '2026-01-01', to: '2026-03-31' }, { from: '2026-04-02' }], days)).toEqual([
      'bands.1.from: This leaves 01-04-2026 uncovered, behind row 1 (01-01-2026 to 31-03-2026). Begin at 01-04-2026.',
    ]);
    const same = [
      { from: '2026-01-01', place: null },
      { from: '2026-02-01', place: undefined },
    ];
    expect(errors('date', same, { ...days, key: ['place'] })).toHaveLength(1);
    expect(errors('date', [same[0]!, { from: '2026-02-01', place: 'x' }], { ...days, key: ['place'] })).toEqual([]);
  });

  it('end above their start; incomplete ones are ignored', () => {
    expect(errors('integer', [{ from: 9, to: 5 }])).toEqual(['bands.0.to: to must lie above from.']);
    expect(
      errors('integer', [
        { from: '1x', to: 5 },
        { from: 3, to: 4 },
      ]),
    ).toEqual([]);
  });
});

it('adjacent ranges do not overlap', () => {
  const span = (from: string | null, to: string | null) => spanOf(range({ step: '0' }), { from, to })!;
  expect(overlap(span('0', '10'), span('10', '20'))).toBe(false);
  expect(overlap(span('0', '10.01'), span('10', '20'))).toBe(true);
  expect(overlap(span(null, '1'), span('0', null))).toBe(true);
  expect(rangeText(range(), rowsField('integer').rows!, { from: 65, to: null })).toBe('from 65');
});
