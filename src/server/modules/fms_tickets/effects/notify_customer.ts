import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';

/** The desk has confirmed a call that came by a label: now the customer is written to. */
export const notifyCustomer: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await mailCustomer(
      unit.elevated(),
      record,
      ({ number, building }) => `Call ${number} for ${building}`,
      ({ number, lift }) =>
        `we have taken the call ${number} for lift ${lift}. We write again as soon as somebody is on the way.`,
    );
  },
};
