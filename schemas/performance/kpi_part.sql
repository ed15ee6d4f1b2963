-- The figure of a part of an update, such as a sales channel.
select p.id, a.id as actual_id, a.owner_kind, a.employee_id, a.unit_name, a.manager_id, a.department_id, a.branch_id, a.kpi_id,
  k.dimension, a.month, p.label as part, p.value, a.status
from {kpi_actual.parts} p
join {kpi_actual} a on a.id = p.parent_id
join {kpi} k on k.id = a.kpi_id
where p.value is not null
