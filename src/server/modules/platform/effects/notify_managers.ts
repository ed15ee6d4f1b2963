import { notifyManagers as notify } from '../../../access/people/disabled_account.ts';
import type { Effect } from '../../../engine/modules.ts';

/** Notifies the managers of a disabled user. */
export const notifyManagers: Effect = {
  async apply({ unit: { session }, services: { notifications }, record }) {
    await notify(notifications, session.tenant, [record.id], `by ${session.userName}`);
  },
};
