import { awayOn } from '../../access/people/leave.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The employees who hold a role in the company and may sign in; with `here`, without those who are on leave or whose
 * work is delegated today.
 */
export async function membersOf(unit: Unit, role: unknown, { here = false } = {}): Promise<number[]> {
  const today = dayOfRecord(unit, {});
  const rows = await unit.query<{ id: number }>(
    `select e.id from {employee} e join {users} u on u.id = e.user_id
     where e.active and e.status <> 'left' and u.active and u.status = 'active'
       and exists (select 1 from {users.companies} c where c.parent_id = u.id and c.entity_id = $2 and $1 = any(c.role_ids))
       ${here ? `and not exists (select 1 from {delegation} d where d.from_employee_id = e.id and d.state = 'active' and $3::date between d.from_date and d.to_date) and not e.id = any($4)` : ''}
     order by e.id`,
    [role ?? null, unit.session.entityId, ...(here ? [today, await awayOn(unit.session.tenant, today)] : [])],
  );
  return rows.map(({ id }) => id);
}

/** The name under which a person writes on a ticket; without an account, the name that they entered. */
export function writerOf(unit: Unit, record: Row): string {
  if (unit.session.userId > 0) return unit.session.userName;
  const name = record.requester_name;
  return typeof name === 'string' && name !== '' ? name : 'Requester';
}

/** Whether the acting person is the requester, the person it is for, or somebody using the ticket's link. */
export function isRequester({ session }: Unit, record: Row): boolean {
  if (session.userId <= 0) return true;
  if (record.assignee_id !== null && record.assignee_id === session.employeeId) return false;
  return session.employeeId !== null && [record.requester_id, record.on_behalf_of_id].includes(session.employeeId);
}

/** The name of a record, as people know it; null = none. */
export async function nameOf(
  unit: Unit,
  type: 'employee' | 'role' | 'service' | 'pause_category' | 'slab',
  id: unknown,
): Promise<string | null> {
  if (typeof id !== 'number') return null;
  const [row] = await unit.query<{ name: string }>(
    `select ${type === 'role' ? 'role_name' : 'name'} as name from {${type}} where id = $1`,
    [id],
  );
  return row?.name ?? null;
}
