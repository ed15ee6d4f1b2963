import type { Unit } from '../../engine/records/unit.ts';

/** The tasks of a template in their order, as an adoption lists them. */
export async function tasksToAdopt(
  unit: Unit,
  template: unknown,
): Promise<{ task_code: string; title: string; criticality: string }[]> {
  if (typeof template !== 'number') return [];
  return unit.query(
    'select code as task_code, title, criticality from {task_template} where template_id = $1 and active order by position, id',
    [template],
  );
}
