-- Lifts with the line that covers them on the day; an AMC before other kinds.
select f.id, f.id as lift_id, g.area_id, o.customer_group_id, f.customer_id, f.building_id, f.branch_id, f.route_id, f.lift_make_id, f.lift_type_id, f.controller_id, f.drive_type_id,
  f.stops, f.capacity_kg, extract(year from age({:as_on}, f.commissioned_on))::int as age_years,
  case when f.commissioned_on is null then null when age({:as_on}, f.commissioned_on) < interval '6 years' then 'a0_5'
    when age({:as_on}, f.commissioned_on) < interval '11 years' then 'b6_10' when age({:as_on}, f.commissioned_on) < interval '16 years' then 'c11_15'
    when age({:as_on}, f.commissioned_on) < interval '21 years' then 'd16_20' else 'e21' end as age_band,
  f.status as state, k.amc_type_id, k.contract_id, k.from_on, k.to_on, k.net as rate, f.licence_valid_to, f.insurance_valid_to, f.warranty_to,
  coalesce(m.support = 'obsolete' or c.support = 'obsolete', false) as is_obsolete,
  (select p.employee_id from {route_mstr} r join {team.members} p on p.parent_id = r.team_id
     where r.id = f.route_id and p.role = 'lead' and p."from" <= {:as_on} and coalesce(p."to", 'infinity') >= {:as_on} order by p.id limit 1) as technician_id,
  (select coalesce(sum(y.calls), 0)::int from {lift_month} y
     where y.lift_id = f.id and y.month_on > {:as_on} - interval '12 months' and y.month_on <= {:as_on}) as calls_12m,
  (select round(100 * greatest(1 - coalesce(sum(y.down_min), 0) / (1440.0 * p.days), 0), 2) from {lift_month} y
     where y.lift_id = f.id and y.month_on > {:as_on} - interval '12 months' and y.month_on <= {:as_on}) as uptime,
  i.last_on as inspected_on, i.number as inspections_12m
from {lift} f
join {building} g on g.id = f.building_id
left join {customer_dtl} o on o.id = f.customer_id
left join {lift_make_mstr} m on m.id = f.lift_make_id
left join {controller_mstr} c on c.id = f.controller_id
-- The days of the months that are counted, since the lift has been running.
cross join lateral (
  select nullif(greatest({:as_on} + 1 - greatest(date_trunc('month', {:as_on}) - interval '11 months', coalesce(f.commissioned_on, '-infinity'))::date, 0), 0) as days
) p
left join lateral (
  select l.amc_type_id, l.contract_id, l.from_on, l.to_on, l.net from {contract_line} l
  where l.lift_id = f.id and l.line_status in ('active', 'held') and l.from_on <= {:as_on} and l.to_on >= {:as_on}
  order by case l.cover_kind when 'amc' then 0 when 'warranty' then 1 else 2 end, l.from_on desc limit 1
) k on true
cross join lateral (
  select max(d.day) as last_on, (count(*) filter (where d.day > {:as_on} - interval '12 months'))::int as number
  from {tis_inspection} x cross join lateral (select (x.submitted_at at time zone {:zone})::date as day) d
  where x.lift_id = f.id and x.status in ('reviewed', 'issued') and d.day <= {:as_on}
) i
