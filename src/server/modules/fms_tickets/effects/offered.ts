import type { Effect } from '../../../engine/modules.ts';
import { offerToAll } from '../offer.ts';
import { assignmentsOf, ended } from '../ticket_rows.ts';

/** The ticket is offered to everybody in reach; whoever had it has it no more. */
export const offered: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const rows = assignmentsOf(record);
    if (rows.length > 0)
      await all.update('fms_ticket', record.id, { assignments: ended(rows, unit.now.toISOString()) });
    await offerToAll(all, record);
  },
};
