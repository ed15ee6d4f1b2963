import type { Subscriber } from '../../../engine/modules.ts';
import { settleActions } from '../meeting_actions.ts';

/** Updates the tasks when actions are added, changed or removed after the meeting. */
export const meetingChanged: Subscriber = {
  async run({ event, unit }) {
    const { fields } = event.payload;
    if (event.of === null || !Array.isArray(fields) || !fields.includes('actions')) return;
    await settleActions(unit, event.of.id);
  },
};
