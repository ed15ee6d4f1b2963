import { formatDate } from '../../../descriptor/format.ts';
import { leaveOn, middleOf } from '../../../domain/leave.ts';
import type { LeaveOfDay } from '../../../domain/leave.ts';
import type { BoardTechnician } from '../../../domain/fms/call_board.ts';
import type { Site, Suggestion } from '../../../domain/fms/who_goes.ts';
import { whoGoes } from '../../../domain/fms/who_goes.ts';
import type { Place } from '../../../domain/fms/best_order.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { leaveBetween } from '../../access/people/leave.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';

type Row = Readonly<Record<string, unknown>>;

interface TechnicianRow {
  id: number;
  name: string;
  branch_id: number;
  team_id: number;
  team: string;
  phone: string | null;
  shift_from: string;
  shift_to: string;
  day_minutes: number;
  level: number | null;
  may_rescue: boolean | null;
  at: Place | null;
  start: Place | null;
  accepted: number;
  lifts: number[] | null;
}

/** Default duration of the work on a call. */
const USUAL_MINUTES = 45;
const BUSY = "('accepted', 'travelling', 'attending')";

/**
 * The technicians of these branches who are in a team today: last position, accepted tickets and expertise. With
 * `atAnyHour` those whose shift is over are on duty, too.
 */
export async function techniciansOf(
  unit: Unit,
  branches: readonly number[] | null,
  { atAnyHour = false } = {},
): Promise<BoardTechnician[]> {
  const now = unit.now.toISOString();
  const { timezone } = placeOf(unit.session);
  const rows = await unit.query<TechnicianRow>(
    `with people as (
       select distinct on (m.employee_id) m.employee_id as id, e.name, e.mobile as phone, t.branch_id, case when t.team_kind = 'route' then t.id end as team_id, t.name as team,
         to_char(t.shift_from, 'HH24:MI') as shift_from, to_char(t.shift_to, 'HH24:MI') as shift_to,
         coalesce(t.day_minutes, 480) as day_minutes, x.level, x.may_rescue
       from {team.members} m join {team} t on t.id = m.parent_id and t.active and t.entity_id = $1
         join {employee} e on e.id = m.employee_id and e.active and e.status = 'active'
         left join {expertise_level} x on x.id = m.expertise_level_id
       where m."from" <= ($3::timestamptz at time zone $4)::date and coalesce(m."to", 'infinity') >= ($3::timestamptz at time zone $4)::date
         and ($2::bigint[] is null or t.branch_id = any($2))
       order by m.employee_id, m.id desc),
     work as (
       select a.employee_id, t.lift_id, t.status, a.arrived_at, a.arrive_geo, b.geo, s.minutes
       from {fms_ticket.assignments} a join {fms_ticket} t on t.id = a.parent_id and t.active
         left join {building} b on b.id = t.building_id left join {ticket_subcategory_mstr} s on s.id = t.subcategory_id
       where a.employee_id in (select id from people) and a.declined_at is null
         and (t.status in ${BUSY} and a.left_at is null or a.arrived_at >= $3::timestamptz - interval '30 days'))
     select p.*, 
       (select coalesce(w.arrive_geo, w.geo) from work w where w.employee_id = p.id and w.arrived_at >= $3::timestamptz - interval '12 hours' order by w.arrived_at desc limit 1) as at,
       (select r.start_point from {route_mstr} r where r.branch_id = p.branch_id and r.active order by (r.team_id = p.team_id) desc, r.id limit 1) as start,
       coalesce((select sum(coalesce(w.minutes, ${USUAL_MINUTES})) from work w where w.employee_id = p.id and w.status in ${BUSY}), 0)::int as accepted,
       (select array_agg(distinct w.lift_id) from work w where w.employee_id = p.id and w.arrived_at is not null) as lifts
     from people p order by p.team, p.name, p.id`,
    [unit.session.entityId, branches, now, timezone],
  );
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  }).format(unit.now);
  const today = dayIn(timezone, unit.now.getTime());
  const leaves = await leaveBetween(
    unit.session.tenant,
    today,
    today,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    branchId: row.branch_id,
    team: row.team,
    phone: row.phone,
    teamId: row.team_id,
    dayMinutes: row.day_minutes,
    at: row.at ?? row.start,
    level: row.level ?? 0,
    mayRescue: row.may_rescue === true,
    accepted: row.accepted,
    offDuty:
      onLeave(leaveOn(leaves, row.id, today), clock, row) ??
      (atAnyHour || isOnShift(clock, row.shift_from, row.shift_to)
        ? null
        : `Off duty (${row.shift_from}–${row.shift_to})`),
    lifts: row.lifts ?? [],
  }));
}

/** Why a technician is away at a time of day, as text; null = they are not on leave. */
function onLeave(
  leave: LeaveOfDay | null,
  clock: string,
  { shift_from: from, shift_to: to }: Pick<TechnicianRow, 'shift_from' | 'shift_to'>,
): string | null {
  if (leave === null) return null;
  if (leave.first && leave.second) return `On leave until ${formatDate(leave.until)}`;
  if (!isOnShift(clock, from, to)) return null;
  const middle = middleOf(from, to);
  const isSecond = isOnShift(clock, middle, to);
  return (isSecond ? leave.second : leave.first)
    ? `On leave ${leave.first ? `until ${middle}` : `from ${middle}`}`
    : null;
}

/** Whether a time of day is within a shift; a shift that ends before it begins crosses midnight. */
function isOnShift(clock: string, from: string, to: string): boolean {
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to;
}

/** The requirements of a ticket for its technician: the highest level that lift and category require. */
export async function siteOf(unit: Unit, ticket: Row): Promise<Site & { branchId: number | null }> {
  const [found] = await unit.query<{
    geo: Place | null;
    level: number | null;
    team_id: number | null;
    branch_id: number | null;
  }>(
    `select b.geo, b.branch_id, r.team_id, greatest(
       (select x.level from {expertise_level} x where x.id = l.expertise_level_id),
       (select x.level from {ticket_category_mstr} c join {expertise_level} x on x.id = c.expertise_level_id where c.id = $2)) as level
     from {lift} l join {building} b on b.id = l.building_id left join {route_mstr} r on r.id = b.route_id where l.id = $1`,
    [ticket.lift_id ?? null, ticket.category_id ?? null],
  );
  return {
    at: found?.geo ?? null,
    liftId: Number(ticket.lift_id),
    level: found?.level ?? 0,
    teamId: found?.team_id ?? null,
    isRescue: ticket.trapped === true,
    branchId: found?.branch_id ?? null,
  };
}

/**
 * All technicians of the ticket's branch by suitability, with reasons (C13). If nobody is on duty, trapped people do
 * not wait until the morning: everybody who is not on leave is listed.
 */
export async function suggestionsFor(unit: Unit, ticket: Row): Promise<Suggestion[]> {
  const site = await siteOf(unit, ticket);
  const branches = site.branchId === null ? null : [site.branchId];
  const found = whoGoes(await techniciansOf(unit, branches), site);
  if (!site.isRescue || found.some(({ refused }) => refused === null)) return found;
  return whoGoes(await techniciansOf(unit, branches, { atAnyHour: true }), site);
}
