import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';

/** Notifies the customer after the desk has confirmed a call from a QR label. */
export const notifyCustomer: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await mailCustomer(
      unit.elevated(),
      record,
      ({ number, building }) => `Call ${number} for ${building}`,
      ({ number, lift }) =>
        `we have received the call ${number} for lift ${lift}. We will write again as soon as a technician is on the way.`,
    );
  },
};
