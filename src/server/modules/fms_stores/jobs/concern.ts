import type { Unit } from '../../../engine/records/unit.ts';

/** An item that needs attention: the text, the employees or accounts concerned, and its location. */
export interface Concern {
  event: string;
  link: string;
  employees: (number | null)[];
  users?: (number | null)[];
  values: Record<string, string>;
  /** The notices about the same thing, where people are notified of it only once. */
  groupKey?: string;
}

/** Whether the client has begun to use these types: only then are there tables to look at. */
export async function areInUse(unit: Unit, types: readonly string[]): Promise<boolean> {
  const [row] = await unit.query<{ all: boolean }>(
    `select ${types.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  return row!.all;
}

/** @returns how many people were notified */
export async function notifyOf(unit: Unit, company: number | null, concern: Concern): Promise<number> {
  const { employees, users = [], ...notice } = concern;
  const accounts = await unit.query<{ id: number }>(
    `select id from {users} where active and status = 'active' and (employee_id = any($1::bigint[]) or id = any($2::bigint[]))`,
    [employees.filter((id) => id !== null), users.filter((id) => id !== null)],
  );
  const to = accounts.map(({ id }) => id);
  if (to.length > 0) await unit.notify({ ...notice, to, entityId: company });
  return to.length;
}
