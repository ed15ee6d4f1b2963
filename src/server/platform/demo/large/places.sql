-- People, customers, buildings and lifts. {place}: a branch with the state and area of its buildings, from 0.
create temp table place on commit drop as
  select (row_number() over (order by b.id) - 1)::int as at, b.id as branch_id, b.gstin, a.id as area_id, a.city_id, s.id as state_id
  from {branch} b join lateral (select * from {area_mstr} a where a.branch_id = b.id order by a.id limit 1) a on true
  join {city_mstr} c on c.id = a.city_id join {state_mstr} s on s.id = c.state_id
  where b.entity_id = (select company from size) and b.gstin is not null;

create temp table technician on commit drop as
  select n, (select coalesce(max(id), 0) from {employee}) + n as id, ((n - 1) / 3 + 1)::int as team
  from generate_series(1::bigint, (select technicians from size)) n;

insert into {employee} (id, entity_id, empno, first_name, last_name, name, gender, mobile, date_of_joining, employment_type, branch_id, department_id, designation_id)
  overriding system value
  select t.id, z.company, 'H' || lpad(t.n::text, 5, '0'), f.name, l.name, f.name || ' ' || l.name, 'male', '+9198' || lpad((40000000 + t.n)::text, 8, '0'),
    z.today - 1200 - (t.n * 13 % 3000)::int, 'permanent', p.branch_id, e.department_id, e.designation_id
  from technician t cross join size z
  join place p on p.at = t.team % (select count(*) from place)
  cross join lateral (select (array['Anand','Bala','Murugan','Ravi','Suresh','Karthik','Mohan','Prakash','Selvam','Vijay','Imran','Joseph'])[1 + t.n * 7 % 12] as name) f
  cross join lateral (select (array['Kumar','Raj','Nair','Reddy','Shetty','Pillai','Rao','Thomas','Khan','Velu'])[1 + t.n * 11 % 10] as name) l
  cross join lateral (select department_id, designation_id from {employee} where id = (select employee_id from {team.members} order by id limit 1)) e;

create temp table crew on commit drop as
  select g.team, (select coalesce(max(id), 0) from {team}) + g.team as id, (select coalesce(max(id), 0) from {route_mstr}) + g.team as route_id,
    g.leader, p.branch_id, p.area_id, p.at as place, (g.team / (select count(*) from place))::int as seq
  from (select team, min(id) as leader from technician group by 1) g join place p on p.at = g.team % (select count(*) from place);

insert into {team} (id, entity_id, code, name, branch_id, leader_id, team_kind, shift_from, shift_to, day_minutes) overriding system value
  select id, company, 'H-T' || lpad(team::text, 3, '0'), 'History team ' || team, branch_id, leader, 'route', '08:30', '17:30', 480 from crew, size;
insert into {team.members} (parent_id, position, employee_id, expertise_level_id, role, "from")
  select c.id, t.n, t.id, (select min(id) from {expertise_level}), case when t.id = c.leader then 'lead' else 'assistant' end, z.today - 1200
  from technician t join crew c on c.team = t.team cross join size z;
insert into {route_mstr} (id, entity_id, code, name, branch_id, area_ids, team_id, start_point, capacity_minutes, work_days) overriding system value
  select c.route_id, company, 'H-R' || lpad(c.team::text, 3, '0'), 'History route ' || c.team, c.branch_id, array[c.area_id], c.id,
    jsonb_build_object('lat', 10 + c.place + c.seq * 0.01, 'lng', 77 + c.place + c.seq * 0.01), 420, array['mon','tue','wed','thu','fri','sat'] from crew c, size;

create temp table client on commit drop as
  select n, (select coalesce(max(id), 0) from {customer_dtl}) + n as id, p.*, n % 10 < 7 as deducts, case when n % 10 < 7 then (select id from {deduction} where code = '194C') end as tds_id,
    'Lotus ' || (array['Residency','Towers','Enclave','Heights','Gardens','Plaza','Court','Habitat'])[1 + n * 5 % 8] || ' ' || n as name
  from generate_series(1::bigint, (select customers from size)) n join place p on p.at = n % (select count(*) from place);
