import type { Fill } from '../../../engine/modules.ts';

/**
 * The supervisor of the lift (by its route's group, otherwise its area), and whether the lift was running before the
 * call.
 */
export const place: Fill = {
  async run({ unit, record }) {
    const [found] = await unit.query<{ supervisor_id: number | null; running: string | null }>(
      `select coalesce((select g.supervisor_id from {route_group} g where b.route_id = any(g.route_ids) and g.active order by g.id limit 1), a.supervisor_id) as supervisor_id,
         l.running
       from {lift} l join {building} b on b.id = l.building_id left join {area_mstr} a on a.id = b.area_id where l.id = $1`,
      [record.lift_id ?? null],
    );
    return { supervisor_id: found?.supervisor_id ?? null, running_before: found?.running ?? null };
  },
};
