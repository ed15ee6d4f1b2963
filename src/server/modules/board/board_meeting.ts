import { formatDate } from '../../../descriptor/format.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { actionsOf } from './meeting_actions.ts';

export default defineHooks({
  /** What a meeting asks for is done after it; people whom the action is hidden from do not get this message. */
  check(_session, record) {
    const { held_on: held } = record;
    if (typeof held !== 'string') return [];
    return actionsOf(record).flatMap(({ due_on: due }, at) =>
      due !== null && due < held
        ? [
            {
              field: `actions.${at}.due_on`,
              message: `The meeting is on ${formatDate(held)}. Choose that day or a later one.`,
            },
          ]
        : [],
    );
  },
});
