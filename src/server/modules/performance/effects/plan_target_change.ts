import type { Effect } from '../../../engine/modules.ts';
import { plannedTargets } from '../target_change.ts';

/** Shows the approver what a change makes of each period. */
export const planTargetChange: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const planned = await plannedTargets(unit, record);
    if ('wrong' in planned) return unit.refuse([{ field: planned.field ?? 'new_total', message: planned.wrong }]);
    await unit.update('kpi_target_change', record.id, { old_total: planned.old, periods: planned.rows });
  },
};
