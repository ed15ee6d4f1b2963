import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { peopleOf } from '../ticket_rows.ts';

/** Notifies the customer and the assigned people that a call was cancelled. */
export const notifyCancelled: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    await notifyOfTicket(all, record, 'fms.taken_away', await accountsOf(all, peopleOf(record)));
    await mailCustomer(
      all,
      record,
      ({ number }) => `Cancelled: ${number}`,
      ({ number, lift }) => `the call ${number} for lift ${lift} was cancelled. Please call us if this is a mistake.`,
    );
  },
};
