-- The visits due in the past year of each line of the demo's contracts, where the plan has none, done with a ticket each but for some;
-- and about two calls a year of each lift, of which few have passengers trapped.
create temp table visit on commit drop as
  select w.*, greatest(l.from_on, (w.due_on + (w.seed % 5)::int - 1 + case when w.seed % 13 = 0 then 8 else 0 end)::date) as done_on, w.seed % 19 = 0 as missed
  from (
    select l.id as line_id, l.entity_id, l.lift_id, l.building_id, l.contract_id, p.v, y.year + 1 as contract_year, n.no, l.id * 7 + n.no * 13 + y.year as seed,
      d.day + case when extract(isodow from d.day) = 7 then 1 else 0 end as due_on
    from {contract_line} l join {contract} c on c.id = l.contract_id and c.status not in ('draft', 'submitted', 'approved')
    left join lateral (select due_on, visit_no, visits_per_year from {scheduled_ticket} s where s.contract_line_id = l.id order by contract_year, visit_no limit 1) f on true
    cross join lateral (select coalesce(l.visits_per_year, f.visits_per_year, 12) as v) p
    cross join generate_series(0, 2) as y(year) cross join generate_series(1, p.v) as n(no)
    cross join lateral (
      select (case when f.due_on is null then l.from_on + 4 + (l.id * 5 % 21)::int + make_interval(months => y.year * 12 + (n.no - 1) * 12 / p.v)
        else f.due_on + make_interval(months => y.year * 12 + (n.no - f.visit_no) * 12 / p.v) end)::date as day) d
    where not exists (select 1 from {scheduled_ticket} s where s.contract_line_id = l.id and s.contract_year = y.year + 1 and s.visit_no = n.no)
  ) w cross join demo_day z join {contract_line} l on l.id = w.line_id
  where w.due_on >= greatest(l.from_on, z.today - 365) and w.due_on <= coalesce(l.closes_on, l.to_on) and w.due_on + 8 < z.today;
create temp table job on commit drop as
  select (select coalesce(max(id), 0) from {fms_ticket}) + row_number() over (order by j.at, j.visit_no, j.lift_id) as id, j.*, b.customer_id, b.branch_id, b.route_id, r.team_id, t.leader_id,
    m.ids[1 + j.seed % cardinality(m.ids)] as technician_id, 25 + (j.seed * 7 % 60)::int as travel, 20 + (j.seed * 11 % 55)::int as minutes
  from (
    select entity_id, line_id, contract_year, no as visit_no, v, lift_id, building_id, contract_id, seed, 'PM' as kind, (done_on + time '08:30' + make_interval(mins => (seed % 400)::int)) at time zone z.zone as at
    from visit, demo_day z where not missed
    union all
    select v.entity_id, v.contract_line_id, v.contract_year, v.visit_no, v.visits_per_year, v.lift_id, v.building_id, l.contract_id, v.id * 31, 'PM', (v.done_on + time '10:10') at time zone z.zone
    from {scheduled_ticket} v join {contract_line} l on l.id = v.contract_line_id, demo_day z where v.status = 'done' and v.fms_ticket_id is null
    union all
    select l.entity_id, l.id, null, k, null, l.lift_id, l.building_id, l.contract_id, s.seed, case when s.seed % 23 = 0 then 'RES' else 'BRK' end, d.at
    from {contract_line} l join {contract} c on c.id = l.contract_id and c.status not in ('draft', 'submitted', 'approved')
    cross join demo_day z cross join generate_series(1, 6) k
    cross join lateral (select ('x' || substr(md5(l.lift_id || ' ' || k), 1, 6))::bit(24)::int as seed) s
    cross join lateral (select (z.today - k * 61 + s.seed / 7 % 61 + time '06:00' + make_interval(mins => s.seed % 960)) at time zone z.zone as at) d
    where s.seed % 5 < 2 and d.at::date between l.from_on and least(coalesce(l.closes_on, l.to_on), z.today - 3)
  ) j join {building} b on b.id = j.building_id join {route_mstr} r on r.id = b.route_id join {team} t on t.id = r.team_id
  join (select parent_id, array_agg(employee_id order by position) as ids from {team.members} group by 1) m on m.parent_id = t.id;
