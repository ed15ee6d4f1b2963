import { expect, it } from 'vitest';
import { tallyVouchers } from '../../../../src/domain/fms/tally.ts';
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

it('go to Tally as one message each, debits as negative amounts, in text that XML may contain', () => {
  const rows = inColumns(bill).map((row) => ({
    ...row,
    ledger: row.ledger!,
    day: '2026-04-01',
    kind: 'bill',
    narration: 'Shah & Sons \u0001<Mumbai>',
  }));
  const xml = tallyVouchers([...rows, { ...rows[0]!, kind: 'bounced', voucher: 'RCT1' }]);
  expect(xml.match(/<VOUCHER VCHTYPE="[^"]+"/g)).toEqual(['<VOUCHER VCHTYPE="Sales"', '<VOUCHER VCHTYPE="Journal"']);
  expect(xml).toContain('<DATE>20260401</DATE>');
  expect(xml).toContain('<NARRATION>Shah &amp; Sons  &lt;Mumbai&gt;</NARRATION>');
  expect(xml).toContain('<LEDGERNAME>CUST</LEDGERNAME><ISDEEMEDPOSITIVE>Yes</ISDEEMEDPOSITIVE><AMOUNT>-28271.00<');
  expect(xml).toContain('<LEDGERNAME>ROUND</LEDGERNAME><ISDEEMEDPOSITIVE>No</ISDEEMEDPOSITIVE><AMOUNT>0.16<');
});
