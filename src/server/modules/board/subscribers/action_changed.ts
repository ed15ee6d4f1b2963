import type { Subscriber } from '../../../engine/modules.ts';
import { settleTask } from '../meeting_actions.ts';

/** Updates the meeting when a task of it is closed, rescheduled, reopened or reassigned. */
export const actionChanged: Subscriber = {
  async run({ event, unit }) {
    if (event.of !== null) await settleTask(unit, event.of.id);
  },
};
