import type { Effect } from '../../../engine/modules.ts';

/**
 * Cancels the planned visits of a contract that ends: those after its last day or, with `from`, from today or an
 * earlier end.
 */
export const cancelVisits: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const visits = await unit.query<{ id: number }>(
      `select v.id from {scheduled_ticket} v join {contract_line} l on l.id = v.contract_line_id
       where l.contract_id = $1 and v.status = 'planned' order by v.id`,
      [record.id],
    );
    for (const { id } of visits) await unit.takeAuto('scheduled_ticket', id, 'cancel');
  },
};
