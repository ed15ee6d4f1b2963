import type { Effect } from '../../../engine/modules.ts';
import { tellOfTask } from '../task_people.ts';

/** Whoever has a task to do is notified when it opens. */
export const opened: Effect = {
  async apply({ unit, record }) {
    await tellOfTask(unit, record, 'task.assigned', [
      record.assignee_id,
      ...((record.candidate_ids as number[] | null) ?? []),
    ]);
  },
};
