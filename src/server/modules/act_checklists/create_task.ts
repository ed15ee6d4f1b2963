import type { Unit } from '../../engine/records/unit.ts';

/** A task requested by another module. Days are YYYY-MM-DD, times ISO. */
export interface NewTask {
  origin: 'checklist' | 'case' | 'meeting' | 'filing' | 'ticket' | 'document' | 'approval' | 'adhoc';
  /** The record that the task belongs to. */
  origin_type: string;
  origin_id: number;
  /** The name of that record for people: "GSTR-3B · September 2025". */
  origin_name: string;
  title: string;
  /** The doer. */
  assignee_id: number;
  due_on: string;
  instructions?: string | null;
  /** When it may be started; null = it waits for {@link openTask}; absent = now. */
  opens_at?: string | null;
  category?: string;
  statutory?: boolean;
  criticality?: 'critical' | 'high' | 'medium' | 'low';
  weight?: string;
  candidate_ids?: number[];
  /** Absent = it is done as soon as it is submitted. */
  approver_id?: number | null;
  owner_id?: number | null;
  branch_id?: number | null;
  department_id?: number | null;
  unit_id?: number | null;
  period_from?: string | null;
  period_to?: string | null;
  target_on?: string | null;
  due_time?: string;
  grace_days?: number;
  slab_id?: number | null;
  est_minutes?: number | null;
  evidence?: { label: string; evidence_kind: 'file' | 'photo' | 'number' | 'url' | 'text'; required?: boolean }[];
  subtasks?: {
    title: string;
    answer_type: 'check' | 'yes_no' | 'number' | 'text' | 'photo' | 'date';
    mandatory?: boolean;
  }[];
}

const TASK = 'chk_task_instance';

/**
 * Adds a task to somebody's list within the caller's act. The caller is a function with `elevated: true`. When the task ends,
 * `act_checklists.task_ended` is emitted of it, with its origin and outcome.
 * @returns the id of the task
 */
export async function createTask(unit: Unit, task: NewTask): Promise<number> {
  const { subtasks, opens_at: opensAt, ...fields } = task;
  const made = await unit.elevated().create(TASK, {
    ...fields,
    ...(opensAt !== null && { opens_at: opensAt ?? unit.now.toISOString() }),
    ...(subtasks && { subtasks: subtasks.map((one) => ({ ...one, fixed: true })) }),
  });
  return made.id;
}

/** Opens a task that waits, now; `due_on` moves its day with it, as the step of a case that begins later than planned. */
export async function openTask(unit: Unit, id: number, { due_on: dueOn }: { due_on?: string } = {}): Promise<void> {
  const all = unit.elevated();
  await all.update(TASK, id, { opens_at: unit.now.toISOString(), ...(dueOn !== undefined && { due_on: dueOn }) });
  await all.takeAuto(TASK, id, 'open');
}

/** Cancels a task that has not ended, such as that of a case that is cancelled. @returns whether it did */
export async function cancelTask(unit: Unit, id: number, reason: string): Promise<boolean> {
  return unit.elevated().takeAuto(TASK, id, 'withdraw', { na_reason: reason });
}
