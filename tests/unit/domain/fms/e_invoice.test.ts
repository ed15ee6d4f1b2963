import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import type { EInvoiceBill } from '../../../../src/domain/fms/e_invoice.ts';
import { answerOf, eInvoice } from '../../../../src/domain/fms/e_invoice.ts';
import { paidPart } from '../../../../src/domain/fms/paid_part.ts';

const party = (gstin: string) => ({
  gstin,
  name: 'Acme Lifts Private Limited',
  address: `${'1 Mount Road, '.repeat(10)}Chennai`,
  city: 'Chennai',
  pincode: '600002',
});
const bill: EInvoiceBill = {
  kind: 'tax_invoice',
  no: 'INV/25-26/00017',
  day: '2026-03-31',
  supply: 'intra_state',
  reverse_charge: false,
  place: '33',
  seller: party('33AAFCM4821Q1Z6'),
  buyer: party('33AAPFU0939F1Z2'),
  lines: [
    {
      description: 'Maintenance',
      code: '998718',
      is_service: true,
      qty: '1',
      rate: '10000.00',
      taxable: '9000.00',
      cgst_rate: '9',
      sgst_rate: '9',
      igst_rate: '0',
      cess_rate: '0',
      cgst: '810.00',
      sgst: '810.00',
      igst: '0',
      cess: '0',
    },
  ],
  taxable_total: '9000.00',
  cgst_total: '810.00',
  sgst_total: '810.00',
  igst_total: '0.00',
  cess_total: '0.00',
  round_off: '0.00',
  grand_total: '10620.00',
  original: null,
};

describe('an e-invoice (INV-01)', () => {
  it('contains parties, lines with discount and tax, and totals in the portal’s format', () => {
    expect(eInvoice(bill)).toMatchObject({
      Version: '1.1',
      TranDtls: { TaxSch: 'GST', SupTyp: 'B2B', RegRev: 'N' },
      DocDtls: { Typ: 'INV', No: 'INV/25-26/00017', Dt: '31/03/2026' },
      SellerDtls: { Gstin: '33AAFCM4821Q1Z6', Stcd: '33', Pin: 600_002, Loc: 'Chennai' },
      BuyerDtls: { Gstin: '33AAPFU0939F1Z2', Pos: '33' },
      ItemList: [
        {
          SlNo: '1',
          IsServc: 'Y',
          HsnCd: '998718',
          TotAmt: 10_000,
          Discount: 1000,
          AssAmt: 9000,
          GstRt: 18,
          TotItemVal: 10_620,
        },
      ],
      ValDtls: { AssVal: 9000, CgstVal: 810, SgstVal: 810, IgstVal: 0, TotInvVal: 10_620 },
    });
    const { SellerDtls: seller } = eInvoice(bill) as { SellerDtls: { Addr1: string; Addr2: string } };
    expect([seller.Addr1.length, seller.Addr2.length > 2]).toEqual([100, true]);
    const note = eInvoice({ ...bill, kind: 'credit_note', original: { no: 'INV/25-26/00001', day: '2025-05-15' } });
    expect(note).toMatchObject({
      DocDtls: { Typ: 'CRN' },
      RefDtls: { PrecDocDtls: [{ InvNo: 'INV/25-26/00001', InvDt: '15/05/2025' }] },
    });
  });
});

describe('the portal’s response', () => {
  const qr = (data: object) =>
    `x.${Buffer.from(JSON.stringify({ data: JSON.stringify(data) })).toString('base64url')}.y`;
  const irn = 'a'.repeat(64);
  const of = (no: string) => ({
    AckNo: 112_010_036_563_310,
    AckDt: '2026-03-31 10:15:00',
    Irn: irn,
    SignedQRCode: qr({ SellerGstin: '33AAFCM4821Q1Z6', DocNo: no }),
  });

  it('is found by the bill number', () => {
    const text = JSON.stringify([of('INV/25-26/00016'), of('INV/25-26/00017')]);
    expect(answerOf(text, { no: 'INV/25-26/00017', gstin: '33AAFCM4821Q1Z6' })).toMatchObject({
      answer: { irn, ack_no: '112010036563310', day: '2026-03-31' },
    });
    expect(answerOf(text, { no: 'INV/25-26/00018', gstin: null })).toEqual({
      wrong: 'The file has no answer for INV/25-26/00018.',
    });
    expect(answerOf(text, { no: 'INV/25-26/00017', gstin: '29AAFCM4821Q1ZV' })).toHaveProperty('wrong');
    expect(answerOf('<html>', { no: 'X', gstin: null })).toHaveProperty('wrong');
    expect(answerOf(JSON.stringify([{ DocDtls: { No: 'X' }, ErrorDetails: [] }]), { no: 'X', gstin: null })).toEqual({
      wrong: 'The portal gave X no IRN. Correct what it names and upload the bill again.',
    });
  });
});

describe('the paid part of a proforma', () => {
  it('contains each line in proportion, without rounding loss', () => {
    expect(paidPart(['100000.00'], '59000.00', '118000.00')).toEqual(['50000.00']);
    const money = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(fc.array(money, { minLength: 1, maxLength: 9 }), money, money, (lines, a, b) => {
        const [paid, total] = [Math.min(a, b), Math.max(a, b)];
        const parts = paidPart(
          lines.map((one) => (one / 100).toFixed(2)),
          (paid / 100).toFixed(2),
          (total / 100).toFixed(2),
        );
        const whole = lines.reduce((sum, one) => sum.plus(one), new Decimal(0)).dividedBy(100);
        const share = whole.times(paid).dividedBy(total).toDecimalPlaces(2);
        expect(Decimal.sum(...parts).toFixed(2)).toBe(share.toFixed(2));
      }),
    );
  });
});
