import { DateTime } from 'luxon';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** How many past months are counted again, because late closings and reopened tickets change them. */
const MONTHS_BACK = 3;

/**
 * Counts calls, visits, downtime, work, travel, parts and price of lifts by month (C17), from three months before `since`, and
 * replaces earlier counts. Downtime is the union of the tickets' downtimes; days are in the company's time zone.
 * @returns the number of months counted
 */
export async function countLiftMonths(
  unit: Unit,
  lifts: readonly number[],
  since: string,
  today: string,
): Promise<number> {
  const [first] = await unit.query<{ day: string | null }>(
    `select least((select min(reported_at)::date from {fms_ticket} where lift_id = any($1::bigint[])),
       (select min(due_on) from {scheduled_ticket} where lift_id = any($1::bigint[])))::text as day`,
    [lifts],
  );
  const back = DateTime.fromISO(since).minus({ months: MONTHS_BACK }).toISODate()!;
  const from = first?.day === null || first === undefined ? today : first.day > back ? first.day : back;
  const start = DateTime.fromISO(from > today ? today : from)
    .startOf('month')
    .toISODate()!;
  await unit.query('delete from {lift_month} where lift_id = any($1::bigint[]) and month_on >= $2::date', [
    lifts,
    start,
  ]);
  const rows = await unit.query<{ id: number }>(
    `with months as (
       select l.id as lift_id, l.entity_id, l.building_id, l.customer_id, k.customer_group_id, l.branch_id, g.area_id, l.route_id, m::date as month_on, (m + interval '1 month')::date as next_on,
         tstzrange(m at time zone $4, (m + interval '1 month') at time zone $4) as span
       from {lift} l left join {building} g on g.id = l.building_id left join {customer_dtl} k on k.id = l.customer_id
       cross join generate_series($2::timestamp, date_trunc('month', $3::timestamp), interval '1 month') m
       where l.id = any($1::bigint[])),
     calls as (
       select t.id, t.lift_id, t.reported_at, t.status, t.trapped, t.repeat_of_id, t.attendances, t.reopened, t.lift_down, t.down_from, t.restored_at,
         (t.reported_at at time zone $4)::date as day
       from {fms_ticket} t
       where t.lift_id = any($1::bigint[]) and t.active and t.ticket_type in ('breakdown', 'rescue') and t.status not in ('cancelled', 'duplicate')
         and (t.reported_at >= $2::timestamp at time zone $4 or t.restored_at >= $2::timestamp at time zone $4 or t.restored_at is null)),
     of_calls as (
       select c.lift_id, date_trunc('month', c.day)::date as month_on, count(*)::int as calls, count(*) filter (where c.trapped)::int as trapped,
         count(*) filter (where c.repeat_of_id is not null)::int as repeats,
         count(*) filter (where exists (select 1 from {scheduled_ticket} v where v.lift_id = c.lift_id and v.status = 'done' and v.done_on between c.day - 7 and c.day))::int as after_visit,
         count(*) filter (where c.status in ('completed', 'signed_off', 'closed'))::int as calls_closed,
         count(*) filter (where c.status in ('completed', 'signed_off', 'closed') and c.attendances <= 1 and c.reopened = 0 and c.repeat_of_id is null
           and not exists (select 1 from calls r where r.repeat_of_id = c.id))::int as first_time
       from calls c group by 1, 2),
     of_down as (
       select s.lift_id, s.month_on, (sum(extract(epoch from upper(r) - lower(r))) / 60)::int as minutes
       from (select m.lift_id, m.month_on, range_agg(tstzrange(c.down_from, greatest(coalesce(c.restored_at, now()), c.down_from)) * m.span) as spans
         from months m join calls c on c.lift_id = m.lift_id where c.lift_down and c.down_from is not null group by 1, 2) s
       cross join unnest(s.spans) r group by 1, 2),
     of_visits as (
       select v.lift_id, date_trunc('month', v.due_on)::date as month_on, count(*)::int as pm_due,
         count(*) filter (where v.window_result in ('in_window', 'early'))::int as pm_in_window, count(*) filter (where v.window_result = 'late')::int as pm_late,
         count(*) filter (where v.window_result = 'missed')::int as pm_missed,
         count(*) filter (where v.status = 'cancelled' or (v.status = 'skipped' and v.window_result is null))::int as pm_excluded
       from {scheduled_ticket} v where v.lift_id = any($1::bigint[]) and v.active and v.due_on >= $2::date group by 1, 2),
     of_work as (
       select t.lift_id, date_trunc('month', (a.arrived_at at time zone $4))::date as month_on, sum(a.labour_min)::int as labour_min,
         round(sum(a.labour_min * coalesce((select x.cost_per_hour from {team.members} m join {expertise_level} x on x.id = m.expertise_level_id
           where m.employee_id = a.employee_id and m.from <= a.arrived_at::date and coalesce(m.to, 'infinity') >= a.arrived_at::date order by m.id limit 1), 0)) / 60, 2) as labour_cost,
         sum(a.travel_cost) as travel_cost
       from {fms_ticket} t join {fms_ticket.assignments} a on a.parent_id = t.id
       where t.lift_id = any($1::bigint[]) and t.active and a.arrived_at >= $2::timestamp at time zone $4 group by 1, 2),
     of_parts as (
       select p.lift_id, date_trunc('month', p.posted_on)::date as month_on, sum(p.total_cost) as cost from {mr_consumption} p
       where p.lift_id = any($1::bigint[]) and p.active and p.state in ('posted', 'verified') and p.posted_on >= $2::date group by 1, 2)
     insert into {lift_month} (entity_id, lift_id, month_on, building_id, customer_id, customer_group_id, branch_id, area_id, route_id, cover_days, calls, trapped, repeats, after_visit, calls_closed,
       first_time, pm_due, pm_in_window, pm_late, pm_missed, pm_excluded, down_min, labour_min, labour_cost, travel_cost, material_cost, revenue)
     select m.entity_id, m.lift_id, m.month_on, m.building_id, m.customer_id, m.customer_group_id, m.branch_id, m.area_id, m.route_id, k.days, coalesce(c.calls, 0), coalesce(c.trapped, 0), coalesce(c.repeats, 0),
       coalesce(c.after_visit, 0), coalesce(c.calls_closed, 0), coalesce(c.first_time, 0), coalesce(v.pm_due, 0), coalesce(v.pm_in_window, 0),
       coalesce(v.pm_late, 0), coalesce(v.pm_missed, 0), coalesce(v.pm_excluded, 0), coalesce(d.minutes, 0), coalesce(w.labour_min, 0),
       coalesce(w.labour_cost, 0), coalesce(w.travel_cost, 0), coalesce(p.cost, 0), coalesce(k.price, 0)
     from months m
     left join of_calls c on c.lift_id = m.lift_id and c.month_on = m.month_on
     left join of_visits v on v.lift_id = m.lift_id and v.month_on = m.month_on
     left join of_work w on w.lift_id = m.lift_id and w.month_on = m.month_on
     left join of_parts p on p.lift_id = m.lift_id and p.month_on = m.month_on
     left join of_down d on d.lift_id = m.lift_id and d.month_on = m.month_on
     left join lateral (
       select coalesce(sum(d.last_on - d.first_on + 1), 0)::int as days,
         round(sum(coalesce((select sum(y.price * (least(d.last_on, y.to_on) - greatest(d.first_on, y.from_on) + 1) / (y.to_on - y.from_on + 1))
           from {contract_line.year_prices} y where y.parent_id = l.id and y.from_on <= d.last_on and y.to_on >= d.first_on),
           l.net * (d.last_on - d.first_on + 1) / 365)), 2) as price
       from {contract_line} l
       cross join lateral (select greatest(l.from_on, m.month_on) as first_on, least(coalesce(l.closes_on, l.to_on), m.next_on - 1, $3::date) as last_on) d
       where l.lift_id = m.lift_id and l.active and l.line_status <> 'draft' and d.first_on <= d.last_on) k on true
     returning id`,
    [lifts, start, today, placeOf(unit.session).timezone],
  );
  return rows.length;
}
