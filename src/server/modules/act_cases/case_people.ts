import type { Unit } from '../../engine/records/unit.ts';

/** A step as the type of a case describes it. */
export interface StepOfType {
  code: string;
  title: string;
  stage: string | null;
  after: string[] | null;
  offset_days: number | null;
  /** Its pauses after some of the steps that it waits for. */
  pauses: { after: string; days: number }[];
  days: number;
  condition: string | null;
  mandatory: boolean | null;
  criticality: string | null;
  assign_by: 'owner' | 'role' | 'employee' | 'reporting_manager' | 'field';
  /** The reference to the person in the record of the case. */
  person_field: string | null;
  role_id: number | null;
  employee_id: number | null;
  instructions: string | null;
  form_id: number | null;
}

export function stepsOfType(unit: Unit, typeId: number): Promise<StepOfType[]> {
  return unit.query<StepOfType>(
    `select code, title, stage, after, offset_days, days, condition, mandatory, criticality, assign_by, person_field, role_id, employee_id, instructions, form_id,
       coalesce((select json_agg(json_build_object('after', p.after, 'days', p.days) order by p.id) from {case_type.pauses} p where p.parent_id = s.parent_id and p.step = s.code), '[]') as pauses
     from {case_type.steps} s where parent_id = $1 order by id`,
    [typeId],
  );
}

/**
 * The person for a step of a case of this owner about this record; null = nobody is found. For a role, the holder with
 * the fewest open tasks.
 */
export async function doerOf(
  unit: Unit,
  step: StepOfType,
  ownerId: number,
  subject: Readonly<Record<string, unknown>>,
): Promise<number | null> {
  if (step.assign_by === 'owner') return ownerId;
  if (step.assign_by === 'employee') return step.employee_id;
  if (step.assign_by === 'field') {
    const named = subject[step.person_field ?? ''];
    return typeof named === 'number' ? named : null;
  }
  const [found] = await unit.query<{ id: number }>(
    step.assign_by === 'reporting_manager'
      ? `select m.id from {employee} e join {employee} m on m.id = e.reporting_to_id and m.active where e.id = $1 and $2::bigint is null`
      : `select e.id from {users} u join {users.companies} c on c.parent_id = u.id and c.entity_id = $1 and $2 = any(c.role_ids)
         join {employee} e on e.id = u.employee_id and e.active and e.status <> 'left'
         where u.active and u.status <> 'disabled'
         order by (select count(*) from {chk_task_instance} t where t.assignee_id = e.id and t.state in ('open', 'in_progress')), e.id limit 1`,
    step.assign_by === 'reporting_manager' ? [ownerId, null] : [unit.session.entityId, step.role_id],
  );
  return found?.id ?? null;
}
