import { afterCompletion } from '../../../domain/act/recurrence.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { scheduleOf } from './checklist_schedule.ts';
import { daysKey, planChecklist, planningOf, readChecklists } from './generate.ts';
import { storeInstances } from './store_instances.ts';

/** If a checklist counts from its last completion, completing an occurrence of a place creates the next one. */
export async function nextOnCompletion(unit: Unit, completed: number): Promise<void> {
  const [instance] = await unit.query<{
    mstr_chk_id: number;
    scope_type: string;
    scope_id: number;
    branch_id: number | null;
    done_on: string | null;
  }>(
    `select i.mstr_chk_id, i.scope_type, i.scope_id, i.branch_id, (select max(coalesce(t.done_on, t.due_on))::text from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = i.id) as done_on
       from {chk_instance} i join {master_checklist} m on m.id = i.mstr_chk_id and m.state = 'active' and m.anchor = 'on_completion'
       where i.id = $1 and i.state = 'completed'`,
    [completed],
  );
  if (!instance?.done_on) return;
  const [checklist] = await readChecklists(unit, [instance.mstr_chk_id]);
  if (!checklist) return;
  const planning = await planningOf(unit, [checklist]);
  const works =
    planning.calendars.get(daysKey(instance.branch_id, checklist)) ?? planning.calendars.get(daysKey(null, checklist))!;
  const next = afterCompletion(scheduleOf(checklist, checklist.start_on, checklist.end_on), instance.done_on, works);
  if (next === null) return;
  const planned = planChecklist(checklist, { once: next }, planning).filter(
    (one) => one.scope_type === instance.scope_type && one.scope_id === instance.scope_id,
  );
  await storeInstances(unit, planned);
}
