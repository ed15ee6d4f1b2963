import type { Effect } from '../../../engine/modules.ts';
import { notifyAboutTask } from '../task_people.ts';
import { slabOf } from '../task_slab.ts';

/**
 * Notifies the doer that the task was returned, with the reason; its points are open again. The day of the submission is
 * kept if the slab counts the first one.
 */
export const returned: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    const { firstSubmissionCounts } = await slabOf(unit, record.slab_id);
    await unit.update('chk_task_instance', record.id, {
      outcome: null,
      score: null,
      days_late: null,
      na_reason: null,
      ...(!firstSubmissionCounts && { submitted_at: null, done_on: null }),
    });
    await notifyAboutTask(unit, record, 'task.returned', [record.assignee_id], input.reason);
  },
};
