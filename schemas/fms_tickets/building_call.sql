select t.id, t.id as fms_ticket_id, t.building_id, t.lift_id, t.customer_id, t.branch_id, t.route_id, t.category_id, t.ticket_type,
  t.reported_at::date as reported_on, coalesce(t.trapped, false) as trapped, t.repeat_of_id is not null as is_repeat,
  case when t.restored_at is null then null else (extract(epoch from t.restored_at - coalesce(t.down_from, t.reported_at)) / 60)::int end as down_min,
  t.restore_met, t.rating::int as rating
from {fms_ticket} t
where t.status not in ('cancelled', 'duplicate') and t.ticket_type <> 'preventive'
