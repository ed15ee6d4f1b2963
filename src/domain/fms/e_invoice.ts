import { Exact } from '../../descriptor/exact.ts';

/** A party of an e-invoice, with its registration. */
export interface EInvoiceParty {
  gstin: string;
  name: string;
  address: string;
  city: string;
  pincode: string;
}

/** A line of the bill. Amounts, quantities and rates (percent) are exact texts. */
export interface EInvoiceLine {
  description: string;
  /** SAC, or HSN of a part. */
  code: string;
  is_service: boolean;
  qty: string;
  rate: string;
  taxable: string;
  cgst_rate: string;
  sgst_rate: string;
  igst_rate: string;
  cess_rate: string;
  cgst: string;
  sgst: string;
  igst: string;
  cess: string;
}

/** The input of an e-invoice. Days are YYYY-MM-DD, amounts exact texts. */
export interface EInvoiceBill {
  kind: 'tax_invoice' | 'credit_note' | 'debit_note';
  no: string;
  day: string;
  supply: string;
  reverse_charge: boolean;
  /** GST code of the state of supply. */
  place: string;
  seller: EInvoiceParty;
  buyer: EInvoiceParty;
  lines: EInvoiceLine[];
  taxable_total: string;
  cgst_total: string;
  sgst_total: string;
  igst_total: string;
  cess_total: string;
  round_off: string;
  grand_total: string;
  /** The bill corrected by a note. */
  original: { no: string; day: string } | null;
}

const KINDS = { tax_invoice: 'INV', credit_note: 'CRN', debit_note: 'DBN' } as const;
/** The maximum length of the first and second address line. */
const ADDRESS_LINE = 100;

/** 2026-03-31 → 31/03/2026, the portal's date format. */
const portalDay = (day: string) => day.split('-').toReversed().join('/');
/** The portal requires amounts as numbers with two decimals. */
const amount = (text: string) => Number(new Exact(text).toFixed(2));
const shortened = (text: string, most: number) => text.replaceAll(/\s+/g, ' ').trim().slice(0, most);

function party({ gstin, name, address, city, pincode }: EInvoiceParty) {
  const whole = shortened(address, 2 * ADDRESS_LINE);
  const second = whole.slice(ADDRESS_LINE).trim();
  return {
    Gstin: gstin,
    LglNm: shortened(name, ADDRESS_LINE),
    Addr1: whole.slice(0, ADDRESS_LINE),
    ...(second.length >= 3 && { Addr2: second }),
    Loc: shortened(city, 50),
    Pin: Number(pincode),
    Stcd: gstin.slice(0, 2),
  };
}

/** The e-invoice of a bill in the form INV-01, version 1.1, of the invoice registration portal. */
export function eInvoice(bill: EInvoiceBill): Record<string, unknown> {
  const isZone = bill.supply === 'sez_lut';
  return {
    Version: '1.1',
    TranDtls: {
      TaxSch: 'GST',
      SupTyp: isZone ? 'SEZWOP' : 'B2B',
      RegRev: bill.reverse_charge ? 'Y' : 'N',
      IgstOnIntra: 'N',
    },
    DocDtls: { Typ: KINDS[bill.kind], No: bill.no, Dt: portalDay(bill.day) },
    SellerDtls: party(bill.seller),
    BuyerDtls: { ...party(bill.buyer), Pos: bill.place },
    ItemList: bill.lines.map((line, at) => {
      const tax = [line.cgst, line.sgst, line.igst, line.cess].reduce((sum, one) => sum.plus(one), new Exact(0));
      const gross = new Exact(line.qty).times(line.rate);
      return {
        SlNo: String(at + 1),
        PrdDesc: shortened(line.description, 300),
        IsServc: line.is_service ? 'Y' : 'N',
        HsnCd: line.code,
        Qty: Number(new Exact(line.qty).toFixed(3)),
        Unit: 'OTH',
        UnitPrice: Number(new Exact(line.rate).toFixed(3)),
        TotAmt: amount(gross.toFixed(2)),
        Discount: amount(new Exact(gross.toFixed(2)).minus(line.taxable).toFixed(2)),
        AssAmt: amount(line.taxable),
        GstRt: Number(new Exact(line.cgst_rate).plus(line.sgst_rate).plus(line.igst_rate).toFixed(3)),
        CgstAmt: amount(line.cgst),
        SgstAmt: amount(line.sgst),
        IgstAmt: amount(line.igst),
        CesRt: Number(new Exact(line.cess_rate).toFixed(3)),
        CesAmt: amount(line.cess),
        TotItemVal: amount(new Exact(line.taxable).plus(tax).toFixed(2)),
      };
    }),
    ValDtls: {
      AssVal: amount(bill.taxable_total),
      CgstVal: amount(bill.cgst_total),
      SgstVal: amount(bill.sgst_total),
      IgstVal: amount(bill.igst_total),
      CesVal: amount(bill.cess_total),
      RndOffAmt: amount(bill.round_off),
      TotInvVal: amount(bill.grand_total),
    },
    ...(bill.original && {
      RefDtls: { PrecDocDtls: [{ InvNo: bill.original.no, InvDt: portalDay(bill.original.day) }] },
    }),
  };
}

