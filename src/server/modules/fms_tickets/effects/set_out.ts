import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';
import { assignmentsOf, noted, peopleOf } from '../ticket_rows.ts';

/** Tells the customer which technician is on the way. */
export const setOut: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    await all.update('fms_ticket', record.id, {
      assignments: noted(assignmentsOf(record), peopleOf(record), { travel_at: unit.at.toISOString() }),
    });
    await mailCustomer(
      all,
      record,
      ({ number }) => `On the way: ${number}`,
      ({ technician, lift, building }) => `${technician} is on the way to lift ${lift} at ${building}.`,
    );
  },
};
