import { Exact } from '../../../../descriptor/exact.ts';
import { quoted } from '../../../db/names.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { partsBillingService } from '../parts_billing_service.ts';

/**
 * Drafts the credit note for the old cards that a customer has handed over, once the parts are billed. The credit stands
 * after GST, which is due on the price without the exchange (CGST rule 27).
 */
export const exchangeNote: Subscriber = {
  async run({ event, unit }) {
    const order = await unit.read('mr_contract', Number((event.payload as { mr_contract_id: number }).mr_contract_id));
    const rows = (order.exchange ?? []) as (Record<string, unknown> & { id: number })[];
    const cards = rows.flatMap(
      ({ id, item_id: item, item_id__label: name, received_qty: got, credited_qty: had, credit_rate: rate }) => {
        const qty = new Exact(String(got)).minus(String(had));
        return qty.greaterThan(0) ? [{ id, item, name, qty: qty.toString(), rate }] : [];
      },
    );
    const [bill] = await unit.query<{ id: number }>(
      `select b.id from ${quoted(unit.session.tenant.schema)}.record_link k join {billing} b on b.id = k.to_id
       where k.from_type = 'mr_contract' and k.from_id = $1 and k.make = 'bill' and k.to_type = 'billing'
         and b.active and b.status = 'posted' and b.bill_kind = 'tax_invoice' order by b.id desc limit 1`,
      [order.id],
    );
    if (!bill || cards.length === 0) return;
    const original = await unit.read('billing', Number(bill.id));
    const service = await partsBillingService(unit);
    await unit.create('billing', {
      _from: { type: 'mr_contract', id: order.id, make: 'exchange_note' },
      bill_kind: 'credit_note',
      without_gst: true,
      reason_text: 'Old cards handed over',
      original_bill_id: original.id,
      customer_id: original.customer_id,
      building_id: original.building_id,
      branch_id: original.branch_id,
      contract_id: original.contract_id,
      lines: cards.map(({ id, item, name, qty, rate }) => ({
        _source: id,
        service_id: service,
        item_id: item,
        lift_id: order.lift_id,
        description: `Credit for the old ${String(name ?? 'card')}`.slice(0, 250),
        qty,
        rate,
      })),
    });
  },
};
