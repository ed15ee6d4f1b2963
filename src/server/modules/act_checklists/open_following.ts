import { shiftWorkingDays } from '../../../domain/working_days.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import { countInstance } from './count_instance.ts';
import { colourOf } from './task_colour.ts';

const TASK = 'chk_task_instance';
const YEAR_MS = 366 * 86_400_000;

/** Scheduled tasks `t` with predecessors, joined to their definition `d` in the checklist. */
const WAITING = `{chk_task_instance} t join {checklist_tasks} d on d.id = t.task_id
  where t.entity_id = $1 and t.state = 'scheduled' and t.opens_at is null and t.active and t.origin_type = 'chk_instance'`;
/** Tasks `p` of the same occurrence that the task `t` waits for. */
const BEFORE = `{chk_task_instance} p join {checklist_tasks} c on c.id = p.task_id
  where p.origin_type = 'chk_instance' and p.origin_id = t.origin_id and p.id <> t.id and p.active
    and lower(c.code) in (select lower(code) from unnest(d.after) code)`;
const READY = `not exists (select 1 from ${BEFORE} and p.state not in ('completed', 'not_applicable', 'missed', 'cancelled'))`;

/** Occurrences with a task whose predecessors have all ended, in order of their ids. */
export async function instancesToOpen(unit: Unit, afterId: number, most: number): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select distinct t.origin_id as id from ${WAITING} and t.origin_id > $2 and ${READY} order by 1 limit ${most}`,
    [unit.session.entityId, afterId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Opens the tasks of an occurrence whose predecessors have all ended. One that is due a number of working days after
 * them gets its date now, unless its date is statutory.
 * @returns the number of tasks opened
 */
export async function openFollowing(unit: Unit, instance: number): Promise<number> {
  const tasks = await unit.query<{
    id: number;
    branch_id: number | null;
    statutory: boolean | null;
    grace_days: number | null;
    after_days: number | null;
    ended_on: string | null;
  }>(
    `select t.id, t.branch_id, t.statutory, t.grace_days, d.after_days, (select max(p.done_on)::text from ${BEFORE}) as ended_on
     from ${WAITING} and t.origin_id = $2 and ${READY} order by t.id`,
    [unit.session.entityId, instance],
  );
  for (const task of tasks) {
    const today = dayOfRecord(unit, task);
    const from = task.ended_on ?? today;
    const due =
      task.after_days === null || task.statutory === true
        ? null
        : shiftWorkingDays(
            from,
            task.after_days,
            await worksOn(
              unit.session.tenant,
              { entityId: unit.session.entityId, branchId: task.branch_id },
              from,
              new Date(Date.parse(from) + 2 * YEAR_MS).toISOString().slice(0, 10),
            ),
          );
    await unit.update(TASK, task.id, {
      opens_at: unit.now.toISOString(),
      ...(due !== null && { due_on: due, colour: colourOf({ due_on: due, grace_days: task.grace_days }, today) }),
    });
    await unit.takeAuto(TASK, task.id, 'open');
  }
  if (tasks.length > 0) await countInstance(unit, instance);
  return tasks.length;
}
