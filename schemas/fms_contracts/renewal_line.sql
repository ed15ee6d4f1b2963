-- A line that ends, the line of the same lift that follows it, and the last quotation of the lift for the customer.
with ending as (
  select l.id, l.lift_id, l.building_id, l.net, l.from_on, coalesce(l.closes_on, l.to_on) as ended_on,
    c.id as contract_id, c.customer_id, c.branch_id, c.sales_person_id
  from {contract_line} l
  join {contract} c on c.id = l.contract_id
  where c.status in ('active', 'held', 'expired', 'renewed') and l.line_status in ('active', 'held', 'closed') and l.cover_kind <> 'on_call'
),
following as (
  select l.id, l.lift_id, l.net, l.from_on, c.id as contract_id, c.signed_on, c.status
  from {contract_line} l
  join {contract} c on c.id = l.contract_id
  where c.status in ('approved', 'active', 'held', 'expired', 'renewed') and l.line_status in ('draft', 'active', 'held', 'closed')
)
select e.id, e.contract_id, e.customer_id, e.building_id, e.lift_id, e.branch_id, e.sales_person_id, e.ended_on, g.area_id, g.route_id, k.customer_group_id,
  greatest({:as_on} - e.ended_on, 0) as days_since,
  greatest(e.ended_on - {:as_on}, 0) as days_left,
  e.net as old_value, coalesce(n.net, o.net) as new_value, o.quotation_id,
  case when n.id is not null then 'renewed' when o.status = 'accepted' then 'accepted' when o.status in ('lost', 'cancelled') then 'lost'
    when o.status is not null then 'quoted' else 'open' end as renewal,
  n.contract_id as next_contract_id, n.signed_on as next_signed_on, n.id is not null as is_renewed,
  case when n.id is not null then e.net end as renewed_old, n.net as renewed_new, to_char(e.ended_on, 'YYYY-MM') as ended_month,
  o.lost_to, o.lost_because, (select sum(b.outstanding) from {billing} b where b.contract_id = e.contract_id and b.active and b.outstanding > 0) as dues,
  (select max(f.done_on) from {collection_follow_up} f where f.customer_id = e.customer_id and f.active and f.done_on <= {:as_on}) as contacted_on,
  (select count(*)::int from {fms_ticket} t where t.lift_id = e.lift_id and t.active and t.ticket_type in ('breakdown', 'rescue')
     and t.status not in ('cancelled', 'duplicate') and (t.reported_at at time zone {:zone})::date > e.ended_on) as calls_since,
  y.margin, (select round(avg(t.rating::int), 2) from {fms_ticket} t where t.lift_id = e.lift_id and t.active and t.rating is not null
     and (t.reported_at at time zone {:zone})::date > {:as_on} - interval '12 months') as rating,
  (select min(a.win_back_on) from {amc_cancellation} a where a.contract_id = e.contract_id and a.active and a.status <> 'withdrawn') as win_back_on,
  (select sum(a.unallocated) from {receipt} a where a.customer_id = e.customer_id and a.active and a.status in ('approved', 'deposited', 'cleared')) as advance
from ending e
left join {building} g on g.id = e.building_id
left join {customer_dtl} k on k.id = e.customer_id
left join lateral (
  select x.id, x.net, x.contract_id, x.signed_on from following x
  where x.lift_id = e.lift_id and x.from_on > e.from_on and x.id <> e.id order by x.from_on limit 1
) n on true
left join lateral (
  select q.id as quotation_id, q.status, q.lost_to, q.lost_because, l.net from {quotation.lines} l join {quotation} q on q.id = l.parent_id
  where l.lift_id = e.lift_id and q.customer_id = e.customer_id and q.is_current and q.quoted_on > e.from_on
    and q.status in ('submitted', 'approved', 'sent', 'accepted', 'converted', 'lost', 'cancelled')
  order by q.quoted_on desc, q.id desc limit 1
) o on true
left join lateral (
  select sum(m.revenue - m.labour_cost - m.travel_cost - m.material_cost) as margin from {lift_month} m
  where m.lift_id = e.lift_id and m.month_on > {:as_on} - interval '12 months' and m.month_on <= {:as_on}
) y on true
