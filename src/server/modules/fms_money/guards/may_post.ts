import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { indianDay } from '../fills/bill_tax.ts';
import { closedPeriod } from '../open_period.ts';

type Row = Record<string, unknown>;

/** Every line needs a GST rate that is valid on the day (C5). */
async function missingRates(unit: Unit, record: Row): Promise<FieldError[]> {
  const lines = record.lines as Row[];
  const at = lines.findIndex(({ cgst_rate: rate }) => rate === null);
  if (at === -1) return [];
  if (record.supply === null)
    return [
      {
        field: 'building_id',
        message: 'The place of supply is not known. Choose the building, or enter the state of the customer.',
      },
    ];
  const [service] = await unit.query<{ name: string; code: string }>(
    'select v.name, k.code from {fmsservice} v join {hs_code} k on k.id = v.hs_code_id where v.id = $1',
    [lines[at]!.service_id],
  );
  return [
    {
      field: `lines.${at}.service_id`,
      message: `No rate of GST for ${service?.name ?? 'this service'} (SAC ${service?.code ?? '?'}) on ${indianDay(String(record.bill_date))}. Add one in Tax rate.`,
    },
  ];
}

/** A note credits at most what is left to credit on its bill (C9). */
async function creditable(unit: Unit, record: Row): Promise<FieldError[]> {
  const original = await unit.read('billing', Number(record.original_bill_id), { lock: true });
  const found: FieldError[] = [];
  if (original.status !== 'posted')
    found.push({
      field: 'original_bill_id',
      message: `${String(original.bill_no ?? 'The bill')} is not posted: it cannot be credited.`,
    });
  const rest = new Decimal(String(original.grand_total)).minus(String(original.credited));
  if (new Decimal(String(record.grand_total ?? 0)).gt(rest))
    found.push({
      field: 'lines',
      message: `${String(original.bill_no)} has ${formatMoney(rest.toFixed(2))} left to credit; this note comes to ${formatMoney(String(record.grand_total))}. Lower its lines.`,
    });
  if (String(record.bill_date) < String(original.bill_date))
    found.push({ field: 'bill_date', message: 'A note cannot be dated before its bill.' });
  return found;
}

/**
 * Whether a bill may be posted: an open period, valid rates, a total, and an order number if the customer orders in
 * writing.
 */
export const mayPost: Guard = {
  async check({ unit, record }) {
    const branch = (record.branch_id as number | null) ?? null;
    const found = await closedPeriod(unit, { field: 'bill_date', day: String(record.bill_date), branch });
    found.push(...(await missingRates(unit, record)));
    if (found.length === 0 && !new Decimal(String(record.grand_total ?? 0)).gt(0))
      found.push({ field: 'lines', message: 'The total is zero. Enter the billed amounts.' });
    if (record.bill_kind === 'credit_note') found.push(...(await creditable(unit, record)));
    else if (record.bill_kind === 'tax_invoice' && record.supply === 'exempt')
      found.push({ field: 'bill_kind', message: 'Without a GST registration of the branch, make a bill of supply.' });
    const [customer] = await unit.query<{ po_needed: boolean | null; status: string }>(
      'select po_needed, status from {customer_dtl} where id = $1',
      [record.customer_id],
    );
    if (
      customer?.po_needed === true &&
      record.order_no === null &&
      ['tax_invoice', 'bill_of_supply', 'proforma'].includes(String(record.bill_kind))
    )
      found.push({ field: 'order_no', message: 'This customer orders in writing: enter the order number.' });
    return found;
  },
};