insert into {fms_ticket} (id, entity_id, ticket_no, ticket_definition_id, ticket_type, source, trapped, trapped_count, all_out_at, lift_id, building_id, customer_id, branch_id, route_id, caller_name, caller_phone,
    reported_at, down_from, category_id, subcategory_id, description, priority, lift_down, cover, contract_id, contract_line_id, team_id, technician_id, leader_id, planned_on, running_before,
    running_after, work_done, root_cause_id, action_taken_id, charge_total, parts_cost, signed_by, rating, responded_at, respond_met, restored_at, restore_met, attendances, reopened, status, created_at, updated_at,
    priority_kept, offered_to_all, billed, code_ok, waited_customer_min, waited_vendor_min, waited_own_min, paused_min, rescue_step)
  overriding system value
  select j.id, j.entity_id, d.number_prefix || '/20' || pg_temp.fy(j.at::date) || '/P' || lpad((row_number() over (partition by d.id, pg_temp.fy(j.at::date) order by j.id))::text, 5, '0'), d.id,
    case j.kind when 'PM' then 'preventive' when 'RES' then 'rescue' else 'breakdown' end, case j.kind when 'PM' then 'schedule' else 'phone' end, j.kind = 'RES',
    case when j.kind = 'RES' then 1 + (j.seed % 3)::int end, case when j.kind = 'RES' then j.at + make_interval(mins => j.travel + 9) end, j.lift_id, j.building_id, j.customer_id, j.branch_id, j.route_id,
    case when call then 'Security desk' end, case when call then '+919840011122' end, j.at, case when call and j.seed % 5 < 3 then j.at end, s.ticket_category_id, s.id,
    case j.kind when 'PM' then 'Maintenance visit ' || j.visit_no || ' of ' || j.v || '.' when 'RES' then 'Passengers are stuck in the car.' else
      (array['The door does not close.', 'The lift stops between floors.', 'There is a noise while it moves.', 'The car stops above the floor.', 'Buttons do not light up.'])[1 + j.seed % 5] end,
    case j.kind when 'PM' then 'p4' when 'RES' then 'p1' else 'p2' end, call and j.seed % 5 < 3, 'covered', j.contract_id, j.line_id, j.team_id, j.technician_id, j.leader_id, (j.at at time zone z.zone)::date,
    case when call and j.seed % 5 < 3 then 'down' else 'running' end, 'running', case when call then 'Adjusted, cleaned and tried out.' else 'Cleaned, greased and tested.' end,
    case when call then c.ids[1 + j.seed % cardinality(c.ids)] end, case when call then a.ids[1 + j.seed % cardinality(a.ids)] end, 0, 0, 'Security desk',
    case when j.seed % 3 = 0 then 3 + (j.seed * 5 % 3)::int end, j.at + make_interval(mins => j.travel), j.seed % 9 > 0, j.at + make_interval(mins => j.travel + j.minutes), j.seed % 11 > 0,
    case when call and j.seed % 6 = 0 then 2 else 1 end, 0, 'closed', j.at, j.at + interval '4 hours',
    false, false, false, false, 0, 0, 0, 0, 0
  from job j cross join demo_day z cross join lateral (select j.kind <> 'PM' as call) k join {ticket_definition} d on d.code = j.kind
  cross join (select array_agg(id order by id) as ids from {root_cause_mstr} where active) c cross join (select array_agg(id order by id) as ids from {action_taken_mstr} where active and not coalesce(needs_material, false)) a
  left join lateral (select s.id, s.ticket_category_id from {ticket_subcategory_mstr} s join {ticket_category_mstr} g on g.id = s.ticket_category_id
    where k.call and d.id = any(g.ticket_definition_ids) and g.active order by (s.id * 17 + j.seed) % 7, s.id limit 1) s on true;
insert into {scheduled_ticket} (entity_id, lift_id, building_id, contract_line_id, branch_id, contract_year, visit_no, visits_per_year, due_on, window_from, window_to, planned_on, minutes, route_id,
    technician_id, fms_ticket_id, done_on, window_result, status, created_at, updated_at)
  select v.entity_id, v.lift_id, v.building_id, v.line_id, b.branch_id, v.contract_year, v.no, v.v, v.due_on, v.due_on - 3, v.due_on + 5, v.due_on, 45, b.route_id, j.technician_id, j.id,
    case when not v.missed then v.done_on end, case when v.missed then 'missed' when v.done_on <= v.due_on + 5 then 'in_window' else 'late' end, case when v.missed then 'missed' else 'done' end,
    v.due_on - interval '30 days', v.due_on + interval '9 days'
  from visit v join {building} b on b.id = v.building_id
  left join job j on j.line_id = v.line_id and j.contract_year = v.contract_year and j.visit_no = v.no and j.kind = 'PM' where b.route_id is not null;
update {scheduled_ticket} s set fms_ticket_id = j.id from job j
  where s.fms_ticket_id is null and s.status = 'done' and j.kind = 'PM' and j.line_id = s.contract_line_id and j.contract_year = s.contract_year and j.visit_no = s.visit_no;
update {fms_ticket} t set scheduled_ticket_id = s.id from {scheduled_ticket} s join job j on j.id = s.fms_ticket_id where t.id = j.id;
insert into {fms_ticket.assignments} (parent_id, position, employee_id, lead, assigned_at, accepted_at, travel_at, arrived_at, left_at, labour_min)
  select id, 0, technician_id, true, at, at + interval '4 minutes', at + interval '8 minutes', at + make_interval(mins => travel), at + make_interval(mins => travel + minutes), minutes from job;
