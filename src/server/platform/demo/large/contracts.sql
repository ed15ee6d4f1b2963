-- A contract a year for each building, renewed at 6 % more; the last one runs. Each lift is a line of it, billed by the quarter in advance.
create temp table agreement on commit drop as
  select row_number() over (order by g, h.n) as n, (select coalesce(max(id), 0) from {contract}) + row_number() over (order by g, h.n) as id, h.n as house, h.id as building_id, h.customer_id, h.branch_id, h.tds_id, h.gstin,
    h.state_id, g, (h.first_day + make_interval(years => g))::date as start_on, (h.first_day + make_interval(years => g + 1) - interval '1 day')::date as end_on, g = z.years - 1 as runs
  from house h cross join size z cross join lateral generate_series(0, z.years - 1) g;
create temp table line on commit drop as
  select (select coalesce(max(id), 0) from {contract_line}) + row_number() over (order by a.id, c.n) as id, a.id as contract_id, c.id as lift_id, c.n as car, a.house, a.start_on, a.end_on, a.runs,
    round(c.rate * power(1.06, a.g) / 100) * 100 as net
  from agreement a join car c on c.house = a.house;
analyze agreement;
analyze line;
insert into {contract} (id, entity_id, contract_no, contract_kind, amc_type_id, customer_id, building_id, branch_id, previous_contract_id, root_contract_id, signed_on, start_on, months, end_on,
    payment_type_id, payment_term_id, schedule_visit_id, bill_grouping, year_total, contract_total, status)
  overriding system value
  select a.id, z.company, 'COH/' || f.fy || '/' || lpad((row_number() over (partition by f.fy order by a.start_on, a.id))::text, 5, '0'), 'amc', m.amc, a.customer_id, a.building_id, a.branch_id,
    lag(a.id) over w, first_value(a.id) over w, a.start_on - 10, a.start_on, 12, a.end_on, m.payment, m.term, m.visits, 'contract', t.total, t.total, case when a.runs then 'active' else 'renewed' end
  from agreement a join (select contract_id, sum(net) as total from line group by 1) t on t.contract_id = a.id cross join size z
  cross join lateral (select pg_temp.fy(a.start_on) as fy) f
  cross join (select (select id from {amc_type_mstr} where code = 'COMP') as amc, (select id from {payment_type_mstr} where code = 'QA') as payment,
    (select id from {payment_term_mstr} where code = 'N30') as term, (select id from {schedule_visit_mstr} where code = 'M12') as visits) m
  window w as (partition by a.house order by a.g);
insert into {contract.year_totals} (parent_id, position, year_no, from_on, to_on, total)
  select a.id, 0, 1, a.start_on, a.end_on, t.total from agreement a join (select contract_id, sum(net) as total from line group by 1) t on t.contract_id = a.id;
insert into {contract_line} (id, entity_id, contract_id, lift_id, building_id, cover_kind, amc_type_id, from_on, to_on, rate, discount, net, visits_per_year, line_status, closes_on, position)
  overriding system value
  select l.id, z.company, l.contract_id, l.lift_id, c.building_id, 'amc', (select id from {amc_type_mstr} where code = 'COMP'), l.start_on, l.end_on, l.net, 0, l.net, 12,
    case when l.runs then 'active' else 'closed' end, case when not l.runs then l.end_on end, row_number() over (partition by l.contract_id order by l.id) - 1
  from line l join car c on c.n = l.car cross join size z;
insert into {contract_line.year_prices} (parent_id, position, year_no, from_on, to_on, price) select id, 0, 1, start_on, end_on, net from line;
