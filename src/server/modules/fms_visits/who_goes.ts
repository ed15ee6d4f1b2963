import type { Unit } from '../../engine/records/unit.ts';

/** The technician for the visits of a route on a day. */
export interface OnRoute {
  team_id: number | null;
  technician_id: number | null;
}

/**
 * The lead of the route's team on a day; if nobody of the team is on duty, of the stand-in team. A person is on duty
 * while active and a member of the team on the day.
 */
export async function whoGoes(unit: Unit, routeId: number | null, day: string): Promise<OnRoute> {
  const [found] = await unit.query<OnRoute>(
    `select t.id as team_id, m.employee_id as technician_id from {route_mstr} r
     join {team} t on t.id = r.team_id or t.id = r.stand_in_team_id
     join {team.members} m on m.parent_id = t.id and m.from <= $2::date and coalesce(m.to, 'infinity') >= $2::date
     join {employee} e on e.id = m.employee_id and e.active and e.status = 'active'
     where r.id = $1 order by (t.id = r.team_id) desc, (m.role = 'lead') desc, m.id limit 1`,
    [routeId, day],
  );
  if (found) return found;
  const [route] = await unit.query<{ team_id: number }>('select team_id from {route_mstr} where id = $1', [routeId]);
  return { team_id: route?.team_id ?? null, technician_id: null };
}
