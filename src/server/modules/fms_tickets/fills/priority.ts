import type { Priority } from '../../../../domain/fms/call_sla.ts';
import { callPriority } from '../../../../domain/fms/call_sla.ts';
import type { Fill } from '../../../engine/modules.ts';

/** The priority by category, type of building and people inside; a critical building raises it by at least one step. */
export const priority: Fill = {
  async run({ unit, record }) {
    const [found] = await unit.query<{ priority: Priority | null; boost: number | null; critical: boolean | null }>(
      `select (select c.priority from {ticket_category_mstr} c where c.id = $1) as priority, t.priority_boost as boost, b.critical
       from (select 1) one left join {lift} l on l.id = $2 left join {building} b on b.id = l.building_id
       left join {building_type_mstr} t on t.id = b.building_type_id`,
      [record.category_id ?? null, record.lift_id ?? null],
    );
    const boost = Math.max(found?.boost ?? 0, found?.critical === true ? 1 : 0);
    return { priority: callPriority(found?.priority ?? null, boost, record.trapped === true) };
  },
};
