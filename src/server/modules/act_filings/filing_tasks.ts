import type { WireRecord } from '../../../descriptor/types.ts';
import { momentIn, zoneOf } from '../../../descriptor/place.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';

const TASK = 'chk_task_instance';
export type FilingStep = 'prepare' | 'review';

/** Without `opens_at` it waits until it is opened. @returns its id */
const addTask = async (unit: Unit, task: Record<string, unknown>): Promise<number> =>
  (await unit.create(TASK, task)).id;

async function openTask(unit: Unit, id: number): Promise<void> {
  await unit.update(TASK, id, { opens_at: unit.now.toISOString() });
  await unit.takeAuto(TASK, id, 'open');
}

/** 09:00 on its first day in the filing's time zone; null = it has no first day. */
function morningOf({ session }: Unit, { opens_on: day, branch_id: branchId }: WireRecord): string | null {
  if (typeof day !== 'string') return null;
  const zone = zoneOf({ branchId, entityId: session.entityId }, placeOf(session).zones);
  return new Date(momentIn(zone, `${day}T09:00`)).toISOString();
}

/**
 * Adds the two tasks of a filing, so that My Tasks, escalation and score cover it: preparation, from its first day on,
 * and review, which opens when it is sent for review. A task without a person is left out.
 * @returns the fields of the filing that name them
 */
export async function addFilingTasks(unit: Unit, filing: WireRecord): Promise<Record<string, number>> {
  const name = `${String(filing.form_id__label ?? filing.filing_no)} · ${String(filing.unit_id__label ?? '')}`.slice(
    0,
    120,
  );
  const common = {
    origin: 'filing',
    origin_type: 'filing',
    origin_id: filing.id,
    origin_name: name,
    category: String(filing.category ?? 'other'),
    statutory: true,
    criticality: 'critical',
    owner_id: (filing.filer_id as number | null) ?? null,
    branch_id: (filing.branch_id as number | null) ?? null,
    unit_id: (filing.unit_id as number | null) ?? null,
    period_from: filing.period_from as string,
    period_to: filing.period_to as string,
    target_on: (filing.target_on as string | null) ?? null,
    due_on: String(filing.last_day ?? filing.due_on),
  };
  const result: Record<string, number> = {};
  if (typeof filing.preparer_id === 'number')
    result.prepare_task_id = await addTask(unit, {
      ...common,
      title: `Prepare ${name}`.slice(0, 150),
      assignee_id: filing.preparer_id,
      opens_at: morningOf(unit, filing) ?? unit.now.toISOString(),
    });
  if (typeof filing.reviewer_id === 'number')
    result.review_task_id = await addTask(unit, {
      ...common,
      title: `Review ${name}`.slice(0, 150),
      assignee_id: filing.reviewer_id,
    });
  return result;
}

async function taskOf(unit: Unit, filing: WireRecord, step: FilingStep): Promise<WireRecord | null> {
  const id = filing[`${step}_task_id`];
  return typeof id === 'number' ? unit.read(TASK, id, { lock: true }) : null;
}

/** Ends the task of the filing's completed step, whoever completed it, and opens the next one. */
export async function stepDone(unit: Unit, filing: WireRecord, step: FilingStep): Promise<void> {
  const task = await taskOf(unit, filing, step);
  if (task?.state === 'scheduled') await openTask(unit, task.id);
  if (task && ['scheduled', 'open', 'in_progress'].includes(String(task.state)))
    await unit.transition(TASK, task.id, 'submit');
  const next = step === 'prepare' ? await taskOf(unit, filing, 'review') : null;
  if (next?.state === 'scheduled') await openTask(unit, next.id);
}

/** Returns the preparation task to its doer, if its month is still open. */
export async function stepReturned(unit: Unit, filing: WireRecord, reason: string): Promise<void> {
  const task = await taskOf(unit, filing, 'prepare');
  if (task?.state === 'completed')
    await unit.attempt(async () => {
      await unit.transition(TASK, task.id, 'reopen', { reason });
    });
}

/** Moves the tasks to the day of a notification. */
export async function moveTasks(unit: Unit, filing: WireRecord, dueOn: string, reference: string): Promise<void> {
  for (const step of ['prepare', 'review'] as const) {
    const task = await taskOf(unit, filing, step);
    if (task && ['scheduled', 'open', 'in_progress', 'waiting'].includes(String(task.state)))
      await unit.attempt(async () => {
        await unit.transition(TASK, task.id, 'extend', { due_on: dueOn, move_reason: reference });
      });
  }
}
