import { expect, it, onTestFinished } from 'vitest';
import { filterHolds } from '../../../src/descriptor/filter_holds.ts';
import { place, setPlace } from '../../../src/descriptor/place.ts';
import type { FilterExpression } from '../../../src/descriptor/types.ts';

const record = {
  place: 'North gate',
  price: '1500.50',
  done_at: '2026-03-31T09:30:00Z',
  due: '2026-04-01',
  branch_id: 7,
  branch_id__label: 'Chennai',
  tags: ['old', 'loud'],
  left: null,
  lines: [{ item_id: 4 }, { item_id: null }, { item_id: 9 }],
};

it.each<[FilterExpression, boolean]>([
  [['place', 'eq', 'north GATE'], true],
  [['place', 'starts', 'gate'], false],
  [['place', 'contains', 'gate'], true],
  [['price', 'gt', '200'], true],
  [['price', 'between', [null, '1500.5']], true],
  [['done_at', 'eq', '2026-03-31'], true],
  [['done_at', 'after', '2026-03-31'], false],
  [['due', 'before', '2026-04-02'], true],
  [['branch_id', 'in', [3, 7]], true],
  [['branch_id', 'contains', 'chen'], true],
  [['tags', 'in', ['loud']], true],
  [['lines.item_id', 'in', [9, 12]], true],
  [['lines.item_id', 'in', [12]], false],
  [['left', 'ne', 'yes'], true],
  [['left', 'lt', 5], false],
  [['left', 'empty'] as unknown as FilterExpression, true],
  [['and', ['price', 'lte', '1500.50'], ['or', ['due', 'notempty', null], ['place', 'eq', 'x']]], true],
  [['and'] as unknown as FilterExpression, true],
])('%j holds: %s', (filter, holds) => {
  expect(filterHolds(filter, record)).toBe(holds);
});

it('takes the day of a moment where the work is done', () => {
  const there = { ...place(), timezone: 'Asia/Kolkata' };
  const before = setPlace(() => there);
  onTestFinished(() => void setPlace(before));
  // Half past one on the first of April in India.
  const night = { done_at: '2026-03-31T20:00:00.000Z' };
  expect(filterHolds(['done_at', 'eq', '2026-04-01'], night)).toBe(true);
  expect(filterHolds(['done_at', 'between', ['2026-03-01', '2026-03-31']], night)).toBe(false);
});
