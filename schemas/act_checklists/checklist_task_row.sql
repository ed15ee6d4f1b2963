select x.id, x.id as task_id, x.checklist, x.mstr_chk_id, x.origin, x.category, x.statutory, x.criticality, x.branch_id, x.department_id,
  x.board_designation_id, x.period_to, x.due_on, x.done_on, x.days_late, x.assignee_id, x.approver_id, x.owner_id, x.outcome, x.evidence_count,
  x.score, x.counts::int as counted, (x.outcome = 'on_time')::int as on_time, (x.outcome = 'overdue')::int as overdue,
  case when x.counts then x.effective else 0 end as effective_weight,
  case when x.counts then x.effective * coalesce(case when x.outcome in ('on_time', 'late') then x.score end, 0) / 100 else 0 end as weighted_points
from (
  select y.*, y.outcome in ('on_time', 'late', 'missed', 'overdue') as counts
  from (
    select t.id, coalesce(t.origin_name, t.title) as checklist, i.mstr_chk_id, t.origin, t.category, t.statutory, t.criticality, t.branch_id, coalesce(t.department_id, d.department_id) as department_id,
      coalesce(i.board_designation_id, f.board_designation_id) as board_designation_id, t.period_to, t.due_on, t.done_on, t.days_late, t.assignee_id, t.approver_id, t.owner_id, t.score,
      coalesce(t.outcome, case when t.held is not true and t.due_on + coalesce(t.grace_days, 0) < {:today} then 'overdue' else 'open' end) as outcome,
      (select count(*) from {chk_task_instance.evidence} e where e.parent_id = t.id and e.given)::int as evidence_count,
      t.weight * case t.criticality when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0.5 end as effective
    from {chk_task_instance} t
    left join {chk_instance} i on i.id = t.origin_id and t.origin_type = 'chk_instance'
    left join {employee} d on d.id = t.assignee_id
    left join {filing} f on f.id = t.origin_id and t.origin_type = 'filing'
  ) y
) x
