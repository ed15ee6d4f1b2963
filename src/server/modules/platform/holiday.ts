import { notifyPastHolidays } from '../../platform/calendar/holiday_notices.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  // However many days a file brings, people hear of them once.
  importsApart: true,
  async saved({ tenant, userId }, { id, version }, { notifications }) {
    await notifyPastHolidays(notifications, tenant, userId, { id, version });
  },
});
