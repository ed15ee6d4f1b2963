import type { Unit } from '../../engine/records/unit.ts';

/** A member to be appraised by a launch. */
export interface LaunchMember extends Record<string, unknown> {
  id: number;
  name: string;
  designation_id: number | null;
  department_id: number | null;
  branch_id: number | null;
  manager_id: number | null;
  manager_above_id: number | null;
  department_head_id: number | null;
  /** The number of an existing appraisal for the same period, and of the launch that opened it. */
  appraisal_no: string | null;
  launch_no: string | null;
  appraisal_launch: number | null;
}

/**
 * The members of a launch: by branch, department, designation, grade, joining day and service, plus the included and
 * minus the excluded ones. Ordered by id, starting after `after`.
 */
export function launchMembers(
  unit: Unit,
  launchId: number,
  { after = 0, limit = 20_000, isMissing = false } = {},
): Promise<LaunchMember[]> {
  return unit.query<LaunchMember>(
    `select e.id, e.name, e.designation_id, e.department_id, e.branch_id, e.reporting_to_id as manager_id,
       m.reporting_to_id as manager_above_id, d.head_id as department_head_id, a.number as appraisal_no, o.number as launch_no, a.launch_id as appraisal_launch
     from {appraisal_launch} l join {appraisal_period} p on p.id = l.period_id
     join {employee} e on e.entity_id = l.entity_id and e.active and e.status <> 'left'
     left join {employee} m on m.id = e.reporting_to_id left join {department} d on d.id = e.department_id
     left join {appraisal} a on a.employee_id = e.id and a.period_id = l.period_id and a.active and a.status <> 'excluded'
     left join {appraisal_launch} o on o.id = a.launch_id
     where l.id = $1 and e.id > $2 and not (e.id = any(coalesce(l.exclude_ids, '{}')))
       and (e.id = any(coalesce(l.include_ids, '{}')) or (
         (cardinality(coalesce(l.branch_ids, '{}')) = 0 or e.branch_id = any(l.branch_ids))
         and (cardinality(coalesce(l.department_ids, '{}')) = 0 or e.department_id = any(l.department_ids))
         and (cardinality(coalesce(l.designation_ids, '{}')) = 0 or e.designation_id = any(l.designation_ids))
         and (cardinality(coalesce(l.grade_ids, '{}')) = 0 or e.grade_id = any(l.grade_ids))
         and (l.joined_before is null or e.date_of_joining < l.joined_before)
         and (e.date_of_joining is null or e.date_of_joining + l.minimum_service_days <= p.ends_on)))
       and (not $4 or a.id is null)
     order by e.id limit $3`,
    [launchId, after, limit, isMissing],
  );
}
