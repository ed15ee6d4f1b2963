import type { Effect } from '../../../engine/modules.ts';
import { planLines } from '../plan_lines.ts';

/** Plans the visits of a contract when it becomes active, in the same transaction. */
export const planVisits: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await planLines(unit.elevated(), { contract: record.id });
  },
};