insert into {customer_dtl} (id, entity_id, customer_no, name, client_type_id, branch_id, billing_address, state_id, city_id, pincode, phone, gst_treatment, payment_term_id, tds_id, bill_grouping, status)
  overriding system value
  select c.id, z.company, 'CUH/' || lpad(c.n::text, 5, '0'), c.name, (select id from {client_type_mstr} order by id limit 1 offset (c.n % 3)),
    c.branch_id, c.n || ' Station Road', c.state_id, c.city_id, '6' || lpad((c.n % 99999)::text, 5, '0'), '+9144' || lpad((24000000 + c.n)::text, 8, '0'),
    'unregistered', (select id from {payment_term_mstr} where code = 'N30'), c.tds_id, 'contract', 'active'
  from client c cross join size z;
insert into {customer_dtl.contacts} (parent_id, position, name, phone, gets, is_primary)
  select id, 0, 'Secretary', '+9198' || lpad((50000000 + n)::text, 8, '0'), array['bills','tickets'], true from client;

-- Two to three lifts stand in a building; buildings go round the customers and the routes of the branch.
create temp table house on commit drop as
  select b.n, (select coalesce(max(id), 0) from {building}) + b.n as id, c.id as customer_id, c.branch_id, c.state_id, c.city_id, c.area_id, c.name, c.tds_id, c.gstin, w.route_id,
    w.id as team_id, w.team, w.leader,
    z.today - make_interval(years => z.years) + make_interval(days => (1 + b.n * 37 % 364)::int) as first_day
  from size z cross join lateral generate_series(1::bigint, z.lifts * 2 / 5) b(n)
  join client c on c.n = 1 + b.n % z.customers
  join (select crew.*, row_number() over (partition by place order by team) - 1 as k, count(*) over (partition by place) as of from crew) w
    on w.place = c.at and w.k = b.n / z.customers % w.of;
insert into {building} (id, entity_id, building_no, name, customer_id, building_type_id, address, area_id, state_id, city_id, pincode, geo, branch_id, route_id, floors)
  overriding system value
  select h.id, z.company, 'BLH/' || lpad(h.n::text, 5, '0'), h.name || ', block ' || chr(65 + (h.n / z.customers)::int % 26), h.customer_id, t.ids[1 + h.n % cardinality(t.ids)], h.n || ' Station Road',
    h.area_id, h.state_id, h.city_id, '6' || lpad((h.n % 99999)::text, 5, '0'),
    jsonb_build_object('lat', 8 + h.n % 1000 * 0.009, 'lng', 76 + h.n % 777 * 0.005), h.branch_id, h.route_id, (4 + h.n % 20)::int
  from house h cross join size z cross join (select array_agg(id order by id) as ids from {building_type_mstr}) t;

create temp table car on commit drop as
  select l.n, (select coalesce(max(id), 0) from {lift}) + l.n as id, h.id as building_id, h.n as house, 24000 + l.n * 31 % 140 * 300 as rate
  from size z cross join lateral generate_series(1::bigint, z.lifts) l(n) join house h on h.n = 1 + l.n % (z.lifts * 2 / 5);
insert into {lift} (id, entity_id, lift_no, building_id, customer_id, branch_id, route_id, position_name, lift_category_id, lift_type_id, lift_make_id, capacity_kg, persons,
    speed_mps, stops, openings, drive_type_id, controller_id, commissioned_on, handed_over_on, running, status)
  overriding system value
  select c.id, z.company, 'LH' || lpad(c.n::text, 5, '0'), c.building_id, h.customer_id, h.branch_id, h.route_id, 'Lift ' || (1 + c.n / (z.lifts * 2 / 5)), m.category, m.types[1 + c.n % cardinality(m.types)],
    m.makes[1 + c.n % cardinality(m.makes)], (array[408, 544, 680, 884])[1 + c.n % 4], (array[6, 8, 10, 13])[1 + c.n % 4], (array[0.63, 1, 1.5, 1.75])[1 + c.n % 4],
    (4 + h.n % 20)::int, (4 + h.n % 20)::int, m.drives[1 + c.n % cardinality(m.drives)], m.controllers[1 + c.n % cardinality(m.controllers)],
    z.today - 2000 - (c.n * 17 % 8000)::int, z.today - 1990 - (c.n * 17 % 8000)::int, 'running', 'in_contract'
  from car c join house h on h.n = c.house cross join size z
  cross join (select (select id from {lift_category_mstr} where lift_use = 'passenger' order by id limit 1) as category,
    (select array_agg(id order by id) from {lift_type_mstr} where arrangement like 'traction%') as types, (select array_agg(id order by id) from {lift_make_mstr}) as makes,
    (select array_agg(id order by id) from {drive_type_mstr} where family = 'traction') as drives, (select array_agg(id order by id) from {controller_mstr}) as controllers) m;
