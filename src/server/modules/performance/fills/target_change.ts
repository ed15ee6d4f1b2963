import type { Fill } from '../../../engine/modules.ts';
import { plannedTargets } from '../target_change.ts';

/** The target that a change replaces. */
export const targetChange: Fill = {
  async run({ unit, record }) {
    const planned = await plannedTargets(unit, record);
    return { old_total: 'wrong' in planned ? null : planned.old };
  },
};
