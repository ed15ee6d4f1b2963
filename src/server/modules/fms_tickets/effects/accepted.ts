import type { Effect } from '../../../engine/modules.ts';
import { assignmentsOf, noted, peopleOf } from '../ticket_rows.ts';
import { notifyOfTicket, wordsOf } from '../ticket_people.ts';
import { mailCustomer } from '../customer_mail.ts';

/** Somebody has accepted: notifies the desk. */
export const accepted: Effect = {
  elevated: true,
  async apply({ unit, record, before }) {
    const all = unit.elevated();
    const at = unit.at.toISOString();
    const taken = before?.status === 'new' || before?.technician_id !== record.technician_id;
    await all.update('fms_ticket', record.id, {
      assignments: noted(assignmentsOf(record), peopleOf(record), {
        accepted_at: at,
        ...(taken && { assigned_at: at }),
      }),
    });
    if (typeof record.coordinator_id === 'number') {
      const { technician } = await wordsOf(all, record);
      await notifyOfTicket(all, record, 'fms.accepted', [record.coordinator_id], { technician: technician ?? '' });
    }
    if (record.trapped === true)
      await mailCustomer(
        all,
        record,
        ({ number }) => `Help is coming: ${number}`,
        ({ technician, building }) => `${technician} is coming to free the people in the lift of ${building}.`,
      );
  },
};
