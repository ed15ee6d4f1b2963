import type { Subscriber } from '../../../engine/modules.ts';

/** Open visits follow their lift to its building, branch and route. */
export const liftMoved: Subscriber = {
  async run({ event, unit }) {
    const { lifts } = event.payload as { lifts: number[] };
    const visits = await unit.query<{ id: number; building_id: number; branch_id: number; route_id: number | null }>(
      `select v.id, b.id as building_id, b.branch_id, b.route_id
       from {scheduled_ticket} v join {lift} f on f.id = v.lift_id join {building} b on b.id = f.building_id
       where v.lift_id = any($1::bigint[]) and v.status in ('planned', 'released')
         and (v.building_id, v.branch_id, v.route_id) is distinct from (b.id, b.branch_id, b.route_id) order by v.id`,
      [lifts],
    );
    for (const { id, ...place } of visits) await unit.update('scheduled_ticket', id, place);
  },
};
