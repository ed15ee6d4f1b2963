import type { Effect } from '../../../engine/modules.ts';

/** Opens a new task at once if it has no opening day or that day has come, and notifies its doer. */
export const planOwnTask: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const now = unit.now.toISOString();
    if (record.origin === 'adhoc' && !record.opens_at)
      await unit.update('chk_task_instance', record.id, { opens_at: now });
    const opensAt = record.origin === 'adhoc' ? ((record.opens_at as string | null) ?? now) : record.opens_at;
    if (typeof opensAt === 'string' && Date.parse(opensAt) <= unit.now.getTime())
      await unit.takeAuto('chk_task_instance', record.id, 'open');
  },
};
