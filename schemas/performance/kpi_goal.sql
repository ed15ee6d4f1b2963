-- A KPI of a sheet: its annual target beside the targets of its periods, which add up to it where its months do, and beside
-- those of the sheets that count into it.
select l.id, s.id as sheet_id, s.owner_kind, s.employee_id, coalesce(e.name, s.unit_name) as whose, s.unit_name, s.manager_id, s.department_id, s.branch_id, s.financial_year, s.status as sheet_status,
  l.kpi_id, l.part, l.weight, l.year_target, g.target as own_target, b.total as below, case when k.target_rollup is distinct from 'rollup' then b.total - g.target end as gap,
  case when k.period_aggregation = 'sum' then p.total end as spread,
  case when k.period_aggregation = 'sum' then p.total - l.year_target end as difference,
  case
    when b.sheets > 0 and k.target_rollup = 'rollup' then 'not_needed'
    when k.measure = 'metric' or k.achievement_method in ('milestone', 'binary', 'range') then 'not_needed'
    when l.year_target is null and p.filled = 0 then 'missing'
    when p.filled = 0 then 'not_spread'
    when k.period_aggregation = 'sum' and p.total <> l.year_target then 'differs'
    else 'complete'
  end as targets
from {kpi_sheet} s left join {employee} e on e.id = s.employee_id
join {kpi_sheet.lines} l on l.parent_id = s.id
join {kpi} k on k.id = l.kpi_id
cross join lateral (
  select count(v.target) as filled, sum(v.target) as total
  from (values (l.t01), (l.t02), (l.t03), (l.t04), (l.t05), (l.t06), (l.t07), (l.t08), (l.t09), (l.t10), (l.t11), (l.t12)) v(target)
) p
cross join lateral (select coalesce(l.year_target, case when k.period_aggregation = 'sum' then p.total end) as target) g
cross join lateral (
  select count(*) as sheets, case when k.org_rollup = 'sum' then sum(coalesce(c.year_target, case when k.period_aggregation = 'sum' then
    (select sum(v.target) from (values (c.t01), (c.t02), (c.t03), (c.t04), (c.t05), (c.t06), (c.t07), (c.t08), (c.t09), (c.t10), (c.t11), (c.t12)) v(target)) end)) end as total
  from {kpi_sheet.lines} c join {kpi_sheet} o on o.id = c.parent_id
  where c.parent_sheet_id = s.id and c.kpi_id = l.kpi_id and (l.part is null or c.part = l.part) and o.active and o.status <> 'cancelled'
) b
where s.status <> 'cancelled'
