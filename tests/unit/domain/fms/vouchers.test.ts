import { expect, it } from 'vitest';
import { inColumns, withoutLedger } from '../../../../src/domain/fms/vouchers.ts';

const part = (voucher: string, ledger: string | null, amount: string) => ({ voucher, ledger, owner: 'of it', amount });
const bill = [
  part('INV1', 'CUST', '28271.00'),
  part('INV1', 'AMC', '-23958.34'),
  part('INV1', 'CGST', '-4312.5'),
  part('INV1', 'ROUND', '-0.16'),
];

it('vouchers balance, each by itself; debits are above 0, credits below', () => {
  expect(inColumns(bill).map(({ debit, credit }) => [debit, credit])).toEqual([
    ['28271.00', null],
    [null, '23958.34'],
    [null, '4312.50'],
    [null, '0.16'],
  ]);
  const other = [part('RCT1', 'BANK', '100.00'), part('RCT1', 'CUST', '-99.99')];
  expect(() => inColumns([...bill, ...other])).toThrow('Debits and credits of RCT1 differ by 0.01.');
});

it('names each record without a ledger code once', () => {
  expect(withoutLedger(bill)).toBeNull();
  expect(withoutLedger([...bill, part('INV2', null, '1'), part('INV3', null, '1')])).toMatch(
    /^No ledger code: of it\./,
  );
});
