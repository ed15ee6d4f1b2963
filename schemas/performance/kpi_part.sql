-- The figure of a part of an update, such as a sales channel, and of an update whose line is one part.
select p.id, a.id as actual_id, a.owner_kind, a.employee_id, a.unit_name, a.manager_id, a.department_id, a.branch_id, a.kpi_id,
  k.dimension, a.month, p.label as part, p.value, a.status
from {kpi_actual.parts} p
join {kpi_actual} a on a.id = p.parent_id
join {kpi} k on k.id = a.kpi_id
where p.value is not null
union all
select -a.id, a.id, a.owner_kind, a.employee_id, a.unit_name, a.manager_id, a.department_id, a.branch_id, a.kpi_id,
  case when a.part_key ~ '^[a-z]+ [0-9]+$' then split_part(a.part_key, ' ', 1) end, a.month, a.part, a.value, a.status
from {kpi_actual} a
where a.part is not null and a.value is not null and not exists (select 1 from {kpi_actual.parts} p where p.parent_id = a.id)
