-- The rows of cancellations that have taken effect; dues stand at the first row of each.
select r.id, a.id as cancellation_id, a.contract_id, a.customer_id, r.lift_id, a.branch_id, b.area_id, b.route_id, k.customer_group_id, a.cancel_category_id, g.started_by, a.lost_to,
  a.last_day, a.win_back_on, coalesce(g.counts_as_lost, false) as is_lost,
  extract(year from age(a.last_day, (select min(c.start_on) from {contract} c where c.customer_id = a.customer_id)))::int as years_with_us,
  r.rate as value_lost, r.credit, r.charge, case when r.position = 0 then a.dues_at_cancel else 0 end as dues, left(a.remarks, 250) as remark
from {amc_cancellation.lines} r
join {amc_cancellation} a on a.id = r.parent_id
join {amc_cancel_category_mstr} g on g.id = a.cancel_category_id
left join {lift} f on f.id = r.lift_id
left join {building} b on b.id = f.building_id
left join {customer_dtl} k on k.id = a.customer_id
where a.status = 'effective'
