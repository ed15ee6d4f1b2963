import type { Effect } from '../../../engine/modules.ts';
import { notifyAboutTask } from '../task_people.ts';

/** The owner is asked whether a task applies. */
export const askedNa: Effect = {
  async apply({ unit, record }) {
    await notifyAboutTask(unit, record, 'task.na_asked', [record.owner_id], record.na_reason);
  },
};
