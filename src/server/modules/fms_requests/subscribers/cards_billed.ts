import { quoted } from '../../../db/names.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { announceCards } from '../exchange.ts';

/** When the bill of an order is posted, the credit for the old cards that were handed over before can be given. */
export const cardsBilled: Subscriber = {
  async run({ event, unit }) {
    const [order] = await unit.query<{ id: number }>(
      `select k.from_id as id from ${quoted(unit.session.tenant.schema)}.record_link k
       where k.to_type = 'billing' and k.to_id = $1 and k.from_type = 'mr_contract' and k.make = 'bill'
         and exists (select 1 from {mr_contract.exchange} x where x.parent_id = k.from_id and x.received_qty > x.credited_qty)`,
      [event.of!.id],
    );
    if (order) announceCards(unit, Number(order.id));
  },
};
