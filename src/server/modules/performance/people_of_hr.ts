import type { Unit } from '../../engine/records/unit.ts';

/** The right of people who enter figures of others: reports to HR go to them. */
const HR = 'ADMIN_ACTUAL';

/** Accounts in the company that may enter figures of others. */
export async function peopleOfHr(unit: Unit, company: number): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
       join {role_action} a on a.role_id = r.id and a.action_code = $2 where u.active and u.status = 'active' and c.entity_id = $1`,
    [company, HR],
  );
  return rows.map(({ id }) => Number(id));
}
