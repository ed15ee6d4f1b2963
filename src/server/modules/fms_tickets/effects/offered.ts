import type { Effect } from '../../../engine/modules.ts';
import { offerToAll } from '../offer.ts';
import { assignmentsOf, ended } from '../ticket_rows.ts';

/** Offers the ticket to everybody in reach; it is no longer assigned to the previous technician. */
export const offered: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const rows = assignmentsOf(record);
    if (rows.length > 0) await all.update('fms_ticket', record.id, { assignments: ended(rows, unit.at.toISOString()) });
    await offerToAll(all, record);
  },
};
