-- What each lift adds to the contract value between two days: lifts in a contract before the first day, lifts that came, lifts that left, and changed prices.
with line as (
  select l.id, l.lift_id, l.contract_id, l.net, l.from_on < {:from}::date as at_first, coalesce(l.closes_on, l.to_on) >= {:to}::date as at_last
  from {contract_line} l
  where l.active and l.line_status <> 'draft' and l.cover_kind <> 'warranty' and l.from_on <= {:to}::date and coalesce(l.closes_on, l.to_on) >= {:from}::date - 1
),
price as (
  select parent_id, max(price) filter (where from_on < {:from}::date and to_on >= {:from}::date - 1) as first_price,
    max(price) filter (where from_on <= {:to}::date and to_on >= {:to}::date) as last_price
  from {contract_line.year_prices}
  group by parent_id
),
worth as materialized (
  select l.lift_id, coalesce(max(l.contract_id) filter (where l.at_last), max(l.contract_id)) as contract_id,
    sum(coalesce(p.first_price, l.net)) filter (where l.at_first) as first_value,
    sum(coalesce(p.last_price, l.net)) filter (where l.at_last) as last_value
  from line l
  left join price p on p.parent_id = l.id
  where l.at_first or l.at_last
  group by l.lift_id
),
steps as (
  select lift_id, contract_id, 1 as place, 'before' as step, 1 as lifts, first_value as value
  from worth where first_value is not null
  union all
  select lift_id, contract_id, 2, 'gained', 1, last_value from worth where first_value is null
  union all
  select lift_id, contract_id, 3, 'lost', -1, -first_value from worth where last_value is null
  union all
  select lift_id, contract_id, 4, 'price', 0, last_value - first_value from worth where last_value <> first_value
)
select s.lift_id * 4 + s.place as id, s.lift_id, s.contract_id, c.customer_id, c.branch_id, c.sales_person_id, f.building_id, g.area_id, f.route_id, k.customer_group_id,
  s.step, s.lifts, s.value
from steps s
join {contract} c on c.id = s.contract_id
join {lift} f on f.id = s.lift_id
left join {building} g on g.id = f.building_id
left join {customer_dtl} k on k.id = c.customer_id
