import { notifyPastHolidays } from '../../platform/calendar/holiday_notices.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  // People are notified once, however many days a file adds.
  importsApart: true,
  async saved({ tenant, userId }, { id, version }, { notifications }) {
    await notifyPastHolidays(notifications, tenant, userId, { id, version });
  },
});
