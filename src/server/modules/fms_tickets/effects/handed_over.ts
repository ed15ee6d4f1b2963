import type { Effect } from '../../../engine/modules.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf, isOpen, noted, peopleOf } from '../ticket_rows.ts';

/** Somebody else takes over the work on site: the previous people's time ends and the new person's begins. */
export const handedOver: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const people = peopleOf(record);
    const rows = assignmentsOf(record).map((row) =>
      isOpen(row) && !people.includes(row.employee_id) ? { ...row, left_at: at } : row,
    );
    const paused = record.status === 'paused';
    await all.update('fms_ticket', record.id, {
      assignments: noted(rows, people, {}).map((row) =>
        isOpen(row) && !row.assigned_at
          ? { ...row, assigned_at: at, accepted_at: at, ...(paused ? {} : { arrived_at: at }) }
          : row,
      ),
      attendances: Number(record.attendances ?? 0) + 1,
    });
    await notifyOfTicket(all, record, 'fms.assigned', await accountsOf(all, people));
  },
};
