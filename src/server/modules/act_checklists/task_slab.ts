import { DateTime } from 'luxon';
import type { ScoreBand } from '../../../domain/act/task_score.ts';
import { USUAL_BANDS } from '../../../domain/act/task_score.ts';
import { worksByHours } from '../../access/people/working_hours.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** How the tasks of a slab are scored. */
export interface TaskSlab {
  /** Whether days late are counted in working or calendar days. */
  basis: 'working_days' | 'calendar_days';
  bands: readonly ScoreBand[];
  /** A returned task keeps the day of its first submission. */
  firstSubmissionCounts: boolean;
}

/** The slab of a task; without one the usual bands. */
export async function slabOf(unit: Unit, id: unknown): Promise<TaskSlab> {
  if (typeof id !== 'number') return { basis: 'calendar_days', bands: USUAL_BANDS, firstSubmissionCounts: false };
  const [slab] = await unit.query<{ basis: string; first_submission: boolean | null; bands: ScoreBand[] | null }>(
    `select s.basis, s.first_submission, (select json_agg(json_build_object('from_value', b.from_value::text, 'to_value', b.to_value::text, 'score', b.score::text))
       from {slab.bands} b where b.parent_id = s.id) as bands from {slab} s where s.id = $1`,
    [id],
  );
  return {
    basis: slab?.basis === 'working_days' ? 'working_days' : 'calendar_days',
    bands: slab?.bands ?? USUAL_BANDS,
    firstSubmissionCounts: slab?.first_submission === true,
  };
}

/**
 * Days by which a task is late on a day: past its due day and grace, in calendar days or working days of its branch; 0
 * = on time.
 */
export async function daysLate(
  unit: Unit,
  task: Readonly<Record<string, unknown>>,
  basis: TaskSlab['basis'],
  on: string,
): Promise<number> {
  const last = DateTime.fromISO(String(task.due_on), { zone: 'utc' }).plus({ days: Number(task.grace_days ?? 0) });
  const done = DateTime.fromISO(on, { zone: 'utc' });
  if (done <= last) return 0;
  if (basis === 'calendar_days') return done.diff(last, 'days').days;
  const branchId = typeof task.branch_id === 'number' ? task.branch_id : null;
  const { tenant, entityId } = unit.session;
  const works = await worksByHours(tenant, { entityId, branchId }, await calendarOf(unit, task), last.toISODate()!, on);
  let days = 0;
  for (let at = last.plus({ days: 1 }); at <= done; at = at.plus({ days: 1 })) if (works(at.toISODate()!)) days++;
  return days;
}

/** The working hours by which the checklist of a task works; null = as its branch. */
async function calendarOf(unit: Unit, task: Readonly<Record<string, unknown>>): Promise<number | null> {
  if (task.origin_type !== 'chk_instance') return null;
  const [row] = await unit.query<{ calendar_id: number | null }>(
    'select m.calendar_id from {chk_instance} i join {master_checklist} m on m.id = i.mstr_chk_id where i.id = $1',
    [task.origin_id],
  );
  return row?.calendar_id ?? null;
}
