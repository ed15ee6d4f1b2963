import type { Subscriber } from '../../../engine/modules.ts';

/** A member has a new manager: their KPIs and appraisals follow. */
export const managerChanged: Subscriber = {
  run({ event, unit }) {
    const { fields } = event.payload;
    if (Array.isArray(fields) && fields.includes('reporting_to_id'))
      for (const job of ['follow_manager', 'follow_manager_in_appraisals'])
        unit.enqueue(job, { employee: event.of!.id }, `manager of ${event.of!.id} ${event.id}`);
    return Promise.resolve();
  },
};
