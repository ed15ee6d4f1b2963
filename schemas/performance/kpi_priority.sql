-- The weights of a sheet, from the lowest to the highest.
select s.id, s.id as sheet_id, s.owner_kind, s.employee_id, coalesce(e.name, s.unit_name) as whose, s.unit_name, s.manager_id, s.department_id, s.branch_id, s.financial_year,
  s.status as sheet_status, s.kpis, s.total_weight, w.lowest, w.highest,
  case when coalesce(s.total_weight, 0) = 100 then 'complete' when coalesce(s.total_weight, 0) < 100 then 'missing' else 'above' end as weights
from {kpi_sheet} s left join {employee} e on e.id = s.employee_id
left join lateral (
  select min(l.weight) filter (where l.weight > 0) as lowest, max(l.weight) as highest from {kpi_sheet.lines} l where l.parent_id = s.id
) w on true
where s.status <> 'cancelled'
