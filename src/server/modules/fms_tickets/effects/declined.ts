import type { Effect } from '../../../engine/modules.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf, isOpen } from '../ticket_rows.ts';

/**
 * Records that somebody declined or did not answer in time, and notifies desk and leader. The event offers the ticket
 * to the next technician.
 */
export const declined: Effect = {
  elevated: true,
  async apply({ unit, record, before, input }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const reason = typeof input.reason === 'string' ? input.reason : 'Not accepted in time';
    await all.update('fms_ticket', record.id, {
      assignments: assignmentsOf(record).map((row) =>
        isOpen(row) ? { ...row, declined_at: at, decline_reason: reason.slice(0, 250) } : row,
      ),
      helper_ids: [],
    });
    const [who] = await all.query<{ name: string }>('select name from {employee} where id = $1', [
      before?.technician_id ?? null,
    ]);
    const to = [
      ...(typeof record.coordinator_id === 'number' ? [record.coordinator_id] : []),
      ...(await accountsOf(all, [record.leader_id])),
    ];
    await notifyOfTicket(all, record, 'fms.declined', to, { technician: who?.name ?? 'The technician', reason });
  },
};
