-- Twelve visits a year of each line, done by the team of the route with a ticket each; about three calls a year of each lift.
create temp table visit on commit drop as
  select (select coalesce(max(id), 0) from {scheduled_ticket}) + row_number() over (order by l.id, k) as id, l.id as line_id, l.lift_id, l.contract_id, l.house, k,
    d.due_on + (case when extract(isodow from d.due_on) = 7 then 1 else 0 end) as due_on, l.car * 7 + k * 13 + l.contract_id as seed
  from line l cross join generate_series(0, 11) k cross join lateral (select (l.start_on + make_interval(months => k) + interval '5 days')::date as due_on) d;
create temp table work on commit drop as
  select v.*, v.due_on + (seed % 4)::int + case when seed % 12 = 0 then 9 else 0 end as done_on, h.id as building_id, h.customer_id, h.branch_id, h.route_id, h.team_id, h.leader,
    h.leader + seed % 3 as technician_id,
    case when v.due_on >= z.today then null when seed % 25 = 0 then 'missed' when v.due_on + (seed % 4)::int + case when seed % 12 = 0 then 9 else 0 end < z.today then 'done' end as ended
  from visit v join house h on h.n = v.house cross join size z;
analyze work;
create temp table job on commit drop as
  select (select coalesce(max(id), 0) from {fms_ticket}) + row_number() over (order by at, visit_id, lift_id) as id, j.*, 30 + (seed % 90)::int as travel, 25 + (seed % 60)::int as minutes
  from (
    select id as visit_id, line_id, contract_id, lift_id, building_id, customer_id, branch_id, route_id, team_id, technician_id, leader, seed, 'preventive' as kind,
      (done_on + time '08:30' + make_interval(mins => (seed % 400)::int)) at time zone z.zone as at from work, size z where ended = 'done'
    union all
    select null, l.id, l.contract_id, l.lift_id, h.id, h.customer_id, h.branch_id, h.route_id, h.team_id, h.leader + s.seed % 3, h.leader, s.seed, 'breakdown', s.at
    from line l join house h on h.n = l.house cross join size z cross join generate_series(1, 3) k
    cross join lateral (select l.car * 11 + k * 101 + l.contract_id as seed,
      (l.start_on + (k - 1) * 120 + ((l.car * 29 + k * 7) % 110)::int + time '06:00' + make_interval(mins => ((l.car * 37 + k * 53) % 960)::int)) at time zone z.zone as at) s
    where s.at < z.today::timestamp at time zone z.zone
  ) j;
analyze job;
insert into {scheduled_ticket} (id, entity_id, lift_id, building_id, contract_line_id, branch_id, contract_year, visit_no, visits_per_year, due_on, window_from, window_to, planned_on, minutes, route_id,
    technician_id, fms_ticket_id, done_on, window_result, status)
  overriding system value
  select w.id, z.company, w.lift_id, w.building_id, w.line_id, w.branch_id, 1, w.k + 1, 12, w.due_on, w.due_on - 3, w.due_on + 5, greatest(w.due_on, case when w.ended is null then z.today end), 45, w.route_id,
    w.technician_id, j.id, case when w.ended = 'done' then w.done_on end,
    case when w.ended = 'missed' then 'missed' when w.ended = 'done' then case when w.done_on <= w.due_on + 5 then 'in_window' else 'late' end end, coalesce(w.ended, 'planned')
  from work w left join job j on j.visit_id = w.id cross join size z;
