import { Exact } from '../../../../descriptor/exact.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';

/**
 * The rest of a cancellation's credit note, beyond its own bill, is set against the other dues of the contract, oldest
 * first (C10): nothing is refunded while the customer owes.
 */
export const netDues: Subscriber = {
  async run({ event, unit }) {
    const note = await unit.read('billing', event.of!.id);
    if (note.nets_dues !== true || note.status !== 'posted') return;
    let left = new Exact(String(note.left_to_use));
    if (left.lessThanOrEqualTo(0)) return;
    const dues = await unit.query<{ id: number; outstanding: string }>(
      `select b.id, b.outstanding::text from {billing} b where b.contract_id = $1 and b.customer_id = $2 and b.status = 'posted' and b.active
         and b.outstanding > 0 order by coalesce(b.due_on, b.bill_date), b.bill_date, b.bill_no`,
      [note.contract_id, note.customer_id],
    );
    const bills: { billing_id: number; cash: string }[] = [];
    for (const { id, outstanding } of dues) {
      const cash = left.lessThan(outstanding) ? left : new Exact(outstanding);
      if (cash.lessThanOrEqualTo(0)) break;
      left = left.minus(cash);
      bills.push({ billing_id: id, cash: cash.toFixed(2) });
    }
    if (bills.length === 0) return;
    const use = await unit.create('advance_use', {
      used_on: todayOf(unit, note.branch_id),
      customer_id: note.customer_id,
      branch_id: note.branch_id,
      note_id: note.id,
      bills,
    });
    await unit.transition('advance_use', use.id, 'book');
  },
};
