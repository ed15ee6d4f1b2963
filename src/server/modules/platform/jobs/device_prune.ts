import type { Job } from '../../../engine/modules.ts';
import { changeOldRows } from '../../../platform/upkeep/old_rows.ts';

const DEVICE_DAYS = 60;

/** Removes browsers that are no longer used. */
export const devicePrune: Job = {
  async run({ actor: { tenant } }) {
    const retired = await changeOldRows(
      tenant,
      'update {s}.users_device set active = false where active and last_seen_at < now() - make_interval(days => $1)',
      DEVICE_DAYS,
    );
    return `${retired} browsers removed.`;
  },
};
