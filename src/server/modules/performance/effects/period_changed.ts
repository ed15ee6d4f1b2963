import type { Effect } from '../../../engine/modules.ts';
import { LOCK_ID_OF_UPDATE } from '../period_lock.ts';

/** A period was frozen or reopened: counts what is not approved, and lets the updates follow in the background. */
export const periodChanged: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const { entityId } = unit.session;
    const [open] = await unit.query<{ count: number }>(
      `select count(*)::int as count from {kpi_actual} a where a.entity_id = $1 and a.month = $2 and a.active and not a.counts
         and ${LOCK_ID_OF_UPDATE} = $3`,
      [entityId, record.month, record.id],
    );
    await unit.update('kpi_period_lock', record.id, { not_approved: open!.count });
    unit.enqueue('follow_period_locks', {}, `company ${entityId}`);
  },
};
