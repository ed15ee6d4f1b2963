import { Exact } from '../../../../descriptor/exact.ts';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Job } from '../../../engine/modules.ts';
import { dayOfAct, shownDay } from '../request_day.ts';
import { rowsOf } from '../request_lines.ts';

const PER_STEP = 100;

/** The cards of an order that were not handed over by their day. */
function lateCards(order: WireRecord, today: string) {
  return rowsOf(order, 'exchange').flatMap((row) => {
    const left = new Exact(String(row.qty)).minus(String(row.received_qty)).minus(String(row.withdrawn_qty));
    const by = String(row.hand_over_by);
    if (by >= today || !left.greaterThan(0)) return [];
    return [
      {
        id: row.id,
        by,
        credit: left.times(String(row.credit_rate)),
        withdrawn: left.plus(String(row.withdrawn_qty)).toString(),
      },
    ];
  });
}

/**
 * Every morning, withdraws the credit of old cards that were not handed over in time (fms_stores.md 4.4), and notifies
 * whoever made the quotation.
 */
export const withdrawCredits: Job = {
  async run({ company, each }) {
    const orders = await each(
      (unit, after) =>
        unit.query<{ id: number; sales: number | null }>(
          `select distinct c.id, q.created_by as sales from {mr_contract} c join {mr_contract.exchange} x on x.parent_id = c.id
             left join {mr_quotation} q on q.id = c.mr_quotation_id
           where c.entity_id = $1 and c.active and c.state = 'fulfilled' and c.id > $3
             and x.hand_over_by < $2::date and x.qty > x.received_qty + x.withdrawn_qty order by c.id limit ${PER_STEP}`,
          [company, dayOfAct(unit, {}), after ?? 0],
        ),
      async (unit, found) => {
        for (const { id, sales } of found) {
          const order = await unit.read('mr_contract', Number(id), { lock: true });
          const late = lateCards(order, dayOfAct(unit, {}));
          if (late.length === 0) continue;
          await unit.update('mr_contract', order.id, {
            exchange: {
              set: Object.fromEntries(late.map(({ id: row, withdrawn }) => [row, { withdrawn_qty: withdrawn }])),
            },
          });
          if (sales !== null)
            await unit.notify({
              event: 'stores.exchange_withdrawn',
              to: [Number(sales)],
              entityId: company,
              link: `/MrContract/mr_contract_view/${order.id}`,
              record: { type: 'mr_contract', id: order.id },
              values: {
                order: String(order.contract_no),
                customer: String(order.customer_id__label ?? ''),
                amount: formatMoney(late.reduce((sum, { credit }) => sum.plus(credit), new Exact(0)).toFixed(2)),
                day: shownDay(late[0]!.by),
              },
            });
        }
        return Number(found.at(-1)!.id);
      },
    );
    return `Orders checked for credits to withdraw: ${orders}.`;
  },
};
