import type { Subscriber } from '../../../engine/modules.ts';
import { settleTask } from '../meeting_actions.ts';

/** A task that was closed, moved, reopened or given to somebody else is shown so in its meeting. */
export const actionChanged: Subscriber = {
  async run({ event, unit }) {
    if (event.of !== null) await settleTask(unit, event.of.id);
  },
};
