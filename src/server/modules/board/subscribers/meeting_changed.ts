import type { Subscriber } from '../../../engine/modules.ts';
import { settleActions } from '../meeting_actions.ts';

/** Actions that were added, changed or removed after a meeting act on their tasks. */
export const meetingChanged: Subscriber = {
  async run({ event, unit }) {
    const { fields } = event.payload;
    if (event.of === null || !Array.isArray(fields) || !fields.includes('actions')) return;
    await settleActions(unit, event.of.id);
  },
};