/** The portal's response for a bill. `day` is YYYY-MM-DD. */
export interface EInvoiceAnswer {
  irn: string;
  ack_no: string;
  day: string;
  signed_qr: string;
}

interface Answered {
  no: string | null;
  gstin: string | null;
  answer: Partial<EInvoiceAnswer>;
}

/** The decoded payload of a signed text of the portal; null if it cannot be read. */
function signedData(text: unknown): Record<string, unknown> | null {
  if (typeof text !== 'string') return null;
  try {
    const payload = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      data?: unknown;
    };
    const data = typeof payload.data === 'string' ? (JSON.parse(payload.data) as unknown) : payload.data;
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const textOf = (...values: unknown[]): string | null => {
  const found = values.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? null : String(found as string | number);
};

/** 2026-03-31 10:15:00 or 31/03/2026 10:15:00 → 2026-03-31 */
function dayOf(text: string | null): string | undefined {
  const [, day, month, year] = /^(\d\d)[/-](\d\d)[/-](\d{4})/.exec(text ?? '') ?? [];
  if (year !== undefined) return `${year}-${month!}-${day!}`;
  return /^\d{4}-\d\d-\d\d/.exec(text ?? '')?.[0];
}

function answered(one: Record<string, unknown>): Answered {
  const qr = signedData(one.SignedQRCode);
  const document = (one.DocDtls ?? {}) as Record<string, unknown>;
  const day = dayOf(textOf(one.AckDt, qr?.IrnDt));
  return {
    no: textOf(qr?.DocNo, document.No, one.DocNo),
    gstin: textOf(qr?.SellerGstin, one.SellerGstin),
    answer: {
      ...(textOf(one.Irn, qr?.Irn) !== null && { irn: textOf(one.Irn, qr?.Irn)! }),
      ...(textOf(one.AckNo) !== null && { ack_no: textOf(one.AckNo)! }),
      ...(day !== undefined && { day }),
      ...(textOf(one.SignedQRCode) !== null && { signed_qr: textOf(one.SignedQRCode)! }),
    },
  };
}

/**
 * Parses the portal's response file: one response, or a list. Bills are matched by number and the seller's
 * registration.
 * @returns the error as text if the bill is missing or the response is incomplete
 */
export function answerOf(
  text: string,
  bill: { no: string; gstin: string | null },
): { answer: EInvoiceAnswer } | { wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: 'This is not a JSON file of the portal. Download its answer again and choose that file.' };
  }
  const list = (Array.isArray(json) ? json : [json]).filter(
    (one): one is Record<string, unknown> => typeof one === 'object' && one !== null,
  );
  const found = list
    .map(answered)
    .find(({ no, gstin }) => no === bill.no && (gstin === null || bill.gstin === null || gstin === bill.gstin));
  if (!found) return { wrong: `The file has no answer for ${bill.no}.` };
  const { irn, ack_no, day, signed_qr } = found.answer;
  if (irn === undefined || ack_no === undefined || day === undefined || signed_qr === undefined)
    return { wrong: `The portal gave ${bill.no} no IRN. Correct what it names and upload the bill again.` };
  return { answer: { irn, ack_no, day, signed_qr } };
}
