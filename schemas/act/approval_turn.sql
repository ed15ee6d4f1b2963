select x.id, x.request_id, x.transaction_type, x.amount, x.branch_id, x.asked_by_id, x.level, x.approver_id, x.state, x.since, x.acted_at, x.due_at,
  round((extract(epoch from x.acted_at - x.since) / 3600)::numeric, 1) as hours,
  case when x.state = 'waiting' then {:today} - (x.since at time zone {:zone})::date end as days_waiting
from (
  select s.id, r.id as request_id, r.transaction_type, r.amount, r.branch_id, r.asked_by_id, s.level, coalesce(s.by_id, s.approver_id) as approver_id, s.state, s.acted_at,
    case when s.state = 'waiting' then r.due_at end as due_at,
    greatest(r.asked_at, (select max(p.acted_at) from {approval_request.steps} p where p.parent_id = r.id and p.level < s.level)) as since
  from {approval_request} r
  join {approval_request.steps} s on s.parent_id = r.id
  where s.state in ('approved', 'returned', 'rejected') or (s.state = 'waiting' and r.state = 'waiting')
) x
