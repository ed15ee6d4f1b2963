import { expect, it } from 'vitest';
import { addedUp, gstr1Table } from '../../../../src/domain/fms/gstr1.ts';
import type { Gstr1Part } from '../../../../src/domain/fms/gstr1.ts';

const part = (more: Partial<Gstr1Part> = {}): Gstr1Part => ({
  bill_kind: 'tax_invoice',
  supplied_on: '2025-06-01',
  supplied_total: '118000.00',
  supply: 'inter_state',
  recipient_gstin: null,
  ...more,
});

it('GSTR-1: each bill and note is in the table of its customer, place and size', () => {
  const gstin = '33AAFCM4821Q1Z6';
  expect(gstr1Table(part({ recipient_gstin: gstin }))).toBe('b2b');
  expect(gstr1Table(part({ recipient_gstin: gstin, bill_kind: 'credit_note' }))).toBe('cdnr');
  expect(gstr1Table(part())).toBe('b2cl');
  expect(gstr1Table(part({ bill_kind: 'debit_note' }))).toBe('cdnur');
  expect(gstr1Table(part({ supply: 'intra_state' }))).toBe('b2cs');
  expect(gstr1Table(part({ supplied_total: '100000.00' }))).toBe('b2cs');
  // The limit was higher before August 2024.
  expect(gstr1Table(part({ supplied_on: '2024-07-31' }))).toBe('b2cs');
  expect(gstr1Table(part({ supplied_total: '59000.00', bill_kind: 'credit_note' }))).toBe('b2cs');
  expect(gstr1Table(part({ bill_kind: 'bill_of_supply' }))).toBe('exempt');
});

it('GSTR-1: sums by state take credit notes off', () => {
  const row = (bill_kind: string, place: string, taxable: string, cgst: string) => ({
    bill_kind,
    place,
    taxable,
    cgst,
    sgst: cgst,
    igst: '0',
    cess: '0',
  });
  const sums = addedUp(
    [
      row('tax_invoice', '33', '23958.34', '2156.25'),
      row('tax_invoice', '29', '100.00', '9.00'),
      row('credit_note', '33', '23934.25', '2154.08'),
    ],
    ({ place }) => place,
  );
  expect(sums).toMatchObject([
    { place: '33', taxable: '24.09', cgst: '2.17', sgst: '2.17', igst: '0.00' },
    { place: '29', taxable: '100.00' },
  ]);
});
