import type { Subscriber } from '../../../engine/modules.ts';

/** A member has a new manager: their KPI updates follow. */
export const managerChanged: Subscriber = {
  run({ event, unit }) {
    const { fields } = event.payload;
    if (Array.isArray(fields) && fields.includes('reporting_to_id'))
      unit.enqueue('follow_manager', { employee: event.of!.id }, `manager of ${event.of!.id} ${event.id}`);
    return Promise.resolve();
  },
};
