import type { Effect } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { colourOf } from '../task_colour.ts';
import { notifyAboutTask } from '../task_people.ts';

/** A reopened task gets the state for its date, and its doer is notified. */
export const reopened: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    await unit.update('chk_task_instance', record.id, {
      submitted_at: null,
      colour: colourOf(record, dayIn(placeOf(unit.session).timezone)),
    });
    await notifyAboutTask(unit, record, 'task.returned', [record.assignee_id], input.reason);
  },
};
