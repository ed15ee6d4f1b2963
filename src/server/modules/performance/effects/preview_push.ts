import type { Effect } from '../../../engine/modules.ts';
import { pushPlan } from '../push_plan.ts';

/** Lists what a push would do, and does nothing of it. */
export const previewPush: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    await unit.update('kpi_push', record.id, { lines: await pushPlan(unit, record) });
  },
};
