import type { Effect } from '../../../engine/modules.ts';
import { pushPlan } from '../push_plan.ts';

/** Previews a push without changing anything. */
export const previewPush: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    await unit.update('kpi_push', record.id, { lines: await pushPlan(unit, record) });
  },
};
