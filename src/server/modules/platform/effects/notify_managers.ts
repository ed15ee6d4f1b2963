import { notifyManagers as notify } from '../../../access/people/disabled_account.ts';
import type { Effect } from '../../../engine/modules.ts';

/** Those whom a disabled user reports to hear of it. */
export const notifyManagers: Effect = {
  async apply({ unit: { session }, services: { notifications }, record }) {
    await notify(notifications, session.tenant, [record.id], `by ${session.userName}`);
  },
};
