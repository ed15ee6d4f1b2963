import type { EndedTask, WaitCondition } from '../../../domain/act/wait_condition.ts';
import { countedBefore, daysAfter } from '../../../domain/act/wait_condition.ts';
import { shiftWorkingDays } from '../../../domain/working_days.ts';
import { worksByHours } from '../../access/people/working_hours.ts';
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
 * them gets its date now, unless its date is statutory. One whose conditions are all false is withdrawn.
 * @returns the number of tasks opened
 */
export async function openFollowing(unit: Unit, instance: number): Promise<number> {
  const tasks = await unit.query<{
    id: number;
    branch_id: number | null;
    statutory: boolean | null;
    grace_days: number | null;
    after_days: number | null;
    calendar_id: number | null;
    before: EndedTask[];
    conditions: WaitCondition[];
  }>(
    `select t.id, t.branch_id, t.statutory, t.grace_days, d.after_days, (select m.calendar_id from {master_checklist} m where m.id = d.mstr_chk_id) as calendar_id,
       coalesce((select json_agg(json_build_object('code', c.code, 'state', p.state, 'outcome', p.outcome, 'days_late', p.days_late, 'score', p.score,
         'returns_count', p.returns_count, 'done_on', p.done_on, 'failed_points',
         (select count(*) from {chk_task_instance.subtasks} s where s.parent_id = p.id and s.passed = false))) from ${BEFORE}), '[]') as before,
       coalesce((select json_agg(json_build_object('task', w.task, 'condition', w.condition, 'days', w.days)) from {checklist_tasks.after_when} w where w.parent_id = d.id), '[]') as conditions
     from ${WAITING} and t.origin_id = $2 and ${READY} order by t.id`,
    [unit.session.entityId, instance],
  );
  if (tasks.length === 0) return 0;
  let opened = 0;
  for (const task of tasks) {
    const counted = countedBefore(task.before, task.conditions);
    if (counted === null) {
      const said = task.conditions
        .flatMap(({ task: code, condition }) => (condition === null ? [] : `${code.toUpperCase()}: ${condition}`))
        .join('; ');
      await unit.takeAuto(TASK, task.id, 'withdraw', {
        na_reason: `Its condition is not true (${said}).`.slice(0, 200),
      });
      continue;
    }
    const today = dayOfRecord(unit, task);
    const due = task.statutory === true ? null : await dueAfter(unit, task, counted, today);
    await unit.update(TASK, task.id, {
      opens_at: unit.now.toISOString(),
      ...(due !== null && { due_on: due, colour: colourOf({ due_on: due, grace_days: task.grace_days }, today) }),
    });
    await unit.takeAuto(TASK, task.id, 'open');
    opened++;
  }
  await countInstance(unit, instance);
  return opened;
}

/** The day on which a task is due after those before it, by the working days of its place; null = as scheduled. */
async function dueAfter(
  unit: Unit,
  task: {
    branch_id: number | null;
    after_days: number | null;
    calendar_id: number | null;
    conditions: WaitCondition[];
  },
  before: readonly EndedTask[],
  today: string,
): Promise<string | null> {
  const waits = daysAfter(before, task.conditions, task.after_days, today);
  const [first] = waits.map(({ from }) => from).toSorted();
  if (first === undefined) return null;
  const last = new Date(Date.parse(first) + 2 * YEAR_MS).toISOString().slice(0, 10);
  const place = { entityId: unit.session.entityId, branchId: task.branch_id };
  const works = await worksByHours(unit.session.tenant, place, task.calendar_id, first, last);
  return waits
    .map(({ from, days }) => shiftWorkingDays(from, days, works))
    .toSorted()
    .at(-1)!;
}
