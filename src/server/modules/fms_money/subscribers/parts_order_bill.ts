import type { Subscriber } from '../../../engine/modules.ts';
import { partsBillingService } from '../parts_billing_service.ts';

type Row = Record<string, unknown>;

/** Drafts the bill of a parts order once its parts are used, at the accepted rates. */
export const partsOrderBill: Subscriber = {
  async run({ event, unit }) {
    const { mr_contract_id: order, lines } = event.payload as unknown as {
      mr_contract_id: number;
      lines: { line: number; item: number; qty: string; rate: string }[];
    };
    const used = lines.filter(({ qty }) => Number(qty) > 0);
    const [facts] = await unit.query<Row & { drafted: boolean }>(
      `select c.customer_id, c.branch_id, c.lift_id, l.building_id, c.customer_po_no as order_no, r.contract_id
       from {mr_contract} c left join {lift} l on l.id = c.lift_id left join {mr} r on r.id = c.mr_id where c.id = $1 and c.kind = 'order'`,
      [order],
    );
    if (!facts || used.length === 0) return;
    const service = await partsBillingService(unit);
    const names = await unit.query<{ id: number; name: string }>(
      'select id, name from {item_mstr} where id = any($1::bigint[])',
      [used.map(({ item }) => item)],
    );
    await unit.create('billing', {
      _from: { type: 'mr_contract', id: order, make: 'bill' },
      bill_kind: 'tax_invoice',
      customer_id: facts.customer_id,
      building_id: facts.building_id,
      branch_id: facts.branch_id,
      contract_id: facts.contract_id,
      order_no: facts.order_no,
      lines: used.map(({ line, item, qty, rate }) => ({
        _source: line,
        service_id: service,
        item_id: item,
        lift_id: facts.lift_id,
        description: names.find(({ id }) => Number(id) === item)?.name ?? 'Part',
        qty,
        rate,
      })),
    });
  },
};
