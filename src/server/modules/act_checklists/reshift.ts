import type { Unit } from '../../engine/records/unit.ts';
import { planChecklist, planningOf, readChecklists } from './generate.ts';
import type { GenerationMemory } from './generate.ts';

/**
 * Moves untouched tasks to the days given by the current calendar (O13): their key and, for statutory ones, the due day
 * are unchanged. @returns the number of moved tasks of each checklist
 */
export async function reshiftChecklists(
  unit: Unit,
  ids: readonly number[],
  memory: GenerationMemory = {},
): Promise<Map<number, number>> {
  const checklists = await readChecklists(unit, ids);
  const planning = await planningOf(unit, checklists, memory);
  const moved = new Map<number, number>();
  for (const checklist of checklists) {
    if (checklist.generated_through === null) continue;
    const window = { from: checklist.start_on, to: checklist.generated_through };
    const rows = planChecklist(
      checklist,
      { window: { ...window, from: later(window.from, backBy(planning.today)) } },
      planning,
    ).flatMap(({ occurrence_key, scope_type, scope_id, tasks }) =>
      tasks.map(({ task_id, opens_at, target_on, due_on, colour }) => ({
        task_id,
        occurrence_key,
        scope_type,
        scope_id,
        opens_at,
        target_on,
        due_on,
        colour,
      })),
    );
    const found = await unit.query<{ origin_id: number }>(
      `with x as materialized (select distinct on (task_id, occurrence_key, scope_type, scope_id) * from json_to_recordset($1::json)
           x(task_id integer, occurrence_key date, scope_type text, scope_id integer, opens_at timestamptz, target_on date, due_on date, colour text)),
         r as (update {chk_task_instance} t set opens_at = x.opens_at, target_on = x.target_on, due_on = x.due_on, colour = x.colour, updated_at = now() from x
           where t.origin = 'checklist' and t.task_id = x.task_id and t.occurrence_key = x.occurrence_key and t.scope_type = x.scope_type and t.scope_id = x.scope_id
             and t.state = 'scheduled' and t.version = 1 and (t.due_on <> x.due_on or t.target_on <> x.target_on or t.opens_at is distinct from x.opens_at)
           returning t.id, t.version, t.origin_id),
         h as (insert into "${unit.session.tenant.schema}".history (record_type, record_id, entity_id, version, op, by, what)
           select 'chk_task_instance', r.id, $2, r.version, 'U', $3, 'action' from r)
       select origin_id from r`,
      [JSON.stringify(rows), unit.session.entityId, unit.session.userId],
    );
    if (found.length === 0) continue;
    moved.set(checklist.id, found.length);
    await unit.query(
      `update {chk_instance} i set due_on = x.due_on, next_due_on = x.next_due_on, opens_on = x.opens_on
       from (select t.origin_id, max(t.due_on) as due_on, min(t.due_on) filter (where t.state not in ('completed', 'not_applicable', 'missed', 'cancelled')) as next_due_on, min(t.opens_at)::date as opens_on
         from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = any($1::int[]) group by 1) x where i.id = x.origin_id`,
      [[...new Set(found.map(({ origin_id: id }) => id))]],
    );
  }
  return moved;
}

/** A task that has not been opened yet may be of an occurrence that was so many days ago, by its offset. */
const backBy = (today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - 60 * 86_400_000).toISOString().slice(0, 10);
const later = (a: string, b: string): string => (a > b ? a : b);
