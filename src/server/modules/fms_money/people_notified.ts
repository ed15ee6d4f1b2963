import type { Unit } from '../../engine/records/unit.ts';

/** Accounts with the shipped accounts role in the current company. */
export async function accountsPeople(unit: Unit): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
     where u.active and u.status = 'active' and c.entity_id = $1 and r.code = 'ACCOUNTS'`,
    [unit.session.entityId],
  );
  return rows.map(({ id }) => id);
}

/** The account of the head of a branch; empty if there is none. */
export async function headOf(unit: Unit, branch: number): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select u.id from {branch} b join {employee} e on e.id = b.head_id join {users} u on u.id = e.user_id
     where b.id = $1 and u.active and u.status = 'active'`,
    [branch],
  );
  return rows.map(({ id }) => id);
}

/** The account of a customer's account manager; empty if there is none. */
export async function managerOf(unit: Unit, customer: number): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select u.id from {customer_dtl} c join {employee} e on e.id = c.account_manager_id join {users} u on u.id = e.user_id
     where c.id = $1 and u.active and u.status = 'active'`,
    [customer],
  );
  return rows.map(({ id }) => id);
}
