import type { Subscriber } from '../../../engine/modules.ts';

/** A member has a new manager: their KPIs and appraisals follow. A member has left: their sheets end, and their appraisals go on. */
export const memberChanged: Subscriber = {
  run({ event, unit }) {
    const { fields } = event.payload;
    if (!Array.isArray(fields)) return Promise.resolve();
    const employee = event.of!.id;
    if (fields.includes('reporting_to_id'))
      for (const job of ['follow_manager', 'follow_manager_in_appraisals'])
        unit.enqueue(job, { employee }, `manager of ${employee} ${event.id}`);
    if (fields.includes('status'))
      for (const job of ['end_sheets', 'leave_appraisals'])
        unit.enqueue(job, { employee }, `status of ${employee} ${event.id}`);
    return Promise.resolve();
  },
};
