import type { Unit } from '../../engine/records/unit.ts';
import { refusalWords } from '../../engine/workflow/refused_steps.ts';
import { accountsOf } from './task_people.ts';

type Row = Readonly<Record<string, unknown>>;
interface Point extends Row {
  id: number;
}

const NEEDS_FOLLOW_UP: readonly unknown[] = ['raise_ticket', 'start_case'];

/**
 * Raises the ticket or starts the case that a failed checkpoint asks for, once, also if the task is returned and submitted
 * again. What cannot be made does not keep the doer from submitting: the owner of the task is notified.
 * @returns the rows of the checkpoints to change
 */
export async function followUpFailures(unit: Unit, task: Row & { id: number }): Promise<Record<string, Row>> {
  const failed = (task.subtasks as Point[]).filter(
    (one) => one.passed === false && NEEDS_FOLLOW_UP.includes(one.fail_action) && !one.follow_up,
  );
  const changed: Record<string, Row> = {};
  for (const point of failed) {
    let made = '';
    const refused = await unit.attempt(async () => {
      made =
        point.fail_action === 'raise_ticket'
          ? await raiseTicket(unit, task, point)
          : await startCase(unit, task, point);
    });
    if (refused) await notifyOwner(unit, task, point, refusalWords(refused));
    else changed[String(point.id)] = { follow_up: made };
  }
  return changed;
}

const about = (task: Row, point: Row) => `${String(task.title)}: ${String(point.title)}`;

/** What was found, for whoever takes care of it. */
const found = (task: Row, point: Row) =>
  [
    `Failed in ${String(task.task_no)}, ${String(task.origin_name ?? task.title)}.`,
    ...(typeof point.remark === 'string' && point.remark !== '' ? [point.remark] : []),
  ].join('\n');

async function raiseTicket(unit: Unit, task: Row, point: Row): Promise<string> {
  const [doer] = await unit.query<{ branch_id: number | null }>('select branch_id from {employee} where id = $1', [
    task.assignee_id,
  ]);
  const ticket = await unit.create('ticket', {
    service_id: point.fail_service_id,
    subject: about(task, point).slice(0, 200),
    description: found(task, point),
    requester_id: task.assignee_id,
    branch_id: task.branch_id ?? doer?.branch_id ?? null,
  });
  return `Ticket ${String(ticket.ticket_no)}`;
}

async function startCase(unit: Unit, task: Row, point: Row): Promise<string> {
  const made = await unit.create('act_case', {
    case_type_id: point.fail_case_type_id,
    title: about(task, point).slice(0, 150),
    owner_id: task.owner_id ?? task.assignee_id,
    branch_id: task.branch_id ?? null,
    started_by_rule: `Task ${String(task.task_no)}`,
    comments: [{ text: found(task, point) }],
  });
  await unit.transition('act_case', made.id, 'start');
  return `Case ${String(made.case_no)}`;
}

async function notifyOwner(unit: Unit, task: Row & { id: number }, point: Row, why: string): Promise<void> {
  const to = await accountsOf(unit, [task.owner_id ?? task.assignee_id]);
  if (to.length === 0) return;
  const what = point.fail_action === 'raise_ticket' ? 'ticket was raised' : 'case was started';
  await unit.notify({
    event: 'checklist.attention',
    to,
    entityId: unit.session.entityId,
    link: `/tasks_detail?id=${task.id}`,
    record: { type: 'chk_task_instance', id: task.id },
    values: {
      checklist: String(task.title),
      what: `no ${what}`,
      text: `No ${what} for "${String(point.title)}": ${why}`,
    },
  });
}
