select t.id, t.id as template_id, t.start_event, t.category, (select count(*) from {task_template} x where x.template_id = t.id and x.active)::int as tasks, t.version_no, t.verified_on, t.state
from {chk_template} t
where t.template_kind = 'case_based' and t.is_current
