import type { BoardSite, CallChoices, FoundLift } from '../../../domain/fms/call_board.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Location of the tickets' lifts, and the expertise that they require. */
export async function boardSites(unit: Unit, tickets: readonly number[]): Promise<BoardSite[]> {
  return unit.query<BoardSite>(
    `select t.id, b.geo as at, t.lift_id as "liftId", r.team_id as "teamId", coalesce(t.trapped, false) as "isRescue",
       coalesce(greatest((select x.level from {expertise_level} x where x.id = l.expertise_level_id),
         (select x.level from {ticket_category_mstr} c join {expertise_level} x on x.id = c.expertise_level_id where c.id = t.category_id)), 0) as level,
       (select s.minutes from {ticket_subcategory_mstr} s where s.id = t.subcategory_id) as minutes
     from {fms_ticket} t join {lift} l on l.id = t.lift_id left join {building} b on b.id = t.building_id
       left join {route_mstr} r on r.id = b.route_id where t.id = any($1::bigint[])`,
    [tickets],
  );
}

/** The types of calls, with the desk's scripts for the caller. */
export async function callChoices(unit: Unit): Promise<CallChoices> {
  return {
    definitions: await unit.query('select id, ticket_type as type from {ticket_definition} where active order by code'),
    categories: await unit.query(
      `select id, name, coalesce(ticket_definition_ids, '{}') as definitions from {ticket_category_mstr} where active order by priority, name`,
    ),
    subcategories: await unit.query(
      'select id, name, ticket_category_id as category, phone_advice as advice from {ticket_subcategory_mstr} where active order by name',
    ),
  };
}

/** Minimum number of digits for a search by telephone number. */
const PHONE_DIGITS = 6;

/** The restriction of a search for lifts; null = none. `code`: the complete number of a lift. */
export interface LiftsWithin {
  customer: number | null;
  building: number | null;
  branch: number | null;
  code: string | null;
}

/**
 * Lifts by number, building, customer or a contact's telephone; `isScanned`: the label of one lift. `seen`: the
 * conditions of the lifts that the person sees.
 */
export async function foundLifts(
  unit: Unit,
  asked: {
    text: string;
    isScanned: boolean;
    within: LiftsWithin;
    branches: number[] | null;
    hasBills: boolean;
    seen: (alias: string, values: SqlParams) => string[];
    max: number;
  },
): Promise<Omit<FoundLift, 'open'>[]> {
  const { text, isScanned, within, branches, hasBills, seen, max } = asked;
  const dues = hasBills
    ? `(select sum(o.outstanding)::text from {billing} o where o.customer_id = c.id and o.status = 'posted' and o.outstanding > 0)`
    : 'null';
  const digits = (column: string) => `regexp_replace(coalesce(${column}, ''), '\\D', '', 'g') like '%' || $5`;
  const values = new SqlParams();
  for (const value of [
    unit.session.entityId,
    text,
    text.replace(/[\\%_]/g, '\\$&'),
    isScanned,
    text.replace(/\D/g, ''),
    branches,
    within.customer,
    within.building,
    within.branch,
    within.code,
  ])
    values.bind(value);
  const ofPerson = seen('l', values).map((one) => ` and ${one}`);
  return unit.query<Omit<FoundLift, 'open'>>(
    `select l.id, l.lift_no as "liftNo", l.position_name as position, l.running, l.status, b.id as "buildingId", b.name as building, b.address,
       c.id as "customerId", c.name as customer, c.status = 'blocked' as blocked, c.hold_reason as "holdReason", b.key_holder as "keyHolder",
       b.key_phone as "keyPhone", l.intercom, l.rescue_device as "rescueDevice",
       (select string_agg(k.name || ' ' || k.phone, ', ') from {building.site_contacts} k where k.parent_id = b.id) as contacts, ${dues} as dues
     from {lift} l join {building} b on b.id = l.building_id join {customer_dtl} c on c.id = b.customer_id
     where l.entity_id = $1 and ($6::bigint[] is null or b.branch_id = any($6)) and l.active and l.status <> 'decommissioned'
       and ($7::bigint is null or c.id = $7) and ($8::bigint is null or b.id = $8) and ($9::bigint is null or b.branch_id = $9)${ofPerson.join('')}
       and ($10::text is null or lower(l.lift_no) = lower($10)) and (
       ($4::boolean and (l.lift_no = $2 or l.id::text = $2))
       or (not $4::boolean and (l.lift_no ilike '%' || $3 || '%' or b.name ilike '%' || $3 || '%' or b.building_no ilike '%' || $3 || '%'
         or l.position_name ilike '%' || $3 || '%' or c.name ilike '%' || $3 || '%'
         or (length($5) >= ${PHONE_DIGITS} and (${digits('c.phone')} or ${digits('b.key_phone')}
           or exists (select 1 from {building.site_contacts} k where k.parent_id = b.id and ${digits('k.phone')})
           or exists (select 1 from {customer_dtl.contacts} k where k.parent_id = c.id and ${digits('k.phone')}))))))
     order by (l.lift_no = $2) desc, b.name, l.lift_no limit ${max}`,
    values.list,
  );
}
