import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { changeLines, deriveLiftStates, isRunning, linesOf } from '../contract_lines.ts';

/**
 * When a contract starts, its lines become active, the previous contract is renewed and its lines close, and the lifts
 * are in contract. Later effects plan visits and bills.
 */
export const openLines: Effect = {
  elevated: true,
  locks: ({ record: { previous_contract_id: id } }) =>
    Promise.resolve(typeof id === 'number' ? [{ type: 'contract', id }] : []),
  async apply({ unit, record }) {
    const product = unit.elevated();
    const previous = record.previous_contract_id;
    let root: unknown = null;
    if (typeof previous === 'number') {
      const old = await product.read('contract', previous);
      root = old.root_contract_id ?? previous;
      const ending = linesOf(old).filter((line) => isRunning(line) && line.to_on < String(record.start_on));
      if (ending.length > 0)
        await changeLines(
          product,
          previous,
          new Map(ending.map(({ id, to_on: to }) => [id, { line_status: 'closed', closes_on: to }])),
        );
      await product.takeAuto('contract', previous, 'renew');
    }
    const drafts = linesOf(record).filter(({ line_status: status }) => status === 'draft');
    await changeLines(product, record.id, new Map(drafts.map(({ id }) => [id, { line_status: 'active' }])), [], {
      root_contract_id: root,
    });
    await deriveLiftStates(
      product,
      drafts.map(({ lift_id: id }) => id),
      dayOfRecord(unit, record),
    );
    await activateCustomer(product, Number(record.customer_id));
  },
};

async function activateCustomer(unit: Parameters<Effect['apply']>[0]['unit'], id: number): Promise<void> {
  const { status } = await unit.read('customer_dtl', id);
  if (status === 'prospect' || status === 'inactive') await unit.transition('customer_dtl', id, 'take_on');
}
