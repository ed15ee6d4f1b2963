-- A lift's line of a contract, the line of the contract that follows it, and the quotation that is out for the lift.
with covered as (
  select l.id, l.lift_id, l.net, l.building_id, c.id as contract_id, c.customer_id, c.branch_id, c.sales_person_id,
    l.from_on as start_on, coalesce(l.closes_on, l.to_on) as end_on, c.auto_renew
  from {contract_line} l
  join {contract} c on c.id = l.contract_id
  where c.status in ('active', 'expired', 'renewed') and l.line_status in ('active', 'held', 'closed')
),
offered as (
  select distinct on (q.customer_id, l.lift_id) l.lift_id, q.customer_id, q.status, q.quoted_on, l.net
  from {quotation.lines} l
  join {quotation} q on q.id = l.parent_id
  where q.is_current and q.status in ('submitted', 'approved', 'sent', 'accepted')
  order by q.customer_id, l.lift_id, q.quoted_on desc, q.id desc
)
select a.id, a.contract_id, a.customer_id, a.building_id, a.lift_id, a.branch_id, a.sales_person_id,
  a.end_on as ended_on,
  greatest({:as_on} - a.end_on, 0) as days_since,
  case
    when n.id is not null then 'renewed'
    when o.status = 'accepted' then 'accepted'
    when o.status is not null then 'quoted'
    else 'none'
  end as renewal,
  a.net as value,
  coalesce(n.net, o.net) as new_value,
  n.contract_id as next_contract_id,
  a.auto_renew
from covered a
left join lateral (
  select b.id, b.net, b.contract_id from covered b
  where b.lift_id = a.lift_id and b.start_on > a.start_on and b.id <> a.id
  order by b.start_on limit 1
) n on true
left join offered o on o.lift_id = a.lift_id and o.customer_id = a.customer_id and o.quoted_on > a.start_on
