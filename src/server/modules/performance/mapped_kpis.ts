import type { Unit } from '../../engine/records/unit.ts';

/** What a mapping may be for, the most specific first: of several that name a KPI, the first applies. */
export const MAPPED_TO = ['member_role', 'designation', 'employee_grade', 'function', 'department', 'branch'] as const;

/** Whether a mapping (`m`) is for a member (`e`) within days. @param from the first day, `to` the last, as parameters */
export const isMappedSql = (from: string, to: string): string => `m.entity_id = e.entity_id and m.active
  and m.valid_from <= ${to}::date and coalesce(m.valid_to, 'infinity') >= ${from}::date
  and case m.map_to when 'designation' then m.designation_id = e.designation_id when 'department' then m.department_id = e.department_id
    when 'employee_grade' then m.grade_id = e.grade_id when 'function' then m.function_id = e.function_id
    when 'member_role' then exists (select 1 from {distinct_role_assignments.holders} h where h.parent_id = m.member_role_id
      and h.employee_id = e.id and h.from_date <= ${to}::date and coalesce(h.to_date, 'infinity') >= ${from}::date)
    else m.branch_id = e.branch_id end`;

/** KPIs that a member's sheet must have: mappings say so. */
export async function requiredKpis(
  unit: Unit,
  { employee_id: member, valid_from: from, valid_to: to }: Readonly<Record<string, unknown>>,
): Promise<{ kpi_id: number; kpi: string }[]> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{kpi_mapping}') is not null as there`);
  if (!known!.there || typeof member !== 'number') return [];
  return unit.query<{ kpi_id: number; kpi: string }>(
    `select distinct k.id as kpi_id, k.name as kpi from {employee} e join {kpi_mapping} m on m.mandatory and ${isMappedSql('$2', '$3')}
     join {kpi} k on k.id = m.kpi_id and k.active where e.id = $1 order by k.name`,
    [member, from, to],
  );
}
