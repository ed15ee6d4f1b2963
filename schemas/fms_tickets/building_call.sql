select t.id, t.id as fms_ticket_id, t.building_id, t.lift_id, t.customer_id, t.branch_id, t.route_id, t.category_id, t.ticket_type,
  t.reported_at, (t.reported_at at time zone {:zone})::date as reported_on, coalesce(t.trapped, false) as trapped, t.repeat_of_id is not null as is_repeat,
  case when t.restored_at is null then null else (extract(epoch from t.restored_at - coalesce(t.down_from, t.reported_at)) / 60)::int end as down_min,
  t.restore_met, case when t.restored_at is not null then case when t.restore_met is false then 'late' else 'in_time' end
    when t.status = 'paused' then 'paused' when t.restore_by < {:now} then 'overdue' else 'running' end as sla,
  case when t.trapped then (extract(epoch from t.all_out_at - t.reported_at) / 60)::int end as release_min, t.rating::int as rating
from {fms_ticket} t
where t.status not in ('cancelled', 'duplicate') and t.ticket_type <> 'preventive'
