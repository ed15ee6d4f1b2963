import { bestOrder } from '../../../domain/fms/best_order.ts';
import type { Place } from '../../../domain/fms/best_order.ts';
import type { Unit } from '../../engine/records/unit.ts';

interface Visit {
  id: number;
  fms_ticket_id: number | null;
  stop_no: number | null;
  building_id: number;
  building_no: string;
  geo: Place | null;
}

/**
 * Numbers the stops of a route on a day in the best order (C14): lifts of one building are one stop, and buildings
 * without a position come last. Released tickets get their number too.
 */
export async function orderRoute(unit: Unit, routeId: number, day: string): Promise<void> {
  const [route] = await unit.query<{ start_point: Place }>('select start_point from {route_mstr} where id = $1', [
    routeId,
  ]);
  const visits = await unit.query<Visit>(
    `select v.id, v.fms_ticket_id, v.stop_no, v.building_id, g.building_no, g.geo from {scheduled_ticket} v
     join {building} g on g.id = v.building_id
     where v.route_id = $1 and v.planned_on = $2 and v.status in ('planned', 'released') and v.active order by v.id`,
    [routeId, day],
  );
  const buildings = [...new Map(visits.map((visit) => [visit.building_id, visit])).values()];
  const placed = buildings.flatMap((one) =>
    one.geo ? [{ ...one.geo, key: one.building_no, id: one.building_id }] : [],
  );
  const order = [
    ...(route ? bestOrder(route.start_point, placed) : placed).map(({ id }) => id),
    ...buildings.filter(({ geo }) => !geo).map(({ building_id: id }) => id),
  ];
  for (const visit of visits) {
    const stop = order.indexOf(visit.building_id) + 1;
    if (visit.stop_no === stop) continue;
    await unit.update('scheduled_ticket', visit.id, { stop_no: stop });
    if (visit.fms_ticket_id !== null) await unit.update('fms_ticket', visit.fms_ticket_id, { stop_no: stop });
  }
}
