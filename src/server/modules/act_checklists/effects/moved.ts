import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Effect } from '../../../engine/modules.ts';
import { colourOf } from '../task_colour.ts';
import { notifyAboutTask } from '../task_people.ts';

/**
 * Records the old and new day of a moved task, the reason and the person. The nominal date is unchanged, because it is
 * the key of the occurrence.
 */
export const moved: Effect = {
  elevated: true,
  async apply({ unit: person, record, before }) {
    if (before === null || before.due_on === record.due_on) return;
    const unit = person.elevated();
    const { userId } = unit.session;
    await unit.update('chk_task_instance', record.id, {
      move_reason: null,
      colour: colourOf(record, dayIn(placeOf(unit.session).timezone)),
      reschedules: {
        add: [
          {
            at: unit.now.toISOString(),
            from_date: before.due_on,
            to_date: record.due_on,
            why: record.move_reason,
            by_id: userId === 0 ? null : userId,
          },
        ],
      },
    });
    await notifyAboutTask(unit, record, 'task.moved', [record.assignee_id], record.move_reason);
  },
};
