import type { Guard } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { lastDay } from '../kpi_months.ts';

/** A month is closed and frozen only after its last day. */
export const monthIsOver: Guard = {
  check({ unit, record }) {
    const month = String(record.month);
    const today = dayOfRecord(unit, record);
    if (today > lastDay(month)) return Promise.resolve([]);
    const message = `${monthTitle(month)} ${today < `${month}-01` ? 'has not started' : 'is not over'}.`;
    return Promise.resolve([{ field: 'month', message }]);
  },
};
