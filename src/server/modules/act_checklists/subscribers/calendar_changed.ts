import type { Subscriber } from '../../../engine/modules.ts';

/** Holidays, week-offs or their branches have changed: the tasks of every company follow, once for all changes of an act. */
export const calendarChanged: Subscriber = {
  async run({ unit }) {
    const companies = await unit.query<{ id: number }>(
      `select distinct entity_id as id from {master_checklist} where active and state = 'active' order by 1`,
    );
    for (const { id } of companies) unit.enqueue('reshift_tasks', { company: id }, `reshift_tasks ${id}`);
  },
};
