import { expect, it } from 'vitest';
import { instalmentTable } from '../../../../src/domain/fms/instalment_table.ts';

const bill = (bill_on: string, amount: string, waits_for: string | null = null) => ({
  contract_year: 1,
  seq_no: 1,
  bill_on,
  waits_for,
  period_from: '2026-04-01',
  period_to: '2026-06-30',
  amount,
});

it('adds up the instalments of all lines by day, with the GST of each component to the paisa', () => {
  const local = { cgst: '9', sgst: '9', igst: null, cess: null };
  const table = instalmentTable([
    { bills: [bill('2026-07-01', '100.05'), bill('2026-04-01', '1000.00')], rates: local },
    { bills: [bill('2026-07-01', '50.00')], rates: local },
    { bills: [bill('2026-04-01', '200.00', 'Erection')], rates: { cgst: null, sgst: null, igst: '18', cess: '1' } },
  ]);
  // 9 % of 100.05 is 9.0045: 9.00 twice.
  expect(table.map(({ bill_on, waits_for, amount, gst, total }) => [bill_on, waits_for, amount, gst, total])).toEqual([
    ['2026-04-01', null, '1000.00', '180.00', '1180.00'],
    [null, 'Erection', '200.00', '38.00', '238.00'],
    ['2026-07-01', null, '150.05', '27.00', '177.05'],
  ]);
});
