import { formatDate } from '../../../descriptor/format.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/** The accounts of members of staff who may sign in. */
export async function accountsOf(unit: Unit, employees: readonly unknown[]): Promise<number[]> {
  return [...new Set((await accountByMember(unit, employees)).values())];
}

/** The account of each member of staff who may sign in. */
export async function accountByMember(unit: Unit, employees: readonly unknown[]): Promise<Map<unknown, number>> {
  const ids = employees.filter((one): one is number => typeof one === 'number');
  if (ids.length === 0) return new Map();
  const rows = await unit.query<{ id: number; user_id: number }>(
    `select e.id, e.user_id from {employee} e join {users} u on u.id = e.user_id where e.id = any($1::bigint[]) and u.active and u.status = 'active'`,
    [ids],
  );
  return new Map(rows.map(({ id, user_id: user }) => [id, user]));
}

/** The name of the acting person; "The product" for automatic steps. */
export async function nameOfActor({ session, ...unit }: Unit): Promise<string> {
  void unit;
  const rows = await session.tenant.db.query<{ name: string | null }>(
    `select coalesce(e.name, u.username) as name from "${session.tenant.schema}".users u left join "${session.tenant.schema}".employee e on e.id = u.employee_id where u.id = $1`,
    [session.userId],
  );
  return rows[0]?.name ?? 'The product';
}

/** Notifies people about a task, except the acting person. */
export async function notifyAboutTask(
  unit: Unit,
  task: Row & { id: number },
  event: 'task.assigned' | 'task.submitted' | 'task.returned' | 'task.na_asked' | 'task.moved',
  employees: readonly unknown[],
  reason?: unknown,
): Promise<void> {
  const to = (await accountsOf(unit, employees)).filter((one) => one !== unit.session.userId);
  if (to.length === 0) return;
  await unit.notify({
    event,
    to,
    entityId: unit.session.entityId,
    link: `/tasks_detail?id=${task.id}`,
    record: { type: 'chk_task_instance', id: task.id },
    values: {
      task: String(task.title),
      from: typeof task.origin_name === 'string' ? task.origin_name : '',
      due: formatDate(task.due_on),
      person: await nameOfActor(unit),
      reason: typeof reason === 'string' ? reason : '',
    },
    ...(event === 'task.submitted' && { groupKey: 'task.submitted' }),
  });
}
