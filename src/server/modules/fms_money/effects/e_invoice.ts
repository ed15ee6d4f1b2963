import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { answerOf, eInvoice } from '../../../../domain/fms/e_invoice.ts';
import type { EInvoiceBill } from '../../../../domain/fms/e_invoice.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The portal's response for several thousand bills has several megabytes. */
const MAX_BYTES = 10 * 1024 * 1024;

interface Parties extends Row {
  place: string | null;
  seller_name: string | null;
  seller_address: string;
  seller_city: string | null;
  seller_pincode: string | null;
  buyer_city: string | null;
  buyer_pincode: string | null;
  original_no: string | null;
  original_day: string | null;
}

async function partiesOf(unit: Unit, bill: WireRecord): Promise<Parties> {
  const [parties] = await unit.query<Parties>(
    `select s.gst_code as place, coalesce(e.legal_name, e.name) as seller_name,
       coalesce(nullif(concat_ws(', ', b.address1, b.address2), ''), concat_ws(', ', e.address1, e.address2)) as seller_address,
       z.name as seller_city, coalesce(b.pincode, e.pincode) as seller_pincode,
       y.name as buyer_city, c.pincode as buyer_pincode, o.bill_no as original_no, o.bill_date::text as original_day
     from {entity} e left join {branch} b on b.id = $2 left join {customer_dtl} c on c.id = $3 left join {city_mstr} y on y.id = c.city_id
     left join {city_mstr} z on z.id = coalesce(b.city, e.city)
     left join {state_mstr} s on s.id = $4 left join {billing} o on o.id = $5 where e.id = $1`,
    [
      unit.session.entityId,
      bill.branch_id,
      bill.customer_id,
      bill.place_of_supply_id ?? null,
      bill.original_bill_id ?? null,
    ],
  );
  return parties!;
}

const words = (value: unknown): string => (typeof value === 'string' ? value : '');
const money = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : '0');

/** The fields that the portal requires and the bill lacks. */
function missing(bill: WireRecord, parties: Parties): string[] {
  const needed: [unknown, string][] = [
    [bill.supplier_gstin, 'the GSTIN of the branch'],
    [bill.recipient_gstin, 'the GSTIN of the customer'],
    [parties.place, 'the state of supply'],
    [parties.seller_address, 'the address of the branch'],
    [parties.seller_city, 'the city of the branch'],
    [parties.seller_pincode, 'the PIN code of the branch'],
    [bill.customer_address, 'the address of the customer'],
    [parties.buyer_city, 'the city of the customer'],
    [parties.buyer_pincode, 'the PIN code of the customer'],
  ];
  return needed.flatMap(([value, name]) => (words(value) === '' ? [name] : []));
}

/** Writes the upload file for the invoice registration portal (INV-01), and stores it with the bill. */
export const eInvoiceFile: Effect = {
  elevated: true,
  async apply({ unit: own, services, record }) {
    const unit = own.elevated();
    const bill = await unit.read('billing', record.id);
    const parties = await partiesOf(unit, bill);
    const open = missing(bill, parties);
    if (open.length > 0)
      return unit.refuse([
        { field: 'e_invoice', message: `The portal needs ${open.join(', ')}. Enter it, and make the file again.` },
      ]);
    const { original_no: no, original_day: day } = parties;
    const json = eInvoice({
      kind: bill.bill_kind as EInvoiceBill['kind'],
      no: words(bill.bill_no),
      day: words(bill.bill_date),
      supply: words(bill.supply),
      reverse_charge: bill.reverse_charge === true,
      place: parties.place!,
      seller: {
        gstin: words(bill.supplier_gstin),
        name: words(parties.seller_name),
        address: parties.seller_address,
        city: parties.seller_city!,
        pincode: parties.seller_pincode!,
      },
      buyer: {
        gstin: words(bill.recipient_gstin),
        name: words(bill.customer_name),
        address: words(bill.customer_address),
        city: parties.buyer_city!,
        pincode: parties.buyer_pincode!,
      },
      lines: (bill.lines as Row[]).map((line) => ({
        description: words(line.description),
        code: words(line.sac),
        is_service: line.item_id === null,
        qty: money(line.qty),
        rate: money(line.rate),
        taxable: money(line.taxable),
        cgst_rate: money(line.cgst_rate),
        sgst_rate: money(line.sgst_rate),
        igst_rate: money(line.igst_rate),
        cess_rate: money(line.cess_rate),
        cgst: money(line.cgst),
        sgst: money(line.sgst),
        igst: money(line.igst),
        cess: money(line.cess),
      })),
      taxable_total: money(bill.taxable_total),
      cgst_total: money(bill.cgst_total),
      sgst_total: money(bill.sgst_total),
      igst_total: money(bill.igst_total),
      cess_total: money(bill.cess_total),
      round_off: money(bill.round_off),
      grand_total: money(bill.grand_total),
      original: no !== null && day !== null ? { no, day } : null,
    });
    const name = `e-invoice ${words(bill.bill_no).replaceAll('/', '-')}.json`;
    const text = Buffer.from(`${JSON.stringify([json], null, 1)}\n`);
    const file = await services.files.save(unit.session, name, Readable.from([text]), 'billing.e_invoice_file');
    await unit.update('billing', bill.id, { e_invoice_file: file.id });
    return undefined;
  },
};

/**
 * Reads the IRN, acknowledgement and signed QR code of a bill from the portal's response, which may contain many bills.
 */
export const readEInvoice: Effect = {
  elevated: true,
  async apply({ unit: own, services, record, input }) {
    const unit = own.elevated();
    const refuse = (message: string) => unit.refuse([{ field: 'e_invoice_answer', message }]);
    const id = Number(input.e_invoice_answer ?? record.e_invoice_answer);
    const { file, path } = await services.files.open(unit.session.tenant, id);
    if (file.size > MAX_BYTES) return refuse('The answer has at most 10 MB.');
    const read = answerOf(await readFile(path, 'utf8'), {
      no: words(record.bill_no),
      gstin: (record.supplier_gstin as string | null) ?? null,
    });
    if ('wrong' in read) return refuse(read.wrong);
    const { irn, ack_no, day, signed_qr } = read.answer;
    await unit.update('billing', record.id, { irn, ack_no, ack_on: day, signed_qr, e_invoice: 'done' });
    return undefined;
  },
};
