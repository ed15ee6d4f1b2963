select e.id, t.id as task_id, coalesce(t.origin_name, t.title) as checklist, e.label, e.evidence_kind, e.value, e.document_id, t.category, t.branch_id, t.assignee_id, t.due_on, e.taken_at, e.from_camera, e.distance,
  e.valid_until, case when e.valid_until < {:today} then 'stale' when e.valid_until <= {:today} + 30 then 'expiring' else 'valid' end as validity
from {chk_task_instance.evidence} e
join {chk_task_instance} t on t.id = e.parent_id
where e.given
