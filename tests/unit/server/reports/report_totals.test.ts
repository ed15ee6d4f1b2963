import { expect, it } from 'vitest';
import type { Field } from '../../../../src/descriptor/types.ts';
import type { Report } from '../../../../src/domain/report.ts';
import { finish } from '../../../../src/server/engine/reports/run_report.ts';

const column = (name: string, type: string, more: Partial<Field> = {}) =>
  ({ name, type, title: name, schema: {}, ...more }) as Field;
const columns = [
  column('item', 'text'),
  column('unit', 'text'),
  column('place', 'text'),
  column('qty', 'quantity', { unitFrom: 'unit' }),
  column('value', 'money'),
];
const report = (more: Partial<Report> = {}) =>
  ({ title: 'Stock', columns, totals: ['qty', 'value'], ...more }) as unknown as Report;
const row = (item: string, unit: string, place: string, qty: string) => ({ item, unit, place, qty, value: '10.00' });

it('a column has a total only where all its numbers are in one unit', () => {
  const pieces = [row('Card', 'NOS', 'North', '2'), row('Belt', 'NOS', 'North', '3')];
  expect(finish(report(), columns, { rows: pieces }).totals).toEqual({ qty: '5', value: '20.00' });
  const mixed = [...pieces, row('Rope', 'MTR', 'North', '37.5')];
  expect(finish(report(), columns, { rows: mixed }).totals).toEqual({ value: '30.00' });
});

it('a row of a pivot has its own total, the column of a place with several units has none', () => {
  const pivot = { by: 'place', values: ['qty'] };
  const rows = [
    row('Card', 'NOS', 'North', '2'),
    row('Card', 'NOS', 'South', '1'),
    row('Rope', 'MTR', 'North', '37.5'),
    row('Rope', 'MTR', 'South', '2.5'),
  ];
  const made = finish(report({ pivot, totals: ['qty'] }), columns, { rows });
  expect(made.rows.map((one) => one['.total.qty'])).toEqual(['3', '40.0']);
  expect(made.totals).toEqual({});
});
