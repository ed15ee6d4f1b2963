import type { Unit } from '../../engine/records/unit.ts';

/** Whether a task has neither opened nor been changed; a task with predecessors has no opening time. */
const isUntouched = (task: string) =>
  `${task}.state = 'scheduled' and ${task}.version = 1 and coalesce(${task}.opens_at, 'infinity') > now()`;

/**
 * Removes the untouched tasks of a checklist: scheduled, not opened, unchanged. A task with predecessors is removed only
 * if all tasks of its occurrence are untouched. `cancel` keeps them as cancelled; otherwise they are deleted, because they are created again. Instances
 * without tasks are deleted too.
 * @returns the number of tasks
 */
export async function takeOutUntouched(unit: Unit, checklist: number, how: 'cancel' | 'remove'): Promise<number> {
  const which = `t.origin = 'checklist' and t.origin_type = 'chk_instance' and ${isUntouched('t')}
    and (t.opens_at is not null or not exists (select 1 from {chk_task_instance} o where o.origin_type = 'chk_instance' and o.origin_id = t.origin_id and not (${isUntouched('o')})))
    and t.origin_id in (select i.id from {chk_instance} i where i.mstr_chk_id = $1)`;
  const { session } = unit;
  const history = `"${session.tenant.schema}".history`;
  if (how === 'cancel') {
    const [row] = await unit.query<{ count: number }>(
      `with r as (update {chk_task_instance} t set state = 'cancelled', outcome = 'cancelled', colour = 'grey', version = version + 1, updated_at = now(), updated_by = $2
         where ${which} returning t.id, t.version, t.entity_id),
       h as (insert into ${history} (record_type, record_id, entity_id, version, op, by, what, change)
         select 'chk_task_instance', id, entity_id, version, 'U', $2, 'action', '{"state": ["scheduled", "cancelled"]}'::jsonb from r)
       select count(*)::int as count from r`,
      [checklist, session.userId],
    );
    await unit.query(
      `update {chk_instance} i set state = 'cancelled', colour = 'grey', tasks_open = 0, next_due_on = null where i.mstr_chk_id = $1 and i.state = 'open'
         and not exists (select 1 from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = i.id and t.state <> 'cancelled')`,
      [checklist],
    );
    return row!.count;
  }
  const [row] = await unit.query<{ count: number }>(
    `with k as (select t.id from {chk_task_instance} t where ${which}),
       s as (delete from {chk_task_instance.subtasks} where parent_id in (select id from k)),
       e as (delete from {chk_task_instance.evidence} where parent_id in (select id from k)),
       h as (insert into ${history} (record_type, record_id, entity_id, version, op, by, what) select 'chk_task_instance', id, $2, 2, 'D', $3, 'action' from k),
       r as (delete from {chk_task_instance} where id in (select id from k) returning id)
     select count(*)::int as count from r`,
    [checklist, session.entityId, session.userId],
  );
  await unit.query(
    `delete from {chk_instance} i where i.mstr_chk_id = $1 and not exists (select 1 from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = i.id)`,
    [checklist],
  );
  return row!.count;
}
