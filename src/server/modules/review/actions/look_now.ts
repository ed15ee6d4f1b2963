import type { Action } from '../../../engine/modules.ts';
import { lookAt } from '../look_at.ts';

/** Looks at once, with the sight of whoever asks. */
export const lookNow: Action = {
  async run({ unit, record }) {
    const { state, finding } = await lookAt(unit, unit, record!);
    return { done: `${state === 'alarm' ? 'Alarm: ' : ''}${finding ?? ''}` };
  },
};
