import { notifyManagers } from '../../../access/people/disabled_account.ts';
import type { Job } from '../../../engine/modules.ts';
import { disableEnded } from '../../../platform/upkeep/ended_users.ts';

/** Disables users whose last day has passed. */
export const userValidity: Job = {
  async run({ actor: { tenant }, services: { notifications, screens } }) {
    const rows = await disableEnded(tenant, screens());
    await notifyManagers(
      notifications,
      tenant,
      rows.map(({ id }) => id),
      'its last day has passed',
    );
    return `${rows.length} users disabled.`;
  },
};