insert into {fms_ticket} (id, entity_id, ticket_no, ticket_definition_id, ticket_type, source, lift_id, building_id, customer_id, branch_id, route_id, caller_name, caller_phone, reported_at, down_from,
    category_id, description, priority, lift_down, cover, contract_id, contract_line_id, amc_type_id, team_id, technician_id, leader_id, planned_on, scheduled_ticket_id, running_before, running_after,
    work_done, charge_total, parts_cost, rating, responded_at, respond_met, restored_at, restore_met, attendances, status, respond_by, respond_clock, restore_by, restore_clock, created_at, updated_at)
  overriding system value
  select j.id, z.company, d.number_prefix || 'H/' || pg_temp.fy(j.at::date) || '/' || lpad((row_number() over (partition by d.id, pg_temp.fy(j.at::date) order by j.id))::text, 6, '0'), d.id, j.kind,
    case when j.kind = 'preventive' then 'schedule' else 'phone' end, j.lift_id, j.building_id, j.customer_id, j.branch_id, j.route_id,
    case when j.kind = 'breakdown' then 'Guard' end, case when j.kind = 'breakdown' then '+919840011122' end, j.at, case when j.kind = 'breakdown' and j.seed % 5 < 3 then j.at end,
    case when j.kind = 'breakdown' then c.ids[1 + j.seed % cardinality(c.ids)] end, case when j.kind = 'breakdown' then (array['The door does not close.','The lift stops between floors.','Noise in the machine room.','Levelling is wrong.'])[1 + j.seed % 4] else 'Visit by plan' end,
    case when j.kind = 'breakdown' then 'p2' else 'p4' end, j.kind = 'breakdown' and j.seed % 5 < 3, 'covered', j.contract_id, j.line_id, a.id, j.team_id, j.technician_id, j.leader,
    (j.at at time zone z.zone)::date, j.visit_id, case when j.kind = 'breakdown' and j.seed % 5 < 3 then 'down' else 'running' end, 'running', 'Cleaned, set and tested.', 0, 0, (3 + j.seed % 3)::int,
    j.at + make_interval(mins => j.travel), true, j.at + make_interval(mins => j.travel + j.minutes), true, 1, 'closed',
    case when j.kind = 'breakdown' then j.at + interval '120 minutes' end,
    case when j.kind = 'breakdown' then jsonb_build_object('state', 'met', 'since', e.ms, 'due', e.ms + 7200000, 'spans', '[]'::jsonb, 'target', 120, 'elapsed', j.travel) end,
    case when j.kind = 'breakdown' then j.at + interval '480 minutes' end,
    case when j.kind = 'breakdown' then jsonb_build_object('state', 'met', 'since', e.ms, 'due', e.ms + 28800000, 'spans', '[]'::jsonb, 'target', 480, 'elapsed', j.travel + j.minutes) end,
    j.at, j.at + interval '4 hours'
  from job j cross join size z cross join lateral (select (extract(epoch from j.at) * 1000)::bigint as ms) e
  join {ticket_definition} d on d.code = case when j.kind = 'preventive' then 'PM' else 'BRK' end
  cross join (select array_agg(id order by id) as ids from {ticket_category_mstr}) c cross join (select id from {amc_type_mstr} where code = 'COMP') a;
insert into {fms_ticket.assignments} (parent_id, position, employee_id, lead, assigned_at, accepted_at, travel_at, arrived_at, left_at, labour_min)
  select id, 0, technician_id, true, at, at + interval '4 minutes', at + interval '8 minutes', at + make_interval(mins => travel), at + make_interval(mins => travel + minutes), minutes from job;

-- Every tenth lift is inspected once a year by the leader of its team.
insert into {tis_inspection} (entity_id, inspection_no, survey_type_id, type_version, planned_on, surveyor_id, branch_id, lift_id, building_id, customer_id, customer_name, building, lift_no,
    landings, ropes, car_doors, score, grade, passed, unsafe, started_at, submitted_at, issued_on, valid_to, status, created_at, updated_at)
  select z.company, 'TISH/' || lpad(row_number() over (order by f.id, d.day)::text, 6, '0'), t.id, 1, d.day, h.leader, f.branch_id, f.id, f.building_id, f.customer_id, c.name, b.name, f.lift_no,
    least(f.stops, 120), 4, 1, 70 + f.id * 7 % 30, case when f.id * 7 % 30 >= 20 then 'A' else 'B' end, true, false, d.day + time '10:00', d.day + time '13:00', d.day + 3, d.day + 368, 'issued',
    d.day + time '09:00', d.day + time '13:00'
  from car k join {lift} f on f.id = k.id join house h on h.n = k.house join {building} b on b.id = f.building_id join {customer_dtl} c on c.id = f.customer_id cross join size z
  cross join lateral (select (z.today - y * 365 - (k.n % 300)::int - 10)::date as day from generate_series(0, z.years - 1) y) d
  join {tis_survey_type} t on t.code = 'TIS-YEAR'
  where k.n % 10 = 0;
