-- What each lift adds to the contract value between two days: lifts in a contract before the first day, lifts that came, lifts that left, and changed prices.
with days as (
  select {:from}::date - 1 as on_day, true as is_first union all select {:to}::date, false
),
worth as (
  select d.is_first, l.lift_id, max(l.contract_id) as contract_id, sum(coalesce(y.price, l.net)) as value
  from days d
  join {contract_line} l on l.from_on <= d.on_day and coalesce(l.closes_on, l.to_on) >= d.on_day
  left join {contract_line.year_prices} y on y.parent_id = l.id and y.from_on <= d.on_day and y.to_on >= d.on_day
  where l.active and l.line_status <> 'draft' and l.cover_kind <> 'warranty'
  group by 1, 2
),
steps as (
  select coalesce(a.lift_id, z.lift_id) as lift_id, coalesce(z.contract_id, a.contract_id) as contract_id, s.place, s.step, s.lifts, s.value
  from (select * from worth where is_first) a
  full join (select * from worth where not is_first) z on z.lift_id = a.lift_id
  cross join lateral (values
    (1, 'before', 1, a.value, a.lift_id is not null),
    (2, 'gained', 1, z.value, a.lift_id is null),
    (3, 'lost', -1, -a.value, z.lift_id is null),
    (4, 'price', 0, z.value - a.value, a.value <> z.value)
  ) s(place, step, lifts, value, is_there)
  where s.is_there
)
select s.lift_id * 4 + s.place as id, s.lift_id, s.contract_id, c.customer_id, c.branch_id, c.sales_person_id, f.building_id, g.area_id, f.route_id, k.customer_group_id,
  s.step, s.lifts, s.value
from steps s
join {contract} c on c.id = s.contract_id
join {lift} f on f.id = s.lift_id
left join {building} g on g.id = f.building_id
left join {customer_dtl} k on k.id = c.customer_id
