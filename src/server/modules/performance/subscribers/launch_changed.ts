import type { Subscriber } from '../../../engine/modules.ts';

/** Updates the appraisals of a running launch after its days or members change. */
export const launchChanged: Subscriber = {
  run({ event, unit }) {
    unit.enqueue('run_launch', { launch: event.of!.id }, `launch ${event.of!.id}`);
    return Promise.resolve();
  },
};
