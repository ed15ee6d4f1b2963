import type { Effect } from '../../../engine/modules.ts';
import { notifyAboutTask } from '../task_people.ts';

/** Notifies the responsible person when a task opens. */
export const opened: Effect = {
  async apply({ unit, record }) {
    await notifyAboutTask(unit, record, 'task.assigned', [
      record.assignee_id,
      ...((record.candidate_ids as number[] | null) ?? []),
    ]);
  },
};
