import type { Subscriber } from '../../../engine/modules.ts';
import { nextOnCompletion } from '../next_on_completion.ts';
import { openFollowing } from '../open_following.ts';

/** When a task of a checklist has ended, the tasks that waited for it open; a completed occurrence may create the next one. */
export const taskEnded: Subscriber = {
  async run({ event, unit }) {
    if (event.payload.origin_type !== 'chk_instance') return;
    const instance = Number(event.payload.origin_id);
    await openFollowing(unit, instance);
    await nextOnCompletion(unit, instance);
  },
};
