import { Exact } from '../../../descriptor/exact.ts';
import type { Place } from '../../../domain/fms/best_order.ts';
import { roadKm } from '../../../domain/fms/who_goes.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { ticketPolicy } from './ticket_policy.ts';

/** The way of a person to a ticket; exact texts, empty while a place or the cost of a kilometre is not known. */
export interface Travelled {
  travel_km: string | null;
  travel_cost: string | null;
}

/**
 * The way of each person to a building by road: from the building of their last arrival on that day, otherwise from
 * the start of their route. One vehicle is paid for a ticket: that of its lead.
 */
export async function travelled(
  unit: Unit,
  ticket: WireRecord,
  people: readonly number[],
  site: Place | null,
): Promise<Map<number, Travelled>> {
  const before = await unit.query<{ id: number; last: Place | null; start: Place | null }>(
    `select e.id,
       (select coalesce(b.geo, a.arrive_geo) from {fms_ticket.assignments} a join {fms_ticket} t on t.id = a.parent_id left join {building} b on b.id = t.building_id
        where a.employee_id = e.id and t.id <> $2 and t.active and a.arrived_at <= $3::timestamptz
          and (a.arrived_at at time zone $4)::date = ($3::timestamptz at time zone $4)::date order by a.arrived_at desc limit 1) as last,
       (select r.start_point from {team.members} m join {route_mstr} r on r.team_id = m.parent_id and r.active
        where m.employee_id = e.id and m."from" <= ($3::timestamptz at time zone $4)::date and coalesce(m."to", 'infinity') >= ($3::timestamptz at time zone $4)::date
        order by (r.id = $5) desc, r.id limit 1) as start
     from unnest($1::bigint[]) e(id)`,
    [people, ticket.id, unit.at.toISOString(), placeOf(unit.session).timezone, ticket.route_id ?? null],
  );
  const { travel_rate: rate } = await ticketPolicy(unit, 'SERVICE', ticket, unit.at.toISOString());
  return new Map(
    before.map(({ id, last, start }): [number, Travelled] => {
      const from = last ?? start;
      if (from === null || site === null) return [id, { travel_km: null, travel_cost: null }];
      const km = new Exact(roadKm(from, site)).toDecimalPlaces(1);
      const isPaid = rate !== undefined && id === people[0];
      return [id, { travel_km: km.toFixed(1), travel_cost: isPaid ? km.times(rate).toFixed(2) : null }];
    }),
  );
}
