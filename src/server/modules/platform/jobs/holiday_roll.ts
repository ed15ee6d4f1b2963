import type { Job } from '../../../engine/modules.ts';
import { proposeHolidays } from '../../../platform/calendar/holiday_roll.ts';

/** Proposes next year's holidays to administrators. */
export const holidayRoll: Job = {
  run: async ({ actor: { tenant }, services: { notifications } }) =>
    `${await proposeHolidays(notifications, tenant, new Date())} companies notified.`,
};
