import type { Effect } from '../../../engine/modules.ts';
import { notifyAboutTask } from '../task_people.ts';

/** The new doer of a task is notified. Nobody approves their own work: an approver who becomes the doer is replaced by their manager. */
export const reassigned: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    if (record.approver_id !== null && record.approver_id === record.assignee_id) {
      const [above] = await unit.query<{ id: number | null }>(
        'select reporting_to_id as id from {employee} where id = $1',
        [record.assignee_id],
      );
      const next = above?.id ?? record.owner_id;
      await unit.update('chk_task_instance', record.id, { approver_id: next === record.assignee_id ? null : next });
    }
    await notifyAboutTask(unit, record, 'task.assigned', [record.assignee_id]);
  },
};
