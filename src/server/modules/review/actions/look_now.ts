import type { Action } from '../../../engine/modules.ts';
import { lookAt } from '../look_at.ts';

/** Examines the figures at once, with the access of the acting person. */
export const lookNow: Action = {
  async run({ unit, services, record }) {
    const { state, finding } = await lookAt(services, unit, unit, record!);
    return { done: `${state === 'alarm' ? 'Alarm: ' : ''}${finding ?? ''}` };
  },
};
