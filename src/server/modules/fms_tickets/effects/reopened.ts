import type { Effect } from '../../../engine/modules.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf, noted, peopleOf } from '../ticket_rows.ts';

/** Work on a completed ticket continues: a new attendance begins, and the people who did the work are notified. */
export const reopened: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const people = peopleOf(record);
    await all.update('fms_ticket', record.id, {
      assignments: noted(assignmentsOf(record), people, { assigned_at: at, accepted_at: at, arrived_at: at }),
      attendances: Number(record.attendances ?? 0) + 1,
    });
    await notifyOfTicket(all, record, 'fms.reopened', await accountsOf(all, [...people, record.supervisor_id]));
  },
};
