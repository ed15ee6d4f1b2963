import type { Subscriber } from '../../../engine/modules.ts';

/** Other days or other members of a launch that runs reach its appraisals. */
export const launchChanged: Subscriber = {
  run({ event, unit }) {
    unit.enqueue('run_launch', { launch: event.of!.id }, `launch ${event.of!.id}`);
    return Promise.resolve();
  },
};
