import type { Guard } from '../../../../engine/modules.ts';

/** A run is cancelled only while no later run depends on its payments. */
export const runIsTheLast: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    if (typeof record.incentive_id !== 'number') return [];
    const unit = person.elevated();
    const [later] = await unit.query<{ run_no: string }>(
      `select r.run_no from {incentive_run} r where r.entity_id = $1 and r.active and r.incentive_id = $2 and r.id > $3
         and r.status <> 'cancelled' order by r.id limit 1`,
      [unit.session.entityId, record.incentive_id, record.id],
    );
    return later ? [{ field: '', message: `${later.run_no} depends on it. Cancel or delete that run first.` }] : [];
  },
};
