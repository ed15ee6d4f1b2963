import type { Job } from '../../../engine/modules.ts';
import { countActivity, firstDay } from '../../../platform/upkeep/activity_days.ts';

/** Counts the history of past days every night. */
export const activityCount: Job = {
  run: async ({ actor: { tenant }, services: { screens } }) =>
    `${await countActivity(tenant, screens(), await firstDay(tenant))} rows added.`,
};
