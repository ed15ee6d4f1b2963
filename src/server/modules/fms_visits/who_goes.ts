import { awayOn } from '../../access/people/leave.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The people for the visits of a route on a day. */
export interface OnRoute {
  team_id: number | null;
  technician_id: number | null;
  /** Other members of the team, as many as the crew needs. */
  helper_ids: number[];
}

/** The requirements of a visit: the number of people, and the expertise of the one in charge. */
export interface VisitNeeds {
  crew: number;
  expertise_level_id: number | null;
}

/**
 * The people of the route's team on a day; if nobody of the team is on duty, of the stand-in team. The lead goes, but
 * somebody with the expertise that the visit needs first. A person is on duty while active, a member of the team on the
 * day, and not on leave.
 */
export async function whoGoes(unit: Unit, routeId: number | null, day: string, needs: VisitNeeds): Promise<OnRoute> {
  const away = await unit.once(`fms_visits.away ${day}`, () => awayOn(unit.session.tenant, day));
  const found = await unit.query<{ team_id: number; employee_id: number }>(
    `select t.id as team_id, m.employee_id from {route_mstr} r
     join {team} t on t.id = r.team_id or t.id = r.stand_in_team_id
     join {team.members} m on m.parent_id = t.id and m.from <= $2::date and coalesce(m.to, 'infinity') >= $2::date
     join {employee} e on e.id = m.employee_id and e.active and e.status = 'active'
     left join {expertise_level} x on x.id = m.expertise_level_id left join {expertise_level} n on n.id = $3
     where r.id = $1 and not m.employee_id = any($4)
     order by (t.id = r.team_id) desc, (coalesce(x.level, 0) >= coalesce(n.level, 0)) desc, (m.role = 'lead') desc, m.id`,
    [routeId, day, needs.expertise_level_id, away],
  );
  const first = found[0];
  if (first) {
    const others = found.filter((one) => one.team_id === first.team_id && one.employee_id !== first.employee_id);
    return {
      team_id: first.team_id,
      technician_id: first.employee_id,
      helper_ids: others.slice(0, Math.max(0, needs.crew - 1)).map(({ employee_id: id }) => id),
    };
  }
  const [route] = await unit.query<{ team_id: number }>('select team_id from {route_mstr} where id = $1', [routeId]);
  return { team_id: route?.team_id ?? null, technician_id: null, helper_ids: [] };
}
