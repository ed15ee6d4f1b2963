import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';

const TASK = 'chk_task_instance';
const MEETING = 'board_meeting';
/** Actions are tasks once the meeting has been held. */
const HELD = new Set(['held', 'minuted', 'entered']);
const OPEN = new Set(['scheduled', 'open', 'in_progress', 'waiting']);

/** A row of a meeting's actions. */
export interface MeetingAction {
  id: number;
  what: string | null;
  owner_id: number | null;
  due_on: string | null;
  remark: string | null;
  task_id: number | null;
  state: string | null;
  done_on: string | null;
}

/** The task of an action. */
interface ActionTask extends Record<string, unknown> {
  id: number;
  title: string;
  instructions: string | null;
  assignee_id: number;
  due_on: string;
  done_on: string | null;
  state: string;
  /** Owner and due date at the last synchronisation of row and task: they show which of the two has changed since. */
  person_key: number | null;
  occurrence_key: string | null;
}

export const actionsOf = (meeting: Readonly<Record<string, unknown>>): MeetingAction[] =>
  Array.isArray(meeting.actions) ? (meeting.actions as MeetingAction[]) : [];

const tasksOf = (unit: Unit, meetingId: number): Promise<ActionTask[]> =>
  unit.query<ActionTask>(
    `select id, title, instructions, assignee_id, due_on::text, done_on::text, state, person_key, occurrence_key::text from {${TASK}}
     where origin_type = $1 and origin_id = $2 and active order by id`,
    [MEETING, meetingId],
  );

/** The state of an action, by that of its task. */
const stateOf = (task: string): string =>
  task === 'completed' ? 'done' : ['missed', 'not_applicable', 'cancelled'].includes(task) ? task : 'open';

/** Applies changes of an open action's row to its task. */
async function follow(unit: Unit, row: MeetingAction, task: ActionTask, today: string): Promise<void> {
  if (row.what !== task.title || (row.remark ?? null) !== task.instructions)
    await unit.update(TASK, task.id, { title: row.what, instructions: row.remark ?? null });
  if (row.owner_id !== null && row.owner_id !== task.person_key && row.owner_id !== task.assignee_id)
    await unit.takeAuto(TASK, task.id, 'hand_over', { assignee_id: row.owner_id });
  if (row.due_on === null || row.due_on === task.occurrence_key || row.due_on === task.due_on) return;
  // People can only reschedule to today or later; an earlier date is a correction.
  if (row.due_on < today) await unit.update(TASK, task.id, { due_on: row.due_on });
  else
    await unit.transition(TASK, task.id, 'reschedule', {
      due_on: row.due_on,
      move_reason: 'Changed in the minutes of the meeting.',
    });
}

/** Adds the task of an action. @returns its id */
async function addTask(unit: Unit, meeting: WireRecord, { what, remark, owner_id: owner, due_on: due }: MeetingAction) {
  const [place] = await unit.query<{ branch_id: number | null; department_id: number | null; unit: string }>(
    `select e.branch_id, e.department_id, u.name as unit from {employee} e, {board_unit} u where e.id = $1 and u.id = $2`,
    [owner, meeting.unit_id],
  );
  const { id } = await unit.create(TASK, {
    origin: 'meeting',
    origin_type: MEETING,
    origin_id: meeting.id,
    origin_name: `${place?.unit ?? ''} · ${String(meeting.number)}`.slice(0, 120),
    title: what,
    instructions: remark,
    category: 'corporate',
    assignee_id: owner,
    owner_id: meeting.secretary_id ?? null,
    branch_id: place?.branch_id ?? null,
    department_id: place?.department_id ?? null,
    due_on: due,
    person_key: owner,
    occurrence_key: due,
    opens_at: unit.at.toISOString(),
    seen_by: meeting.confidential === true ? 'named' : 'everyone',
  });
  return id;
}

/**
 * Synchronises the actions of a meeting with their tasks (act_engage.md §3.5). Once the meeting has been held, new rows get
 * a task, open tasks take over changes of their row, and tasks of removed rows are withdrawn. The rows then take over the
 * state, owner and due date of their tasks.
 */
export async function settleActions(unit: Unit, meetingId: number): Promise<void> {
  const meeting = await unit.read(MEETING, meetingId, { lock: true });
  if (!HELD.has(String(meeting.state))) return;
  const rows = actionsOf(meeting);
  const before = await tasksOf(unit, meetingId);
  const today = dayOfRecord(unit, meeting);
  const taskOf = new Map<number, number>();
  for (const row of rows) {
    const task = before.find(({ id }) => id === row.task_id);
    if (task && OPEN.has(task.state)) await follow(unit, row, task, today);
    if (task) taskOf.set(row.id, task.id);
    else if (row.owner_id !== null) taskOf.set(row.id, await addTask(unit, meeting, row));
  }
  const kept = new Set(taskOf.values());
  for (const { id, state } of before)
    if (!kept.has(id) && OPEN.has(state))
      await unit.takeAuto(TASK, id, 'withdraw', { na_reason: 'The action was removed from the minutes.' });
  const tasks = new Map((await tasksOf(unit, meetingId)).map((task) => [task.id, task]));
  const set: Record<number, Partial<MeetingAction>> = {};
  for (const row of rows) {
    const task = tasks.get(taskOf.get(row.id) ?? 0);
    if (!task) continue;
    const state = stateOf(task.state);
    const now: Partial<MeetingAction> = {
      task_id: task.id,
      state,
      done_on: state === 'done' ? task.done_on : null,
      owner_id: task.assignee_id,
      due_on: task.due_on,
    };
    if (task.person_key !== task.assignee_id || task.occurrence_key !== task.due_on)
      await unit.update(TASK, task.id, { person_key: task.assignee_id, occurrence_key: task.due_on });
    if (Object.entries(now).some(([name, value]) => row[name as keyof MeetingAction] !== value)) set[row.id] = now;
  }
  if (Object.keys(set).length > 0) await unit.update(MEETING, meetingId, { actions: { set } });
}

/** Synchronises the meeting that a task comes from. */
export async function settleTask(unit: Unit, taskId: number): Promise<void> {
  const [task] = await unit.query<{ meeting: number | null }>(
    `select origin_id as meeting from {${TASK}} where id = $1 and origin_type = $2`,
    [taskId, MEETING],
  );
  if (typeof task?.meeting === 'number') await settleActions(unit, task.meeting);
}
