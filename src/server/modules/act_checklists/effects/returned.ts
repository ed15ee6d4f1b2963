import type { Effect } from '../../../engine/modules.ts';
import { notifyAboutTask } from '../task_people.ts';

/** Notifies the doer that the task was returned, with the reason; its points are open again. */
export const returned: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    await unit.update('chk_task_instance', record.id, { outcome: null, score: null, days_late: null, na_reason: null });
    await notifyAboutTask(unit, record, 'task.returned', [record.assignee_id], input.reason);
  },
};
